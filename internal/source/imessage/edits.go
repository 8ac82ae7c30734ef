package imessage

import (
	"strconv"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// editSlack is how far the time of a text's first version may lie from the
// message's: the same but for rounding and clocks.
const editSlack = 10 * time.Minute

// edits reads the history of an edited part: a line with the first version
// and its time, then "Edited 30 seconds later: " before each later version.
// It returns false when line begins no history. Otherwise the cursor is past
// the last version's first line, of which the part from the returned offset
// on is text.
func (p *parser) edits(line string, at int) (from int, ok bool) {
	when, raw, ok := p.firstVersion(line)
	if !ok {
		return 0, false
	}
	begin := at + len(raw) + 1
	next := p.nextEdit()
	if next < 0 {
		return 0, false
	}
	moment := when
	for next >= 0 {
		p.m.Edits = append(p.m.Edits, msg.Edit{Body: p.cursor.text[begin : next-1], Time: moment})
		for p.cursor.at < next {
			p.cursor.next()
		}
		l := p.cursor.next()
		after, length, _ := parseEdit(l)
		moment = later(moment, after)
		begin = next + length
		next = p.nextEdit()
	}
	p.m.Edited = true
	if moment.Known {
		p.detail("edited_at", moment.String())
	}
	return begin, true
}

// firstVersion reads the time before the first version: a date, or in some
// exports the time of day alone.
func (p *parser) firstVersion(line string) (t msg.Time, raw string, ok bool) {
	if when, dated := parseClock(line); dated {
		if len(line) == clockLen || line[clockLen] != ' ' {
			return msg.Time{}, "", false
		}
		raw = line[:clockLen]
		t = wall(when, raw)
		near := when.Sub(p.m.Time.UTC()).Abs() <= editSlack
		return t, raw, near || !t.Known || !p.m.Time.Known
	}
	raw, _, spaced := strings.Cut(line, "M ")
	if !spaced || len(raw) < 9 || len(raw) > 10 {
		return msg.Time{}, "", false
	}
	raw += "M"
	clock, timed := parseTimeOfDay(strings.Repeat(" ", 11-len(raw)) + raw)
	if !timed {
		return msg.Time{}, "", false
	}
	t = p.m.Time
	t.Raw = raw
	day := t.UTC().Truncate(24 * time.Hour)
	t.Known = t.Known && day.Add(clock).Equal(t.UTC())
	return t, raw, true
}

// nextEdit returns where in the text the next later version stands, before
// anything but text, or -1.
func (p *parser) nextEdit() int {
	c := p.cursor
	if c.at < p.noEdit {
		return -1
	}
	for !c.done() {
		at := c.at
		l := c.next()
		if strings.HasPrefix(l, editPrefix) {
			if _, _, ok := parseEdit(l); ok {
				return at
			}
		}
		if isTapbackTitle(l) || l == replyMarker || strings.HasPrefix(l, indent) && isDated(l[len(indent):]) {
			break
		}
	}
	p.noEdit = c.at
	return -1
}

func isDated(l string) bool {
	_, ok := parseClock(l)
	return ok
}

const (
	editPrefix = "Edited "
	editSuffix = " later: "
)

// parseEdit reads "Edited 1 hour, 49 seconds later: " and returns the time in
// between and the length of the words.
func parseEdit(l string) (time.Duration, int, bool) {
	span, _, ok := strings.Cut(l[len(editPrefix):], editSuffix)
	if !ok {
		return 0, 0, false
	}
	d, ok := parseSpan(span)
	return d, len(editPrefix) + len(span) + len(editSuffix), ok
}

var spanUnits = map[string]time.Duration{
	"day": 24 * time.Hour, "hour": time.Hour, "minute": time.Minute, "second": time.Second,
}

// parseSpan reads "2 days, 1 hour, 49 seconds". No time at all is written as
// nothing. Early versions put every unit in the plural.
func parseSpan(s string) (time.Duration, bool) {
	if s == "" {
		return 0, true
	}
	var sum time.Duration
	for _, part := range strings.Split(s, ", ") {
		number, unit, ok := strings.Cut(part, " ")
		n, err := strconv.Atoi(number)
		size := spanUnits[strings.TrimSuffix(unit, "s")]
		if !ok || err != nil || size == 0 || n < 0 || n > 1e6 {
			return 0, false
		}
		sum += time.Duration(n) * size
	}
	return sum, true
}

// later returns t moved on by a span the exporter gives in words, so with no
// raw text of its own.
func later(t msg.Time, by time.Duration) msg.Time {
	t.Raw = ""
	t.Micros += by.Microseconds()
	return t
}

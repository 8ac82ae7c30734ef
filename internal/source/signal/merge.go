package signal

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// signal-export --old reads the messages of an earlier transcript back and
// writes them beside the present ones, with the transcript's whole minutes or
// seconds for times; what it takes for the same message it merges, the rest
// stands in the file twice, close together because the file is sorted.

const (
	// mergeWindow is how many messages are held back while the better copy
	// of one may follow, and mergeBytes how much text.
	mergeWindow = 256
	mergeBytes  = 1 << 20
	// mergeRecent is how many exact messages are remembered for a coarse one
	// that follows them.
	mergeRecent = 64
)

// entry is a message on its way to the sink, with what it points into.
type entry struct {
	m     msg.Message
	reply msg.Reply
	// unit is the step of the time when it is coarser than a millisecond,
	// in microseconds, else 0.
	unit int64
	// text and bare are hashes of sender and body, as it is and without
	// Markdown links, which reading back removes.
	text, bare uint64
	// better is the line of the exact copy that makes this one needless.
	better int64
	// used is set when this one has made another needless.
	used bool
}

// mergeUnit tells a time that may have been read back from a transcript. An
// exact time ends in a whole second once in a thousand messages.
func mergeUnit(t msg.Time) int64 {
	switch {
	case !t.Known || t.Precision != msg.Second:
		return 0
	case t.Micros%minute == 0:
		return minute
	}
	return second
}

func (e *entry) key(m *msg.Message, body string) {
	e.text = hashFolded(m.Sender.ID, body)
	e.bare = e.text
	if strings.Contains(body, "](") {
		e.bare = hashFolded(m.Sender.ID, withoutLinks(body))
	}
}

// copyOf reports whether e, which is coarse, is the message x.
func (e *entry) copyOf(x *entry) bool {
	if x.used || x.unit >= e.unit || e.text != x.text && e.text != x.bare {
		return false
	}
	at := x.m.Time.Micros
	return at >= e.m.Time.Micros && at < e.m.Time.Micros+e.unit
}

// mergeQueue holds messages back while there is one among them that may be
// a copy of one to come. Without such a message it holds none.
type mergeQueue struct {
	held   []*entry
	bytes  int
	recent [mergeRecent]entry
	next   int
	free   []*entry
}

// take returns an entry to fill.
func (q *mergeQueue) take() *entry {
	if n := len(q.free); n > 0 {
		e := q.free[n-1]
		q.free = q.free[:n-1]
		e.better, e.used = 0, false
		return e
	}
	return &entry{}
}

// add takes e in and delivers what need not wait any longer.
func (q *mergeQueue) add(e *entry, deliver func(*entry) error) error {
	if e.unit > 0 {
		for i := range q.recent {
			if x := &q.recent[i]; x.m.Position.Line > 0 && e.copyOf(x) {
				x.used, e.better = true, x.m.Position.Line
				break
			}
		}
	}
	for _, h := range q.held {
		if h.unit > e.unit && h.better == 0 && h.copyOf(e) {
			e.used, h.better = true, e.m.Position.Line
			break
		}
	}
	q.held = append(q.held, e)
	q.bytes += len(e.m.Body)
	for len(q.held) > 0 && q.settled(q.held[0], e) {
		if err := q.pop(deliver); err != nil {
			return err
		}
	}
	return nil
}

// settled reports whether h, the first held, can go now that e is the last.
func (q *mergeQueue) settled(h, e *entry) bool {
	return h.unit == 0 || h.better > 0 || e.m.Time.Micros >= h.m.Time.Micros+h.unit ||
		len(q.held) > mergeWindow || q.bytes > mergeBytes
}

func (q *mergeQueue) flush(deliver func(*entry) error) error {
	for len(q.held) > 0 {
		if err := q.pop(deliver); err != nil {
			return err
		}
	}
	return nil
}

func (q *mergeQueue) pop(deliver func(*entry) error) error {
	e := q.held[0]
	q.held = append(q.held[:0], q.held[1:]...)
	q.bytes -= len(e.m.Body)
	if e.better == 0 {
		q.recent[q.next] = entry{
			m:    msg.Message{Time: msg.Time{Micros: e.m.Time.Micros}, Position: e.m.Position},
			unit: e.unit, text: e.text, bare: e.bare, used: e.used,
		}
		q.next = (q.next + 1) % mergeRecent
	}
	err := deliver(e)
	q.free = append(q.free, e)
	return err
}

const (
	fnvBasis = uint64(14695981039346656037)
	fnvPrime = uint64(1099511628211)
)

// hashFolded hashes sender and body without what merging may change: white
// space and the marks of quotes.
func hashFolded(sender, body string) uint64 {
	h := fnvBasis
	for i := range len(sender) {
		h = (h ^ uint64(sender[i])) * fnvPrime
	}
	h = (h ^ '\n') * fnvPrime
	for i := range len(body) {
		switch c := body[i]; c {
		case ' ', '\n', '\r', '\t', '>':
		default:
			h = (h ^ uint64(c)) * fnvPrime
		}
	}
	return h
}

func hashBytes(b []byte) uint64 {
	h := fnvBasis
	for _, c := range b {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return h
}

// withoutLinks cuts every "[…](…)" out of a text, and "!" before it.
func withoutLinks(text string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(text, '[')
		if open < 0 {
			break
		}
		middle := strings.Index(text[open:], "](")
		if middle < 0 {
			break
		}
		middle += open
		shut := strings.IndexByte(text[middle:], ')')
		if shut < 0 {
			break
		}
		b.WriteString(strings.TrimSuffix(text[:open], "!"))
		text = text[middle+shut+1:]
	}
	b.WriteString(text)
	return b.String()
}

package imessage

import (
	"io"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// recordCap bounds what is kept of one record in bytes: a text of bodyCap and
// as much again for the copies of the replies to it.
const recordCap = 2 * bodyCap

// record is one record as it stands in the file.
type record struct {
	kind recordKind
	at   msg.Position
	when time.Time
	// text holds the date line, the sender line if the kind has one and what
	// follows, every line with its line feed.
	text []byte
	// senderAt and bodyAt are where these parts begin in text.
	senderAt, bodyAt int
	// verdict is verdictSuspect with a reason, or verdictKeep.
	verdict verdict
	reason  string
	// lost is set when the record was longer than recordCap.
	lost *source.Skipped
	// atEnd is set on the last record of a file.
	atEnd bool
}

type recordKind uint8

const (
	strayText     recordKind = iota // lines before the first record
	messageRecord                   // date, sender, text
	eventRecord                     // one line: a group event
	unknownRecord                   // one line: a date and something else
	brokenRecord                    // one line without a date
	headless                        // a date at the end of the file, whole or cut, with no sender
)

var kindOfOpening = map[openingKind]recordKind{
	noticeLine: eventRecord, unknownEvent: unknownRecord, brokenEvent: brokenRecord,
}

func (r *record) sender() []byte {
	if r.kind != messageRecord {
		return nil
	}
	return r.text[r.senderAt : r.bodyAt-1]
}

func (r *record) begin(kind recordKind, at msg.Position, when time.Time, first []byte) {
	*r = record{kind: kind, at: at, when: when, text: append(r.text[:0], first...)}
	r.text = append(r.text, '\n')
	r.senderAt, r.bodyAt = len(r.text), len(r.text)
}

func (r *record) add(l *line) {
	if len(r.text)+len(l.Text) > recordCap {
		if r.lost == nil {
			r.lost = &source.Skipped{
				Position: msg.Position{Line: l.Number, Offset: l.Offset},
				Reason:   "rest of a message that is too long to keep",
				Excerpt:  source.Excerpt(string(l.Text[:min(len(l.Text), source.ExcerptSize)])),
			}
		}
		return
	}
	if r.lost != nil {
		return
	}
	r.text = append(r.text, l.Text...)
	if !l.Partial {
		r.text = append(r.text, '\n')
	}
}

// judge decides about lines that have the shape of a record: offset is where
// the first one begins, sender is empty for events.
type judge func(offset int64, sender []byte) (verdict, string)

// verdict is what becomes of lines that have the shape of a record.
type verdict uint8

const (
	verdictKeep    verdict = iota // a record of its own
	verdictSuspect                // a record, but perhaps text of the one before
	verdictText                   // text of the record before
)

// splitter cuts a file into records. Only a line after an empty one, or the
// first of the file, opens a record.
type splitter struct {
	lines *lines
	judge judge
	// current is the record being filled, spare the one handed out last.
	current, spare *record
	open           bool
	// held is a line that opens a record if the next line agrees.
	held      opening
	heldText  []byte
	heldAt    msg.Position
	afterGap  bool
	exhausted bool
}

func newSplitter(r io.Reader, j judge) *splitter {
	return &splitter{lines: newLines(r), judge: j, current: new(record), spare: new(record), afterGap: true}
}

// next returns the next record, which is valid until the call after, or
// io.EOF.
func (s *splitter) next() (*record, error) {
	for !s.exhausted {
		l, err := s.lines.next()
		if err == io.EOF {
			return s.finish()
		}
		if err != nil {
			return nil, err
		}
		if done := s.take(l); done != nil {
			return done, nil
		}
	}
	return nil, io.EOF
}

// take adds a line and returns the record that it ended, if it did.
func (s *splitter) take(l *line) *record {
	var done *record
	if s.held.kind != notOpening {
		opened, ended := s.settle(l)
		done = ended
		if opened && s.current.kind == messageRecord {
			s.afterGap = false
			return done
		}
	}
	if s.afterGap && l.Start && !l.Partial {
		if o := openingOf(l.Text); o.kind != notOpening {
			s.held = o
			s.heldText = append(s.heldText[:0], l.Text...)
			s.heldAt = msg.Position{Line: l.Number, Offset: l.Offset}
			s.afterGap = false
			return done
		}
	}
	if !s.open {
		if len(l.Text) > 0 {
			s.current.begin(strayText, msg.Position{Line: l.Number, Offset: l.Offset}, time.Time{}, l.Text[:min(len(l.Text), source.ExcerptSize)])
			s.open = true
		}
	} else {
		s.current.add(l)
	}
	s.afterGap = l.Start && !l.Partial && len(l.Text) == 0
	return done
}

// settle decides whether the held line opens a record, now that the line
// after it is known. A date wants a sender, an event an empty line.
func (s *splitter) settle(next *line) (opened bool, ended *record) {
	held := s.held
	s.held = opening{}
	v, reason := verdictText, ""
	switch {
	case held.kind == dateLine && next.Start && !next.Partial && canBeSender(next.Text):
		v, reason = s.verdict(next.Text)
	case held.kind != dateLine && held.kind != cutDate && len(next.Text) == 0:
		v, reason = s.verdict(nil)
	}
	if v == verdictText {
		s.keepHeldAsText()
		return false, nil
	}
	ended = s.openHeld(held)
	s.current.verdict, s.current.reason = v, reason
	if held.kind == dateLine {
		s.current.text = append(append(s.current.text, next.Text...), '\n')
		s.current.bodyAt = len(s.current.text)
	}
	return true, ended
}

func (s *splitter) verdict(sender []byte) (verdict, string) {
	if s.judge == nil {
		return verdictKeep, ""
	}
	return s.judge(s.heldAt.Offset, sender)
}

func (s *splitter) keepHeldAsText() {
	l := &line{source.Line{Text: s.heldText, Number: s.heldAt.Line, Offset: s.heldAt.Offset}, true}
	if s.open {
		s.current.add(l)
		return
	}
	s.current.begin(strayText, s.heldAt, time.Time{}, s.heldText)
	s.open = true
}

// openHeld makes the held line the beginning of the current record and
// returns the one before it, if there was one.
func (s *splitter) openHeld(held opening) *record {
	var ended *record
	if s.open {
		ended = s.current
		s.current, s.spare = s.spare, s.current
	}
	kind := messageRecord
	if held.kind != dateLine {
		kind = kindOfOpening[held.kind]
	}
	s.current.begin(kind, s.heldAt, held.when, s.heldText)
	s.open = true
	return ended
}

// finish hands out what is left at the end of the file.
func (s *splitter) finish() (*record, error) {
	if s.held.kind != notOpening {
		held := s.held
		s.held = opening{}
		v, reason := s.verdict(nil)
		if v == verdictText {
			s.keepHeldAsText()
		} else {
			ended := s.openHeld(held)
			s.current.verdict, s.current.reason = v, reason
			if held.kind == dateLine || held.kind == cutDate {
				s.current.kind = headless
			}
			if ended != nil {
				return ended, nil
			}
		}
	}
	s.exhausted = true
	if !s.open {
		return nil, io.EOF
	}
	s.open = false
	s.current.atEnd = true
	return s.current, nil
}

package imessage

import (
	"bytes"
	"context"
	"errors"
	"hash/maphash"
	"io"
)

const (
	// maxSenders, maxReplies and maxVerdicts bound what is remembered of a
	// file from the first reading to the second.
	maxSenders  = 1 << 12
	maxReplies  = 1 << 17
	maxVerdicts = 1 << 16
	// lookEvery is how many records pass between two looks at the context.
	lookEvery = 256
)

// survey is what a first reading of the whole file tells: who writes in it,
// which records break the order of time, and which replies stand in their own
// place.
type survey struct {
	// senders counts the records of each sender line; order lists them as
	// they first appear.
	senders map[string]*int
	order   []string
	// verdicts holds what is not verdictKeep, by the offset of the date line.
	verdicts map[int64]verdict
	// replies are the replies in their own place, by date line, sender line
	// and number of those before with the same two.
	replies map[uint64]shape
	// plain and indented count the reaction blocks of the two styles.
	plain, indented int
	restarts        int
	records         int
	digest          digester
}

// shape is how a reply looks wherever it stands: how many lines, and what in
// them, whatever their indentation.
type shape struct {
	lines int
	sum   uint64
}

func takeSurvey(ctx context.Context, r io.Reader) (*survey, error) {
	s := &survey{
		senders: map[string]*int{}, verdicts: map[int64]verdict{}, replies: map[uint64]shape{},
		digest: digester{maphash.MakeSeed()},
	}
	o := newOrder(func(m moment, v verdict) { s.judged(m.offset, v) })
	split := newSplitter(r, nil)
	for {
		if s.records%lookEvery == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		rec, err := split.next()
		if errors.Is(err, io.EOF) {
			o.end()
			s.restarts = o.restarts
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		s.records++
		s.add(rec, o)
	}
}

func (s *survey) add(r *record, o *order) {
	whole, reply, reactions := s.digest.record(r.text)
	switch r.kind {
	case messageRecord:
		s.addSender(r.sender())
		s.addReply(r, reply)
		if reactions != nil {
			s.addStyle(reactions)
		}
		o.add(moment{r.at.Offset, r.when, whole})
	case eventRecord, unknownRecord, brokenRecord:
		// Nothing but another record follows a true event.
		if len(bytes.TrimSpace(r.text[r.bodyAt:])) > 0 {
			s.judged(r.at.Offset, verdictText)
		} else if r.kind != brokenRecord {
			o.add(moment{r.at.Offset, r.when, whole})
		}
	}
}

func (s *survey) judged(offset int64, v verdict) {
	if len(s.verdicts) < maxVerdicts {
		s.verdicts[offset] = max(s.verdicts[offset], v)
	}
}

func (s *survey) addSender(sender []byte) {
	if n, known := s.senders[string(sender)]; known {
		*n++
	} else if len(s.senders) < maxSenders {
		name := string(sender)
		s.senders[name] = new(1)
		s.order = append(s.order, name)
	}
}

// count is how many records name the sender.
func (s *survey) count(sender string) int {
	if n, known := s.senders[sender]; known {
		return *n
	}
	return 0
}

func (s *survey) addReply(r *record, reply shape) {
	if reply.lines == 0 || len(s.replies) >= maxReplies {
		return
	}
	key := s.digest.key(r.text[:r.senderAt-1], r.sender())
	for n := uint64(0); n < maxEqualReplies; n++ {
		if _, taken := s.replies[key+n]; !taken {
			s.replies[key+n] = reply
			return
		}
	}
}

// maxEqualReplies is how many replies of one sender in one second are told
// apart.
const maxEqualReplies = 8

// addStyle counts the reaction block whose lines follow a title at the
// beginning of rest.
func (s *survey) addStyle(rest []byte) {
	first, _, _ := bytes.Cut(rest, []byte("\n"))
	text, indented := bytes.CutPrefix(first, []byte(indent))
	if _, ok := parseTapback(string(text)); !ok {
		return
	}
	if indented {
		s.indented++
	} else {
		s.plain++
	}
}

// replyMarker ends a reply in its own place.
const replyMarker = "This message responded to an earlier message."

// digester sums up lines without the white space at their ends, so that a
// reply and its copy give the same sum.
type digester struct{ seed maphash.Seed }

func (d digester) line(sum uint64, line []byte) uint64 {
	const prime = 0x9E3779B97F4A7C15
	for len(line) > 0 && line[0] == ' ' {
		line = line[1:]
	}
	for len(line) > 0 && (line[len(line)-1] == ' ' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return (sum ^ maphash.Bytes(d.seed, line)) * prime
}

func (d digester) key(date, sender []byte) uint64 {
	return d.line(d.line(1, date), sender)
}

// record sums up a record to its last line that is not empty. If that line
// is the reply marker, reply is the shape of what stands before it. What
// follows the first title of a reaction block is reactions.
func (d digester) record(text []byte) (sum uint64, reply shape, reactions []byte) {
	var now, last, before shape
	marked := false
	for len(text) > 0 {
		l, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		now = shape{now.lines + 1, d.line(now.sum, l)}
		if len(l) == 0 {
			continue
		}
		before, last = last, now
		marked = len(l) == len(replyMarker) && string(l) == replyMarker
		if reactions == nil && l[len(l)-1] == ':' && isTapbackTitle(l) {
			reactions = text
		}
	}
	if !marked {
		before = shape{}
	}
	return last.sum, before, reactions
}

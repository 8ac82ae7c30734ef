package whatsapp

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// survey is what a first pass learns about a file. Everything in it is
// bounded, however large the file.
type survey struct {
	now time.Time

	// headers counts the lines with a header in the file's frame, which is
	// that of the first one. atTop is set when nothing stands before it.
	headers int64
	atTop   bool
	frame   frame
	// main is the first header's date style, others are those beside it.
	main        dateStyle
	others      []dateStyle
	otherMarked bool // WhatsApp marked one of the others

	evidence, otherEvidence orderEvidence
	times                   [orders]timeline
	first, last             [orders]int64
	eras                    [otherEra + 1]bool

	senders senders
	// texts counts authored texts, marked those that begin with a mark, and
	// markedNotices those of them that are no known thing.
	texts, marked, markedNotices int64
	noticeAuthor                 string // of the encryption notice
	groupNotice                  bool
	ownerNotice                  int32 // who authored "You deleted this message"

	// afterCRLF and afterLF count headers by the line break before them.
	afterCRLF, afterLF int64
	// blank is set until something but blank lines was seen.
	blank   bool
	reading interpreter
	scratch msg.Message
}

const (
	// linesPerLook is how many lines pass between two looks at the context.
	linesPerLook = 256
	// maxStyles bounds the date styles remembered.
	maxStyles = 16
	// earlyHeaders is how many headers from the top an encryption notice
	// without a mark may stand.
	earlyHeaders = 3
)

// takeSurvey reads r to its end. After an error the survey holds what was
// read before it.
func takeSurvey(ctx context.Context, r io.Reader, now time.Time) (*survey, error) {
	s := &survey{now: now, ownerNotice: noSender, blank: true}
	s.reading.trusted = true
	defer func() {
		for o := range s.times {
			s.times[o].finish()
		}
	}()
	lines := source.NewLineReader(r)
	crlf, inLine := false, false
	for n := 0; ; n++ {
		if n%linesPerLook == 0 && ctx.Err() != nil {
			return s, ctx.Err()
		}
		line, err := lines.Next()
		if err == io.EOF {
			return s, nil
		}
		if err != nil {
			return s, err
		}
		if !inLine {
			s.addLine(line, crlf)
		}
		inLine = line.Partial
		crlf = bytes.HasSuffix(line.Text, []byte("\r"))
	}
}

func (s *survey) addLine(line source.Line, afterCRLF bool) {
	h, ok := scanHeader(line.Text)
	if !ok {
		s.blank = s.blank && blank(line.Text)
		return
	}
	var moments [orders]int64
	var valid [orders]bool
	for o := range orders {
		moments[o], valid[o] = h.moment(o)
	}
	if valid == [orders]bool{} || s.headers > 0 && h.frame != s.frame {
		return
	}
	if s.headers == 0 {
		s.frame, s.main, s.reading.shape = h.frame, h.dateStyle, h.shape
		s.first, s.atTop = moments, s.blank
	} else if afterCRLF {
		s.afterCRLF++
	} else {
		s.afterLF++
	}
	s.headers++
	s.last = moments
	s.addDate(&h, &moments, valid)
	text := bytes.TrimSuffix(line.Text[h.text:], []byte("\r"))
	author, marked := s.addText(text, h.dateStyle == s.main, valid)
	for o := range orders {
		if valid[o] {
			s.times[o].add(stamp{line.Number, moments[o], author, marked || h.marked})
		}
	}
}

func (s *survey) addDate(h *header, moments *[orders]int64, valid [orders]bool) {
	evidence := &s.evidence
	if h.dateStyle != s.main {
		evidence = &s.otherEvidence
		if len(s.others) < maxStyles && !slices.Contains(s.others, h.dateStyle) {
			s.others = append(s.others, h.dateStyle)
		}
	}
	switch h.year {
	case yearFirst:
		s.eras[eraOf(h.numbers[0])] = true
		return
	case yearLast:
		s.eras[eraOf(h.numbers[2])] = true
	}
	evidence.add(h, moments, valid, s.now)
}

// addText notes who wrote a text and whether WhatsApp marked it.
func (s *survey) addText(text []byte, main bool, valid [orders]bool) (author int32, marked bool) {
	name, body, ok := splitAuthor(text)
	marked = bytes.HasPrefix(body, []byte(lrm))
	if ok {
		author = s.senders.find(name)
		ok = author == noSender || !s.senders.list[author].quotes(s.frame.shape, body)
	}
	if !ok {
		s.groupNotice = s.groupNotice || isGroupNotice(string(text))
		return noSender, marked
	}
	notice := s.isNotice(author, name, body, marked)
	s.texts++
	if marked {
		s.marked++
		s.otherMarked = s.otherMarked || !main
	}
	if author == noSender {
		return author, marked
	}
	who := s.senders.list[author]
	if notice {
		who.notices++
		return author, marked
	}
	counts := &who.main
	if !main {
		counts = &who.other
	}
	for o := range orders {
		if valid[o] {
			counts[o]++
		}
	}
	who.watchColon(body)
	return author, marked
}

// isNotice reports whether an authored text is WhatsApp's own, and notes what
// it says about the chat.
func (s *survey) isNotice(author int32, name, body []byte, marked bool) bool {
	switch {
	case marked:
		text := string(body)
		s.scratch = msg.Message{}
		if !s.reading.interpret(&s.scratch, text) {
			if s.scratch.Kind == msg.Deleted && phraseOf(text) == deletedByOwner {
				s.ownerNotice = author
			}
			return false
		}
		s.markedNotices++
		s.groupNotice = s.groupNotice || isGroupNotice(text)
		if s.noticeAuthor == "" && isEncryptionNotice(text) {
			s.noticeAuthor = strings.ToValidUTF8(string(name), "\ufffd")
		}
		return true
	case s.headers <= earlyHeaders && unmarkedNotice(body):
		s.noticeAuthor = strings.ToValidUTF8(string(name), "\ufffd")
		return true
	}
	return false
}

// unmarkedNotice recognises the encryption notice of phones that do not mark
// their own texts: a statement of some length.
func unmarkedNotice(body []byte) bool {
	return len(body) >= 40 && len(body) < 1000 && !bytes.ContainsAny(body, "?!") && isEncryptionNotice(string(body))
}

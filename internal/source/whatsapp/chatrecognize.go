package whatsapp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

const (
	// lookSize is how much of a file's beginning recognition reads, tailSize
	// how much of its end.
	lookSize = 512 << 10
	tailSize = 64 << 10
)

// Recognize implements source.Source.
func (ChatText) Recognize(ctx context.Context, c source.Candidate) (source.Recognition, error) {
	if !plausibleHead(c.Head) {
		return source.Recognition{}, nil
	}
	s, size, err := lookAt(ctx, c)
	if err != nil {
		return source.Recognition{}, err
	}
	if s.headers == 0 {
		return source.Recognition{}, nil
	}
	p := makePlan(s, c, source.Options{})
	r := source.Recognition{
		Format:        formatNames[s.frame.shape],
		Root:          path.Dir(c.Path),
		Conversations: 1,
		Messages:      s.headers,
		First:         p.wallTime(s.first[p.order]),
		Last:          p.wallTime(s.last[p.order]),
		Needs:         p.needs(),
	}
	r.Confidence, r.Why = p.confidence(c)
	if c.Size > size {
		r.Messages = s.headers * c.Size / size
		r.Last = p.lastOf(c)
	}
	if p.basis == byHabit {
		r.Why = joinClauses(r.Why, p.ambiguity())
	}
	return r, nil
}

var formatNames = [...]string{
	bracketed: "WhatsApp chat export (iPhone)",
	dashed:    "WhatsApp chat export (Android)",
	coloned:   "WhatsApp chat export (iPhone, until 2016)",
}

func joinClauses(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// plausibleHead reports whether head has a header in it at all.
func plausibleHead(head []byte) bool {
	text, wide := textInput(bytes.NewReader(head))
	if !wide && bytes.IndexByte(head[:min(len(head), 512)], 0) >= 0 {
		return false
	}
	lines := source.NewLineReader(text)
	for {
		line, err := lines.Next()
		if err != nil {
			return false
		}
		if _, ok := scanHeader(line.Text); ok {
			return true
		}
	}
}

// lookAt surveys the beginning of the file, up to the end of a line, and
// returns how much of the file that was.
func lookAt(ctx context.Context, c source.Candidate) (*survey, int64, error) {
	look := c.Head
	if c.Size > int64(len(look)) {
		f, err := c.FS.Open(c.Path)
		if err != nil {
			return nil, 0, fmt.Errorf("open chat: %w", err)
		}
		defer f.Close()
		if look, err = io.ReadAll(io.LimitReader(f, lookSize)); err != nil {
			return nil, 0, fmt.Errorf("look at chat: %w", err)
		}
		if at := bytes.LastIndexByte(look, '\n'); at > 0 && int64(len(look)) < c.Size {
			look = look[:at+1]
		}
	}
	text, _ := textInput(bytes.NewReader(look))
	s, err := takeSurvey(ctx, text, time.Time{})
	if err != nil {
		return nil, 0, fmt.Errorf("look at chat: %w", err)
	}
	return s, int64(len(look)), nil
}

// confidence weighs what speaks for a chat export. Logs and other exporters
// write similar lines; a name that WhatsApp gives settles it.
func (p *plan) confidence(c source.Candidate) (confidence int, why string) {
	base := path.Base(c.Path)
	named := isChatFile(base) || titleOf(base) != ""
	switch {
	case !p.atTop && named:
		return 70, "lines stand above the first message"
	case !p.atTop:
		return 40, "lines stand above the first message, and the file is not named like a chat export"
	case named:
		return 97, ""
	case !strings.EqualFold(path.Ext(base), ".txt"):
		return 40, "lines look like messages, but the file is not named like a chat export"
	case len(p.members) == 0 && p.noticeAuthor == "":
		return 40, "no line names a sender"
	case p.likeOthers():
		return 60, "the lines could be of another program; nothing but their shape speaks for WhatsApp"
	case p.headers == 1:
		return 75, "there is a single message"
	}
	return 90, ""
}

// likeOthers reports whether headers look like those of logs and of Signal
// exports: the year first, no comma, no half of the day, no marks.
func (p *plan) likeOthers() bool {
	return p.main.year == yearFirst && !p.frame.comma && !p.frame.half && p.marked == 0 && p.noticeAuthor == ""
}

func (p *plan) wallTime(micros int64) msg.Time {
	t := msg.Time{Micros: micros, Basis: msg.Wall, Precision: msg.Minute, Known: !p.eras[otherEra]}
	if p.frame.seconds {
		t.Precision = msg.Second
	}
	return t
}

// lastOf is the time of the last header in a file that can be sought. Files
// in zips cannot.
func (p *plan) lastOf(c source.Candidate) (last msg.Time) {
	f, err := c.FS.Open(c.Path)
	if err != nil {
		return last
	}
	defer f.Close()
	seeker, ok := f.(io.Seeker)
	if !ok {
		return last
	}
	if _, err := seeker.Seek(-tailSize, io.SeekEnd); err != nil {
		return last
	}
	lines := source.NewLineReader(f)
	for {
		line, err := lines.Next()
		if err != nil {
			return last
		}
		if h, ok := scanHeader(line.Text); ok && h.frame == p.frame {
			if micros, ok := h.moment(p.order); ok {
				last = p.wallTime(micros)
			}
		}
	}
}

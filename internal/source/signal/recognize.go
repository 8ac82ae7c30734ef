package signal

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// The names that the exporter gives its files.
const (
	transcriptName = "chat.md"
	oldName        = "index.md"
	linesName      = "data.json"
)

// Recognize implements source.Source. A transcript begins with a message
// header; what its file is called only adds to the confidence.
func (Markdown) Recognize(_ context.Context, c source.Candidate) (source.Recognition, error) {
	whole := int64(len(c.Head)) >= c.Size
	l, found := findLayout(c.Head, whole)
	if !found {
		return source.Recognition{}, nil
	}
	o := survey(c.Head, l)
	chat := newChat(c)
	r := source.Recognition{
		Format:        "signal-export transcript (" + l.era() + ")",
		Root:          path.Dir(chat.folder),
		Conversations: 1,
		Messages:      o.messages,
		First:         o.first,
		Needs:         []source.Need{zoneNeed},
	}
	if whole {
		r.Last = o.last
	} else if used := len(c.Head); used > 0 {
		r.Messages = o.messages * c.Size / int64(used)
	}
	r.Confidence, r.Why = l.confidence(c, o)
	r.Superseded = supersededBy(c, o.first)
	return r, nil
}

var zoneNeed = source.Need{
	What: source.NeedZone,
	Why:  "the times are readings of the exporting computer's clock; without a time zone they stay that",
}

// overview is what the beginning of a transcript shows.
type overview struct {
	messages    int64
	first, last msg.Time
	owner       bool // the owner writes
}

// survey reads the headers in head.
func survey(head []byte, l layout) overview {
	s := &scanner{layout: l, buf: head, end: true}
	h, _ := scanHeader(head[l.first:])
	var o overview
	for m, more := (mark{header: h, at: int64(l.first)}), true; more; m, more = s.seek(m.at + int64(m.bodyFrom)) {
		line := head[m.at:]
		o.last = m.time.wall(m.precision(), string(line[1:m.rawEnd]), 0)
		if o.messages == 0 {
			o.first = o.last
		}
		o.owner = o.owner || string(line[m.sender:m.colon]) == ownerName
		o.messages++
	}
	return o
}

// era names the versions of signal-export that write so.
func (l layout) era() string {
	switch {
	case l.shape&withComma != 0:
		return "scripts of 2019 to 2021"
	case l.shape&withSeconds != 0 && l.blank:
		return "2.1 or later"
	case l.shape&withSeconds != 0:
		return "edited or made by hand"
	case l.blank:
		return "2.0"
	}
	return "1.x"
}

// confidence tells a transcript from notes that happen to be dated like one.
func (l layout) confidence(c source.Candidate, o overview) (n int, why string) {
	name := path.Base(c.Path)
	switch {
	case len(bytes.TrimSpace(bytes.TrimPrefix(c.Head[:l.first], byteOrderMark))) > 0:
		n, why = 30, "the file does not begin with a message"
	case l.spaced || o.owner:
		n = 70
	default:
		n, why = 55, "none of the messages is from Me, and they do not end as signal-export ends them"
	}
	switch {
	case strings.EqualFold(name, transcriptName):
		return n + 25, why
	case strings.EqualFold(name, oldName):
		return n + 15, why
	case o.messages < 2 || n < 70:
		return min(n, 40), "dated notes look the same; name the file chat.md if it is a transcript"
	}
	return n, why
}

// supersededBy returns the file beside c that holds the same messages in a
// better form: one that begins no later.
func supersededBy(c source.Candidate, first msg.Time) string {
	folder := path.Dir(c.Path)
	row, ok := firstRow(peek(c.FS, path.Join(folder, linesName)))
	if ok && notLater(row.when(0), first) {
		return linesName
	}
	if path.Base(c.Path) != oldName {
		return ""
	}
	head := peek(c.FS, path.Join(folder, transcriptName))
	if l, ok := findLayout(head, false); ok && notLater(survey(head, l).first, first) {
		return transcriptName
	}
	return ""
}

// notLater reports whether a is at or before b, in whole minutes.
func notLater(a, b msg.Time) bool { return a.Micros/minute <= b.Micros/minute }

// peek returns the beginning of the file name, or nothing where it cannot be
// read: it is then no better than the file at hand.
func peek(fsys fs.FS, name string) []byte {
	f, err := fsys.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, source.HeadSize))
	if err != nil {
		return nil
	}
	return head
}

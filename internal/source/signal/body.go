package signal

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

const (
	deletedText = "(This message was deleted)"
	spaces      = "  "
)

// maxLinks bounds how many attachments are taken from one message.
const maxLinks = 1024

// parts is what stands after a header. The strings are parts of one text.
type parts struct {
	quote     string
	body      string
	reactions string
	sticker   string // its label: an emoji or "sticker"
	links     []link // last one first
	deleted   bool
	// labelled is set when a sticker was written at all.
	labelled bool
}

// split takes text, which follows a header, apart. The exporter writes, from
// version 2.1 on,
//
//	quote, text␣␣, \n(- reactions -), sticker, attachments␣␣
//
// and before that the reactions and the sticker last. What a person typed
// ends in two spaces and what the exporter adds does not stand before them,
// which tells the two apart where spaced is set; in a file written by hand
// the shape alone decides.
func (p *parts) split(text string, spaced bool) {
	*p = parts{links: p.links[:0]}
	if text == deletedText {
		p.deleted = true
		return
	}
	p.quote, text = cutQuote(text)
	for len(p.links) < maxLinks {
		rest, ok := p.cutAddition(text, spaced)
		if !ok {
			break
		}
		text = rest
	}
	if spaced {
		text = strings.TrimSuffix(text, spaces)
	} else if p.added() {
		text = strings.TrimRight(text, " ")
	}
	p.body = text
}

func (p *parts) added() bool { return len(p.links) > 0 || p.reactions != "" || p.labelled }

// cutAddition cuts one thing that the exporter added to the end of a text.
func (p *parts) cutAddition(text string, spaced bool) (rest string, ok bool) {
	end := strings.TrimRight(text, " ")
	if !strings.HasSuffix(end, ")") {
		return text, false
	}
	if l, rest, ok := cutLink(end); ok && (!spaced || text == end+spaces && generated(rest)) {
		p.links = append(p.links, l)
		return rest, true
	}
	if spaced && text != end {
		return text, false
	}
	if rest, inner, ok := cutLine(end, "(- ", " -)"); ok && p.reactions == "" &&
		(!spaced || strings.HasSuffix(rest, spaces)) && validReactions(inner, !spaced) {
		p.reactions = inner
		return rest, true
	}
	if rest, inner, ok := cutLine(end, "(( ", " ))"); ok && !p.labelled &&
		(!spaced || strings.HasSuffix(rest, spaces) || strings.HasSuffix(rest, " -)")) {
		p.sticker, p.labelled = inner, true
		return rest, true
	}
	return text, false
}

// generated reports whether text ends as the exporter leaves it where it
// goes on to add an attachment.
func generated(text string) bool {
	return strings.HasSuffix(text, spaces) || strings.HasSuffix(text, " -)") || strings.HasSuffix(text, " ))")
}

// cutLine cuts a last line that begins with open and ends with shut, and
// with it the line feed before.
func cutLine(text, open, shut string) (rest, inner string, ok bool) {
	if !strings.HasSuffix(text, shut) {
		return "", "", false
	}
	line := strings.LastIndexByte(text, '\n')
	if line < 0 || !strings.HasPrefix(text[line+1:], open) || len(text)-line-1 <= len(open)+len(shut) {
		return "", "", false
	}
	return text[:line], text[line+1+len(open) : len(text)-len(shut)], true
}

// cutQuote cuts the quoted message before a text, in the three forms it has
// been written in: "\n\n> a\n> b\n\n", the same with ">" alone before the
// further lines, and "\n>\n> a\n>\n" of version 1.4.
func cutQuote(text string) (quote, rest string) {
	if !strings.HasPrefix(text, "\n") {
		return "", text
	}
	block := strings.TrimPrefix(text[1:], "\n")
	end := 0
	for end < len(block) && block[end] == '>' {
		n := strings.IndexByte(block[end:], '\n')
		if n < 0 {
			end = len(block)
			break
		}
		end += n + 1
	}
	if end == 0 {
		return "", text
	}
	quote = unquote(block[:end])
	if quote == "" {
		return "", text
	}
	return quote, strings.TrimPrefix(block[end:], "\n")
}

// unquote cuts the marks from the lines of a quote.
func unquote(block string) string {
	block = strings.TrimSuffix(block, "\n")
	if strings.Count(block, "\n") == 0 {
		return strings.TrimPrefix(block[1:], " ")
	}
	var b strings.Builder
	for i, line := range strings.Split(block, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimPrefix(line[1:], " "))
	}
	return strings.Trim(b.String(), "\n")
}

// kindOf tells what a message is by its parts, and puts a sticker's emoji in
// the place of its text.
func (p *parts) kindOf(m *msg.Message) {
	m.Body = p.body
	sticker := p.labelled
	label := p.sticker
	for _, l := range p.links {
		if l.sticker {
			sticker, label = true, l.label
		}
	}
	switch {
	case p.deleted:
		m.Kind = msg.Deleted
	case sticker && p.body == "":
		m.Kind = msg.Sticker
		if label != unnamedSticker {
			m.Body = label
		}
	case p.quote == "" && !p.added() && isCall(p.body):
		m.Kind = msg.Call
	}
}

// unnamedSticker is the label of a sticker that has no emoji.
const unnamedSticker = "sticker"

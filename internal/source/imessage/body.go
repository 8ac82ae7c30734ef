package imessage

import "strings"

// bodyCap is how much text of one message is kept, in bytes.
const bodyCap = 4 << 20

// cursor walks over the lines of a record's text.
type cursor struct {
	text string
	// at is the beginning of the next line, line its number from 0.
	at, line int
}

func (c *cursor) done() bool { return c.at >= len(c.text) }

// next returns the next line and moves past it.
func (c *cursor) next() string {
	rest := c.text[c.at:]
	end := strings.IndexByte(rest, '\n')
	if end < 0 {
		c.at = len(c.text)
		c.line++
		return rest
	}
	c.at += end + 1
	c.line++
	return rest[:end]
}

// skipEmpty moves past the next line if it is empty.
func (c *cursor) skipEmpty() {
	if l, ok := c.peek(0); ok && l == "" {
		c.next()
	}
}

// lineEnd is where the line that was read last ends.
func (c cursor) lineEnd() int {
	if c.at > 0 && c.text[c.at-1] == '\n' {
		return c.at - 1
	}
	return c.at
}

// peek returns the line that stands n lines further, and false past the end.
func (c cursor) peek(n int) (string, bool) {
	for ; n > 0 && !c.done(); n-- {
		c.next()
	}
	if c.done() {
		return "", false
	}
	return c.next(), true
}

// prose gathers the lines of a body. While they stand together it is a part
// of the record's text and nothing is copied.
type prose struct {
	text string
	// from and to bound the part while copied is nil; any is set once there is
	// a line.
	from, to int
	any      bool
	copied   []byte
	// gaps are empty lines that belong to the body if another line follows.
	gaps int
}

// add appends the line that is text[from:to].
func (p *prose) add(from, to int) {
	switch {
	case from == to && !p.any:
		return
	case from == to:
		p.gaps++
		return
	case !p.any:
		p.from, p.to, p.any = from, to, true
	case p.copied == nil && p.to+p.gaps+1 == from:
		p.to = to
	default:
		p.spill(p.gaps + 1)
		p.copied = append(p.copied, p.text[from:to]...)
	}
	p.gaps = 0
}

// part ends a part of the message: what follows is a line of its own however
// many empty lines the exporter puts in between.
func (p *prose) part() { p.gaps = 0 }

func (p *prose) spill(lineFeeds int) {
	if p.copied == nil {
		p.copied = append(make([]byte, 0, 2*(p.to-p.from)+256), p.text[p.from:p.to]...)
	}
	for range lineFeeds {
		p.copied = append(p.copied, '\n')
	}
}

func (p *prose) String() string {
	if p.copied != nil {
		return string(p.copied)
	}
	return p.text[p.from:p.to]
}

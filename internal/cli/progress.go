package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/width"

	"github.com/msgbrowse/msgbrowse/internal/inert"
)

const (
	redrawEvery = 100 * time.Millisecond // smooth to the eye, cheap for the terminal
	lineEvery   = 5 * time.Second        // a log that one can follow and still read
	barWidth    = 20
	nameWidth   = 30
)

// progress shows how far a long run is: as one line that is redrawn when
// standard error is a terminal, else as a line every few seconds, or not at
// all. It is drawn only from the calls of its methods, which are safe for
// concurrent use. The zero value shows nothing.
type progress struct {
	mu  sync.Mutex
	w   io.Writer // nil: show nothing
	now func() time.Time
	// columns is the terminal's width; 0 is no terminal.
	columns int

	what        string
	unit        unit
	done, total int64
	began, last time.Time
	drawn       int // columns of the current line that the bar takes
}

// unit is what progress counts.
type unit struct{ one, many string }

// bytes are counted as sizes.
var bytes = unit{"B", "B"}

func (u unit) text(n int64) string {
	if u == bytes {
		return size(n)
	}
	return plural(n, u.one, u.many)
}

// progress returns the display of a run.
func (a *app) progress(quiet bool) *progress {
	if quiet {
		return &progress{}
	}
	columns, _ := a.env.Terminal(a.stderr)
	return &progress{w: a.stderr, now: a.env.Now, columns: columns}
}

// begin starts a step: what is being done, counted in u up to total, or up to
// nobody knows where if total is 0. A step before it has ended.
func (p *progress) begin(what string, u unit, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	p.what, p.unit, p.done, p.total = cut(inert.Line(what), nameWidth), u, 0, total
	if p.w != nil {
		p.began = p.now()
		p.last = p.began
	}
}

// set says how much of the step is done.
func (p *progress) set(done int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = done
	p.show()
}

// add says how much more of the step is done.
func (p *progress) add(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
	p.show()
}

// note writes a line of its own that stays.
func (p *progress) note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w == nil {
		return
	}
	p.erase()
	fmt.Fprintln(p.w, inert.Line(text))
}

// end takes the bar away. What came of the run is for the command to say.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

func (p *progress) erase() {
	if p.drawn > 0 {
		fmt.Fprint(p.w, "\r"+strings.Repeat(" ", p.drawn)+"\r")
		p.drawn = 0
	}
}

// show draws the state if it is time to.
func (p *progress) show() {
	if p.w == nil {
		return
	}
	now := p.now()
	every := lineEvery
	if p.columns > 0 {
		every = redrawEvery
	}
	if now.Sub(p.last) < every {
		return
	}
	p.last = now
	line := p.line(now.Sub(p.began))
	if p.columns == 0 {
		fmt.Fprintln(p.w, line)
		return
	}
	// The last column stays free: some terminals wrap when it is written to.
	// Blanks erase the line before, since not every console knows escapes.
	line = cut(line, p.columns-1)
	length := columns(line)
	fmt.Fprint(p.w, "\r"+line+strings.Repeat(" ", max(0, p.drawn-length)))
	p.drawn = length
}

// line words the state after some time.
func (p *progress) line(elapsed time.Duration) string {
	parts := []string{p.what}
	known := p.total > 0 && p.done <= p.total
	if known {
		share := float64(p.done) / float64(p.total)
		if p.columns > 0 {
			full := int(share * barWidth)
			parts = append(parts, "["+strings.Repeat("#", full)+strings.Repeat("-", barWidth-full)+"]")
		}
		parts = append(parts, fmt.Sprintf("%d%%", int(share*100)))
	}
	parts = append(parts, p.unit.text(p.done))
	if elapsed >= time.Second && p.done > 0 {
		rate := float64(p.done) / elapsed.Seconds()
		if p.unit == bytes {
			parts = append(parts, size(int64(rate))+"/s")
		} else {
			parts = append(parts, count(int64(rate))+"/s")
		}
		if known {
			parts = append(parts, left(float64(p.total-p.done)/rate))
		}
	}
	return strings.Join(parts, "  ")
}

// cut keeps the beginning of s that fits in a number of columns.
func cut(s string, limit int) string {
	for i, r := range s {
		if limit -= columns(string(r)); limit < 0 {
			return s[:i]
		}
	}
	return s
}

// columns is how many columns of a terminal s takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n++
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			n++
		}
	}
	return n
}

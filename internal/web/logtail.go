package web

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/inert"
)

// LogTail is a slog.Handler that keeps the last lines of a log in memory, for
// the page Status, and passes everything on. It keeps records from Info on,
// whatever is passed on, but of requests only those that failed. Numbers and
// addresses of people and paths of files are left out of what it keeps. It is safe for
// concurrent use.
type LogTail struct {
	next   slog.Handler
	kept   *keptLines
	prefix string // of the attributes of this logger
	groups string
}

// keptLog is how many lines are kept.
const keptLog = 100

// maxLogLine bounds a line that is kept, in bytes.
const maxLogLine = 400

// LogLine is a record of a log.
type LogLine struct {
	Time  time.Time
	Level slog.Level
	Text  string // on one line, with the attributes
}

type keptLines struct {
	mu    sync.Mutex
	lines [keptLog]LogLine
	n     int // in all
}

// NewLogTail returns a handler that keeps lines and passes them on to next.
func NewLogTail(next slog.Handler) *LogTail { return &LogTail{next: next, kept: &keptLines{}} }

// Lines returns what is kept, the oldest first.
func (t *LogTail) Lines() []LogLine {
	t.kept.mu.Lock()
	defer t.kept.mu.Unlock()
	first := max(0, t.kept.n-keptLog)
	list := make([]LogLine, 0, t.kept.n-first)
	for i := first; i < t.kept.n; i++ {
		list = append(list, t.kept.lines[i%keptLog])
	}
	return list
}

// Enabled implements slog.Handler.
func (t *LogTail) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelInfo || t.next.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (t *LogTail) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelInfo && !wentWell(r) {
		t.keep(r)
	}
	if !t.next.Enabled(ctx, r.Level) {
		return nil
	}
	return t.next.Handle(ctx, r)
}

// requestMessage is the message of the record of a request.
const requestMessage = "web: request"

// wentWell reports whether a record is of a request that was answered, of
// which there are many.
func wentWell(r slog.Record) bool {
	if r.Message != requestMessage {
		return false
	}
	failed := false
	r.Attrs(func(a slog.Attr) bool {
		failed = a.Key == "status" && a.Value.Kind() == slog.KindInt64 && a.Value.Int64() >= http.StatusBadRequest
		return !failed
	})
	return !failed
}

func (t *LogTail) keep(r slog.Record) {
	var b strings.Builder
	b.WriteString(r.Message + t.prefix)
	r.Attrs(func(a slog.Attr) bool {
		writeAttr(&b, t.groups, a)
		return true
	})
	line := LogLine{r.Time, r.Level, strings.TrimSpace(withoutPeople(inert.Line(b.String())))}
	if len(line.Text) > maxLogLine {
		line.Text = strings.ToValidUTF8(line.Text[:maxLogLine], "") + "…"
	}
	t.kept.mu.Lock()
	defer t.kept.mu.Unlock()
	t.kept.lines[t.kept.n%keptLog] = line
	t.kept.n++
}

func writeAttr(b *strings.Builder, groups string, a slog.Attr) {
	value := a.Value.Resolve()
	if value.Kind() == slog.KindGroup {
		for _, inner := range value.Group() {
			writeAttr(b, groups+a.Key+".", inner)
		}
		return
	}
	switch a.Key {
	case "", "panic", "stack": // what a fault carries may be of a message
	case "route":
		b.WriteString(" " + groups + a.Key + "=" + value.String())
	default:
		b.WriteString(" " + groups + a.Key + "=" + paths.ReplaceAllString(value.String(), "…"))
	}
}

// What may name somebody: numbers and addresses, and paths, for exports have
// folders by people's names. A path ends where an error goes on to its reason.
var (
	paths  = regexp.MustCompile(`(?:[A-Za-z]:)?[/\\][^:"'\n]*[/\\][^:"'\n]*`)
	people = regexp.MustCompile(`[\w.%+-]+@[\w-]+\.[\w.-]+|\+?\(?\d[\d\s().-]{5,}\d`)
)

func withoutPeople(text string) string { return people.ReplaceAllString(text, "…") }

// WithAttrs implements slog.Handler.
func (t *LogTail) WithAttrs(attrs []slog.Attr) slog.Handler {
	var b strings.Builder
	for _, a := range attrs {
		writeAttr(&b, t.groups, a)
	}
	return &LogTail{t.next.WithAttrs(attrs), t.kept, t.prefix + b.String(), t.groups}
}

// WithGroup implements slog.Handler.
func (t *LogTail) WithGroup(name string) slog.Handler {
	return &LogTail{t.next.WithGroup(name), t.kept, t.prefix, t.groups + name + "."}
}

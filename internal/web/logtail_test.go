package web_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/web"
)

func tailTexts(tail *web.LogTail) (list []string) {
	for _, l := range tail.Lines() {
		list = append(list, l.Level.String()+" "+l.Text)
	}
	return list
}

// TestLogTail keeps what happened, and nothing that could name anybody.
func TestLogTail(t *testing.T) {
	t.Parallel()
	var passed strings.Builder
	tail := web.NewLogTail(slog.NewTextHandler(&passed, &slog.HandlerOptions{Level: slog.LevelWarn}))
	log := slog.New(tail)
	log.Debug("nothing")
	log.Info("web: job began", "job", "import")
	log.Info("web: request", "route", "GET /search", "status", 200)
	log.Warn("web: request", "route", "GET /c/{id}", "status", 500)
	log.With("a", 1).WithGroup("g").Error("read", "err", &fs.PathError{Op: "open", Path: "/home/ana/exports/Harper Lee/+1 (212) 555-0142.txt", Err: errors.New("permission denied")})
	log.Warn("told by ana@example.org, +49 151 2345678 and 12125550142\nat once \u202e")
	log.Warn("windows", "err", `open C:\Users\Ana\x.txt: gone`, slog.Group("of", "n", 3))
	log.Error("mcp: panic while answering", "tool", "search", "panic", "the words of a message", "stack", "main.go:1")
	want := []string{
		"INFO web: job began job=import",
		"WARN web: request route=GET /c/{id} status=500",
		"ERROR read a=1 g.err=open …: permission denied",
		"WARN told by …, … and … / at once",
		"WARN windows err=open …: gone of.n=3",
		"ERROR mcp: panic while answering tool=search",
	}
	if diff := cmp.Diff(want, tailTexts(tail)); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	if n := strings.Count(passed.String(), "\n"); n != 5 || !strings.Contains(passed.String(), "the words of a message") {
		t.Errorf("passed on %d lines, want the 5 that warn:\n%s", n, passed.String())
	}
	for i := range 1000 {
		log.Info(fmt.Sprint("line ", i), "long", strings.Repeat("ä", 1000))
	}
	lines := tail.Lines()
	if len(lines) != 100 || !strings.HasPrefix(lines[99].Text, "line 999 ") || !strings.HasPrefix(lines[0].Text, "line 900 ") || len(lines[0].Text) > 410 {
		t.Errorf("%d lines are kept, from %.20q to %.20q", len(lines), lines[0].Text, lines[len(lines)-1].Text)
	}
}

// TestLogOnStatus shows the log as text.
func TestLogOnStatus(t *testing.T) {
	t.Parallel()
	tail := web.NewLogTail(slog.DiscardHandler)
	d := sampleDeskWith(t, web.Options{Log: tail, Logger: slog.New(tail)})
	if said := text(d.page("/status")); !strings.Contains(said, "Nothing to tell since it started.") {
		t.Error("an empty log is not told of")
	}
	slog.New(tail).ErrorContext(context.Background(), "<script>alert(1)</script>", "err", "x")
	d.pageWith("/c/999999?secret=words", http.StatusNotFound)
	root := d.page("/status")
	checkMarkup(t, "status with a log", root)
	lines := texts(all(d.one(root, "ol", "log"), "li", ""))
	if len(lines) != 2 || !strings.HasSuffix(lines[0], "error <script>alert(1)</script> err=x") || !strings.Contains(lines[1], "route=GET /c/{id} status=404") || strings.Contains(lines[1], "secret") {
		t.Errorf("the log is shown as %q", lines)
	}
	if n := len(all(sampleDesk(t).page("/status"), "ol", "log")); n != 0 {
		t.Error("a log is shown where there is none")
	}
}

package sourcetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

var update = flag.Bool("update", false, "write golden files instead of comparing them")

// Golden compares the rendering of r with the file at path; -update writes
// the file.
func Golden(t testing.TB, path string, r Result) {
	t.Helper()
	got := Render(r)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("read golden (write it with -update): %v", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// Render writes r as text: a block per message with every field that is set.
func Render(r Result) string {
	var b strings.Builder
	for _, c := range r.Conversations {
		fmt.Fprintf(&b, "== %s %q key=%q\n", c.Kind, c.Name, c.Key)
		for _, p := range c.Participants {
			fmt.Fprintf(&b, "   member %s\n", handle(p))
		}
		b.WriteByte('\n')
		for i := range c.Messages {
			renderMessage(&b, &c.Messages[i])
			b.WriteByte('\n')
		}
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(&b, "skipped %s: %s: %q\n", position(s.Position), s.Reason, s.Excerpt)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	return b.String()
}

func renderMessage(b *strings.Builder, m *msg.Message) {
	fmt.Fprintf(b, "-- %s %s %s at %s\n", m.Direction, m.Kind, moment(m.Time), position(m.Position))
	field := func(name, format string, args ...any) {
		fmt.Fprintf(b, "   %s: %s\n", name, fmt.Sprintf(format, args...))
	}
	if m.NativeID != "" {
		field("id", "%s", m.NativeID)
	}
	if m.Sender != (msg.Handle{}) {
		field("sender", "%s", handle(m.Sender))
	}
	if m.Body != "" {
		field("body", "%q", m.Body)
	}
	if m.ReplyTo != nil {
		field("reply to", "id=%q quote=%q", m.ReplyTo.NativeID, m.ReplyTo.Quote)
		if target := m.ReplyTo.Target; target != nil {
			field("reply target", "%q %q %q", target.RawTime, target.Sender, target.Body)
		}
	}
	for _, r := range m.Reactions {
		field("reaction", "%q count=%d me=%t by %s %s", r.Emoji, r.Count, r.FromMe, handle(r.Sender), moment(r.Time))
	}
	if m.Edited {
		field("edited", "true")
	}
	for _, e := range m.Edits {
		field("earlier", "%q %s", e.Body, moment(e.Time))
	}
	for _, a := range m.Attachments {
		field("attachment", "%s name=%q path=%q mime=%q size=%d missing=%q sticker=%t",
			a.Kind, a.Name, a.Path, a.MIME, a.Size, a.Missing, a.Sticker)
	}
	for _, l := range m.Links {
		field("link", "%s", l)
	}
	for _, d := range m.Details {
		field("detail", "%s=%q", d.Name, d.Value)
	}
	if m.Suspect != "" {
		field("suspect", "%s", m.Suspect)
	}
}

func handle(h msg.Handle) string {
	kind := [...]string{"name", "phone", "email", "account"}[min(int(h.Kind), 3)]
	return fmt.Sprintf("%s:%q %q", kind, h.ID, h.Name)
}

func moment(t msg.Time) string {
	if t == (msg.Time{}) {
		return "no-time"
	}
	return fmt.Sprintf("%s(%s %s raw=%q)", t, t.Basis, t.Precision, t.Raw)
}

func position(p msg.Position) string {
	return fmt.Sprintf("line=%d offset=%d pointer=%q", p.Line, p.Offset, p.Pointer)
}

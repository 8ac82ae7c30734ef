package demo_test

import (
	"archive/zip"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/demo"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/registry"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// reading is what one file of the sample gave.
type reading struct {
	source msg.Source
	fsys   fs.FS
	sourcetest.Result
}

// readAll extracts the sample and reads every file of it with the source
// that recognises it, the owner being told.
func readAll(t *testing.T) []reading {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sample")
	if err := demo.Extract(dir); err != nil {
		t.Fatal(err)
	}
	var all []reading
	for _, folder := range []string{"signal", "imessage", "telegram", "whatsapp/WhatsApp Chat - Rosa Delgado"} {
		all = append(all, readTree(t, os.DirFS(filepath.Join(dir, folder)), path.Base(folder))...)
	}
	const archive = "WhatsApp Chat - Maple Street 12.zip"
	z, err := zip.OpenReader(filepath.Join(dir, "whatsapp", archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	return append(all, readTree(t, &z.Reader, archive)...)
}

func readTree(t *testing.T, fsys fs.FS, container string) []reading {
	t.Helper()
	var all []reading
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		c, err := sourcetest.Candidate(fsys, name, container)
		if err != nil {
			return err
		}
		s, r, err := registry.Best(context.Background(), c)
		if err != nil {
			return err
		}
		if s == nil || r.Confidence < registry.Certain || r.Superseded != "" {
			return nil
		}
		result, err := sourcetest.Collect(s, c, source.Options{Me: []string{demo.Me}})
		all = append(all, reading{s.Name(), fsys, result})
		return err
	})
	if err != nil {
		t.Fatalf("read %s: %v", container, err)
	}
	return all
}

// TestSample reads the sample once and looks at what it gave.
func TestSample(t *testing.T) {
	t.Parallel()
	all := readAll(t)
	t.Run("counts", func(t *testing.T) { checkCounts(t, all) })
	t.Run("clean", func(t *testing.T) { checkClean(t, all) })
	t.Run("everything", func(t *testing.T) { checkEverything(t, all) })
	t.Run("stop", func(t *testing.T) { checkStop(t, all) })
	t.Run("questions", func(t *testing.T) { checkQuestions(t, all) })
}

func checkCounts(t *testing.T, all []reading) {
	t.Helper()
	type counts struct{ Conversations, Messages, Attachments, Reactions int }
	got := map[msg.Source]counts{}
	for _, r := range all {
		c := got[r.source]
		c.Conversations += len(r.Conversations)
		for _, m := range r.Messages() {
			c.Messages++
			c.Attachments += len(m.Attachments)
			for _, reaction := range m.Reactions {
				c.Reactions += max(1, reaction.Count)
			}
		}
		got[r.source] = c
	}
	want := map[msg.Source]counts{
		msg.Signal:   {demo.SignalConversations, demo.SignalMessages, demo.SignalAttachments, demo.SignalReactions},
		msg.WhatsApp: {demo.WhatsAppConversations, demo.WhatsAppMessages, demo.WhatsAppAttachments, demo.WhatsAppReactions},
		msg.Telegram: {demo.TelegramConversations, demo.TelegramMessages, demo.TelegramAttachments, demo.TelegramReactions},
		msg.IMessage: {demo.IMessageConversations, demo.IMessageMessages, demo.IMessageAttachments, demo.IMessageReactions},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

// checkClean finds nothing skipped, in doubt or missing but what the
// sample leaves out on purpose, and both sides in every conversation of two.
func checkClean(t *testing.T, all []reading) {
	t.Helper()
	missing := 0
	for _, r := range all {
		for _, s := range r.Skipped {
			t.Errorf("%s: skipped line %d: %s", r.source, s.Position.Line, s.Reason)
		}
		for _, c := range r.Conversations {
			sides := map[msg.Direction]int{}
			for _, m := range c.Messages {
				sides[m.Direction]++
				if m.Suspect != "" || m.Kind == msg.Unparsed {
					t.Errorf("%s, line %d: %s %s", c.Key, m.Position.Line, m.Kind, m.Suspect)
				}
				for _, a := range m.Attachments {
					if a.Path == "" {
						missing++
					} else if _, err := fs.Stat(r.fsys, a.Path); err != nil {
						t.Errorf("%s: %v", c.Key, err)
					}
				}
			}
			if sides[msg.Out] == 0 || sides[msg.In] == 0 && c.Key != "NotetoSelf" {
				t.Errorf("%s: %d messages of the owner, %d of others", c.Key, sides[msg.Out], sides[msg.In])
			}
		}
	}
	if want := 3; missing != want {
		t.Errorf("%d attachments without a file, want %d: a sticker, a voice message and an omitted image", missing, want)
	}
}

// checkEverything looks for what a person should be able to see in it.
func checkEverything(t *testing.T, all []reading) {
	t.Helper()
	seen := map[string]bool{}
	people := map[string]bool{}
	var first, last int64
	for _, r := range all {
		for _, c := range r.Conversations {
			seen[string(r.source)+" "+c.Kind.String()] = true
			for _, m := range c.Messages {
				seen[m.Kind.String()] = true
				seen["reply"] = seen["reply"] || m.ReplyTo != nil
				seen["edited"] = seen["edited"] || m.Edited
				for _, a := range m.Attachments {
					seen["attached "+path.Ext(a.Path)] = true
				}
				for script, table := range map[string]*unicode.RangeTable{"Japanese": unicode.Hiragana, "accents": unicode.Latin} {
					if strings.IndexFunc(m.Body, func(r rune) bool { return r > 0x7F && unicode.Is(table, r) }) >= 0 {
						seen[script] = true
					}
				}
				if m.Direction == msg.In {
					people[strings.ReplaceAll(m.Sender.Name, " ", "")] = true
				}
				if first == 0 || m.Time.Micros < first {
					first = m.Time.Micros
				}
				last = max(last, m.Time.Micros)
			}
		}
	}
	for _, want := range []string{
		"signal direct", "signal group", "whatsapp direct", "whatsapp group", "telegram direct", "telegram group",
		"imessage direct", "imessage group", "text", "notice", "call", "sticker", "deleted", "reply", "edited",
		"attached .png", "attached .jpeg", "attached .jpg", "attached .pdf", "Japanese", "accents",
	} {
		if !seen[want] {
			t.Errorf("the sample has no %s", want)
		}
	}
	if len(people) < 12 {
		t.Errorf("%d people write to the owner, want a dozen: %v", len(people), people)
	}
	const year = int64(365 * 24 * 3600 * 1e6)
	if span := last - first; span < 19*year/10 || span > 2*year {
		t.Errorf("the sample spans %d days, want two years", span/(year/365))
	}
}

// checkStop reads the lender's conversation: texts before the owner's STOP and
// after it, all with a link or a name that comes back.
func checkStop(t *testing.T, all []reading) {
	t.Helper()
	for _, r := range all {
		for _, c := range r.Conversations {
			if c.Key != "+12075550199" {
				continue
			}
			before, after, stop := 0, 0, false
			for _, m := range c.Messages {
				switch {
				case m.Direction == msg.Out && m.Body == "STOP":
					stop = true
				case m.Direction == msg.In && stop:
					after++
				case m.Direction == msg.In:
					before++
				}
			}
			if !stop || before < 3 || after < 3 {
				t.Errorf("%d texts before STOP (%t) and %d after it", before, stop, after)
			}
			return
		}
	}
	t.Error("the lender's conversation is not there")
}

// checkQuestions finds each answer exactly once, where the question says.
func checkQuestions(t *testing.T, all []reading) {
	t.Helper()
	questions := demo.Questions()
	if len(questions) != 10 {
		t.Fatalf("%d questions, want 10", len(questions))
	}
	for _, q := range questions {
		found := 0
		for _, r := range all {
			for _, c := range r.Conversations {
				for _, m := range c.Messages {
					if m.Body != q.Answer {
						continue
					}
					found++
					if string(r.source) != q.Source || c.Name != q.Conversation || m.Sender.Name != q.Sender {
						t.Errorf("%q is answered by %s in %s %q, want %s in %s %q",
							q.Question, m.Sender.Name, r.source, c.Name, q.Sender, q.Source, q.Conversation)
					}
				}
			}
		}
		if found != 1 {
			t.Errorf("%q has %d answers, want 1", q.Question, found)
		}
	}
}

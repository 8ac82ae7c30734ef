package signal

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// counts is what a reading holds.
type counts struct {
	messages, out, system, reactions, replies, attachments, present, links, suspects, skipped int
}

func count(r sourcetest.Result) counts {
	c := counts{skipped: len(r.Skipped)}
	for _, m := range r.Messages() {
		c.messages++
		c.reactions += len(m.Reactions)
		c.links += len(m.Links)
		c.attachments += len(m.Attachments)
		for _, a := range m.Attachments {
			if a.Path != "" {
				c.present++
			}
		}
		switch m.Direction {
		case msg.Out:
			c.out++
		case msg.System:
			c.system++
		}
		if m.ReplyTo != nil {
			c.replies++
		}
		if m.Suspect != "" {
			c.suspects++
		}
	}
	return c
}

// TestSamples reads the outputs that signal-export's own tests demand of it,
// and a hand-made archive. The counts were taken with grep: messages are the
// lines that begin with "[", attachments the occurrences of "](./media/" or
// "](media/", reactions what stands between "(- " and " -)", replies the
// lines that begin with ">", of which there are none.
func TestSamples(t *testing.T) {
	t.Parallel()
	golden := counts{messages: 3, out: 3, attachments: 2}
	for _, tc := range []struct {
		root, file, format string
		want               counts
	}{
		{"carderne__signal-export/golden", "2022-08-11_34f4da6_chat.md", "signal-export transcript (1.x)", golden},
		{"carderne__signal-export/golden", "2024-02-03_4816f1b_chat.md", "signal-export transcript (1.x)", golden},
		{"carderne__signal-export/golden", "2024-03-19_2dbccd7_chat.md", "signal-export transcript (2.0)", golden},
		{"carderne__signal-export/golden", "2024-08-01_312e5e6_chat.md", "signal-export transcript (2.1 or later)", golden},
		{
			"joestump__msgbrowse/testdata/archive", "export/Harper/chat.md", "signal-export transcript (edited or made by hand)",
			counts{messages: 6, out: 2, system: 1, reactions: 2, attachments: 2, present: 2},
		},
		{
			"joestump__msgbrowse/testdata/archive", "export/Group Trip/chat.md", "signal-export transcript (edited or made by hand)",
			counts{messages: 5, out: 1, attachments: 1, present: 1},
		},
	} {
		t.Run(filepath.Base(filepath.Dir(tc.file))+"/"+filepath.Base(tc.file), func(t *testing.T) {
			t.Parallel()
			c := sample(t, tc.root, tc.file)
			r, err := Markdown{}.Recognize(t.Context(), c)
			if err != nil || r.Confidence < 50 || r.Format != tc.format || r.Messages != int64(tc.want.messages) {
				t.Errorf("recognised as %+v, %v", r, err)
			}
			result, err := sourcetest.Collect(Markdown{}, c, source.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := count(result); got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

// TestSampleTexts compares the texts of the hand-made archive, whose messages
// are not separated by blank lines, with what a person reads in it.
func TestSampleTexts(t *testing.T) {
	t.Parallel()
	result, err := sourcetest.Collect(Markdown{}, sample(t, "joestump__msgbrowse/testdata/archive", "export/Group Trip/chat.md"), source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"dinner plans? https://www.yelp.com/biz/foo and [menu](https://www.yelp.com/biz/foo)",
		"I'm in", "book it", "a few notes on\nthe lease terms\nspanning multiple lines", "photo",
	}
	for i, m := range result.Messages() {
		if m.Body != want[i] {
			t.Errorf("message %d is %q, want %q", i, m.Body, want[i])
		}
	}
	if c := result.Conversations[0]; c.Kind != msg.Group || c.Key != "Group Trip" {
		t.Errorf("conversation %+v, want a group called Group Trip", c.Conversation)
	}
}

// TestSampleJournal: a Markdown file of the old transcripts' name that holds
// no messages is somebody's own.
func TestSampleJournal(t *testing.T) {
	t.Parallel()
	r, err := Markdown{}.Recognize(t.Context(), sample(t, "joestump__msgbrowse/testdata/archive", "journal/index.md"))
	if err != nil || r.Confidence != 0 {
		t.Errorf("recognised as %+v, %v", r, err)
	}
}

func sample(t *testing.T, root, file string) source.Candidate {
	t.Helper()
	dir := filepath.Join(sourcetest.Samples(t), "signal", root)
	c, err := sourcetest.Candidate(os.DirFS(dir), file, filepath.Base(dir))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

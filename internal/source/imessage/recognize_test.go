package imessage

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

func TestRecognize(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		sure       bool
		owner      bool
	}{
		{"message", "May 17, 2022  5:29:42 PM\nMe\nhi\n\n", true, true},
		{"received", "May 17, 2022  5:29:42 PM\nAna\nhi\n\n", true, false},
		{"event", "May 17, 2022  5:29:42 PM You left the conversation.\n\n", true, false},
		{"byte order mark", "\ufeffMay 17, 2022  5:29:42 PM\nMe\nhi\n\n", true, true},
		{"Windows", "May 17, 2022  5:29:42 PM\r\nMe\r\nhi\r\n\r\n", true, true},
		{"another padding", "May 17, 2022 5:29:42 PM\nMe\nhi\n\n", false, false},
		{"diary", "May 17, 2022  5:29:42 PM it rained\nall day\n", false, false},
		{"date in prose", "Dear Ana,\n\nMay 17, 2022  5:29:42 PM\nMe\nhi\n\n", false, false},
		{"date alone", "May 17, 2022  5:29:42 PM\n", false, false},
		{"WhatsApp", "5/17/22, 5:29 PM - Ana: hi\n", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c, err := sourcetest.Candidate(sourcetest.FixtureFS(map[string]string{"x/Ana.txt": test.text}), "x/Ana.txt", "x")
			if err != nil {
				t.Fatal(err)
			}
			r, err := (Text{}).Recognize(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			if sure := r.Confidence >= 50; sure != test.sure {
				t.Fatalf("confidence %d, want sure=%t", r.Confidence, test.sure)
			}
			if !test.sure {
				return
			}
			if r.Root != "x" || r.Conversations != 1 || r.Messages != 1 || r.First.String() != "2022-05-17T17:29:42" || r.Last != r.First {
				t.Errorf("recognition %+v", r)
			}
			if asked := needsOwner(r); asked == test.owner {
				t.Errorf("asks for the owner: %t, want %t", asked, !test.owner)
			}
		})
	}
}

func needsOwner(r source.Recognition) bool {
	for _, n := range r.Needs {
		if n.What == source.NeedOwner {
			return true
		}
	}
	return false
}

// TestRecognizeLong looks at a file on disk that is longer than the head:
// the owner writes only later, and the last time stands at the end.
func TestRecognizeLong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := strings.ReplaceAll(strings.Join(chat(500), ""), "\nMe\n", "\nAna\n") + "Jun 01, 2024  7:00:00 AM\nMe\nlate\n\n"
	if err := os.WriteFile(filepath.Join(dir, "Ana.txt"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := sourcetest.Candidate(os.DirFS(dir), "Ana.txt", "x")
	if err != nil {
		t.Fatal(err)
	}
	r, err := (Text{}).Recognize(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if needsOwner(r) || r.Last.String() != "2024-06-01T07:00:00" || r.Messages < 450 || r.Messages > 550 {
		t.Errorf("owner asked %t, last %s, about %d messages; want false, 2024-06-01T07:00:00, about 501",
			needsOwner(r), r.Last, r.Messages)
	}
}

package imessage

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// TestHostileTextTakesItsTime reads records made to be read again and again.
// Quadratic work on them would take minutes.
func TestHostileTextTakesItsTime(t *testing.T) {
	t.Parallel()
	const size = 2 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	copied := indented("May 17, 2022  5:40:00 PM\nAna\nyes\n")
	for _, test := range []struct{ name, text string }{
		{"reply markers, then empty lines", fill(replyMarker+"\n") + strings.Repeat("\n", size)},
		{"first versions without later ones", fill("May 17, 2022  5:29:42 PM x\n")},
		{"first versions and a later one at the end", fill("May 17, 2022  5:29:42 PM x\n") + "Edited 1 second later: y\n"},
		{"copies without original", fill(copied)},
		{"copies of a long original", fill(copied) + "\n\nMay 17, 2022  5:40:00 PM\nAna\n" + fill("yes\n") + marked},
		{"deeper and deeper", deeper(1200)},
		{"reaction titles", fill("Tapbacks:\nLoved by Me\n")},
		{"one line", fill("x")},
		{"dates", fill("\nMay 17, 2022  5:29:42 PM\n")},
		{"dates and senders", fill("\nMay 17, 2022  5:29:42 PM\nMe\n")},
		{"cut dates", fill("\nMay 17\n")},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c, err := sourcetest.Candidate(sourcetest.FixtureFS(map[string]string{
				"Ana.txt": header + "Ana\n" + test.text + "\n\n",
			}), "Ana.txt", "x")
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			sink := &nothing{}
			if err := (Text{}).Read(context.Background(), c, source.Recognition{}, source.Options{}, sink); err != nil {
				t.Fatal(err)
			}
			if sink.messages == 0 {
				t.Error("no message was read")
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("reading took %v", took)
			}
		})
	}
}

// deeper nests copies of replies n levels deep.
func deeper(n int) string {
	var b strings.Builder
	for i := range n {
		pad := strings.Repeat(indent, i+1)
		b.WriteString(pad + "May 17, 2022  5:40:00 PM\n" + pad + "Ana\n")
	}
	return b.String()
}

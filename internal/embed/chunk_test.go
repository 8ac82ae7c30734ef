package embed

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// said makes the messages of a day, each with the minutes since the last one.
func said(lines ...any) []store.Utterance {
	var day []store.Utterance
	at := int64(1_700_000_000_000_000)
	for i := 0; i < len(lines); i += 2 {
		at += int64(lines[i].(int)) * 60_000_000
		day = append(day, store.Utterance{ID: int64(i/2 + 1), Sort: at, SenderID: 1, Body: lines[i+1].(string)})
	}
	return day
}

// described names chunks for comparing.
func described(chunks []chunk) []string {
	var list []string
	for _, c := range chunks {
		name := [...]string{"whole", "piece", "short", "window"}[c.kind]
		if c.kind == window {
			name += fmt.Sprintf("[%d]", c.span)
		}
		list = append(list, fmt.Sprintf("%s %d: %s", name, c.first.ID, strings.ReplaceAll(firstRunes(c.text, 48), "\n", " | ")))
	}
	return list
}

func TestCut(t *testing.T) {
	t.Parallel()
	notice := said(0, "Ana joined the group this morning")
	notice[0].Kind = msg.Notice
	long := strings.TrimSpace(strings.Repeat("the landlord wrote again ", 60))
	tests := []struct {
		name string
		day  []store.Utterance
		want []string
	}{
		{"nothing", nil, nil},
		{"notices and signs say nothing", append(notice, said(1, "…", 1, "👍")...), nil},
		{"alone", said(0, "Have you signed the lease already?"), []string{"whole 1: Have you signed the lease already?"}},
		{"question and short answer", said(0, "Have you signed the lease already?", 2, "Not yet!"), []string{
			"window[2] 1: Have you signed the lease already? | Not yet!", "whole 1: Have you signed the lease already?", "short 2: Not yet!"}},
		{"silence divides", said(0, "Have you signed the lease already?", 31, "The ferry leaves at nine tomorrow"), []string{
			"whole 1: Have you signed the lease already?", "whole 2: The ferry leaves at nine tomorrow"}},
		{"windows overlap", said(0, "a1", 1, "a2", 1, "a3", 1, "a4", 1, "a5", 1, "a6", 1, "a7"), []string{
			"window[6] 1: a1 | a2 | a3 | a4 | a5 | a6", "short 1: a1", "short 2: a2", "short 3: a3", "short 4: a4", "short 5: a5", "short 6: a6",
			"window[4] 4: a4 | a5 | a6 | a7", "short 7: a7"}},
		{"a long message in pieces", said(0, long), []string{
			"piece 1: the landlord wrote again the landlord wrote agai", "piece 1: the landlord wrote again the landlord wrote agai",
			"piece 1: the landlord wrote again the landlord wrote agai"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, described(cut(tt.day))); diff != "" {
				t.Errorf("chunks (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCutLosesNothing cuts random days: every message that speaks has chunks
// that hold all its text in order, and no window is larger than it may be.
func TestCutLosesNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	words := []string{"lease", "ferry", "und", "déjà", "猫が好き", "👍", "…", "x", strings.Repeat("длинно", 40)}
	for range 300 {
		var lines []any
		for range random.IntN(40) {
			var body []string
			for range 1 + random.IntN(1+random.IntN(80)) {
				body = append(body, words[random.IntN(len(words))])
			}
			lines = append(lines, random.IntN(20)*random.IntN(4), strings.Join(body, " "))
		}
		day := said(lines...)
		own := map[int64]string{}
		windowed := 0
		for _, c := range cut(day) {
			if c.kind != window {
				own[c.first.ID] += c.text
				if n := utf8.RuneCountInString(c.text); n > pieceRunes {
					t.Errorf("chunk of %d runes", n)
				}
				continue
			}
			windowed++
			if c.span < 2 || c.span > windowLines {
				t.Errorf("window of %d messages", c.span)
			}
		}
		for _, u := range day {
			squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
			if got := squeeze(own[u.ID]); speaks(u) && got != squeeze(u.Body) {
				t.Fatalf("message %q is kept as %q", u.Body, got)
			}
		}
	}
}

func TestShortKey(t *testing.T) {
	t.Parallel()
	key := func(text string) uint64 {
		k, ok := shortKey(text)
		if !ok {
			t.Errorf("%q is not short", text)
		}
		return k
	}
	for _, same := range [][2]string{{"Okay!", "okay"}, {"Déjà vu", "deja vu"}, {" thanks ", "Thanks."}} {
		if key(same[0]) != key(same[1]) {
			t.Errorf("%q and %q differ", same[0], same[1])
		}
	}
	if key("ok") == key("okay") {
		t.Error("ok and okay are the same")
	}
	if _, ok := shortKey("See you at the ferry landing"); ok {
		t.Error("a sentence is short")
	}
}

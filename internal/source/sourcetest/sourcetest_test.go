package sourcetest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

var fakeLines = []string{
	`{"Chat":"garden","ID":"1","Date":"2024-03-01T10:00","From":"Ana","Text":"the tomatoes are in","File":"media/tomato.jpg"}`,
	`{"Chat":"garden","ID":"2","Date":"2024-03-01T10:01","From":"Ben","Text":"gr\u00fcn \ud83c\udf45 \"soon\""}`,
	`{"Chat":"garden","ID":"3","Date":"2024-03-01T10:02","From":"Ana","Text":"ok"}`,
	`{"Chat":"garden","ID":"4","Date":"2024-03-01T10:02","From":"Ana","Text":"ok"}`,
	`{"Chat":"work","ID":"5","Date":"2024-03-01T10:03","From":"Cleo","Text":"report by noon"}`,
	`{"Chat":"work","ID":"6","Date":"2024-03-01T10:04","From":"Cleo","Text":"please","File":"../../secret.txt"}`,
}

func fakeFixture() Fixture {
	array := func(lines []string) string { return "[\n" + strings.Join(lines, ",\n") + "\n]\n" }
	return Fixture{
		Name:           "fake",
		Files:          map[string]string{"fake.json": array(fakeLines), "media/tomato.jpg": "x"},
		Path:           "fake.json",
		Container:      "folder",
		SelfDelimiting: true,
		Traversal: func(ref string) string {
			return array([]string{fmt.Sprintf(`{"Chat":"garden","ID":"1","From":"Ana","Text":"look","File":%q}`, ref)})
		},
		Large: func(w io.Writer) error {
			b := bufio.NewWriter(w)
			b.WriteString("[\n")
			const size = 2000
			for i := range LargeSize/size + 1 {
				fmt.Fprintf(b, "{\"Chat\":\"garden\",\"ID\":\"%d\",\"From\":\"Ana\",\"Text\":\"%s\"},\n", i, strings.Repeat("tomato ", size/7))
			}
			b.WriteString("]\n")
			return b.Flush()
		},
	}
}

// recording is a reporter that remembers whether something was reported.
type recording struct{ said []string }

func (r *recording) Helper() {}
func (r *recording) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func TestRunPassesAGoodSource(t *testing.T) {
	small := fakeFixture()
	small.Large, small.Traversal = nil, nil
	small.Name, small.Options.Me = "owner settled", []string{"Ana"}
	Run(t, newFake(), []Fixture{fakeFixture(), small})
}

func TestRulesCatchFlaws(t *testing.T) {
	tests := []struct{ flaw, rule string }{
		{"nameless", "recognised"},
		{"unsure of itself", "recognised"},
		{"recognises by mood", "recognised"},
		{"claims everything", "foreign"},
		{"repeats its notes", "shape"},
		{"empty replies", "shape"},
		{"empty reactions", "shape"},
		{"counts readings in bodies", "repeatable"},
		{"reads dates in the machine's zone", "zone"},
		{"same id twice", "identity"},
		{"counts readings in bodies", "position"},
		{"hands over backwards", "order"},
		{"no positions", "position"},
		{"offset inside the record", "position"},
		{"offset of another record", "position"},
		{"counts lines from zero", "position"},
		{"pointer one off", "pointer"},
		{"guesses the owner", "owner"},
		{"trusts paths", "attachments"},
		{"says no reason", "attachments"},
		{"trusts paths", "traversal"},
		{"drops attachments", "traversal"},
		{"says no reason", "traversal"},
		{"panics at a cut", "cut"},
		{"silent about cuts", "cut"},
		{"waits for the whole file", "cut"},
		{"invents messages", "cut"},
		{"knows no byte order mark", "encoding"},
		{"reads UTF-16 as text", "encoding"},
		{"panics at NUL bytes", "noise"},
		{"waits for the whole file", "noise"},
		{"never looks at the context", "cancel"},
		{"looks at the context once", "cancel"},
		{"swallows errors", "sink errors"},
		{"loses the cause", "sink errors"},
		{"goes on after errors", "sink errors"},
		{"one reader at a time", "concurrent"},
		{"waits for the whole file", "memory"},
		{"keeps everything", "memory"},
		{"recognises by reading it all", "memory"},
	}
	for _, tt := range tests {
		t.Run(tt.flaw+"/"+tt.rule, func(t *testing.T) {
			flaws := []string{tt.flaw}
			if tt.flaw == "reads UTF-16 as text" {
				flaws = append(flaws, "drops bad records", "silent about cuts")
			}
			sub, err := newSubject(newFake(flaws...), fakeFixture())
			if err != nil {
				t.Fatal(err)
			}
			var bad recording
			for _, r := range rules {
				if r.name == tt.rule {
					r.check(&bad, sub)
				}
			}
			if len(bad.said) == 0 {
				t.Errorf("rule %q says nothing about a source that %s", tt.rule, tt.flaw)
			}
		})
	}
}

func TestReadingOutOfTurnIsAnError(t *testing.T) {
	t.Parallel()
	tests := []struct{ flaw, want string }{
		{"forgets to begin", "message 1 outside a conversation"},
		{"forgets to end", "begin of \"work\" inside \"garden\""},
	}
	for _, tt := range tests {
		t.Run(tt.flaw, func(t *testing.T) {
			t.Parallel()
			_, err := newSubject(newFake(tt.flaw), fakeFixture())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestCollectStopsAtErrors(t *testing.T) {
	t.Parallel()
	f := fakeFixture()
	c, err := f.candidate(f.Files[f.Path][:300])
	if err != nil {
		t.Fatal(err)
	}
	result, err := Collect(newFake(), c, f.Options)
	if err == nil || len(result.Messages()) != 2 {
		t.Errorf("error %v and %d messages, want an error and the 2 whole messages", err, len(result.Messages()))
	}
}

func TestCloneMessageSharesNothing(t *testing.T) {
	t.Parallel()
	m := msg.Message{
		Body:      "text",
		ReplyTo:   &msg.Reply{Target: &msg.Ref{Body: "earlier"}},
		Reactions: []msg.Reaction{{Emoji: "+"}},
		Details:   []msg.Detail{{Name: "n", Value: "v"}},
		Time:      msg.Time{Micros: 7, Known: true},
	}
	got := cloneMessage(&m)
	if diff := cmp.Diff(m, got); diff != "" {
		t.Errorf("copy differs (-want +got):\n%s", diff)
	}
	m.ReplyTo.Target.Body, m.Reactions[0].Emoji, m.Details[0].Value = "x", "x", "x"
	if got.ReplyTo.Target.Body != "earlier" || got.Reactions[0].Emoji != "+" || got.Details[0].Value != "v" {
		t.Errorf("copy changed with its original: %+v", got)
	}
}

func TestRenderShowsEveryField(t *testing.T) {
	t.Parallel()
	at := msg.Time{Micros: 1, Basis: msg.Instant, Precision: msg.Microsecond, Raw: "raw-time", Known: true}
	r := Result{
		Conversations: []Conversation{{
			Conversation: msg.Conversation{Key: "c-key", Name: "c-name", Kind: msg.Group, Participants: []msg.Handle{{ID: "member-id"}}},
			Messages: []msg.Message{{
				NativeID: "native", Sender: msg.Handle{ID: "sender-id", Name: "sender-name", Kind: msg.HandleAccount},
				Direction: msg.Out, Kind: msg.Poll, Time: at, Body: "m-body",
				ReplyTo:     &msg.Reply{NativeID: "r-id", Quote: "r-quote", Target: &msg.Ref{RawTime: "t-raw", Sender: "t-sender", Body: "t-body"}},
				Reactions:   []msg.Reaction{{Sender: msg.Handle{ID: "reactor"}, FromMe: true, Emoji: "heart", Count: 3}},
				Edited:      true,
				Edits:       []msg.Edit{{Body: "e-body"}},
				Attachments: []msg.Attachment{{Kind: msg.Audio, Name: "a-name", Path: "a-path", MIME: "a/mime", Size: 77, Missing: "a-missing", Sticker: true}},
				Links:       []string{"link-target"},
				Details:     []msg.Detail{{Name: "d-name", Value: "d-value"}},
				Suspect:     "suspicion",
				Position:    msg.Position{Line: 5, Offset: 66, Pointer: "/7"},
			}},
		}},
		Skipped: []source.Skipped{{Reason: "s-reason", Excerpt: "s-excerpt"}},
		Notes:   []string{"n-note"},
	}
	got := Render(r)
	for _, want := range []string{
		"c-key", "c-name", "group", "member-id", "native", "sender-id", "sender-name", "account", "out", "poll",
		"instant", "microsecond", "raw-time", "m-body", "r-id", "r-quote", "t-raw", "t-sender", "t-body", "reactor",
		"me=true", "heart", "count=3", "edited", "e-body", "audio", "a-name", "a-path", "a/mime", "77", "a-missing",
		"sticker=true", "link-target", "d-name", "d-value", "suspicion", "line=5", "offset=66", "/7",
		"s-reason", "s-excerpt", "n-note",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("rendering lacks %q:\n%s", want, got)
		}
	}
}

func TestGoldenReadingOfTheFake(t *testing.T) {
	t.Parallel()
	Golden(t, filepath.Join("testdata", "fake.golden"), Read(t, newFake(), fakeFixture()))
}

func TestSamplesFollowsTheVariable(t *testing.T) {
	shared := t.TempDir()
	want := filepath.Join(shared, "samples")
	if err := os.Mkdir(want, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MSGBROWSE_SHARED", shared)
	if got := Samples(t); got != want {
		t.Errorf("Samples = %q, want %q", got, want)
	}
}

func TestUnescape(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"plain", "abc", "abc"},
		{"short escapes", `a\nb \"q\" \/`, "a\nb \"q\" /"},
		{"one code unit", `gr\u00fcn`, "grün"},
		{"surrogate pair", `\ud83c\udf45!`, "🍅!"},
		{"run of escapes", `\u0041\u00e9\ud83c\udf45`, "Aé🍅"},
		{"cut escape", `ab\u00`, `ab\u00`},
		{"lone backslash at the end", `ab\`, `ab\`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := unescape(tt.in); got != tt.want {
				t.Errorf("unescape(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

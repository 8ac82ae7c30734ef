package search

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestIsQuestion(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, query string
		want        bool
	}{
		{"question mark", "boat leaves?", true},
		{"question mark of full width", "船は何時に出る？", true},
		{"question mark in a phrase", `boat "leaves?"`, false},
		{"one word with a question mark", "boat?", false},
		{"opener", "when boat leaves", true},
		{"opener in capitals", "WHEN Boat leaves", true},
		{"opener and one word", "who sang", false},
		{"opener inside", "boat when leaves", false},
		{"sentence without a question mark", "tell me about the boat", true},
		{"long list of search words", "boat harbour rope sail anchor mast", false},
		{"short list with a stop word", "the boat leaves", false},
		{"only stop words", "to be or not to be", false},
		{"only stop words and a question mark", "who are you?", true},
		{"phrase in a question", `who sang "yellow submarine"?`, true},
		{"only a phrase", `"who sang that?"`, false},
		{"filter beside a question", "when does the boat leave? from:ana", true},
		{"exclusion", "when does the boat -ferry leave?", false},
		{"choice", "when does the boat OR ferry leave?", false},
		{"beginning", "when does the boa* leave", false},
		{"group that changes nothing", "(when does the boat leave)?", true},
		{"sentence in Chinese", "船什么时候离开？", true},
		{"sentence in Chinese without a mark", "船什么时候离开", true},
		{"long name in Chinese", "中华人民共和国", false},
		{"short sentence in Chinese without a mark", "多少钱", false},
		{"short sentence in Japanese", "船は何時？", false},
		{"sentence in Japanese without a mark", "会議は何時に始まりますか", true},
		{"sentence in Korean without a mark", "엄마 생일이 언제예요", true},
		{"sentence in Thai without a mark", "คุณจะมากรุงเทพเมื่อไหร่", true},
		{"Arabic", "متى عيد ميلاد أمي؟", true},
		{"Arabic without a mark", "أين مفاتيح البيت", true},
		{"German without a mark", "wann fährt das Boot", true},
		{"German, two words", "wann denn", false},
		{"French with an elision", "qu'est-ce que tu fais", true},
		{"French without accents", "ou est le restaurant", true},
		{"Spanish without accents", "cuando llega el tren", true},
		{"Spanish, the mark before it alone", "¿cuántos son", true},
		{"Russian", "когда отходит лодка", true},
		{"Turkish, the word in the middle", "annemin doğum günü ne zaman", true},
		{"Hindi, the word in the middle", "माँ का जन्मदिन कब है", true},
		{"Greek", "πότε φεύγει το πλοίο", true},
		{"Hebrew", "מתי יוצאת הסירה", true},
		{"what's", "what's the plan", true},
		{"whats", "whats the plan", true},
		{"question and exclamation mark", "boat leaves?!", true},
		{"several question marks", "boat leaves ???", true},
		{"exclamation mark", "boat leaves!", false},
		{"a name that asks in Turkish", "kim birthday cake", false},
		{"word in Chinese with a mark", "船长？", false},
		{"sentence in Thai", "เรือออกกี่โมง?", true},
		{"German question", "Wann fährt das Boot?", true},
		{"apostrophe", "what's Anna's plan for tomorrow", true},
		{"link with a query", "https://example.com/?q=a", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			root, err := parse(test.query)
			if err != nil {
				t.Fatal(err)
			}
			if got := isQuestion(root, test.query); got != test.want {
				t.Errorf("isQuestion(%q) = %v, want %v", test.query, got, test.want)
			}
		})
	}
}

// TestUnclosedQuestion: a quotation that a question opens and does not close
// is read over, with a notice; anywhere else it is a fault.
func TestUnclosedQuestion(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, query string
		want        string // the outline, or nothing for a fault
	}{
		{"question", `who sang "Yellow Submarine?`, "[who sang Yellow Submarine?]"},
		{"typographic", "who sang “Yellow Submarine?", "[who sang Yellow Submarine?]"},
		{"behind the title", `who sang Yellow Submarine"?`, "[who sang Yellow Submarine]"},
		{"the second of two", `did "Ana Silva" sing "Yellow Submarine?`, `[did "Ana Silva" sing Yellow Submarine?]`},
		{"full width", `誰が歌った "イエローサブマリン？`, "[誰が歌った イエローサブマリン？]"},
		{"inches and a question", `is the 27" monitor with the "thin frame here?`, `[is the 27" monitor with the thin frame here?]`},
		{"no question mark", `who sang "Yellow Submarine`, ""},
		{"words", `yellow "submarine`, ""},
		{"one word", `"submarine?`, ""},
		{"filter beside it", `who sang "Yellow Submarine? from:ana`, ""},
		{"filter before it", `from:ana who sang "Yellow Submarine?`, ""},
		{"filter's own", `who sang it in:"Book club?`, ""},
		{"exclusion", `who sang -"Yellow Submarine?`, ""},
		{"parenthesis", `who (sang "Yellow Submarine?`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			root, notice, err := read(test.query)
			if test.want == "" {
				var fault *SyntaxError
				if !errors.As(err, &fault) || root != nil || notice != "" {
					t.Errorf("read(%q) = %s, %q, %v, want a fault", test.query, outline(root), notice, err)
				}
				return
			}
			if diff := cmp.Diff(test.want, outline(root)); diff != "" || err != nil || !strings.HasPrefix(notice, "the quotation mark at position ") {
				t.Errorf("read(%q): notice %q, error %v (-want +got):\n%s", test.query, notice, err, diff)
			}
		})
	}
	s := searcherOf(t, newChat(msg.Signal, "x", morning, "Ana: we sang Yellow Submarine", "me: that was a submarine"))
	got := find(t, s, Query{Text: `who sang "Yellow Submarine?`})
	if len(got.Hits) != 2 || got.Hits[0].Body != "we sang Yellow Submarine" ||
		!slices.Equal(got.Notices, []string{"the quotation mark at position 10 is never closed and was left out"}) {
		t.Errorf("finds %q, notices %q", bodies(got.Hits), got.Notices)
	}
}

// TestRepeatsLast: what somebody says again and again leaves room for what
// others say, and for what is said once.
func TestRepeatsLast(t *testing.T) {
	t.Parallel()
	var lines []string
	for range 8 {
		lines = append(lines, "Ana: running late!", "me: fine")
	}
	s := searcherOf(t,
		newChat(msg.Signal, "x", morning, lines...),
		newChat(msg.Signal, "y", morning, "Bo: Running late"),
		newChat(msg.Signal, "z", morning, "Cleo: the train is late again, so I will be there after dinner at the earliest"),
	)
	first := bodies(find(t, s, Query{Text: "who is running late?", Limit: 4}).Hits)
	slices.Sort(first)
	want := []string{"Running late", "running late!", "the train is late again, so I will be there after dinner at the earliest"}
	for _, body := range want {
		if !slices.Contains(first, body) {
			t.Errorf("%q is not among the first hits %q", body, first)
		}
	}
	if all := find(t, s, Query{Text: "who is running late?", Limit: 40}).Hits; len(all) != 18 {
		t.Errorf("finds %d messages, want all 18", len(all))
	}
}

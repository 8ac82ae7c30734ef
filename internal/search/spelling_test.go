package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestOtherSpellings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, word, want string }{
		{"plain word", "boat", ""},
		{"hyphen", "e-mail", "email"},
		{"hyphen that does not break", "Wi‑Fi", "wifi"},
		{"apostrophe", "don't", "dont"},
		{"typographic apostrophe", "O’Neill", "oneill"},
		{"dots", "a.k.a", "aka"},
		{"slash", "AC/DC", "acdc"},
		{"letters and a number", "PROJ-1234", "proj1234"},
		{"pieces of an address", "www.example.com/a", ""},
		{"mail address", "ana@example.org", ""},
		{"two scripts", "手机-phone", ""},
		{"spaces are two words", "wi fi", ""},
		{"thousands", "1,200", "1200"},
		{"thousands with dots", "1.200.000", "1200000"},
		{"thousands with an apostrophe", "12'500", "12500"},
		{"thousands and decimals", "1.200,50", "1200,50"},
		{"no thousands", "1200", "1.200"},
		{"no thousands, currency", "$1200!", "1.200"},
		{"no thousands, decimals", "1200.50", "1.200.50"},
		{"millions", "1200000", "1.200.000"},
		{"short number", "120", ""},
		{"decimals", "1.5", ""},
		{"version", "2.3.1", ""},
		{"time of day", "10:30", ""},
		{"leading zero", "0317", ""},
		{"groups that are none", "1,20,300", ""},
		{"date", "2024-03-01", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(otherSpellings(test.word), " "); got != test.want {
				t.Errorf("otherSpellings(%q) = %q, want %q", test.word, got, test.want)
			}
		})
	}
}

func TestDialled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, words, number string
		n                   int
		abroad              bool
	}{
		{"in one piece", "5550102233", "5550102233", 1, false},
		{"in groups", "555 010 2233", "5550102233", 3, false},
		{"with a country's code", "+1 555 010-2233", "15550102233", 3, true},
		{"with the code dialled", "0049 89 5551234", "49895551234", 3, true},
		{"words behind it", "089/555-1234 works", "0895551234", 1, false},
		{"end of a question", "555-010-2233?", "5550102233", 1, false},
		{"words before it", "call 5550102233", "", 0, false},
		{"too short", "555 12", "", 0, false},
		{"too long", "12345678 90123456", "12345678", 1, false},
		{"an address of a machine", "127.0.0.1:8080", "", 0, false},
		{"a price", "1,200,000", "", 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n, number, abroad := dialled(strings.Fields(test.words))
			if n != test.n || number != test.number || abroad != test.abroad {
				t.Errorf("dialled(%q) = %d, %q, %v, want %d, %q, %v", test.words, n, number, abroad, test.n, test.number, test.abroad)
			}
		})
	}
}

// TestSpellings: punctuation within a word and groups of a number do not
// count, in either direction, unless the query quotes them.
func TestSpellings(t *testing.T) {
	t.Parallel()
	s := searcherOf(t,
		newChat(msg.Signal, "Ana", morning,
			"Ana: reach me at +1 (555) 010-2233", "me: or 15550102233", "Ana: the cousin has 089 5551234", "me: 555 then, 010 and 2233 apart",
			"Ana: the bill was 1,200 dollars", "me: no, 1200 of them", "Ana: 1.200,50 to be exact", "me: page 1 of 200",
			"Ana: please send an email", "me: dont send one", "Ana: the wifi is down", "me: o neill wrote e-mail with a hyphen"),
		newChat(msg.WhatsApp, "+44 20 5550 1234", morning, "+44 20 5550 1234: who is this"),
	)
	spelled := []string{"reach me at +1 (555) 010-2233", "or 15550102233"}
	for _, test := range []struct {
		query string
		want  []string // in any order
	}{
		{"15550102233", spelled},
		{"+15550102233", spelled},
		{"+1 (555) 010-2233", spelled},
		{"1-555-0102233", spelled},
		{"5550102233", append([]string{"555 then, 010 and 2233 apart"}, spelled...)[1:]},
		{"0895551234", []string{"the cousin has 089 5551234"}},
		{"+49 89 5551234", []string{"the cousin has 089 5551234"}},
		{"is it 0895551234?", []string{"the cousin has 089 5551234"}},
		{"5550102234", nil},
		{`"15550102233"`, []string{"or 15550102233"}},
		{"020 55501234", []string{"who is this"}},
		{"1200", []string{"the bill was 1,200 dollars", "no, 1200 of them", "1.200,50 to be exact"}},
		{"1,200", []string{"the bill was 1,200 dollars", "no, 1200 of them", "1.200,50 to be exact"}},
		{"$1.200", []string{"the bill was 1,200 dollars", "no, 1200 of them", "1.200,50 to be exact"}},
		{`"1200"`, []string{"no, 1200 of them"}},
		{"e-mail", []string{"please send an email", "o neill wrote e-mail with a hyphen"}},
		{"don't send", []string{"dont send one"}},
		{"Wi-Fi", []string{"the wifi is down"}},
		{"send -e-mail", []string{"dont send one"}},
		{"0895551234 OR email", []string{"the cousin has 089 5551234", "please send an email"}},
		{"reach -15550102233", nil},
		{"5550102230 OR 5550102231 OR 5550102232 OR 0895551234", []string{"the cousin has 089 5551234"}},
		{"5550102230 OR 5550102231 OR 5550102232 OR 5550102234 OR 0895551234", nil},
		{"1,200 OR wi-fi", []string{"the bill was 1,200 dollars", "no, 1200 of them", "1.200,50 to be exact", "the wifi is down"}},
	} {
		t.Run(test.query, func(t *testing.T) {
			t.Parallel()
			got := bodies(find(t, s, Query{Text: test.query}).Hits)
			if strings.HasSuffix(test.query, "?") { // what stands around it follows
				got = got[:min(len(test.want), len(got))]
			}
			slices.Sort(got)
			slices.Sort(test.want)
			if diff := cmp.Diff(append([]string{}, test.want...), append([]string{}, got...)); diff != "" {
				t.Errorf("finds (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSpellingsAreMarked(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, newChat(msg.Signal, "Ana", morning, "Ana: call 0176-55512345 or 1,200 times"))
	for query, want := range map[string]string{
		"017655512345": "call **0176**-**55512345** or 1,200 times",
		"1200":         "call 0176-55512345 or **1**,**200** times",
	} {
		if got := find(t, s, Query{Text: query}).Hits; len(got) != 1 || got[0].Excerpt != want {
			t.Errorf("%q finds %+v, want the excerpt %q", query, got, want)
		}
	}
}

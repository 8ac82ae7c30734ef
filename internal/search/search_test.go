package search

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

var morning = time.Date(2024, 3, 4, 8, 0, 0, 0, time.UTC)

// house is a small archive that most tests of words use.
func house() []chat {
	return []chat{
		newChat(msg.Signal, "Ana Silva", morning,
			"Ana Silva: call me at +1 555 0100 or write to anna@example.org",
			"me: the plan is at https://example.com/path/to?x=1 and on example.org",
			"Ana Silva: e-mail it, the e mail of Monday is gone",
			"me: rent is 1,234.50 from 12:30 on",
			"Ana Silva: size 27\" and 5'6\" (or 5\"x7\")",
			"me: don't forget Anna's keys, rock'n'roll",
			"Ana Silva: a C++ and a C# course, AT&T pays",
			"me: to be or not to be",
			"Ana Silva: the Straße to São Paulo costs 50€",
			"me: node.js v1.2.3-beta and snake_case_name",
		),
		newChat(msg.WhatsApp, "Book club*", morning.AddDate(0, 0, 1),
			"Björn: we read about keys and keyholes",
			"Mariana: happy reading, happiness is a book",
			"me: we are reading, he reads, they read",
			"李小龙: 我的iPhone手机壳在北京",
			"Mariana: สวัสดีครับวันนี้ 한국어회의는내일 👍🏽",
		),
	}
}

// TestTypedQueries types what people type and finds where it stands.
func TestTypedQueries(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, house()...)
	for _, test := range []struct{ name, query, want string }{
		{"telephone number", "+1 555 0100", "call me"},
		{"telephone number in one word", "+1-555-0100", "call me"},
		{"telephone number in parentheses", "(555) 0100", "call me"},
		{"part of a telephone number", "555 0100", "call me"},
		{"address", "anna@example.org", "call me"},
		{"address in a sentence", "write anna@example.org", "call me"},
		{"address with its scheme", "mailto:anna@example.org OR anna@example.org", "call me"},
		{"domain and path", "example.com/path", "the plan"},
		{"URL", "https://example.com/path/to?x=1", "the plan"},
		{"URL without its scheme", "example.com/path/to", "the plan"},
		{"domain as a filter", "domain:example.com", "the plan"},
		{"hyphenated", "e-mail", "e-mail it"},
		{"hyphenated, written apart", `"e mail"`, "e-mail it"},
		{"number with separators", "1,234.50", "rent is"},
		{"number with other separators", "1.234,50", "rent is"},
		{"time of day", "12:30", "rent is"},
		{"inches", `27"`, "size 27"},
		{"feet and inches", `5'6"`, "size 27"},
		{"format in inches", `5"x7"`, "size 27"},
		{"apostrophe", "don't", "don't forget"},
		{"typographic apostrophe", "don’t", "don't forget"},
		{"possessive", "Anna's keys", "don't forget"},
		{"possessive of another word", "forget key's", "don't forget"},
		{"apostrophes", "rock'n'roll", "don't forget"},
		{"plus signs", "C++", "a C++"},
		{"number sign", "C# course", "a C++"},
		{"ampersand", "AT&T", "a C++"},
		{"only stop words", "to be", "to be or not"},
		{"only stop words in a phrase", `"or not to"`, "to be or not"},
		{"a single stop word", "not", "to be or not"},
		{"accents left out", "sao strasse", "the Straße"},
		{"accents too many", "são stráße", "the Straße"},
		{"capitals", "SÃO PAULO", "the Straße"},
		{"number with a sign", "costs 50€", "the Straße"},
		{"dots", "node.js", "node.js"},
		{"version", "v1.2.3-beta", "node.js"},
		{"underscores", "snake_case_name", "node.js"},
		{"beginning", "keyh*", "we read about"},
		{"beginning of a divided word", "snake_ca*", "node.js"},
		{"inflections", "happiness book", "happy reading"},
		{"another inflection", "keyhole", "we read about"},
		{"Chinese within a sentence", "手机壳", "我的"},
		{"a single Chinese character", "壳", "我的"},
		{"Chinese behind Latin", "iphone手机", "我的"},
		{"Chinese behind Latin, one character", "iphone手", "我的"},
		{"Thai within a sentence", "วันนี้", "สวัสดี"},
		{"Korean within a sentence", "회의", "สวัสดี"},
		{"emoji", "👍", "สวัสดี"},
		{"emoji with its skin tone", "👍🏽", "สวัสดี"},
		{"and, written out", "keyholes AND read", "we read about"},
		{"apostrophe at an end", "'keyholes'", "we read about"},
		{"punctuation all around", "... keyholes!!! ???", "we read about"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := find(t, s, Query{Text: test.query})
			if len(got.Hits) != 1 || !strings.HasPrefix(got.Hits[0].Body, test.want) || got.Total != 1 || !got.Counted || got.More {
				t.Fatalf("%s finds %q, total %d, counted %v, notices %q; want %q alone", test.query, bodies(got.Hits), got.Total, got.Counted, got.Notices, test.want)
			}
			if len(got.Notices) > 0 || got.Mode != Keyword || got.Hits[0].Score <= 0 {
				t.Errorf("%s: notices %q, mode %s, score %v", test.query, got.Notices, got.Mode, got.Hits[0].Score)
			}
			if !strings.Contains(got.Hits[0].Excerpt, Mark) && test.query != "domain:example.com" {
				t.Errorf("%s: nothing is marked in %q", test.query, got.Hits[0].Excerpt)
			}
		})
	}
}

// TestNotFound looks for what is not there, and would be if a word, a phrase
// or an exclusion were taken lightly.
func TestNotFound(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, house()...)
	for _, test := range []struct{ name, query string }{
		{"phrase in another order", `"club of book"`},
		{"phrase with a word between", `"to or not"`},
		{"phrase beyond the end", `"to be to"`},
		{"phrase of one word is exact", `"keyhole"`},
		{"phrase across messages", `"gone rent"`},
		{"part of a word", `"hone"`},
		{"Chinese that stands apart", `"我壳"`},
		{"words like tags", `"zqme"`},
		{"signs like tags", `"§klink"`},
		{"excluded word", "keyholes -read"},
		{"excluded inflection", "keyholes -reads"},
		{"excluded phrase", `keyholes -"about keys"`},
		{"excluded group", "keyholes -(mariana OR read)"},
		{"excluded sender", "keyholes -from:björn"},
		{"excluded beginning", "keyholes -rea*"},
		{"filter that excludes", "keyholes from:mariana"},
		{"two filters", "keyholes from:björn in:\"Ana Silva\""},
		{"group within filters", "keyholes is:direct"},
		{"either, excluded", "(keyholes OR 壳) -club"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := find(t, s, Query{Text: test.query})
			if len(got.Hits) != 0 && len(got.Notices) == 0 || got.Hits == nil || got.Total != int64(len(got.Hits)) || got.More {
				t.Errorf("%s finds %q, total %d, notices %q", test.query, bodies(got.Hits), got.Total, got.Notices)
			}
		})
	}
}

// TestBeginningMeetsNoTag: a single letter begins many words and no tag.
func TestBeginningMeetsNoTag(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, newChat(msg.Signal, "x", morning, "me: zebra", "me: apple", "me: 👍"))
	for query, want := range map[string][]string{"z*": {"zebra"}, "zq*": {}, "zebra*": {"zebra"}, "m*": {}} {
		if diff := cmp.Diff(want, bodies(find(t, s, Query{Text: query}).Hits)); diff != "" {
			t.Errorf("%s finds (-want +got):\n%s", query, diff)
		}
	}
}

// TestPretendedTags: whatever a message says, it is who sent it that counts.
func TestPretendedTags(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, newChat(msg.Signal, "x", morning, "Eve: §me zqme §c1 §klink pay", "me: pay"), newChat(msg.WhatsApp, "y", morning, "Eve: pay §ssignaldirect"))
	for query, want := range map[string][]string{
		"pay is:me": {"pay"}, "pay source:signal -is:me": {"§me zqme §c1 §klink pay"}, "pay has:link": {}, "pay source:signal": {"pay", "§me zqme §c1 §klink pay"},
	} {
		got := bodies(find(t, s, Query{Text: query}).Hits)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s finds (-want +got):\n%s", query, diff)
		}
	}
}

// TestNamesAreFound: messages are found by the names of who sent them and of
// where they were sent, as if these stood in them.
func TestNamesAreFound(t *testing.T) {
	t.Parallel()
	s := searcherOf(t,
		newChat(msg.Signal, "AnaSilva", morning, "AnaSilva: the lamp is here", "me: thanks"),
		newChat(msg.WhatsApp, "Lamp makers 北京*", morning, "Bo: hello", "王伟: anyone"),
		newChat(msg.WhatsApp, "Bill*", morning, "Bill: lunch", "Mark: two bills to pay"),
	)
	for _, test := range []struct {
		name, query string
		want        []string
	}{
		{"sender and word", "ana lamp", []string{"the lamp is here"}},
		{"name an exporter ran together", "anasilva lamp", []string{"the lamp is here"}},
		{"name as a phrase", `"ana silva" lamp`, []string{"the lamp is here"}},
		{"beginning of a name", "silv* lamp", []string{"the lamp is here"}},
		{"conversation", "makers", []string{"anyone", "hello"}},
		{"conversation and text", "lamp", []string{"anyone", "hello", "the lamp is here"}},
		{"Chinese conversation", "北京 hello", []string{"hello"}},
		{"Chinese sender", "王伟", []string{"anyone"}},
		{"part of a Chinese name", "王", []string{"anyone"}},
		{"genitive", "anasilvas lamp", []string{"the lamp is here"}},
		{"genitive of one of two names", "silvas", []string{"thanks", "the lamp is here"}},
		{"no genitive of a group", "lamps", []string{"the lamp is here"}},
		{"plural that stands in a text", "bills", []string{"two bills to pay"}},
		{"excluded name", "lamp -bo", []string{"anyone", "the lamp is here"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := bodies(find(t, s, Query{Text: test.query}).Hits)
			slices.Sort(got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s finds (-want +got):\n%s", test.query, diff)
			}
		})
	}
}

// TestNot: NOT excludes nothing, and whoever means that it does is told.
func TestNot(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, newChat(msg.Signal, "x", morning, "Ana: the boat is not here", "me: a boat"))
	const told = "NOT was taken for a word; write -here to leave out what holds it"
	for query, want := range map[string]bool{
		"boat NOT here": true, "boat not here": false, "BOAT NOT HERE": false, "boat -here": false, `boat "NOT" here`: false, "boat NOT": false, "boat NOT -here": false,
	} {
		if got := slices.Contains(find(t, s, Query{Text: query}).Notices, told); got != want {
			t.Errorf("%s: told %v, want %v", query, got, want)
		}
	}
}

// TestMentionsFirst: a name finds where it was said before what its bearer
// wrote, and of that the newest first.
func TestMentionsFirst(t *testing.T) {
	t.Parallel()
	s := searcherOf(t,
		newChat(msg.Signal, "Tom Baker", morning, "Tom Baker: the first and longer one of two messages", "Tom Baker: ok", "me: fine"),
		newChat(msg.Signal, "Ana", morning.AddDate(0, -1, 0), "Ana: did you hear what Tom Baker said about all of this yesterday evening"),
		newChat(msg.Signal, "Bo*", morning, "Tom Baker: the boat is here", "Ana: Tom has a boat"),
	)
	mention := "did you hear what Tom Baker said about all of this yesterday evening"
	for query, want := range map[string][]string{
		"baker":         {mention, "ok", "the boat is here", "the first and longer one of two messages", "fine"},
		`"tom baker"`:   {mention, "ok", "the boat is here", "the first and longer one of two messages", "fine"},
		"@tom_baker":    {mention, "ok", "the boat is here", "the first and longer one of two messages", "fine"},
		"tom boat":      {"the boat is here", "Tom has a boat"},
		"baker is:me":   {"fine"},
		"baker in:bo":   {"the boat is here"},
		"baker said":    {mention},
		"tom in:bo -ok": {"Tom has a boat", "the boat is here"},
	} {
		if diff := cmp.Diff(want, bodies(find(t, s, Query{Text: query}).Hits)); diff != "" {
			t.Errorf("%s finds (-want +got):\n%s", query, diff)
		}
	}
}

func TestSearchRefuses(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, house()...)
	for _, test := range []struct {
		name  string
		query Query
		want  string
	}{
		{"nothing", Query{}, "query is empty"},
		{"white space", Query{Text: " \n"}, "query is empty"},
		{"nothing to look for", Query{Text: "?!"}, `"?!" holds no word to look for`},
		{"nothing to look for within a filter", Query{Text: "...", FromMe: true}, `"..." holds no word to look for`},
		{"only exclusions", Query{Text: "-keys"}, "position 1: a part that is only excluded finds nothing"},
		{"fault behind letters of two and three bytes", Query{Text: "für 手机 has:money"}, "position 8: has:money is not known"},
		{"exclusion in a choice", Query{Text: "keys OR -read"}, "position 9: a part that is only excluded finds nothing"},
		{"exclusions in a group of a choice", Query{Text: "from:me keys OR (-read -about)"}, "is only excluded finds nothing"},
		{"unknown sender", Query{Text: "keys from:nobody"}, `from: no sender matches "nobody"`},
		{"unknown conversation", Query{Text: "keys in:nowhere"}, `in: no conversation matches "nowhere"`},
		{"unknown source", Query{Text: "source:sms"}, `source: no source "sms"; the archive has signal, whatsapp`},
		{"unknown person", Query{Text: "with:nobody"}, `with: no sender matches "nobody"`},
		{"with the owner", Query{Text: "keys with:me"}, "position 6: every conversation is with the owner"},
		{"unknown thing", Query{Text: "keys has:money"}, "position 6: has:money is not known; use one of link, image, video, audio, file, reaction, reply"},
		{"unknown thing as an argument", Query{Text: "keys", Has: "money"}, `has "money" is not known; use one of link`},
		{"unknown state", Query{Text: "keys is:blue"}, "position 6: is:blue is not known; use is:me"},
		{"impossible date", Query{Text: "keys before:2024-02-30"}, `position 6: "2024-02-30" is not a date`},
		{"period in a choice", Query{Text: "keys OR before:2024"}, "position 9: before: narrows the whole query"},
		{"excluded period", Query{Text: "keys -on:2024"}, "position 7: on: narrows the whole query"},
		{"no time between two dates", Query{Text: "keys after:2024 before:2024"}, "no time lies in all the periods"},
		{"no time in both periods", Query{Text: "keys on:2023", Period: Range{Start: micros(morning)}}, "no time lies in all the periods"},
		{"no domain", Query{Text: "domain:..."}, "position 1: domain:... is no domain"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			results, err := s.Search(t.Context(), test.query)
			if err == nil {
				t.Fatalf("finds %q, want an error", bodies(results.Hits))
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %q, want it to hold %q", err, test.want)
			}
		})
	}
}

// TestDomainSpellings finds a domain whether the query or the address writes it
// in ASCII or in the letters that people read, and no other that looks like it.
func TestDomainSpellings(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, newChat(msg.Signal, "Anna", now.AddDate(0, 0, -1),
		"Anna: https://www.xn--mller-kva.example/a",
		"Anna: https://www.müller.example/b",
		"Anna: https://www.example.com/c",
		"Anna: https://www.ex\u0430mple.com/d",
	))
	tests := []struct {
		name, query string
		want        []string
	}{
		{"readable", "domain:müller.example", []string{"https://www.müller.example/b", "https://www.xn--mller-kva.example/a"}},
		{"ASCII", "domain:xn--mller-kva.example", []string{"https://www.müller.example/b", "https://www.xn--mller-kva.example/a"}},
		{"Latin letters", "domain:example.com", []string{"https://www.example.com/c"}},
		{"a Cyrillic letter", "domain:ex\u0430mple.com", []string{"https://www.ex\u0430mple.com/d"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := bodies(find(t, s, Query{Text: tt.query}).Hits)
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.query, diff)
			}
		})
	}
}

// TestConversationBecomesGroup looks for messages by the kind of a conversation
// that a later export shows to be another.
func TestConversationBecomesGroup(t *testing.T) {
	t.Parallel()
	talk := []string{"Anna: hello there", "me: hello", "Anna: good night"}
	a := newArchive(t, newChat(msg.Signal, "Trip", morning, talk...))
	count := func(query string) int {
		r, err := store.OpenReader(t.Context(), a.dir, store.ReaderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close() // before the next import
		return len(find(t, New(r, func() time.Time { return now }), Query{Text: query}).Hits)
	}
	if direct, group := count("is:direct"), count("is:group"); direct != 3 || group != 0 {
		t.Fatalf("%d messages of direct conversations and %d of groups, want 3 and 0", direct, group)
	}
	a.load(t, newChat(msg.Signal, "Trip*", morning, talk...))
	if direct, group := count("is:direct"), count("is:group"); direct != 0 || group != 3 {
		t.Errorf("%d messages of direct conversations and %d of groups, want 0 and 3", direct, group)
	}
	if n := count("night"); n != 1 {
		t.Errorf("a word finds %d messages, want 1", n)
	}
}

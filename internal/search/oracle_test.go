package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// A known message is one of which the test knows all that a query can ask,
// without having to take its text apart.
type known struct {
	id           int // in the order of the archive
	conversation string
	group        bool
	source       msg.Source
	sender       string // me, or a name
	at           time.Time
	runs         []string // words and emoji in lower case, stretches of other scripts
	things       []string // what has: and is: find
}

// wordForms are words with their inflections, none of them a stop word.
var wordForms = [][]string{
	{"walk", "walks", "walked", "walking"}, {"garden", "gardens", "gardening"}, {"key", "keys"}, {"happy", "happiness"}, {"use", "using", "used"}, {"die", "dying", "dies"},
	{"party", "parties"}, {"2024"}, {"0815"}, {"cafe"}, {"strasse"}, {"e4"}, {"река"}, {"λογοσ"}, {"lemon", "lemons"}, {"boat", "boats", "boating"}, {"zebra"}, {"paris"},
}

// spellings are other ways to write a word that mean the same.
var spellings = map[string][]string{"cafe": {"Café", "CAFÉ"}, "strasse": {"Straße"}, "λογοσ": {"Λόγος", "λόγος"}, "река": {"РЕКА"}, "paris": {"Paris", "PARIS"}, "key": {"KEY"}}

var (
	spacelessLetters = []string{"手机壳我们去北京", "สวัสดีครับ", "한국어회의", "スーパかな"}
	emoji            = []string{"👍", "🎉", "❤", "🚲"}
)

const things = "link image video audio file reaction reply edited call"

// generated returns an archive of n messages and what is known of them.
func generated(n int, seed uint64) ([]chat, []known) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	services := []msg.Source{msg.Signal, msg.WhatsApp, msg.Telegram}
	people := []string{me, "Anna Walker", "Boat Keller", "李北京", "Zoë", "0815"}
	names := []string{"Garden club", "Anna Walker", "Paris 2024", "北京手机", "work"}
	var chats []chat
	var all []known
	for i, name := range names {
		c := chat{source: services[i%len(services)], conv: msg.Conversation{Key: name, Name: name}}
		if i%2 == 0 {
			c.conv.Kind = msg.Group
		}
		at := time.Date(2023, 11, 3, 8, 0, 0, 0, time.UTC).AddDate(0, i, 0)
		for range n / len(names) {
			at = at.Add(time.Duration(rnd.IntN(int(200 * 24 * float64(time.Hour) * float64(len(names)) / float64(n)))))
			k := known{id: len(all), conversation: name, group: i%2 == 0, source: c.source, sender: people[rnd.IntN(len(people))], at: at.Truncate(time.Second)}
			c.messages = append(c.messages, k.write(rnd))
			all = append(all, k)
		}
		chats = append(chats, c)
	}
	return chats, all
}

// write makes up a message.
func (k *known) write(rnd *rand.Rand) msg.Message {
	body := ""
	last := 'w'
	for range 1 + rnd.IntN(7) {
		kind, run, text := randomRun(rnd)
		switch separators := []string{" ", ", ", "! ", "\n", " (", ") ", "…"}; {
		case body == "":
		case kind != last && rnd.IntN(2) == 0: // a change of script divides by itself
		default:
			body += separators[rnd.IntN(len(separators))]
		}
		last = kind
		body += text
		k.runs = append(k.runs, run)
	}
	m := message(k.sender, k.at, body)
	for _, thing := range strings.Fields(things) {
		if rnd.IntN(12) == 0 {
			k.things = append(k.things, thing)
			carry(&m, k, thing)
		}
	}
	return m
}

// randomRun makes up a run: its kind, its folded form, its text.
func randomRun(rnd *rand.Rand) (kind rune, run, text string) {
	switch rnd.IntN(6) {
	case 0:
		letters := []rune(spacelessLetters[rnd.IntN(len(spacelessLetters))])
		for range 1 + rnd.IntN(5) {
			run += string(letters[rnd.IntN(len(letters))])
		}
		return 'p', run, run
	case 1:
		run = emoji[rnd.IntN(len(emoji))]
		return 'e', run, run
	}
	forms := wordForms[rnd.IntN(len(wordForms))]
	run = forms[rnd.IntN(len(forms))]
	text = run
	if other := spellings[run]; len(other) > 0 && rnd.IntN(2) == 0 {
		text = other[rnd.IntN(len(other))]
	}
	return 'w', run, text
}

// carry makes a message carry a thing.
func carry(m *msg.Message, k *known, thing string) {
	kinds := map[string]msg.AttachmentKind{"image": msg.Image, "video": msg.Video, "audio": msg.Audio, "file": msg.File}
	switch thing {
	case "link":
		m.Body += " https://maps.example.org/p"
		k.runs = append(k.runs, "https", "maps", "example", "org", "p")
	case "reaction":
		m.Reactions = []msg.Reaction{{Emoji: "👍", FromMe: true}}
	case "reply":
		m.ReplyTo = &msg.Reply{Quote: "zebra"}
	case "edited":
		m.Edited = true
	case "call":
		m.Kind = msg.Call
	default:
		m.Attachments = append(m.Attachments, msg.Attachment{Kind: kinds[thing], Name: "a." + thing, Missing: "not included"})
	}
}

// query is a query with what it means.
type query struct {
	text  string
	holds func(known) bool
}

// same reports whether two words are inflections of one.
func same(a, b string) bool {
	if a == b {
		return true
	}
	for _, forms := range wordForms {
		if slices.Contains(forms, a) && slices.Contains(forms, b) {
			return true
		}
	}
	return false
}

func isSpaceless(run string) bool {
	return strings.ContainsAny(run, strings.Join(spacelessLetters, ""))
}

// inNames makes a test of runs one of messages: it holds as well of those
// whose sender's or conversation's name meets it.
func inNames(test func(runs []string) bool) func(known) bool {
	return func(k known) bool {
		return test(k.runs) || k.sender != me && test(nameRuns(k.sender)) || test(nameRuns(k.conversation))
	}
}

func nameRuns(name string) []string {
	return strings.Fields(strings.ReplaceAll(strings.ToLower(name), "ë", "e"))
}

func anyRun(test func(run string) bool) func(known) bool {
	return inNames(func(runs []string) bool { return slices.ContainsFunc(runs, test) })
}

// randomQuery makes up a query of a depth.
func randomQuery(rnd *rand.Rand, all []known, depth int) query {
	kind := rnd.IntN(9)
	if depth == 0 {
		kind = rnd.IntN(6)
	}
	switch kind {
	case 0, 1:
		return randomWord(rnd)
	case 2:
		return randomPhrase(rnd, all)
	case 3:
		forms := wordForms[rnd.IntN(len(wordForms))]
		word := []rune(forms[0])
		beginning := string(word[:1+rnd.IntN(len(word))])
		return query{beginning + "*", anyRun(func(run string) bool { return strings.HasPrefix(run, beginning) })}
	case 4:
		from := []rune(spacelessLetters[rnd.IntN(len(spacelessLetters))])
		at := rnd.IntN(len(from))
		part := string(from[at:min(len(from), at+1+rnd.IntN(3))])
		return query{part, anyRun(func(run string) bool { return strings.Contains(run, part) })}
	case 5:
		return randomFilter(rnd)
	case 6:
		a, b := randomQuery(rnd, all, depth-1), randomQuery(rnd, all, depth-1)
		return query{"(" + a.text + " OR " + b.text + ")", func(k known) bool { return a.holds(k) || b.holds(k) }}
	case 7:
		a, b := randomQuery(rnd, all, depth-1), randomQuery(rnd, all, depth-1)
		return query{"(" + a.text + " " + b.text + ")", func(k known) bool { return a.holds(k) && b.holds(k) }}
	}
	a, b := randomQuery(rnd, all, depth-1), randomQuery(rnd, all, depth-1)
	return query{"(-" + b.text + " " + a.text + ")", func(k known) bool { return a.holds(k) && !b.holds(k) }}
}

func randomWord(rnd *rand.Rand) query {
	if rnd.IntN(6) == 0 {
		e := emoji[rnd.IntN(len(emoji))]
		return query{e, anyRun(func(run string) bool { return run == e })}
	}
	forms := wordForms[rnd.IntN(len(wordForms))]
	word := forms[rnd.IntN(len(forms))]
	text := word
	if other := spellings[word]; len(other) > 0 {
		text = other[rnd.IntN(len(other))]
	}
	inText := func(k known) bool {
		return slices.ContainsFunc(k.runs, func(run string) bool { return same(run, word) })
	}
	exact := anyRun(func(run string) bool { return run == word }) // names are found as they are
	return query{text, func(k known) bool { return inText(k) || exact(k) }}
}

// randomPhrase takes a phrase out of a message, or makes one up.
func randomPhrase(rnd *rand.Rand, all []known) query {
	runs := all[rnd.IntN(len(all))].runs
	at := rnd.IntN(len(runs))
	phrase := slices.Clone(runs[at:min(len(runs), at+1+rnd.IntN(3))])
	if rnd.IntN(3) == 0 {
		_, phrase[rnd.IntN(len(phrase))], _ = randomRun(rnd)
	}
	text := `"` + strings.Join(phrase, " ") + `"`
	return query{text, inNames(func(runs []string) bool {
		for i := range runs {
			if standsIn(runs[i:], phrase) {
				return true
			}
		}
		return false
	})}
}

// standsIn reports whether a phrase stands at the beginning of runs. At its
// ends it may stop within a run of a script without spaces.
func standsIn(runs, phrase []string) bool {
	if len(runs) < len(phrase) {
		return false
	}
	for i, want := range phrase {
		got := runs[i]
		switch spaceless := isSpaceless(want); {
		case got == want:
		case spaceless && len(phrase) == 1 && strings.Contains(got, want):
		case spaceless && i == 0 && len(phrase) > 1 && strings.HasSuffix(got, want):
		case spaceless && i == len(phrase)-1 && i > 0 && strings.HasPrefix(got, want):
		default:
			return false
		}
	}
	return true
}

func randomFilter(rnd *rand.Rand) query {
	list := strings.Fields(things)
	filters := []query{
		{"from:me", func(k known) bool { return k.sender == me }},
		{"is:me", func(k known) bool { return k.sender == me }},
		{`from:"anna walker"`, func(k known) bool { return k.sender == "Anna Walker" }},
		{"from:zoe", func(k known) bool { return k.sender == "Zoë" }},
		{"in:paris", func(k known) bool { return k.conversation == "Paris 2024" }},
		{`in:"Garden club"`, func(k known) bool { return k.conversation == "Garden club" }},
		{"source:signal", func(k known) bool { return k.source == msg.Signal }},
		{"source:WhatsApp", func(k known) bool { return k.source == msg.WhatsApp }},
		{"is:group", func(k known) bool { return k.group }},
		{"is:direct", func(k known) bool { return !k.group }},
		{"domain:example.org", func(k known) bool { return slices.Contains(k.things, "link") }},
		{"domain:org.example", func(known) bool { return false }},
	}
	thing := list[rnd.IntN(len(list))]
	has := "has:"
	if thing == "edited" || thing == "call" {
		has = "is:"
	}
	filters = append(filters, query{has + thing, func(k known) bool { return slices.Contains(k.things, thing) }})
	return filters[rnd.IntN(len(filters))]
}

// randomPeriod makes up a filter of time for a whole query.
func randomPeriod(rnd *rand.Rand) query {
	day := time.Date(2023, 12, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rnd.IntN(180))
	month := time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
	in := func(from, to time.Time) func(known) bool {
		return func(k known) bool { return !k.at.Before(from) && k.at.Before(to) }
	}
	far := time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
	return []query{
		{"on:" + day.Format("2006-01-02"), in(day, day.AddDate(0, 0, 1))},
		{"on:" + month.Format("2006-01"), in(month, month.AddDate(0, 1, 0))},
		{"before:" + day.Format("2006-01-02"), in(time.Time{}, day)},
		{"after:" + month.Format("2006-01"), in(month.AddDate(0, 1, 0), far)},
		{"after:30d", in(now.Truncate(24*time.Hour).AddDate(0, 0, -30), far)},
		{"before:" + day.Format("2006-01-02T15:04:05Z"), in(time.Time{}, day)},
	}[rnd.IntN(6)]
}

// TestAgainstOracle compares what queries find with what they mean.
func TestAgainstOracle(t *testing.T) {
	t.Parallel()
	const size = 2000
	queries := 300
	if testing.Short() {
		queries = 60
	}
	chats, all := generated(size, 7)
	s := searcherOf(t, chats...)
	byText := map[string][]int{} // places in all, by what a hit shows
	for _, k := range all {
		key := k.conversation + k.at.Format(time.RFC3339)
		byText[key] = append(byText[key], k.id)
	}
	rnd := rand.New(rand.NewPCG(11, 2))
	found, empty := 0, 0
	for range queries {
		q := randomQuery(rnd, all, rnd.IntN(4))
		if rnd.IntN(3) == 0 {
			p, words := randomPeriod(rnd), q
			q = query{p.text + " " + q.text, func(k known) bool { return p.holds(k) && words.holds(k) }}
		}
		want := []string{}
		for _, k := range all {
			if q.holds(k) {
				want = append(want, fmt.Sprint(byText[k.conversation+k.at.Format(time.RFC3339)]))
			}
		}
		results := find(t, s, Query{Text: q.text, Limit: size})
		loosened := len(results.Notices) > 0 && (strings.HasPrefix(results.Notices[0], "nothing") || strings.HasPrefix(results.Notices[0], "no message"))
		if loosened {
			results.Hits, results.Total = nil, 0
		}
		got := []string{}
		for _, h := range results.Hits {
			got = append(got, fmt.Sprint(byText[h.Conversation+h.Time.UTC().Format(time.RFC3339)]))
		}
		slices.Sort(want)
		slices.Sort(got)
		if len(want) == 0 {
			empty++
		} else {
			found++
		}
		if !loosened {
			checkTotal(t, q.text, results, len(want))
		}
		if len(want) > pool {
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s finds %d messages, want %d (-want +got):\n%s", q.text, len(got), len(want), diff)
		}
	}
	if found < queries/3 || empty < queries/50 {
		t.Errorf("%d queries find something and %d nothing: the test tries too little", found, empty)
	}
}

func checkTotal(t *testing.T, text string, results Results, want int) {
	t.Helper()
	if results.Counted && results.Total != int64(want) {
		t.Errorf("%s: total %d, want %d", text, results.Total, want)
	}
	if !results.Counted && want <= pool {
		t.Errorf("%s: the total was not counted, though it is %d", text, want)
	}
	if n := len(results.Hits); n < min(want, pool) || n < want && len(results.Notices) == 0 || results.More {
		t.Errorf("%s: %d of %d hits, more %v, notices %q; want all, or %d and a notice", text, n, want, results.More, results.Notices, pool)
	}
}

package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Syllables that made-up texts of each script consist of: real ones, but no
// sentences of anybody's.
var syllables = map[string][]string{
	"zh": strings.Split("北 京 手 机 壳 在 哪 里 我 的 明 天 下 午 三 点 开 会 吃 饭 吧 好 不 是 大 学 生 龙 飯 館 東 西 電 話 買 票", " "),
	"ja": strings.Split("東 京 駅 で 会 い ま し ょ う カ フ ェ ラ ッ テ ー 昼 に 出 発 す る の は 何 時 か ら が ん ば っ て ﾊﾟ ｿ", " "),
	"ko": strings.Split("한 국 어 회 의 는 내 일 오 전 에 시 작 해 요 점 심 먹 자 ㅋ ㅎ 가 나 다", " "),
	"th": strings.Split("สวัส ดี ครับ วัน นี้ กิน ข้าว ที่ ไหน เจอ กัน พรุ่ง บ้าน ไป มา เรือ", " "),
}

var signs = strings.Split("👍 🎉 🚲 ❤ 🍜 😂 🐱", " ")

var latin = strings.Fields("boat harbour noon dinner tomorrow ticket station train garden phone keys lovely coffee meeting Zürich naïve 2024 7pm")

// mixed is a message of the mix with what a search compares: lower case, and
// characters of half width as those of full width.
type mixed struct {
	id    string // stands in front of the body
	body  string
	plain string
}

// chatsOfMix is over how many conversations the mix is spread, so that no
// query finds more in one of them than is ranked.
const chatsOfMix = 10

// mix makes up n messages, about three of five in English and the others in
// scripts without spaces, some in both, some with emoji.
func mix(n int, rnd *rand.Rand) []mixed {
	scripts := []string{"zh", "ja", "ko", "th"}
	all := make([]mixed, n)
	for i := range all {
		var parts []string
		switch kind := rnd.IntN(20); {
		case kind < 12:
			for range 2 + rnd.IntN(6) {
				parts = append(parts, latin[rnd.IntN(len(latin))])
			}
		default:
			script := syllables[scripts[kind%len(scripts)]]
			for range 1 + rnd.IntN(3) {
				run := ""
				for range 1 + rnd.IntN(8) {
					run += script[rnd.IntN(len(script))]
				}
				if rnd.IntN(6) == 0 { // side by side with Latin letters
					run += latin[rnd.IntN(len(latin))]
				}
				parts = append(parts, run)
			}
		}
		if rnd.IntN(5) == 0 {
			at := rnd.IntN(len(parts))
			parts[at] += signs[rnd.IntN(len(signs))]
		}
		separator := []string{" ", "、", "。", "！", ", "}[rnd.IntN(5)]
		body := strings.Join(parts, separator)
		all[i] = mixed{fmt.Sprintf("m%d", i), body, plainForm(body)}
	}
	return all
}

// spacelessQuery takes 1 to 4 characters out of a text without spaces; it
// returns nothing when the text has none.
func spacelessQuery(body string, rnd *rand.Rand) string {
	var stretches [][]rune
	var stretch []rune
	for _, r := range body + " " {
		if r > unicode.MaxLatin1 && unicode.IsOneOf([]*unicode.RangeTable{unicode.L, unicode.M}, r) {
			stretch = append(stretch, r)
			continue
		}
		if len(stretch) > 0 {
			stretches = append(stretches, stretch)
		}
		stretch = nil
	}
	if len(stretches) == 0 {
		return ""
	}
	stretch = stretches[rnd.IntN(len(stretches))]
	from := rnd.IntN(len(stretch))
	return string(stretch[from:min(len(stretch), from+1+rnd.IntN(4))])
}

// plainForm is what of a text counts for a search: neither case nor width.
func plainForm(text string) string { return strings.ToLower(norm.NFKC.String(text)) }

// searchable reports whether a query begins with a character, and not with a
// mark that belongs to the one before it.
func searchable(query string) bool {
	r, _ := utf8.DecodeRuneInString(norm.NFKC.String(query))
	return !unicode.IsMark(r) && r != ' '
}

// TestScriptsWithoutSpaces compares what queries of one to four characters
// find in 20,000 messages with what holds them: every message and no other.
func TestScriptsWithoutSpaces(t *testing.T) {
	t.Parallel()
	size, queries := 20_000, 200
	if testing.Short() {
		size, queries = 4_000, 50
	}
	rnd := rand.New(rand.NewPCG(2024, 7))
	all := mix(size, rnd)
	var chats []chat
	for part := range slices.Chunk(all, size/chatsOfMix) {
		lines := make([]string, len(part))
		for i, m := range part {
			lines[i] = me + ": " + m.id + " " + m.body
		}
		chats = append(chats, newChat(msg.Signal, fmt.Sprintf("x%d", len(chats)), morning.Add(time.Duration(len(chats))*48*time.Hour), lines...))
	}
	s := searcherOf(t, chats...)
	asked, hits := 0, 0
	for asked < queries {
		query := spacelessQuery(all[rnd.IntN(size)].body, rnd)
		if asked%10 == 0 {
			query = signs[rnd.IntN(len(signs))]
		}
		if query == "" || !searchable(query) {
			continue
		}
		asked++
		var want []string
		plain := plainForm(query)
		for _, m := range all {
			if strings.Contains(m.plain, plain) {
				want = append(want, m.id)
			}
		}
		hits += len(want)
		got := walk(t, s, query)
		slices.Sort(want)
		slices.Sort(got)
		if missing, wrong := without(want, got), without(got, want); len(missing)+len(wrong) > 0 {
			t.Errorf("%q finds %d messages, %d hold it: recall %.3f, precision %.3f; missed %.3q, wrong %.3q", query, len(got), len(want),
				1-float64(len(missing))/float64(len(want)), 1-float64(len(wrong))/float64(max(1, len(got))), missing, wrong)
		}
	}
	if hits < size*queries/1000 {
		t.Errorf("%d hits of %d queries: the test tries too little", hits, queries)
	}
}

// walk returns the ids in front of everything a query finds, asking chat by
// chat where too much matches to be ranked at once.
func walk(t *testing.T, s *Searcher, query string) []string {
	t.Helper()
	var ids []string
	take := func(results Results) {
		for _, h := range results.Hits {
			id, _, _ := strings.Cut(h.Body, " ")
			ids = append(ids, id)
		}
	}
	whole := find(t, s, Query{Text: query, Limit: pool})
	if int64(len(whole.Hits)) == whole.Total && whole.Counted {
		take(whole)
		return ids
	}
	for i := range chatsOfMix {
		part := find(t, s, Query{Text: fmt.Sprintf("%s in:x%d", query, i), Limit: pool})
		if int64(len(part.Hits)) != part.Total || !part.Counted {
			t.Fatalf("%q in one chat: %d hits of %d", query, len(part.Hits), part.Total)
		}
		take(part)
	}
	return ids
}

// without returns what of list is not in other; both are sorted.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool {
		_, found := slices.BinarySearch(other, s)
		return found
	})
}

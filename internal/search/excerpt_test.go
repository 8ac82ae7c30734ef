package search

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// termsOf makes the terms of a query's words, phrases and beginnings without
// an archive: a word has the forms listed behind it in parentheses.
func termsOf(t testing.TB, query string) []term {
	t.Helper()
	root, err := parse(query)
	if err != nil {
		t.Fatal(err)
	}
	texts, plain := textsOf(root)
	if !plain {
		t.Fatalf("%q holds more than texts", query)
	}
	list := make([]term, len(texts))
	for i, x := range texts {
		list[i] = term{runs: runsOf(x.text), prefix: x.prefix, docs: 1}
		if len(list[i].runs) == 1 && !x.prefix {
			list[i].forms = []string{list[i].runs[0].Text}
			if !x.phrase {
				list[i].forms = append(list[i].forms, list[i].runs[0].Text+"s")
			}
		}
	}
	return list
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, query, body, want string }{
		{"nothing matches", "key", "See you at 6", "See you at 6"},
		{"empty body", "key", "", ""},
		{"a word", "key", "The Key, the key!", "The **Key**, the **key**!"},
		{"an inflection", "key", "two keys, a keyhole", "two **keys**, a keyhole"},
		{"a quoted word is exact", `"key"`, "two keys, a key", "two keys, a **key**"},
		{"accents", "cafe", "Im Café, cafe\u0301!", "Im **Café**, **cafe\u0301**!"},
		{"letters that change their length", "strasse", "Hauptstraße, Straße 5", "Hauptstraße, **Straße** 5"},
		{"beginning", "key*", "keyhole, keys", "**keyhole**, **keys**"},
		{"phrase", `"car key"`, "car, key; the Car-Key: key car", "**car**, **key**; the **Car**-**Key**: key car"},
		{"divided word", "e-mail", "e-mail or email or E Mail", "**e**-**mail** or email or **E** **Mail**"},
		{"two-byte letters before", "key", "für öde Straßen: key", "für öde Straßen: **key**"},
		{"CJK within a run", "手机", "我的手机壳和手机", "我的**手机**壳和**手机**"},
		{"CJK that is full width in the text", "パソコン", "新しいﾊﾟｿｺﾝです", "新しい**ﾊﾟｿｺﾝ**です"},
		{"voiced marks in the text", "がき", "か\u3099きくけこ", "**か\u3099き**くけこ"},
		{"invisible characters in the text", "手机", "手\u200b机壳", "**手\u200b机**壳"},
		{"Thai", "สดี", "สวัสดีครับ", "สวั**สดี**ครับ"},
		{"mixed scripts", "iPhone手机", "我的iPhone手机壳", "我的**iPhone手机**壳"},
		{"mixed scripts, cut within", "手机3", "买手机3个", "买**手机3**个"},
		{"emoji", "👍", "ok 👍🏽👍", "ok **👍🏽👍**"},
		{"emoji with a skin tone", "👍🏽", "ok 👍🏽👍", "ok **👍🏽**👍"},
		{"emoji with a selector", "❤️", "all my ❤️!", "all my **❤️**!"},
		{"family", "👨‍👩‍👧‍👦", "my 👨‍👩‍👧‍👦!", "my **👨‍👩‍👧‍👦**!"},
		{"somebody of a family", "👩", "my 👨‍👩‍👧‍👦 and 👩🏽‍🚀", "my **👨‍👩‍👧‍👦** and **👩🏽‍🚀**"},
		{"the last of a family", "🚀", "👩🏽‍🚀🚀", "**👩🏽‍🚀🚀**"},
		{"flag with a selector", "🏳️‍🌈", "a 🏳️‍🌈 b", "a **🏳️‍🌈** b"},
		{"part of a flag", "🌈", "a 🏳️‍🌈 b🌈", "a **🏳️‍🌈** b**🌈**"},
		{"flag of a region", "🏴", "a 🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F b", "a **🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F** b"},
		{"Thai before a tone mark", "สด", "สดี", "**สดี**"},
		{"joiner between words", "car", "car\u200d key", "**car**\u200d key"},
		{"directional marks stay outside", "car", "\u202ecar\u202c", "\u202e**car**\u202c"},
		{"neighbours touch", "👍 🎉", "👍🎉 🎉", "**👍🎉** **🎉**"},
		{"stars in the body", "key", "a ** key ** b", "a ** **key** ** b"},
		{"several lines", "key", "one\nkey\r\ntwo", "one\n**key**\r\ntwo"},
		{"invalid bytes stay", "key", "\xff key \xfe", "\xff **key** \xfe"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := newMatcher(termsOf(t, test.query)).excerpt(test.body); got != test.want {
				t.Errorf("excerpt of %+q for %q is\n%+q, want\n%+q", test.body, test.query, got, test.want)
			}
		})
	}
}

func TestExcerptOfLongBodies(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("lorem ipsum dolor ", 60)
	chinese := strings.Repeat("我们下周去北京开会，", 60)
	for _, test := range []struct{ name, query, body, want string }{
		{"match at the beginning", "key", "key " + filler, "**key** lorem"},
		{"match at the end", "key", filler + "key", "dolor **key**"},
		{"match in the middle", "key", filler + "the key " + filler, "dolor the **key** lorem"},
		{"the densest part", "key car", "key " + filler + "a key, a car, a key " + filler, "a **key**, a **car**, a **key**"},
		{"without spaces", "手机", chinese + "我的手机" + chinese, "我的**手机**我们"},
		{"a match longer than the excerpt", "a*", filler + strings.Repeat("a", 2000) + filler, "**aaa"},
		{"nothing to mark", "key", filler, "lorem ipsum"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := newMatcher(termsOf(t, test.query))
			got := m.excerpt(test.body)
			if !strings.Contains(got, test.want) {
				t.Errorf("excerpt is\n%s\nwant it to hold %q", got, test.want)
			}
			if len(got) > excerptSize*3/2 {
				t.Errorf("excerpt has %d bytes:\n%s", len(got), got)
			}
			checkExcerpt(t, m, test.body)
		})
	}
}

// TestExcerptOfHostileBodies: a text made of nothing but parts of emoji takes
// no longer than another of its length.
func TestExcerptOfHostileBodies(t *testing.T) {
	t.Parallel()
	m := newMatcher(termsOf(t, "👍 🏽"))
	for _, unit := range []string{"🏽", "👍\u200d", "👍🏽", "🏽 ", "\u0301", "\u200d🏽"} {
		spans := make(chan int)
		go func() { spans <- len(m.spans(strings.Repeat(unit, 1<<17))) }()
		select {
		case <-spans:
		case <-time.After(20 * time.Second):
			t.Fatalf("a text of many %+q takes too long", unit)
		}
	}
}

// checkExcerpt holds that an excerpt is a part of the body and nothing else.
func checkExcerpt(t *testing.T, m *matcher, body string) {
	t.Helper()
	excerpt := m.excerpt(body)
	// Stars of the body's own cannot be told from marks.
	bare := func(s string) string { return strings.ReplaceAll(s, "*", "") }
	part := strings.TrimSuffix(strings.TrimPrefix(bare(excerpt), "… "), " …")
	if !strings.Contains(bare(body), part) && !strings.Contains(bare(body), bare(excerpt)) {
		t.Fatalf("excerpt %+q of %+q is no part of it", excerpt, body)
	}
	if utf8.ValidString(body) && !utf8.ValidString(excerpt) {
		t.Fatalf("excerpt %+q of %+q splits a character", excerpt, body)
	}
	if bare(body) == body && strings.Count(excerpt, Mark)%2 != 0 {
		t.Fatalf("excerpt %+q of %+q has marks that are not closed", excerpt, body)
	}
	last := 0
	for _, s := range m.spans(body) {
		if s.start < last || s.end <= s.start || s.end > len(body) {
			t.Fatalf("%+q: places %v", body, m.spans(body))
		}
		last = s.end
	}
}

func FuzzExcerpt(f *testing.F) {
	for _, seed := range [][2]string{
		{"key", "The Key, the keys!"}, {"手机", "我的手\u200b机壳"}, {"パソコン", "ﾊﾟｿｺﾝ"}, {"👍🏽", "👍🏽👍"}, {"e-mail", "E Mail"}, {"がき", "か\u3099き"},
		{"a*", strings.Repeat("a\u0301b ", 200)}, {"x", "\xff\xf0 x"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, words, body string) {
		var terms []term
		for _, word := range strings.Fields(words) {
			if runs := runsOf(word); len(runs) > 0 {
				x := term{runs: runs, prefix: strings.HasSuffix(word, "*") && runs[len(runs)-1].Class == 0, docs: 1}
				if len(runs) == 1 && !x.prefix {
					x.forms = []string{runs[0].Text}
				}
				terms = append(terms, x)
			}
		}
		m := newMatcher(terms)
		checkExcerpt(t, m, body)
		m.count(body, make([]float32, len(m.terms)))
	})
}

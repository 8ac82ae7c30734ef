package segment

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"punctuation alone", "... -- !?", ""},
		{"plain words", "see you at 6", "see you at 6"},
		{"capitals", "HELLO World", "hello world"},
		{"accents of Latin", "Crème brûlée à Zürich, señor Ångström", "creme brulee a zurich senor angstrom"},
		{"accents written as marks", "cre\u0300me bru\u0302le\u0301e", "creme brulee"},
		{"Vietnamese", "Tiếng Việt ở Đà Nẵng", "tieng viet o da nang"},
		{"letters nothing takes apart", "Łódź Ørsted Æsir Œuvre Þór Ðan Ħal Ŧest", "lodz orsted aesir oeuvre thor dan hal test"},
		{"sharp s", "Straße STRASSE STRAẞE", "strasse strasse strasse"},
		{"Turkish", "İstanbul ILIK ışık ŞİŞ çağ", "istanbul ilik isik sis cag"},
		{"Greek with accents and both sigmas", "Ο ΛΟΓΟΣ του λόγου λόγος", "ο λογοσ του λογου λογοσ"},
		{"Cyrillic", "Ёлка И ЙОД", "елка и иод"},
		{"Ukrainian apostrophes", "п'ять п’ять пʼять", "п ять п ять п ять"},
		{"Hebrew with and without points", "שָׁלוֹם שלום", "שלום שלום"},
		{"Arabic with vowel signs", "السَّلَامُ عَلَيْكُمْ", "السلام عليكم"},
		{"Arabic letters with hamza", "أحمد احمد إيمان آمال", "احمد احمد ايمان امال"},
		{"Arabic stretched", "مـــرحبا", "مرحبا"},
		{"Persian and Arabic keyboards", "کتابی كتابي", "كتابي كتابي"},
		{"Persian with a joiner", "می\u200cخواهم", "ميخواهم"},
		{"a ligature of words", "ﷺ", "صلياللهعليهوسلم"},
		{"Devanagari keeps its vowel signs", "हिन्दी में", "हिन्दी में"},
		{"Devanagari with a joiner", "क्\u200dष", "क्ष"},
		{"marks in either order", "ड\u094d\u093c ड\u093c\u094d", "ड\u093c\u094d ड\u093c\u094d"},
		{"Tamil", "வணக்கம் நண்பா", "வணக்கம் நண்பா"},
		{"digits of other scripts", "٢٠٢٤ ۲۰۲۴ २०२४ ２０２４", "2024 2024 2024 2024"},
		{"numbers that are one character", "½ m² ⑴ ⒈ Ⅷ", "1⁄2 m2 1 1 viii"},
		{"Han", "我们去北京", "我们 们去 去北 北京 京"},
		{"a single Han character", "好", "好"},
		{"Han with punctuation", "好，北京。", "好 北京 京"},
		{"Kana and the long vowel", "スーパー", "スー ーパ パー ー"},
		{"half-width Kana", "ﾊﾟｿｺﾝ ｽｰﾊﾟｰ", "パソ ソコ コン ン スー ーパ パー ー"},
		{"Kana voiced by marks", "か\u3099き か゛き", "がき き がき き"},
		{"Kana and the middle dot", "ジョン・レノン", "ジョ ョン ン レノ ノン ン"},
		{"repeated ideographs", "佐々木", "佐々 々木 木"},
		{"numbered ideographs", "㈠ ㊁", "一 二"},
		{"full-width Latin", "ＡＢＣ　ｄｅｆ", "abc def"},
		{"Hangul", "회의는 내일", "회의 의는 는 내일 일"},
		{"Hangul taken apart", "\u1112\u1161\u11ab\u1100\u116e\u11a8", "한국 국"},
		{"Thai", "สวัสดีครับ", "สว วั ัส สด ดี ีค คร รั ับ บ"},
		{"Thai with an invisible space", "สวัส\u200bดี", "สว วั ัส สด ดี ี"},
		{"Lao", "ສະບາຍດີ", "ສະ ະບ ບາ າຍ ຍດ ດີ ີ"},
		{"Khmer", "សួស្តី។", "សួ ួស ស្ ្ត តី ី"},
		{"Myanmar", "မြန်မာ၊ စာ", "မြ ြန န် ်မ မာ ာ စာ ာ"},
		{"Bopomofo", "ㄅㄆㄇ", "ㄅㄆ ㄆㄇ ㄇ"},
		{"words and pairs in one", "iPhone手机壳3个", "iphone 手机 机壳 壳 3 个"},
		{"URL", "https://www.Example.com/a_b?q=1&r=%20#top", "https www example com a b q 1 r 20 top"},
		{"address", "anna.lee@example.org", "anna lee example org"},
		{"apostrophes of both kinds", "don't don’t O'Neill's", "don t don t o neill s"},
		{"numbers with separators", "1,234.50 +1 (555) 010-0199 12:30", "1 234 50 1 555 010 0199 12 30"},
		{"soft hyphen", "Donau\u00addampf", "donaudampf"},
		{"word hidden by invisible characters", "fr\u200be\u2060e\ufeff", "free"},
		{"directional marks around a number", "\u202a+1 555\u202c", "1 555"},
		{"invalid bytes", "a\xffb \xf0\x9f", "a b"},
		{"replacement character", "a\ufffdb", "a b"},
		{"emoji", "nice 👍", "nice §e1f44d"},
		{"emoji without spaces", "ok👍👍ok", "ok §e1f44d §e1f44d ok"},
		{"skin tone", "👍🏽", "§e1f44d §e1f3fd"},
		{"family", "👨‍👩‍👧", "§e1f468 §e1f469 §e1f467"},
		{"flag", "🇩🇪", "§e1f1e9 §e1f1ea"},
		{"flag of tags", "🏴\U000E0067\U000E0062\U000E007F", "§e1f3f4"},
		{"heart with a selector", "❤️ ❤", "§e2764 §e2764"},
		{"keycap", "1️⃣ #️⃣", "1"},
		{"emoji that Unicode counts elsewhere", "‼ ⁉ ↔ ⤴ ◾ 〰 〽 © ®", "§e203c §e2049 §e2194 §e2934 §e25fe §e3030 §e303d §ea9 §eae"},
		{"signs that are no words", "§ § §me § c1 zqme", "me c1 zqme"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, Fold(test.text)); diff != "" {
				t.Errorf("Fold(%q) (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestRunPlaces(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		want       []string // the original text of each run
	}{
		{"words without what surrounds them", " Crème, brûlée! ", []string{"Crème", "brûlée"}},
		{"invisible characters at an end", "\u200eHi\u200b \u202aho\u202c", []string{"Hi", "ho"}},
		{"invisible characters within", "fr\u200bee", []string{"fr\u200bee"}},
		{"scripts side by side", "iPhone手机壳 3个👍🏽", []string{"iPhone", "手机壳", "3", "个", "👍", "🏽"}},
		{"marks belong to their letter", "e\u0301te\u0301", []string{"e\u0301te\u0301"}},
		{"keycap", "1️⃣", []string{"1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			Runs(test.text, func(r Run) bool { got = append(got, test.text[r.Start:r.End]); return true })
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("runs of %q (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestRunsStops(t *testing.T) {
	t.Parallel()
	var got []string
	Runs("one two three", func(r Run) bool { got = append(got, r.Text); return len(got) < 2 })
	if diff := cmp.Diff([]string{"one", "two"}, got); diff != "" {
		t.Errorf("runs after yield returned false (-want +got):\n%s", diff)
	}
}

func TestLongWords(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("a", 500), strings.Repeat("ж", 500), "a" + strings.Repeat("ж", 500), strings.Repeat("A", 500)} {
		folded := Fold(text)
		if len(folded) > maxToken || len(folded) < maxToken-3 || !utf8.ValidString(folded) {
			t.Errorf("Fold of %d bytes has %d bytes, valid %v; want about %d", len(text), len(folded), utf8.ValidString(folded), maxToken)
		}
		Runs(text, func(r Run) bool {
			if r.Start != 0 || r.End != len(text) {
				t.Errorf("run is at %d-%d, want 0-%d", r.Start, r.End, len(text))
			}
			return true
		})
	}
}

// TestSubstringsArePhrases shows why pairs are cut as they are: the tokens of
// any part of a text stand one after the other in the text's own.
func TestSubstringsArePhrases(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"我们下周三去北京开会", "สวัสดีครับวันนี้", "회의는내일이다", "スーパーで買い物"} {
		tokens := " " + Fold(text) + " "
		runes := []rune(text)
		for from := range runes {
			for to := from + 2; to <= len(runes); to++ {
				part := pairTokens(string(runes[from:to]))
				if phrase := " " + strings.Join(part[:len(part)-1], " ") + " "; !strings.Contains(tokens, phrase) {
					t.Errorf("%q: phrase %q is not in %q", string(runes[from:to]), phrase, tokens)
				}
			}
		}
	}
}

// checkRuns holds what is true of the runs of any text.
func checkRuns(t *testing.T, text string) {
	t.Helper()
	last := 0
	Runs(text, func(r Run) bool {
		if r.Start < last || r.End <= r.Start || r.End > len(text) {
			t.Fatalf("%q: run at %d-%d after %d", text, r.Start, r.End, last)
		}
		last = r.End
		if utf8.ValidString(text) && !utf8.ValidString(text[r.Start:r.End]) {
			t.Fatalf("%q: run at %d-%d splits a character", text, r.Start, r.End)
		}
		tokens := r.Tokens()
		if len(tokens) == 0 {
			t.Fatalf("%q: run at %d-%d has no token", text, r.Start, r.End)
		}
		for _, token := range tokens {
			checkToken(t, text, token)
		}
		if r.Class != Emoji {
			checkIdempotent(t, text, r)
		}
		return true
	})
}

func checkToken(t *testing.T, text, token string) {
	t.Helper()
	if token == "" || !utf8.ValidString(token) {
		t.Fatalf("%q: token %q", text, token)
	}
	for i, r := range token {
		if r == '§' && i == 0 {
			continue
		}
		if r < utf8.RuneSelf && !asciiWord[r] || unicode.IsSpace(r) || r >= 'A' && r <= 'Z' || r == '§' {
			t.Fatalf("%q: token %q holds %q", text, token, r)
		}
	}
}

func checkIdempotent(t *testing.T, text string, r Run) {
	t.Helper()
	var again []Run
	Runs(r.Text, func(x Run) bool { again = append(again, x); return true })
	if len(again) != 1 || again[0].Text != r.Text || again[0].Class != r.Class {
		t.Fatalf("%q: folded %q (%U) folds to %+q", text, r.Text, []rune(r.Text), Fold(r.Text))
	}
}

func TestEveryCharacter(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		checkRuns(t, string(r))
	}
}

func FuzzRuns(f *testing.F) {
	for _, seed := range []string{
		"", "Crème brûlée", "iPhone手机壳 3个👍🏽", "ﾊﾟｿｺﾝ か゛", "مـــرحبا", "a\u200b\u0301b", "\xff\xfe", "§me zqme", "한국어 ㅋㅋㅋ", "½⑴Ⅷ", "1️⃣🇩🇪",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkRuns(t, text) })
}

func BenchmarkRuns(b *testing.B) {
	for name, text := range map[string]string{
		"latin":    "See you tomorrow at the station, the train leaves at 6:40 and it will not wait for anybody!",
		"cyrillic": "Увидимся завтра на вокзале, поезд уходит в 6:40 и никого не ждёт!",
		"chinese":  "明天早上在车站见，火车六点四十分开，不等任何人！",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Runs(text, func(Run) bool { return true })
			}
		})
	}
}

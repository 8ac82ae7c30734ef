package inert

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, text, line string }{
		{"plain", "See you at 6", "See you at 6", "See you at 6"},
		{"empty", "", "", ""},
		{"other scripts", "Ёлка 我们 สวัสดี हिन्दी سلام שלום", "Ёлка 我们 สวัสดี हिन्दी سلام שלום", "Ёлка 我们 สวัสดี हिन्दी سلام שלום"},
		{"accents as marks", "e\u0301te\u0301", "e\u0301te\u0301", "e\u0301te\u0301"},
		{"lines", "one\ntwo\n", "one\ntwo\n", "one / two / "},
		{"lines of Windows and of old Macs", "one\r\ntwo\rthree", "one\ntwo\nthree", "one / two / three"},
		{"every other break", "a\vb\fc\u0085d\u2028e\u2029f", "a\nb\nc\nd\ne\nf", "a / b / c / d / e / f"},
		{"tabs", "a\tb", "a\tb", "a b"},
		{"a forged line of a transcript", "ok\n[12:00] Me: send it", "ok\n[12:00] Me: send it", "ok / [12:00] Me: send it"},
		{"control characters", "a\x00b\x1b[31mc\x7f\u009bd", "ab[31mcd", "ab[31mcd"},
		{"backspaces", "pay 100\b\b\b5", "pay 1005", "pay 1005"},
		{"directional overrides", "a\u202eb\u202c\u2066c\u2069\u200e\u200f\u061c", "abc", "abc"},
		{"zero width", "fr\u200be\u2060e\ufeff \u00adnow", "free now", "free now"},
		{"tag characters", "hi\U000E0001\U000E0068\U000E007F", "hi", "hi"},
		{"fillers", "a\u115f\u1160\u3164\uffa0\u034f\u17b4b", "ab", "ab"},
		{"supplementary selectors", "葛\U000E0100", "葛", "葛"},
		{"annotations", "a\ufff9b\ufffbc", "abc", "abc"},
		{"invalid bytes", "a\xffb\xf0\x9f", "a\ufffdb\ufffd\ufffd", "a\ufffdb\ufffd\ufffd"},
		{"replacement character", "a\ufffdb", "a\ufffdb", "a\ufffdb"},
		{"emoji", "👍🏽 🇩🇪 1️⃣ ❤️ ℹ️ ◼️ 〰️", "👍🏽 🇩🇪 1️⃣ ❤️ ℹ️ ◼️ 〰️", "👍🏽 🇩🇪 1️⃣ ❤️ ℹ️ ◼️ 〰️"},
		{"families", "👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥", "👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥", "👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥"},
		{"joiners between letters", "a\u200db\u200cc", "abc", "abc"},
		{"joiners at either end", "\u200d👍\u200d", "👍", "👍"},
		{"many joiners", "👍\u200d\u200d\u200d👍", "👍\u200d👍", "👍\u200d👍"},
		{"selectors on letters", "a\ufe0fb", "ab", "ab"},
		{"many selectors", "❤\ufe0f\ufe0e\ufe0f", "❤\ufe0f", "❤\ufe0f"},
		{"Persian", "می\u200cخواهم", "می\u200cخواهم", "می\u200cخواهم"},
		{"Arabic abbreviation", "ه\u200d", "ه\u200d", "ه\u200d"},
		{"Devanagari", "क्\u200dष क्\u200cष", "क्\u200dष क्\u200cष", "क्\u200dष क्\u200cष"},
		{"Bengali joiner before a mark", "র\u200c্য", "র\u200c্য", "র\u200c্য"},
		{"Mongolian selector", "ᠠ\u180b", "ᠠ\u180b", "ᠠ\u180b"},
		{"joiner before a mark that goes", "ب\u200c\u061cx", "بx", "بx"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := Text(test.in); got != test.text {
				t.Errorf("Text(%+q) = %+q, want %+q", test.in, got, test.text)
			}
			if got := Line(test.in); got != test.line {
				t.Errorf("Line(%+q) = %+q, want %+q", test.in, got, test.line)
			}
		})
	}
}

// harmful reports whether a character may do more than be seen.
func harmful(r rune) bool {
	switch {
	case r == '\n', r == '\t', r == zeroWidthJoiner, r == zeroWidthNonJoiner:
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r >= 0xE0000 && r <= 0xE0FFF || r == '\u2028' || r == '\u2029'
}

// check holds what is true of the cleaned form of any text.
func check(t *testing.T, in string) {
	t.Helper()
	for name, f := range map[string]func(string) string{"Text": Text, "Line": Line} {
		out := f(in)
		if !utf8.ValidString(out) {
			t.Fatalf("%s(%+q) = %+q is no valid UTF-8", name, in, out)
		}
		if at := strings.IndexFunc(out, harmful); at >= 0 {
			t.Fatalf("%s(%+q) = %+q, harmful at %d", name, in, out, at)
		}
		if again := f(out); again != out {
			t.Fatalf("%s(%+q) = %+q, and again %+q", name, in, out, again)
		}
		if name == "Line" && strings.ContainsAny(out, "\n\r\t\v\f\u0085\u2028\u2029") {
			t.Fatalf("Line(%+q) = %+q is not one line", in, out)
		}
	}
	if text, line := Text(in), Line(in); strings.NewReplacer("\n", LineBreak, "\t", " ").Replace(text) != line {
		t.Fatalf("Text(%+q) = %+q but Line gives %+q", in, text, line)
	}
}

// characters yields those that are more than ideographs: the first two planes
// and the one of tags and selectors.
func characters(yield func(rune) bool) {
	for r := rune(0); r < 0xE1000; r++ {
		if r == 0x20000 {
			r = 0xE0000
		}
		if !yield(r) {
			return
		}
	}
}

func TestEveryCharacter(t *testing.T) {
	t.Parallel()
	for r := range characters {
		check(t, "a"+string(r)+"ب\u200c"+string(r)+"👍\u200d"+string(r))
	}
}

// TestVisibleSurvives makes sure that nothing people write is lost.
func TestVisibleSurvives(t *testing.T) {
	t.Parallel()
	for r := range characters {
		if (unicode.IsGraphic(r) || unicode.Is(unicode.Co, r)) && !isHidden(r) && !isVariationSelector(r) && utf8.ValidRune(r) && r != '\u2028' && r != '\u2029' {
			if got := Line(string(r)); got != string(r) {
				t.Errorf("Line(%U) = %+q", r, got)
			}
		}
		if unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S, unicode.Zs) && isHidden(r) && !strings.ContainsRune("\u115f\u1160\u3164\uffa0", r) {
			t.Errorf("%U is hidden although it can be seen", r)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{
		"", "one\r\ntwo", "👨‍👩‍👧", "می\u200cخواهم", "a\u202eb", "ب\u200c\u061cx", "\xff\u200d\xf0", "1\ufe0f\u20e3", "ᠠ\u200c\u180b", "\r\u200b\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(check)
}

func BenchmarkLine(b *testing.B) {
	for name, text := range map[string]string{
		"plain": strings.Repeat("see you at six ", 10), "lines": strings.Repeat("see you\nat six ", 10), "chinese": strings.Repeat("明天早上在车站见，", 10),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Line(text)
			}
		})
	}
}

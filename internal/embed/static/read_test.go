package static

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// FuzzRead checks that ASCII, which is cut here, is cut like the keyword
// index cuts it, and that no text leads outside the table.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"", "See you at 6:40", "don't SHOUT", strings.Repeat("long", 40), "soooo gooood", "acommodation", "Jörg läuft", "明日は雨", "👍🏽 ok", "\xff", "ｈｅｌｌｏ", "a\u0301",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got, want [Dims]float32
		Builtin().EmbedInto(got[:], text)
		for i, x := range got {
			if x < -1.001 || x > 1.001 {
				t.Fatalf("component %d of %q is %v", i, text, x)
			}
		}
		if strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
			return
		}
		r := reader{table: Builtin(), sum: &want}
		segment.Runs(text, r.run)
		normalize(&want)
		if got != want {
			t.Errorf("%q is read otherwise than the keyword index reads it", text)
		}
	})
}

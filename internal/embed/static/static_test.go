package static

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/embed"
)

var _ embed.Embedder = (*Table)(nil)

func embedOne(t testing.TB, text string) []float32 {
	t.Helper()
	vectors, err := Builtin().Embed(t.Context(), []string{text})
	if err != nil {
		t.Fatal(err)
	}
	return vectors[0]
}

// TestNearest checks that a text is nearer to what a person would say means
// the same than to anything else here.
func TestNearest(t *testing.T) {
	t.Parallel()
	choices := []string{
		"the flight was cancelled because of fog", "my daughter has a temperature", "we sold our house", "the band played for two hours",
		"Der Hund hat die Schuhe gefressen", "ma voiture est en panne", "la bicicleta está rota", "поезд опоздал", "明日は雨が降る", "手机坏了", "🎂🎉",
	}
	for _, test := range []struct{ name, text, want string }{
		{"same words", "cancelled flight", choices[0]},
		{"other words", "no planes today, bad weather at the airport", choices[0]},
		{"an illness", "the child is sick and has a fever", choices[1]},
		{"a sale", "they sold the home", choices[2]},
		{"music", "a great concert last night", choices[3]},
		{"misspelt", "canceled flihgt", choices[0]},
		{"drawn out", "the concerttttt was sooooo good", choices[3]},
		{"German", "Unser Hund frisst alles, sogar Schuhe", choices[4]},
		{"English for German", "the dog ate the shoes", choices[4]},
		{"French", "l'auto ne démarre plus", choices[5]},
		{"English for French", "my car broke down", choices[5]},
		{"Spanish", "se me rompió la bici", choices[6]},
		{"Russian, another form", "поезда опаздывают", choices[7]},
		{"Japanese", "雨です", choices[8]},
		{"Chinese", "我的手机坏了", choices[9]},
		{"emoji by their names", "birthday cake", choices[10]},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, best := "", float32(-2)
			query := embedOne(t, test.text)
			for _, choice := range choices {
				if d := dot(query, embedOne(t, choice)); d > best {
					got, best = choice, d
				}
			}
			if got != test.want {
				t.Errorf("the nearest to %q is %q, want %q", test.text, got, test.want)
			}
		})
	}
}

func TestEmbedInto(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		known      bool
		length     float64
	}{
		{"words", "see you at the station", true, 1},
		{"one word", "station", true, 1},
		{"nothing", "", false, 0},
		{"nothing to read", " … !?", false, 0},
		{"letters of no word", "xqzvjk", false, 1},
		{"one letter of no script the table knows", "ሀ", false, 1},
		{"not UTF-8", "\xff\xfe station", true, 1},
		{"a very long word", strings.Repeat("ab", 5000), true, 1},
		{"the tone of a skin", "🏽", true, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			vector := make([]float32, Dims)
			vector[7] = 5 // what dst held does not matter
			known := Builtin().EmbedInto(vector, test.text)
			length := math.Sqrt(float64(dot(vector, vector)))
			if known != test.known || math.Abs(length-test.length) > 1e-3 {
				t.Errorf("known %v, length %.4f; want %v, %.0f", known, length, test.known, test.length)
			}
		})
	}
}

func TestEmbedStopsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := Builtin().Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("Embed = %v, %v; want context.Canceled", got, err)
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	if got := Builtin().Fingerprint(); !regexp.MustCompile(`^[A-Za-z0-9.-]{1,64}$`).MatchString(got) {
		t.Errorf("fingerprint %q", got)
	}
	sum := sha256.Sum256([]byte(builtin[headerSize:]))
	if got, want := builtin[48:64], hex.EncodeToString(sum[:])[:16]; got != want {
		t.Errorf("the checksum in the table is %s, its contents' is %s", got, want)
	}
}

func TestEmbedIntoAllocatesNothing(t *testing.T) {
	vector := make([]float32, Dims)
	const text = "Sam: Running late, meet me at Kowalskis acount desk, xqzvjk 2024!"
	if n := testing.AllocsPerRun(100, func() { Builtin().EmbedInto(vector, text) }); n != 0 {
		t.Errorf("%v allocations for %q, want 0", n, text)
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	change := func(at int, c byte) string { return builtin[:at] + string(c) + builtin[at+1:] }
	for _, test := range []struct{ name, data string }{
		{"empty", ""},
		{"another file", strings.Repeat("x", 100)},
		{"another version", change(8, 9)},
		{"rows of another length", change(12, 1)},
		{"another number of buckets", change(20, 15)},
		{"cut short", builtin[:len(builtin)-1]},
		{"more words than there are", change(18, 0xff)},
		{"a bucket beyond the end", change(headerSize+4*1000+3, 0xff)},
		{"buckets out of order", change(headerSize+4*1000, builtin[headerSize+4*1000]-9)},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if table, err := Open(test.data); !errors.Is(err, ErrFormat) || table != nil {
				t.Errorf("Open = %v, %v; want ErrFormat", table, err)
			}
		})
	}
	if got := Builtin().Words(); got < 100_000 {
		t.Errorf("the built-in table holds %d words", got)
	}
}

func BenchmarkEmbedInto(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"english", "Sam: See you tomorrow at the station, the train leaves at 6:40 and won't wait"},
		{"misspelt", "Sam: See you tommorow at the statoin, the trian leaves at 6:40 and wont wait"},
		{"german", "Jörg: Wir treffen uns morgen am Bahnhof, der Zug fährt um 6:40 und wartet nicht"},
		{"japanese", "健: 明日は駅で会いましょう、電車は六時四十分に出ます"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			vector := make([]float32, Dims)
			b.ReportAllocs()
			for b.Loop() {
				Builtin().EmbedInto(vector, bench.text)
			}
		})
	}
}

// Package static embeds text by adding up the vectors of its words. The
// vectors come from a table in the binary that was worked out once from a
// sentence encoder; what the table does not hold is read as a misspelling, as
// pieces of words it does hold, or by its letters alone. It knows no grammar,
// but a million messages take it seconds.
//
// docs/embeddings.md says how the table was made and what it understands.
package static

import (
	"context"
	_ "embed"
	"math"
	"strings"
	"sync"
)

// Dims is the number of components of a vector.
const Dims = 256

//go:embed static.bin
var builtin string

// Table is a table of word vectors. It implements embed.Embedder and is safe
// for concurrent use.
type Table struct {
	fingerprint string
	index       string // where each bucket of words begins, little-endian uint32
	marks       string // what tells the words of a bucket apart, uint32 each
	scales      string // the length of a step in each row, float32 each
	rows        string // two components a byte
	words       int
	memory      memory
}

// Builtin returns the table in the binary. It needs no time to load.
var Builtin = sync.OnceValue(func() *Table {
	t, err := Open(builtin)
	if err != nil {
		panic("static: the built-in table is damaged: " + err.Error())
	}
	return t
})

// Fingerprint names the table, by its name and the beginning of its checksum,
// and the way text is read.
func (t *Table) Fingerprint() string { return t.fingerprint }

// Dims returns the number of components of a vector.
func (t *Table) Dims() int { return Dims }

// Words returns how many words the table holds.
func (t *Table) Words() int { return t.words }

// Embed returns one vector of length 1 for each text, and the zero vector for
// a text without letters, digits or emoji. Lines that come again are read
// once.
func (t *Table) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	all := make([]float32, len(texts)*Dims)
	sums := lineSums{table: t, at: make(map[string]int, maxLines)}
	for i, text := range texts {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		vectors[i] = all[i*Dims : (i+1)*Dims : (i+1)*Dims]
		sum := (*[Dims]float32)(vectors[i])
		for line := range strings.SplitSeq(text, "\n") {
			for j, x := range sums.of(line) {
				sum[j] += x
			}
		}
		normalize(sum)
	}
	return vectors, nil
}

// lineSums remembers what lines add to a vector: those of a window of talk
// are read by themselves and in several windows.
type lineSums struct {
	table *Table
	at    map[string]int // of a line's place in sums
	sums  [][Dims]float32
}

// maxLines bounds the lines that are remembered, 1 kB each.
const maxLines = 1024

func (l *lineSums) of(line string) *[Dims]float32 {
	at, known := l.at[line]
	if !known {
		if len(l.sums) == maxLines {
			clear(l.at)
			l.sums = l.sums[:0]
		}
		at = len(l.sums)
		l.at[line] = at
		l.sums = append(l.sums, [Dims]float32{})
		r := reader{table: l.table, sum: &l.sums[at]}
		r.read(line)
	}
	return &l.sums[at]
}

// EmbedQuery embeds a query, which the table reads like any other text.
func (t *Table) EmbedQuery(_ context.Context, query string) ([]float32, error) {
	vector := make([]float32, Dims)
	t.EmbedInto(vector, query)
	return vector, nil
}

// EmbedInto writes the vector of a text to dst, whose length is Dims, and
// reports whether the table knows any word of it. It allocates nothing for
// text in ASCII.
func (t *Table) EmbedInto(dst []float32, text string) (known bool) {
	sum := (*[Dims]float32)(dst)
	*sum = [Dims]float32{}
	r := reader{table: t, sum: sum}
	r.read(text)
	normalize(sum)
	return r.known
}

// nothing is the square of a length that means nothing: that of rows for what
// says nothing, such as the tone of a skin, which the table's rounding leaves
// a trace of.
const nothing = 1e-12

func normalize(v *[Dims]float32) {
	var square float32
	for _, x := range v {
		square += x * x
	}
	if square < nothing {
		*v = [Dims]float32{}
		return
	}
	scale := 1 / float32(math.Sqrt(float64(square)))
	for i := range v {
		v[i] *= scale
	}
}

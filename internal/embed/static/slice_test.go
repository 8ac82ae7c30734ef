package static

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// The slice holds, little-endian: uint32 words, uint32 components of a
// teacher's vector, uint32 Dims; the projection of the one onto the other,
// row by row, float16; then for each word uint32 bytes, float32 weight, the
// word, and the teachers' joined vector, float16. tools/embedmodel writes it
// beside the table.
type slice struct {
	data []byte
}

func (s *slice) uint32() uint32 {
	n := binary.LittleEndian.Uint32(s.data)
	s.data = s.data[4:]
	return n
}

func (s *slice) bytes(n int) []byte {
	part := s.data[:n]
	s.data = s.data[n:]
	return part
}

func (s *slice) halves(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = half(binary.LittleEndian.Uint16(s.bytes(2)))
	}
	return values
}

// half decodes an IEEE 754 number of 16 bits that is neither infinite nor NaN.
func half(bits uint16) float64 {
	sign, exponent, fraction := 1-2*float64(bits>>15), int(bits>>10&31), float64(bits&1023)
	if exponent == 0 {
		return sign * math.Ldexp(fraction, -24)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// soleRun returns the folded form of a text that is one run, or "".
func soleRun(text string) string {
	var folded []string
	segment.Runs(text, func(r segment.Run) bool {
		folded = append(folded, r.Text)
		return true
	})
	if len(folded) != 1 {
		return ""
	}
	return folded[0]
}

// TestRowsComeFromTheTeachers puts vectors of the teachers through the last
// steps of the generator and compares with the table's rows.
func TestRowsComeFromTheTeachers(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("testdata", "slice.bin"))
	if err != nil {
		t.Fatal(err)
	}
	s := slice{data}
	words, teacher, dims := int(s.uint32()), int(s.uint32()), int(s.uint32())
	if dims != Dims || words < 40 {
		t.Fatalf("the slice has %d words of %d components", words, dims)
	}
	projection := s.halves(teacher * dims)
	for range words {
		length := int(s.uint32())
		weight := math.Float32frombits(s.uint32())
		word := string(s.bytes(length))
		vector := s.halves(teacher)
		var want [Dims]float64
		for i, x := range vector {
			for j := range want {
				want[j] += float64(weight) * x * projection[i*dims+j]
			}
		}
		if got := soleRun(word); got != word {
			t.Errorf("the keyword index reads %q as %q, so no text reaches its row", word, got)
		}
		row := Builtin().find(hash([]byte(word)))
		if row < 0 {
			t.Errorf("the table does not hold %q", word)
			continue
		}
		var got [Dims]float32
		Builtin().add(&got, row, 1)
		var dot, gotSquare, wantSquare float64
		for i := range got {
			dot += float64(got[i]) * want[i]
			gotSquare += float64(got[i]) * float64(got[i])
			wantSquare += want[i] * want[i]
		}
		if cosine := dot / math.Sqrt(gotSquare*wantSquare); cosine < 0.985 {
			t.Errorf("%q: the row's cosine with the teachers' vector is %.3f, want at least 0.985", word, cosine)
		}
		if ratio := math.Sqrt(gotSquare / wantSquare); ratio < 0.95 || ratio > 1.05 {
			t.Errorf("%q: the row is %.3f times as long as the teachers' vector", word, ratio)
		}
	}
	if len(s.data) != 0 {
		t.Errorf("%d bytes left", len(s.data))
	}
}

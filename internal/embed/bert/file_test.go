package bert

import (
	"encoding/binary"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestBuiltin(t *testing.T) {
	t.Parallel()
	m := builtinModel(t)
	if err := m.Verify(); err != nil {
		t.Error(err)
	}
	if m.Dims() != 384 || m.parts.shape.positions != 512 || m.tokenizer.Size() != 29528 || m.maxTokens != DefaultMaxTokens {
		t.Errorf("unexpected shape %+v", m.parts.shape)
	}
	if name := m.Fingerprint(); !regexp.MustCompile(`^minilm-l6-v2-[0-9a-f]{12}-128$`).MatchString(name) {
		t.Errorf("fingerprint %s", name)
	}
	if other := builtinModel(t); other != m {
		t.Error("two models")
	}
	if _, ok := fastKernels(); m.Fast() != ok {
		t.Errorf("fast is %v", m.Fast())
	}
}

// The original weights quantise to the very integers and scales in the file:
// some words' rows, and the first panel of the first layer's output.
func TestQuantisedFromOriginal(t *testing.T) {
	t.Parallel()
	p, err := parse(builtin)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int
	readJSON(t, &ids, "minilm", "slice-rows.json")
	words := readFloats(t, "minilm", "slice-words.f32")
	for i, id := range ids {
		row, scale := quantiseRow(words[i*p.hidden : (i+1)*p.hidden])
		if got := math.Float32frombits(binary.LittleEndian.Uint32(p.wordRows.scales[4*id:])); got != scale {
			t.Errorf("word %d: scale %v, want %v", id, got, scale)
		}
		for j, want := range row {
			if got := int8(p.wordRows.rows[id*p.hidden+j]); got != want {
				t.Fatalf("word %d, component %d: %d, want %d", id, j, got, want)
			}
		}
	}
	panel := readFloats(t, "minilm", "slice-panel.f32")
	out := &p.layerParts[0].out
	for c := range panelWidth {
		row, scale := quantisePairs(panel[c*out.inputs:(c+1)*out.inputs], out.factors)
		if out.panels[0].scales[c] != scale {
			t.Errorf("channel %d: scale %v, want %v", c, out.panels[0].scales[c], scale)
		}
		var sum int32
		for i, want := range row {
			if got := out.weight(i, c); got != want {
				t.Fatalf("channel %d, input %d: %d, want %d", c, i, got, want)
			}
			sum += int32(want)
		}
		if out.panels[0].sums[c] != sum {
			t.Errorf("channel %d: sum %d, want %d", c, out.panels[0].sums[c], sum)
		}
	}
}

// weight finds one in the order of the kernels.
func (l *linear) weight(input, output int) int8 {
	return int8(l.panels[output/panelWidth].weights[input/quad*quad*panelWidth+quad*(output%panelWidth)+input%quad])
}

// What the assembly relies on to be exact holds for every weight.
func TestPairs(t *testing.T) {
	t.Parallel()
	p, err := parse(builtin)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.layerParts {
		l := &p.layerParts[i]
		for _, linear := range []*linear{&l.qkv, &l.out, &l.up, &l.down} {
			for _, panel := range linear.panels {
				for j := 0; j < len(panel.weights); j += 2 {
					a, b := int(int8(panel.weights[j])), int(int8(panel.weights[j+1]))
					if max(a, -a)+max(b, -b) > pairLimit {
						t.Fatalf("layer %d: neighbours %d and %d", i, a, b)
					}
				}
			}
		}
	}
}

// quantiseRow is the generator's rule for tables.
func quantiseRow(row []float32) (quantised []int8, scale float32) {
	var largest float32
	for _, v := range row {
		largest = max(largest, float32(math.Abs(float64(v))))
	}
	scale = 1
	if largest > 0 {
		scale = largest / 127
	}
	for _, v := range row {
		quantised = append(quantised, int8(math.RoundToEven(float64(v/scale))))
	}
	return quantised, scale
}

// quantisePairs is the generator's rule for matrices.
func quantisePairs(row, factors []float32) (quantised []int8, scale float32) {
	even := make([]float32, len(row))
	for i, v := range row {
		even[i] = v / factors[i]
	}
	for i := 0; i < len(even); i += 2 {
		scale = max(scale, (float32(math.Abs(float64(even[i])))+float32(math.Abs(float64(even[i+1]))))/127)
	}
	for _, v := range even {
		quantised = append(quantised, int8(math.RoundToEven(float64(v/scale))))
	}
	return quantised, scale
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	field := func(i int, value uint32) func([]byte) []byte {
		return func(file []byte) []byte {
			binary.LittleEndian.PutUint32(file[checkedFrom+4*i:], value)
			return file
		}
	}
	tests := []struct {
		name   string
		change func([]byte) []byte
		want   string
	}{
		{"empty", func([]byte) []byte { return nil }, "begin"},
		{"other file", func(file []byte) []byte { file[0] = 'x'; return file }, "begin"},
		{"later version", func(file []byte) []byte { file[len(fileMagic)] = 9; return file }, "version is 9"},
		{"cut", func(file []byte) []byte { return file[:len(file)-64] }, "do not fit"},
		{"too long", func(file []byte) []byte { return append(file, make([]byte, 64)...) }, "do not fit"},
		{"fewer words", field(1, 50), "do not fit"},
		{"no words", field(1, 0), "shape"},
		{"ragged", field(2, 72), "shape"},
		{"huge", field(2, 1<<31), "shape"},
		{"no layers", field(3, 0), "shape"},
		{"heads that do not divide", field(4, 3), "shape"},
		{"small heads", field(4, 4), "shape"},
		{"no positions", field(6, 0), "shape"},
		{"vectors of any length", field(8, 0), "other lengths"},
		{"no epsilon", field(10, 0), "shape"},
		{"no name", func(file []byte) []byte { file[checkedFrom+44] = 0; return file }, "name"},
		{"name with a slash", func(file []byte) []byte { file[checkedFrom+48] = '/'; return file }, "name"},
		{"vocabulary without tokens", func(file []byte) []byte {
			at := strings.Index(string(file), "[CLS]")
			file[at] = '('
			return file
		}, "[CLS]"},
		{"vocabulary with a word more", func(file []byte) []byte {
			at := strings.Index(string(file), "[CLS]")
			file[at+2] = '\n'
			return file
		}, "words"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Open(tt.change(slices.Clone(tinyFile(t))))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want it to say %q", err, tt.want)
			}
		})
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	file := slices.Clone(tinyFile(t))
	m, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(); err != nil {
		t.Error(err)
	}
	file[len(file)-100] ^= 1
	if err := m.Verify(); !errors.Is(err, ErrFile) {
		t.Errorf("changed file: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	file := tinyFile(f)
	f.Add(file[:checkedFrom+200], 0, byte(0))
	f.Add(file, checkedFrom+9, byte(3))
	f.Fuzz(func(t *testing.T, file []byte, at int, value byte) {
		if at >= 0 && at < len(file) {
			file = slices.Clone(file)
			file[at] = value
		}
		m, err := Open(file)
		if err != nil {
			return
		}
		embedAll(t, m, "what was the word?")
	})
}

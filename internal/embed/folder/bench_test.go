package folder

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"testing"
)

// BenchmarkEmbed embeds a message with a model of the usual 256 components.
// Budget: 4 µs for each piece, so that a million messages of some fifteen take
// a minute on one core.
func BenchmarkEmbed(b *testing.B) {
	const from, dims = "testdata/wordpiece-f32", 256
	e, err := Open(from)
	if err != nil {
		b.Fatal(err)
	}
	rows := e.tokenizer.Size()
	_ = e.Close()
	header, err := json.Marshal(map[string]any{"embeddings": map[string]any{"dtype": "F32", "shape": []int{rows, dims}, "data_offsets": []int{0, rows * dims * 4}}})
	if err != nil {
		b.Fatal(err)
	}
	model := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	model = append(model, header...)
	for i := range rows * dims {
		model = binary.LittleEndian.AppendUint32(model, math.Float32bits(float32(i%97)-48))
	}
	if e, err = Open(copyModel(b, from, map[string]string{tensorFile: string(model)})); err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	text := []string{"the boats leave the harbour at noon, and all of them are party boats"}
	for b.Loop() {
		if _, err := e.Embed(b.Context(), text); err != nil {
			b.Fatal(fmt.Errorf("embed: %w", err))
		}
	}
	b.ReportMetric(float64(len(e.tokenizer.Append(nil, text[0], 512))), "pieces")
}

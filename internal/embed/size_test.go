package embed

import (
	"os"
	"testing"
)

// TestSizeOfBuiltinModels keeps the files that every copy of the program and
// of its repository carries within what was promised for them.
func TestSizeOfBuiltinModels(t *testing.T) {
	t.Parallel()
	const most = 40_000_000
	total := int64(0)
	for _, name := range []string{"static/static.bin", "bert/minilm-l6-v2.bin"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > most {
		t.Errorf("the built-in models have %d bytes together, want at most %d", total, most)
	}
}

//go:build unix

package vector

import (
	"errors"
	"math/rand/v2"
	"os"
	"testing"
)

// TestCutWhileOpen cuts files while they are mapped, which no writer does. A
// search says so instead of ending the program.
func TestCutWhileOpen(t *testing.T) {
	t.Parallel()
	spec := Spec{Fingerprint: "cut", Dims: 256}
	for _, k := range []kind{codes, int8s} {
		for _, workers := range []int{1, 2} {
			dir := t.TempDir()
			w := mustWriter(t, dir, spec)
			defer w.Close()
			r := rand.New(rand.NewPCG(40, 1))
			if _, err := w.Append(randomItems(r, 10_000, spec.Dims)); err != nil {
				t.Fatal(err)
			}
			if err := w.Commit(nil); err != nil {
				t.Fatal(err)
			}
			ix := mustOpen(t, dir, spec)
			defer ix.Close()
			v := ix.View()
			defer v.Release()
			if err := os.Truncate(v.file(k), 8192); err != nil {
				t.Fatal(err)
			}
			_, err := v.Search(t.Context(), randomUnit(r, spec.Dims), 5, Options{Workers: workers})
			var damaged *DamagedError
			if !errors.As(err, &damaged) || damaged.File != v.file(k) {
				t.Errorf("%s, %d workers: %v", extensions[k], workers, err)
			}
			if err := v.Verify(t.Context()); !errors.As(err, &damaged) {
				t.Errorf("verify %s: %v", extensions[k], err)
			}
		}
	}
}

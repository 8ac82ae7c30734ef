package telegram

import (
	"math/rand/v2"
	"testing"
)

func TestIDSetNames(t *testing.T) {
	t.Parallel()
	s := newIDSet()
	steps := []struct {
		id    int64
		want  string
		again bool
	}{
		{7, "7", false}, {-999999999, "-999999999", false}, {7, "7#2", true}, {8, "8", false},
		{7, "7#3", true}, {-999999999, "-999999999#2", true}, {0, "0", false}, {1 << 40, "1099511627776", false},
	}
	for i, step := range steps {
		if got, again := s.native(step.id); got != step.want || again != step.again {
			t.Errorf("step %d: native(%d) = %q, %t, want %q, %t", i, step.id, got, again, step.want, step.again)
		}
	}
	for id, want := range map[int64]string{7: "7#3", 8: "8", 9: "9", -999999999: "-999999999#2"} {
		if got := s.ref(id); got != want {
			t.Errorf("ref(%d) = %q, want %q", id, got, want)
		}
	}
}

// TestIDSetAgreesWithAMap adds ids in clusters, so that lists turn into
// bitmaps, and compares with a plain set.
func TestIDSetAgreesWithAMap(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	s, plain := newIDSet(), map[int64]bool{}
	for i := range 200_000 {
		id := random.Int64N(1<<16) - 1<<15
		if i%10 == 0 {
			id *= 100_003
		}
		if got := s.add(id); got != plain[id] {
			t.Fatalf("step %d: add(%d) = %t, want %t", i, id, got, plain[id])
		}
		plain[id] = true
	}
}

func TestIDSetIsBounded(t *testing.T) {
	t.Parallel()
	s := newIDSet()
	for i := range int64(1 << 20) {
		s.native(i * 1_000_003)
	}
	if !s.full || s.size > maxIDBytes+chunkCost+bitmapCost {
		t.Errorf("size %d, full %t, want at most %d and full", s.size, s.full, maxIDBytes)
	}
	if got, again := s.native(0); got != "0#2" || !again {
		t.Errorf("an id from before the set was full: %q, %t", got, again)
	}
	dense := newIDSet()
	for i := range int64(10_000_000) {
		dense.add(i)
	}
	if dense.full || dense.size > 2<<20 {
		t.Errorf("ten million neighbouring ids take %d bytes, full %t", dense.size, dense.full)
	}
}

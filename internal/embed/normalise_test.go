package embed

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestNormalise(t *testing.T) {
	t.Parallel()
	nan := float32(math.NaN())
	for _, tt := range []struct {
		name     string
		in, want []float32
		ok       bool
	}{
		{"long", []float32{3, 0, -4}, []float32{0.6, 0, -0.8}, true},
		{"short", []float32{3e-30, 4e-30}, []float32{0.6, 0.8}, true},
		{"zeros", []float32{0, 0}, []float32{0, 0}, true},
		{"nothing", nil, nil, true},
		{"no number", []float32{1, nan}, []float32{1, nan}, false},
		{"no end", []float32{1, float32(math.Inf(-1))}, []float32{1, float32(math.Inf(-1))}, false},
	} {
		ok := Normalise(tt.in)
		if diff := cmp.Diff(tt.want, tt.in, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-6)); diff != "" || ok != tt.ok {
			t.Errorf("%s: ok %t, (-want +got):\n%s", tt.name, ok, diff)
		}
	}
	fine := []float64{1, 1}
	if !Normalise(fine) || math.Abs(fine[0]-math.Sqrt2/2) > 1e-15 {
		t.Errorf("float64: got %v", fine)
	}
}

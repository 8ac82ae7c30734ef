package main

import (
	"math"
	"math/rand/v2"
)

// Vectors to be found and those to search with are drawn from the same groups.
const (
	indexed = 1
	queried = 2
)

// source makes the same vectors again whenever it is started anew.
type source struct {
	r       *rand.Rand
	centres [][]float32
	sizes   []float32 // of the components
}

func newSource(n, dims int, purpose uint64) *source {
	s := &source{r: rand.New(rand.NewPCG(0, uint64(n))), sizes: make([]float32, dims)}
	for i := range s.sizes {
		s.sizes[i] = float32(1 / math.Sqrt(float64(i+4)))
	}
	for range max(10, n/200) {
		s.centres = append(s.centres, s.draw())
	}
	s.r = rand.New(rand.NewPCG(purpose, 0))
	return s
}

// draw makes a unit vector anywhere.
func (s *source) draw() []float32 {
	v := make([]float32, len(s.sizes))
	for i := range v {
		v[i] = float32(s.r.NormFloat64()) * s.sizes[i]
	}
	return unit(v)
}

// next makes a unit vector near one of the centres.
func (s *source) next() []float32 {
	v := s.draw()
	centre := s.centres[s.r.IntN(len(s.centres))]
	for i := range v {
		v[i] = 0.7*v[i] + centre[i]
	}
	return unit(v)
}

func unit(v []float32) []float32 {
	length := float32(math.Sqrt(float64(dot(v, v))))
	for i := range v {
		v[i] /= length
	}
	return v
}

func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s, t, u, v float32
	for len(a) >= 4 {
		s += a[0] * b[0]
		t += a[1] * b[1]
		u += a[2] * b[2]
		v += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s += a[i] * b[i]
	}
	return s + t + u + v
}

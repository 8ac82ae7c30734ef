// Package vectortest makes vectors to measure an index with, the same in its
// own tests and in the benchmark beside other libraries.
package vectortest

import (
	"math"
	"math/rand/v2"
)

// Clusters makes vectors as models make them of texts: gathered in groups, and
// with most of their variance on few components. It is not safe for concurrent
// use.
type Clusters struct {
	r       *rand.Rand
	centres [][]float32
	sizes   []float32 // of the components
}

// NewClusters draws the centres of n groups, at least one, and later the
// vectors from r.
func NewClusters(r *rand.Rand, n, dims int) *Clusters {
	c := &Clusters{r: r, sizes: make([]float32, dims)}
	for i := range c.sizes {
		c.sizes[i] = float32(1 / math.Sqrt(float64(i+4)))
	}
	for range n {
		c.centres = append(c.centres, c.anywhere())
	}
	return c
}

// From takes later draws from r: of the same groups, other vectors.
func (c *Clusters) From(r *rand.Rand) *Clusters {
	c.r = r
	return c
}

// Dims is the number of components.
func (c *Clusters) Dims() int { return len(c.sizes) }

// Next draws a vector of length 1 near one of the centres.
func (c *Clusters) Next() []float32 {
	v := c.anywhere()
	centre := c.centres[c.r.IntN(len(c.centres))]
	for i := range v {
		v[i] = 0.7*v[i] + centre[i]
	}
	return unit(v)
}

func (c *Clusters) anywhere() []float32 {
	v := make([]float32, len(c.sizes))
	for i := range v {
		v[i] = float32(c.r.NormFloat64()) * c.sizes[i]
	}
	return unit(v)
}

func unit(v []float32) []float32 {
	length := float32(math.Sqrt(float64(Dot(v, v))))
	for i := range v {
		v[i] /= length
	}
	return v
}

// Dot is the product of two vectors of one length, summed up in float32 as an
// exact search would.
func Dot(a, b []float32) float32 {
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

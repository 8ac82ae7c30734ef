package main

import (
	"math/rand/v2"

	"github.com/msgbrowse/msgbrowse/internal/vector/vectortest"
)

// Vectors to be found and those to search with are drawn from the same groups.
const (
	indexed = 1
	queried = 2
)

// newSource makes the same vectors again whenever it is started anew.
func newSource(n, dims int, purpose uint64) *vectortest.Clusters {
	return vectortest.NewClusters(rand.New(rand.NewPCG(0, uint64(n))), max(10, n/200), dims).From(rand.New(rand.NewPCG(purpose, 0)))
}

package main

import (
	"cmp"
	"runtime"
	"slices"
	"sync"

	"github.com/msgbrowse/msgbrowse/internal/vector/vectortest"
)

type found struct {
	slot  int
	score float32
}

// exact returns the k nearest by the vectors themselves, which follow each
// other in all. It shares the work as the index does.
func exact(all, query []float32, k int) []found {
	dims := len(query)
	n := len(all) / dims
	workers := runtime.GOMAXPROCS(0)
	parts := make([][]found, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			var top []found
			for i := n * w / workers; i < n*(w+1)/workers; i++ {
				score := vectortest.Dot(all[i*dims:i*dims+dims], query)
				if len(top) == k && score <= top[k-1].score {
					continue
				}
				at, _ := slices.BinarySearchFunc(top, score, func(f found, s float32) int { return cmp.Compare(s, f.score) })
				top = slices.Insert(top, at, found{i, score})
				top = top[:min(k, len(top))]
			}
			parts[w] = top
		})
	}
	wait.Wait()
	top := slices.Concat(parts...)
	slices.SortFunc(top, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	return top[:min(k, len(top))]
}

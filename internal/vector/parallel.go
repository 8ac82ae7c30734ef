package vector

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// part is a stretch of places, the first of which is a multiple of 64.
type part struct{ from, to int }

// split cuts n places into at most as many parts as there are workers, none
// smaller than the least number if it can be helped.
func split(n, least, workers int) []part {
	workers = max(1, min(workers, n/least))
	size := ((n+workers-1)/workers + 63) &^ 63
	var parts []part
	for from := 0; from < n; from += size {
		parts = append(parts, part{from, min(from+size, n)})
	}
	if parts == nil {
		parts = []part{{}}
	}
	return parts
}

// maxWorkers is where memory, which the processors share, becomes the limit.
const maxWorkers = 8

func workersOr(n int) int {
	if n > 0 {
		return n
	}
	return min(runtime.GOMAXPROCS(0), maxWorkers)
}

// each runs do for every part, at the same time, and returns the first error.
func (v *View) each(ctx context.Context, parts []part, do func(ctx context.Context, i int) error) error {
	if len(parts) == 1 {
		return v.guard(func() error { return do(ctx, 0) })
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() {
			if err := v.guard(func() error { return do(ctx, i) }); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// guard turns a fault in mapped memory, which is what a file shortened by
// somebody else or a failing disk causes, into an error.
func (v *View) guard(do func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(before)
	defer func() {
		problem := recover()
		if problem == nil {
			return
		}
		if _, fault := problem.(interface{ Addr() uintptr }); !fault {
			panic(problem)
		}
		err = &DamagedError{v.file(codes), fmt.Sprintf("cannot be read: %v", problem)}
	}()
	return do()
}

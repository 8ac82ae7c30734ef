package search

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// maxAtOnce bounds how many questions to the store one query asks at the same
// time, so that a query leaves connections to others.
const maxAtOnce = 4

// atOnce runs do for 0 to n-1, on as many processors as there are up to
// maxAtOnce, and returns the first error, which ends ctx for the others.
func atOnce(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(min(runtime.GOMAXPROCS(0), maxAtOnce))
	for i := range n {
		group.Go(func() error { return do(ctx, i) })
	}
	return group.Wait()
}

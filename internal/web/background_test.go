package web

import (
	"context"
	"testing"
)

// TestBackgroundBeginsAnew: work that has not said how far it is does not
// show how far the last one came, and a refused start leaves alone what runs.
func TestBackgroundBeginsAnew(t *testing.T) {
	t.Parallel()
	var work background
	defer work.stop()
	work.start(func(context.Context) (string, error) {
		work.settled(5, 5)
		return "", nil
	})
	work.stop()
	until := func(ctx context.Context) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}
	if !work.start(until) {
		t.Fatal("it did not start again")
	}
	if done, total, running := work.progress(); done != 0 || total != 0 || !running {
		t.Errorf("%d of %d, running %v, at the start, want 0 of 0", done, total, running)
	}
	work.settled(3, 7)
	if work.start(until) {
		t.Error("two run at a time")
	}
	if done, total, _ := work.progress(); done != 3 || total != 7 {
		t.Errorf("%d of %d after a refused start, want 3 of 7", done, total)
	}
}

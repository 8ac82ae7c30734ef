package imessage

import (
	"testing"
	"time"
)

// A file that begins again with records it already holds is told by the sums
// of the records, whatever their bits are.
func TestOrderRemembersRecordsWithLikeSums(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)
	const apart = recentRecords
	sums := []uint64{7, 7 + apart, 7 + 2*apart, 9}
	var flagged []int64
	o := newOrder(func(m moment, _ verdict) { flagged = append(flagged, m.offset) })
	for pass := range int64(2) {
		for i, sum := range sums[:len(sums)-int(pass)] {
			o.add(moment{10*pass + int64(i), at.Add(time.Duration(i) * time.Minute), sum})
		}
	}
	o.end()
	if len(flagged) > 0 {
		t.Errorf("the records at %v are taken for text; they repeat records before them", flagged)
	}
}

func TestRecentForgetsTheOldest(t *testing.T) {
	t.Parallel()
	r := newRecent(8)
	for sum := range uint64(100) {
		if r.add(sum) {
			t.Errorf("%d is known before it is added", sum)
		}
	}
	if n := len(r.now) + len(r.before); n > 8 {
		t.Errorf("%d sums are kept, want 8 at most", n)
	}
	for sum := uint64(96); sum < 100; sum++ {
		if !r.add(sum) {
			t.Errorf("%d is forgotten", sum)
		}
	}
	if r.add(1) {
		t.Error("1 is still known")
	}
}

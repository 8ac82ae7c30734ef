package embed

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/vector"
)

// block looks at the slots around a slot. They lie as they were cut: a window
// is followed by the messages that it is the first to hold, and the last few
// of these are the first of the next window. Short texts have their slot
// elsewhere, so what is said here of windows and messages is nearly always
// right, not always; it decides about ranks and nothing else.
type block struct {
	v                   *vector.View
	refs, groups, times []uint32
	keys                []uint32
}

func newBlock(v *vector.View) block {
	return block{v, v.Refs(), v.Groups(), v.Times(), v.Keys()}
}

// blockReach is how far from a window its messages lie, long ones in pieces
// included.
const blockReach = 2 * windowLines

// silentMinutes is silence in the unit of the attribute Time.
const silentMinutes = silence / microsPerMinute

// together reports whether two neighbouring slots belong to one stretch of
// talk.
func (b block) together(i, j int) bool {
	return b.groups[i] == b.groups[j] && max(b.times[i], b.times[j])-min(b.times[i], b.times[j]) <= silentMinutes
}

// windowsOf returns the windows that hold the message of a slot.
func (b block) windowsOf(slot int) []int {
	var found []int
	for i := slot; i > 0 && slot-i < blockReach && b.together(i, i-1); i-- {
		if kindOf(b.keys[i-1]) == window {
			found = append(found, i-1)
			break
		}
	}
	for i := slot; i < len(b.keys)-1 && i-slot < blockReach && b.together(i, i+1); i++ {
		if kindOf(b.keys[i+1]) == window {
			if b.times[i+1] <= b.times[slot] {
				found = append(found, i+1)
			}
			break
		}
	}
	return found
}

// messagesOf returns the slots of the messages that a window holds.
func (b block) messagesOf(slot int) []int {
	var found []int
	for i := slot; i > 0 && slot-i < windowStep && b.together(i, i-1) && kindOf(b.keys[i-1]) != window; i-- {
		if b.times[i-1] >= b.times[slot] {
			found = append(found, i-1)
		}
	}
	for i := slot; i < len(b.keys)-1 && i-slot < blockReach && b.together(i, i+1) && kindOf(b.keys[i+1]) != window; i++ {
		found = append(found, i+1)
	}
	return found
}

// gather turns slots that were found into messages, best first. A message is
// scored together with its windows, and a window that was found brings its
// messages.
func gather(v *vector.View, query []float32, matches []vector.Match, accept *vector.Bitmap) ([]Near, error) {
	b := newBlock(v)
	scores := make(map[uint32]float32, 4*len(matches))
	windows := map[int][]int{} // of the slots of messages
	bring := func(slot int) {
		if _, known := windows[slot]; known || v.Deleted(uint32(slot)) || accept != nil && !accept.Has(uint32(slot)) {
			return
		}
		windows[slot] = b.windowsOf(slot)
	}
	for _, m := range matches {
		scores[m.Slot] = m.Score
		if kindOf(b.keys[m.Slot]) != window {
			bring(int(m.Slot))
			continue
		}
		for _, slot := range b.messagesOf(int(m.Slot)) {
			bring(slot)
		}
	}
	if err := complete(v, query, windows, scores); err != nil {
		return nil, err
	}
	found := make(map[uint32]Near, len(windows))
	for slot, around := range windows {
		n, known := found[b.refs[slot]]
		if !known {
			n = Near{Message: int64(b.refs[slot]), Own: -1, Alike: kindOf(b.keys[slot]) == short}
		}
		n.Own = max(n.Own, scores[uint32(slot)])
		for _, w := range around {
			n.Around = max(n.Around, scores[uint32(w)])
		}
		found[b.refs[slot]] = n
	}
	list := make([]Near, 0, len(found))
	for _, n := range found {
		if n.Around == 0 { // it is a stretch of talk by itself
			n.Around = n.Own
		}
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b Near) int {
		return cmp.Or(cmp.Compare(b.Score(), a.Score()), cmp.Compare(b.Message, a.Message))
	})
	return list, nil
}

// complete scores the slots that have no score yet.
func complete(v *vector.View, query []float32, windows map[int][]int, scores map[uint32]float32) error {
	var unknown []uint32
	want := func(slot int) {
		if _, known := scores[uint32(slot)]; !known {
			scores[uint32(slot)] = 0
			unknown = append(unknown, uint32(slot))
		}
	}
	for slot, around := range windows {
		want(slot)
		for _, w := range around {
			want(w)
		}
	}
	slices.Sort(unknown)
	more, err := v.Score(query, unknown)
	if err != nil {
		return fmt.Errorf("score vectors: %w", err)
	}
	for i, slot := range unknown {
		scores[slot] = more[i]
	}
	return nil
}

// Score orders messages: what stands around them counts half.
func (n Near) Score() float32 { return n.Own + n.Around/2 }

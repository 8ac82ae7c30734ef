package embed

import (
	"cmp"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/vector"
)

// oldSlots are the live slots that an index had when a run began.
type oldSlots struct {
	byDay  []daySlot // ascending by day
	groups map[uint32]bool
	// short are the texts that have a slot, with its day.
	short map[uint64]store.Day
}

type daySlot struct {
	day     store.Day
	slot    uint32
	key     uint64 // of a short text
	kind    kind
	deleted bool
}

// oldSlotsOf reads the attributes of a view.
func oldSlotsOf(v *vector.View) oldSlots {
	old := oldSlots{byDay: make([]daySlot, 0, v.Live()), groups: map[uint32]bool{}, short: map[uint64]store.Day{}}
	groups, times, keys, owners := v.Groups(), v.Times(), v.Keys(), v.Owners()
	for i := range v.Len() {
		if v.Deleted(uint32(i)) {
			continue
		}
		s := daySlot{day: dayOf(groups[i], times[i]), slot: uint32(i), kind: kindOf(keys[i])}
		if s.kind == short {
			s.key = shortOf(owners[i], keys[i])
			old.short[s.key] = s.day
		}
		old.groups[groups[i]] = true
		old.byDay = append(old.byDay, s)
	}
	slices.SortFunc(old.byDay, func(a, b daySlot) int { return cmp.Or(compareDays(a.day, b.day), cmp.Compare(a.slot, b.slot)) })
	return old
}

// of returns the slots of a day.
func (o *oldSlots) of(d store.Day) []daySlot {
	from, _ := slices.BinarySearchFunc(o.byDay, d, func(s daySlot, d store.Day) int { return compareDays(s.day, d) })
	to := from
	for to < len(o.byDay) && o.byDay[to].day == d {
		to++
	}
	return o.byDay[from:to]
}

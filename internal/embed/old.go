package embed

import (
	"cmp"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/vector"
)

// oldSlots are the live slots that an index had when a run began.
type oldSlots struct {
	byDay  []daySlot // ascending by day; of the days that the run is about
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

// daySet are days of conversations.
type daySet map[int64]map[int64]bool

func daySetOf(days []store.Day) daySet {
	set := daySet{}
	for _, d := range days {
		if set[d.Conversation] == nil {
			set[d.Conversation] = map[int64]bool{}
		}
		set[d.Conversation][d.Day] = true
	}
	return set
}

// oldSlotsOf reads the attributes of a view. wanted are the days that the run
// is about; nil stands for all.
func oldSlotsOf(v *vector.View, wanted daySet) oldSlots {
	old := oldSlots{groups: map[uint32]bool{}, short: map[uint64]store.Day{}}
	if wanted == nil {
		old.byDay = make([]daySlot, 0, v.Live())
	}
	groups, times, keys, owners := v.Groups(), v.Times(), v.Keys(), v.Owners()
	var group uint32        // at hand
	var days map[int64]bool // wanted of it
	for i := range v.Len() {
		if v.Deleted(uint32(i)) {
			continue
		}
		if len(old.groups) == 0 || groups[i] != group {
			group, days = groups[i], wanted[int64(groups[i])]
			old.groups[group] = true
		}
		kind := kindOf(keys[i])
		if wanted != nil && days == nil && kind != short {
			continue
		}
		s := daySlot{day: dayOf(groups[i], times[i]), slot: uint32(i), kind: kind}
		if s.kind == short {
			s.key = shortOf(owners[i], keys[i])
			old.short[s.key] = s.day
		}
		if wanted == nil || days[s.day.Day] {
			old.byDay = append(old.byDay, s)
		}
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

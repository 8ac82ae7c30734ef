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
	// short are the texts that have a slot, with its day, and elsewhere the
	// other conversations that it is put into, ascending.
	short     map[uint64]store.Day
	elsewhere map[uint64][]place
}

// place is a conversation in which a message, 0 for one that is not known,
// consists of a short text.
type place struct{ conversation, message uint32 }

func noSlots() oldSlots {
	return oldSlots{groups: map[uint32]bool{}, short: map[uint64]store.Day{}, elsewhere: map[uint64][]place{}}
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
	old := noSlots()
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
	for _, m := range v.Marks() {
		if !v.Deleted(m.Slot) {
			old.put(shortOf(owners[m.Slot], keys[m.Slot]), place{m.Group, m.Ref})
		}
	}
	slices.SortFunc(old.byDay, func(a, b daySlot) int { return cmp.Or(compareDays(a.day, b.day), cmp.Compare(a.slot, b.slot)) })
	return old
}

// put notes that a short text stands in a conversation that is not that of its
// slot, and reports whether this is new.
func (o *oldSlots) put(key uint64, p place) bool {
	list := o.elsewhere[key]
	at, known := slices.BinarySearchFunc(list, p, func(a, b place) int { return cmp.Compare(a.conversation, b.conversation) })
	if !known {
		o.elsewhere[key] = slices.Insert(list, at, p)
	}
	return !known
}

// slotsOfShort finds the live slots of short texts; of two with the same text
// the newer one counts.
func slotsOfShort(v *vector.View) map[uint64]uint32 {
	slots := map[uint64]uint32{}
	keys, owners := v.Keys(), v.Owners()
	for i := range v.Len() {
		if kindOf(keys[i]) == short && !v.Deleted(uint32(i)) {
			slots[shortOf(owners[i], keys[i])] = uint32(i)
		}
	}
	return slots
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

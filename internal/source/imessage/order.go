package imessage

import (
	"time"
)

const (
	// reach is how many records in a row can be found out of order. More of
	// them are a second stretch of messages, not text inside one.
	reach = 16
	// outOfPlace is how far back a record lies that cannot be one: nearer ones
	// are kept as suspect.
	outOfPlace = 3 * time.Hour
	// clearly is how many times more records must stand on one side of a
	// contradiction for the other side to be the wrong one.
	clearly = 4
	// few is how many records can contradict the first record of a file.
	few = 3
	// recentRecords bounds the memory for records that are repeated.
	recentRecords = 1 << 14
)

const outOfOrder = "stands out of time order: may be text inside a message before it"

// moment is a record's place in the file and in time.
type moment struct {
	offset int64
	when   time.Time
	sum    uint64
}

// order finds records that break the order of time. The exporter sorts by
// time, so apart from a clock set back in autumn only text that looks like a
// record goes back. Moments are added in file order; what is found is
// reported through flag before or at the end.
type order struct {
	flag func(m moment, v verdict)
	// kept are the last moments in order, at most reach+1; whole is set while
	// they are all there were.
	kept  []moment
	whole bool
	// dip are the moments since the order broke.
	dip []moment
	// seen holds sums of recent records: a repeated record tells of a file put
	// together from two exports.
	seen recent
	// restarts counts stretches that begin again at an earlier time.
	restarts int
}

func newOrder(flag func(moment, verdict)) *order {
	return &order{flag: flag, whole: true, seen: newRecent(recentRecords)}
}

func (o *order) add(m moment) {
	if isNullDate(m.when) {
		return
	}
	if o.seen.add(m.sum) {
		m.sum = 0
	}
	if len(o.kept) == 0 {
		o.keep(m)
		return
	}
	top := o.kept[len(o.kept)-1]
	if len(o.dip) == 0 {
		if follows(top.when, m.when) {
			o.keep(m)
		} else {
			o.dip = append(o.dip, m)
		}
		return
	}
	if !m.when.Before(top.when) {
		o.resolve(false)
		o.keep(m)
		return
	}
	o.dip = append(o.dip, m)
	if len(o.dip) > reach {
		o.resolve(true)
	}
}

// end resolves what the end of the file leaves open.
func (o *order) end() {
	if len(o.dip) > 0 {
		o.resolve(false)
	}
}

// follows says whether b may come after a: later, or at most an hour back and
// in the small hours, when clocks are set back.
func follows(a, b time.Time) bool {
	return !b.Before(a) || a.Sub(b) <= time.Hour && b.Hour() < 3
}

// resolve decides who is wrong: the dip, or a spike of moments before it that
// lie later. The first record of a file is never wrong.
func (o *order) resolve(long bool) {
	dip := o.dip
	o.dip = nil
	spike := 0
	for spike < len(o.kept) && o.kept[len(o.kept)-1-spike].when.After(dip[0].when) {
		spike++
	}
	noSpike := spike == len(o.kept)
	top := o.kept[len(o.kept)-1].when
	clearDip := spike >= clearly*len(dip) || noSpike && o.whole && len(dip) <= few
	switch {
	case repeated(dip):
		o.keep(dip...)
	case noSpike && long:
		o.restarts++
		o.keep(dip...)
	case clearDip:
		for _, m := range dip {
			o.flag(m, graded(top.Sub(m.when)))
		}
	case !noSpike && len(dip) >= clearly*spike:
		o.flagSpike(spike, func(m moment) verdict { return graded(m.when.Sub(dip[0].when)) })
		o.keep(dip...)
	default:
		for _, m := range dip {
			o.flag(m, verdictSuspect)
		}
		if !noSpike {
			o.flagSpike(spike, func(moment) verdict { return verdictSuspect })
		}
	}
}

func graded(gap time.Duration) verdict {
	if gap > outOfPlace {
		return verdictText
	}
	return verdictSuspect
}

func repeated(dip []moment) bool {
	for _, m := range dip {
		if m.sum != 0 {
			return false
		}
	}
	return true
}

func (o *order) flagSpike(n int, v func(moment) verdict) {
	at := len(o.kept) - n
	for _, m := range o.kept[at:] {
		o.flag(m, v(m))
	}
	o.kept = o.kept[:at]
}

func (o *order) keep(moments ...moment) {
	o.kept = append(o.kept, moments...)
	if extra := len(o.kept) - (reach + 1); extra > 0 {
		o.kept = append(o.kept[:0], o.kept[extra:]...)
		o.whole = false
	}
}

// recent remembers the sums that were added last: between half as many as it
// may hold and all of them.
type recent struct {
	now, before map[uint64]struct{}
	half        int
}

func newRecent(most int) recent {
	return recent{map[uint64]struct{}{}, map[uint64]struct{}{}, most / 2}
}

// add remembers the sum and says whether it was known.
func (r *recent) add(sum uint64) bool {
	if _, known := r.now[sum]; known {
		return true
	}
	_, known := r.before[sum]
	if len(r.now) == r.half {
		r.now, r.before = r.before, r.now
		clear(r.now)
	}
	r.now[sum] = struct{}{}
	return known
}

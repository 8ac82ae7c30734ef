package ingest

import (
	"math"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// ordinals counts, within one conversation of one file, how many messages of
// the same raw time, sender and body came before. It remembers the latest
// tuples only: equal ones stand close together, because they share a time.
//
// A file that holds its export twice starts again from its first message;
// the count starts again with it, so that the second pass names the same
// messages as the first.
type ordinals struct {
	recent, older map[uint64]int32
	first         uint64
	started       bool
	// latest is the latest time seen, olderUntil the latest in older, and
	// forgotten the latest of all that was dropped.
	latest, olderUntil, forgotten int64
	// repeats is set once a message may be one that was already handed over.
	repeats bool
}

// ordinalWindow is how many tuples a generation remembers.
const ordinalWindow = 8192

func (o *ordinals) next(m *msg.Message) int {
	key := msg.TupleKey(m)
	now := m.Time.Micros
	if !o.started || key == o.first && now < o.latest {
		*o = ordinals{
			recent: make(map[uint64]int32, 64), first: key, latest: now, forgotten: math.MinInt64,
			repeats: o.started, started: true,
		}
	}
	o.repeats = o.repeats || now <= o.forgotten
	o.latest = max(o.latest, now)
	n, known := o.recent[key]
	if !known {
		n = o.older[key]
		if len(o.recent) >= ordinalWindow {
			o.forget()
		}
	}
	o.recent[key] = n + 1
	return int(n)
}

func (o *ordinals) forget() {
	if o.older != nil {
		o.forgotten = o.olderUntil
	}
	o.older, o.olderUntil = o.recent, o.latest
	o.recent = make(map[uint64]int32, ordinalWindow)
}

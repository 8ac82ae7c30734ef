package embed

import (
	"cmp"
	"encoding/binary"
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// mark is how far an index has come. It is committed together with the
// vectors it speaks of.
type mark struct {
	// complete is what the index holds entirely.
	complete store.Extremes
	// target is what the run under way, or cut off, aims at, and last the
	// last day it finished; both are zero when no run is.
	target store.Extremes
	last   store.Day
	// anew is set when that run does all days, also those that were done.
	anew bool
	// excluded tells apart which conversations were left out.
	excluded uint64
}

const markSize = 8 * 8

func (m mark) encode() []byte {
	out := make([]byte, 0, markSize)
	anew := int64(0)
	if m.anew {
		anew = 1
	}
	for _, n := range []int64{
		m.complete.LastMessage, m.complete.LastRevision, m.target.LastMessage, m.target.LastRevision,
		m.last.Conversation, m.last.Day, int64(m.excluded), anew,
	} {
		out = binary.LittleEndian.AppendUint64(out, uint64(n))
	}
	return out
}

// decodeMark reads what encode wrote; an index that was never committed to
// has none.
func decodeMark(data []byte) (mark, error) {
	if len(data) == 0 {
		return mark{}, nil
	}
	if len(data) != markSize {
		return mark{}, fmt.Errorf("read index mark: %d bytes, want %d", len(data), markSize)
	}
	next := func() int64 {
		n := binary.LittleEndian.Uint64(data)
		data = data[8:]
		return int64(n)
	}
	var m mark
	m.complete = store.Extremes{LastMessage: next(), LastRevision: next()}
	m.target = store.Extremes{LastMessage: next(), LastRevision: next()}
	m.last = store.Day{Conversation: next(), Day: next()}
	m.excluded, m.anew = uint64(next()), next() != 0
	return m, nil
}

// resumes reports whether a run was cut off.
func (m mark) resumes() bool { return m.target != store.Extremes{} }

func compareDays(a, b store.Day) int {
	return cmp.Or(cmp.Compare(a.Conversation, b.Conversation), cmp.Compare(a.Day, b.Day))
}

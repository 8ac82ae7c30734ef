package embed

import (
	"cmp"
	"context"
	"hash/fnv"
	"math"
	"slices"
	"strconv"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// stint is a part of a run: days of one conversation that one query reads.
type stint struct {
	conversation int64
	// days are those to do, ascending; nil means all from first to last.
	days        []int64
	first, last int64
}

// maxIdle is how many days that are not to be done are read along with those
// that are, rather than asked for separately.
const maxIdle = 14

// changedDays lists the days in which something came, changed or went since
// the index was complete, those up to m.last left out. A run over everything
// has none.
func (u *updater) changedDays(ctx context.Context) ([]store.Day, error) {
	if u.mark.anew {
		return nil, nil
	}
	days, err := u.r.NewDays(ctx, u.mark.complete.LastMessage, u.mark.target.LastMessage)
	if err != nil {
		return nil, err
	}
	revised, err := u.r.RevisedDays(ctx, u.mark.complete.LastRevision)
	if err != nil {
		return nil, err
	}
	days = append(days, revised...)
	slices.SortFunc(days, compareDays)
	return slices.DeleteFunc(slices.Compact(days), func(d store.Day) bool { return u.excluded[d.Conversation] || !u.ahead(d) }), nil
}

// plan lists what a run towards m.target has to do, the days up to m.last
// left out. days are those that changed.
func (u *updater) plan(ctx context.Context, days []store.Day) ([]stint, error) {
	if u.mark.anew {
		return u.planAll(ctx, func(int64) bool { return true })
	}
	var stints []stint
	if u.leavesOutOthers() {
		// Conversations that were left out before have no slots.
		var err error
		if stints, err = u.planAll(ctx, func(id int64) bool { return id == u.mark.last.Conversation || !u.old.groups[uint32(id)] }); err != nil {
			return nil, err
		}
		days = slices.DeleteFunc(slices.Clone(days), func(d store.Day) bool {
			return slices.ContainsFunc(stints, func(s stint) bool { return s.conversation == d.Conversation })
		})
	}
	for _, d := range days {
		if n := len(stints); n > 0 && stints[n-1].conversation == d.Conversation && d.Day-stints[n-1].last <= maxIdle {
			stints[n-1].days, stints[n-1].last = append(stints[n-1].days, d.Day), d.Day
			continue
		}
		stints = append(stints, stint{d.Conversation, []int64{d.Day}, d.Day, d.Day})
	}
	sortStints(stints)
	return stints, nil
}

func sortStints(stints []stint) {
	slices.SortStableFunc(stints, func(a, b stint) int { return cmp.Compare(a.conversation, b.conversation) })
}

// ahead reports whether a day is still to be done. Conversations have ids
// above 0, so that before the first day all are.
func (u *updater) ahead(d store.Day) bool { return compareDays(d, u.mark.last) > 0 }

// planAll lists the conversations that are wanted, all their days.
func (u *updater) planAll(ctx context.Context, wanted func(conversation int64) bool) ([]stint, error) {
	conversations, err := u.r.ConversationRefs(ctx)
	if err != nil {
		return nil, err
	}
	var stints []stint
	for _, c := range conversations {
		if u.excluded[c.ID] || !wanted(c.ID) {
			continue
		}
		s := stint{conversation: c.ID, first: math.MinInt64, last: math.MaxInt64}
		switch {
		case c.ID > u.mark.last.Conversation:
		case c.ID == u.mark.last.Conversation:
			s.first = u.mark.last.Day + 1
		default:
			continue
		}
		stints = append(stints, s)
	}
	sortStints(stints)
	return stints, nil
}

// bounds are the times that a stint reads, the end excluded.
func (s stint) bounds() (start, end int64) {
	start, end = math.MinInt64, math.MaxInt64
	if s.first != math.MinInt64 {
		start = store.Day{Day: s.first}.Start()
	}
	if s.last != math.MaxInt64 {
		end = store.Day{Day: s.last}.End()
	}
	return start, end
}

// holds reports whether a day is to be done.
func (s stint) holds(day int64) bool {
	if s.days == nil {
		return true
	}
	_, found := slices.BinarySearch(s.days, day)
	return found
}

// excludedHash tells sets of left-out conversations apart; the empty one has
// 0.
func excludedHash(excluded map[int64]bool) uint64 {
	if len(excluded) == 0 {
		return 0
	}
	ids := make([]int64, 0, len(excluded))
	for id := range excluded {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	h := fnv.New64a()
	for _, id := range ids {
		h.Write(strconv.AppendInt(nil, id, 10))
		h.Write([]byte{' '})
	}
	return h.Sum64()
}

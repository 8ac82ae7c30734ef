package spam

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// optOut is a stretch in which an opt-out was in force: from the earliest
// request until the owner took it back.
type optOut struct {
	placed         // the request that opened it
	closed *placed // what took it back, nil while it is in force
}

// after reports whether a finding came while the opt-out was in force. What
// bears the same time as the request, as far as the source says it, is not
// after it.
func (o optOut) after(f record.Finding) bool {
	return f.Sort > o.end[f.Clock] && (o.closed == nil || f.Sort <= o.closed.start[f.Clock])
}

// optOuts pairs the opt-outs among events with what took them back, oldest
// first. A request while another is in force opens nothing: the earliest
// counts.
func optOuts(events []record.Event, c Clocks) []optOut {
	var all []placed
	for _, e := range events {
		if e.InForce() && (e.Type.IsOptOut() || e.Type == record.OptInSent) {
			all = append(all, c.place(e))
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.end[record.Instants], b.end[record.Instants]), cmp.Compare(a.event.ID, b.event.ID))
	})
	var list []optOut
	open := false
	for i := range all {
		switch isOptOut := all[i].event.Type.IsOptOut(); {
		case isOptOut && !open:
			list, open = append(list, optOut{placed: all[i]}), true
		case !isOptOut && open:
			list[len(list)-1].closed, open = &all[i], false
		}
	}
	return list
}

// Intervals returns when opt-outs of each sender were in force, on both
// clocks, by sender.
func Intervals(events []record.Event, c Clocks) []record.Interval {
	bySender := map[int64][]record.Event{}
	for _, e := range events {
		bySender[e.SenderID] = append(bySender[e.SenderID], e)
	}
	var list []record.Interval
	for sender, own := range bySender {
		for _, o := range optOuts(own, c) {
			for _, clock := range []record.Clock{record.Instants, record.Readings} {
				interval := record.Interval{SenderID: sender, Clock: clock, From: o.end[clock]}
				if o.closed != nil {
					interval.To = o.closed.start[clock]
				}
				list = append(list, interval)
			}
		}
	}
	slices.SortFunc(list, func(a, b record.Interval) int {
		return cmp.Or(cmp.Compare(a.SenderID, b.SenderID), cmp.Compare(a.Clock, b.Clock), cmp.Compare(a.From, b.From))
	})
	return list
}

// optOutWriter is the one thing that UpdateOptOuts writes.
type optOutWriter interface {
	SetOptOutIntervals(ctx context.Context, list []record.Interval) error
}

// UpdateOptOuts works out which messages came after an opt-out, for the whole
// record. It runs after every scan and after every event put on the record.
func UpdateOptOuts(ctx context.Context, read Record, write optOutWriter, c Clocks) error {
	events, err := read.SpamEvents(ctx, nil)
	if err != nil {
		return fmt.Errorf("list events: %w", err)
	}
	if err := write.SetOptOutIntervals(ctx, Intervals(events, c)); err != nil {
		return fmt.Errorf("mark messages after opt-outs: %w", err)
	}
	return nil
}

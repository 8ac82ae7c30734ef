package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// keeps is the meaning of a Filter, said once more and simply.
func (f Filter) keeps(m *worldMessage) bool {
	r := &m.record
	out := r.Message.Direction == msg.Out
	switch {
	case m.missing && !f.IncludeMissing:
		return false
	case len(f.Conversations) > 0 && !slices.Contains(f.Conversations, r.ConversationID):
		return false
	case f.Source != "" && f.Source != m.source:
		return false
	case f.Start != nil && r.Sort < *f.Start, f.End != nil && r.Sort >= *f.End:
		return false
	case !f.FromMe && len(f.Senders) == 0:
		return true
	}
	return f.FromMe && out || !out && slices.Contains(f.Senders, r.SenderID)
}

// kept returns the messages of the world that a filter keeps.
func (x *world) kept(f Filter) []*worldMessage {
	var list []*worldMessage
	for _, m := range x.messages {
		if f.keeps(m) {
			list = append(list, m)
		}
	}
	return list
}

// filters returns every combination of the filters' fields.
func (x *world) filters() []Filter {
	third := start.Add(worldMoments / 3 * time.Hour).UnixMicro()
	half := start.Add(worldMoments / 2 * time.Hour).UnixMicro()
	var all []Filter
	for _, conversations := range [][]int64{nil, {x.conversations[1].id}, {x.conversations[0].id, x.conversations[5].id}} {
		for _, source := range []msg.Source{"", msg.Signal} {
			for _, senders := range [][]int64{nil, {x.handles[1].id}, {x.handles[2].id, x.handles[7].id, x.handles[0].id}} {
				for _, me := range []bool{false, true} {
					for _, period := range [][2]*int64{{}, {&third, nil}, {nil, &half}, {&third, &half}} {
						for _, missing := range []bool{false, true} {
							all = append(all, Filter{conversations, senders, me, source, period[0], period[1], missing})
						}
					}
				}
			}
		}
	}
	return all
}

// fewFilters are all of them, or in a short run some of every kind: every
// seventh, as no part of them repeats by that.
func (x *world) fewFilters() []Filter {
	all := x.filters()
	if !testing.Short() {
		return all
	}
	var few []Filter
	for i := 0; i < len(all); i += 7 {
		few = append(few, all[i])
	}
	return few
}

func describe(f Filter) string {
	name := fmt.Sprintf("conversations=%v source=%q senders=%v me=%v missing=%v", f.Conversations, f.Source, f.Senders, f.FromMe, f.IncludeMissing)
	if f.Start != nil {
		name += " from"
	}
	if f.End != nil {
		name += " until"
	}
	return name
}

func TestFiltersKeepSomethingAndLeaveSomethingOut(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 200)
	empty := 0
	for _, f := range x.filters() {
		if len(x.kept(f)) == 0 {
			empty++
		}
	}
	if all := len(x.filters()); empty > all/3 {
		t.Errorf("%d of %d filters keep nothing: the world is too thin to test with", empty, all)
	}
}

func TestCountMessages(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 200)
	r := openReader(t, x.dir, ReaderOptions{})
	for _, f := range x.filters() {
		got, err := r.CountMessages(t.Context(), f)
		if err != nil {
			t.Fatalf("%s: %v", describe(f), err)
		}
		if want := int64(len(x.kept(f))); got != want {
			t.Errorf("%s: counted %d, want %d", describe(f), got, want)
		}
	}
}

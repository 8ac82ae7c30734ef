package search

import (
	"context"
	"math"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// windowReach is how many messages on either side belong to a message's
// window. A silence of windowGap microseconds ends it: a day, as people answer
// in the evening what they read in the morning.
const (
	windowReach = 3
	windowGap   = 24 * 3600 * 1e6
)

// windowed is how many of the best candidates are looked at with their
// neighbours; it bounds the time a question takes.
const windowed = 40

// scoreWindows adds to candidates, the best first, what stands around them.
func (r *ranker) scoreWindows(ctx context.Context, all []ranked, average float64) ([]ranked, error) {
	w := windowSet{known: map[int64]*windowMessage{}}
	for i := range all {
		w.known[all[i].ID] = &windowMessage{ranked: all[i]}
	}
	for _, c := range all[:min(windowed, len(all))] {
		if err := w.look(ctx, r, c); err != nil {
			return nil, err
		}
	}
	return w.score(r, average), nil
}

// windowSet holds candidates and their neighbours as stretches of talk.
type windowSet struct {
	known  map[int64]*windowMessage
	chains [][]*windowMessage
}

type windowMessage struct {
	ranked
	window float64
}

// look reads a candidate's neighbourhood: twice the reach, so that the
// neighbours have whole windows, too.
func (w *windowSet) look(ctx context.Context, r *ranker, c ranked) error {
	near, err := r.s.r.Neighbours(ctx, c.ConversationID, store.Key{Sort: c.Sort, ID: c.ID}, 2*windowReach)
	if err != nil {
		return err
	}
	chain := make([]*windowMessage, 0, len(near)+1)
	placed := false
	for _, n := range near {
		if !placed && (n.Sort > c.Sort || n.Sort == c.Sort && n.ID > c.ID) {
			chain, placed = append(chain, w.known[c.ID]), true
		}
		m := w.known[n.ID]
		if m == nil {
			own, err := r.counts(ctx, n)
			if err != nil {
				return err
			}
			m = &windowMessage{ranked: ranked{Candidate: store.Candidate{Neighbour: n, ConversationID: c.ConversationID}, own: own, neighbour: true}}
			w.known[n.ID] = m
		}
		chain = append(chain, m)
	}
	if !placed {
		chain = append(chain, w.known[c.ID])
	}
	w.chains = append(w.chains, chain)
	return nil
}

// score adds the windows' scores. A neighbour that is no candidate itself
// takes part when it lies within the reach of one.
func (w *windowSet) score(r *ranker, average float64) []ranked {
	best := 0.0
	for _, chain := range w.chains {
		for i, m := range chain {
			sum := counts{tf: make([]float32, len(r.m.terms))}
			size := 0.0
			for j := range windowBounds(chain, i) {
				for t, tf := range chain[j].own.tf {
					sum.tf[t] += tf
				}
				sum.length += chain[j].own.length
				size++
			}
			m.window = math.Max(m.window, r.bm25(sum, average*size, inWindow))
			best = math.Max(best, m.window)
		}
	}
	all := make([]ranked, 0, len(w.known))
	for _, m := range w.known {
		if best > 0 {
			m.score += windowWeight * m.window / best
		}
		if m.score > 0 {
			all = append(all, m.ranked)
		}
	}
	return all
}

// windowBounds yields the places of a chain that belong to the window of the
// message at i: up to windowReach on either side without a long silence.
func windowBounds(chain []*windowMessage, i int) func(func(int) bool) {
	return func(yield func(int) bool) {
		from, to := i, i
		for from > 0 && i-from < windowReach && chain[from].Sort-chain[from-1].Sort <= windowGap {
			from--
		}
		for to < len(chain)-1 && to-i < windowReach && chain[to+1].Sort-chain[to].Sort <= windowGap {
			to++
		}
		for j := from; j <= to; j++ {
			if !yield(j) {
				return
			}
		}
	}
}

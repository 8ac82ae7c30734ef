package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// A frame is a stretch of talk around a message that is scored as a whole:
// reach messages on either side, as far as no silence is longer than gap
// microseconds.
type frame struct {
	reach  int
	gap    int64
	weight float64 // against the message's own words, which weigh 1
}

const day = 24 * 3600 * 1e6

// frames are the one that holds a question with its answer, for which people
// take their time, and the one that shows what the talk is about.
var frames = [...]frame{{3, day, 1.5}, {10, 7 * day, 0.6}}

const (
	// chainReach is how many messages on either side of a candidate are read.
	chainReach = 10
	// windowed is how many of the best candidates are looked at with what
	// surrounds them; it bounds the time a question takes.
	windowed = 15
	// windowedNear is how many more of the nearest by meaning are.
	windowedNear = 5
)

// scoreWindows adds to candidates, the best first, what stands around them.
func (r *ranker) scoreWindows(ctx context.Context, all []ranked, average float64) ([]ranked, error) {
	r.talk = make(map[int64][]*windowMessage, windowed*chainReach)
	w := windowSet{known: make(map[int64]*windowMessage, 2*len(all))}
	for i := range all {
		w.known[all[i].ID] = &windowMessage{ranked: all[i]}
	}
	list := r.lookedAt(all)
	near := make([][]store.Neighbour, len(list))
	err := atOnce(ctx, len(list), func(ctx context.Context, i int) (err error) {
		c := list[i]
		near[i], err = r.r.Neighbours(ctx, c.ConversationID, store.Key{Sort: c.Sort, ID: c.ID}, chainReach)
		return err
	})
	if err != nil {
		return nil, err
	}
	w.meet(ctx, r, list, near)
	for i, c := range list {
		w.look(r, c, near[i])
	}
	w.lookAlone(all)
	return w.score(r, average), nil
}

// meet adds those who stand around candidates.
func (w *windowSet) meet(ctx context.Context, r *ranker, list []ranked, near [][]store.Neighbour) {
	var fresh []*windowMessage
	for i, c := range list {
		for _, n := range near[i] {
			if w.known[n.ID] == nil {
				m := &windowMessage{ranked: ranked{Candidate: store.Candidate{Neighbour: n, ConversationID: c.ConversationID}, neighbour: true}}
				w.known[n.ID] = m
				fresh = append(fresh, m)
			}
		}
	}
	for i, own := range r.countAll(ctx, len(fresh), func(i int) store.Neighbour { return fresh[i].Neighbour }) {
		fresh[i].own = own
	}
}

// lookedAt are the candidates that are looked at with what surrounds them: the
// best by their words and the nearest by their meaning.
func (r *ranker) lookedAt(all []ranked) []ranked {
	list := slices.Clone(all[:min(windowed, len(all))])
	rest := slices.DeleteFunc(slices.Clone(all[len(list):]), func(x ranked) bool { return !x.meant })
	slices.SortFunc(rest, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.why.Near, a.why.Near), cmp.Compare(b.ID, a.ID)) })
	return append(list, rest[:min(windowedNear, len(rest))]...)
}

// windowSet holds candidates and their neighbours as stretches of talk.
type windowSet struct {
	known  map[int64]*windowMessage
	chains [][]*windowMessage
}

type windowMessage struct {
	ranked
	framed [len(frames)]float64
}

// look joins a candidate and those who stand around it to a chain.
func (w *windowSet) look(r *ranker, c ranked, near []store.Neighbour) {
	chain := make([]*windowMessage, 0, len(near)+1)
	placed := false
	for _, n := range near {
		if !placed && (n.Sort > c.Sort || n.Sort == c.Sort && n.ID > c.ID) {
			chain, placed = append(chain, w.known[c.ID]), true
		}
		chain = append(chain, w.known[n.ID])
	}
	if !placed {
		chain = append(chain, w.known[c.ID])
	}
	w.chains = append(w.chains, chain)
	for i := judgeReach; i < len(chain)-judgeReach; i++ {
		r.talk[chain[i].ID] = chain[i-judgeReach : i+judgeReach+1]
	}
}

// lookAlone makes chains of those candidates that are in none, so that they
// are not behind the neighbours of others only because nobody looked.
func (w *windowSet) lookAlone(all []ranked) {
	looked := make(map[int64]bool, len(w.known))
	for _, chain := range w.chains {
		for _, m := range chain {
			looked[m.ID] = true
		}
	}
	for i := range all {
		if m := w.known[all[i].ID]; !looked[m.ID] {
			w.chains = append(w.chains, []*windowMessage{m})
		}
	}
}

// score adds the scores of the frames.
func (w *windowSet) score(r *ranker, average float64) []ranked {
	var best [len(frames)]float64
	tf := make([]float32, len(r.m.terms))
	for _, chain := range w.chains {
		for i, m := range chain {
			for f, frame := range frames {
				clear(tf)
				sum := counts{tf: tf}
				from, to := frame.around(chain, i)
				for _, n := range chain[from : to+1] {
					sum.add(n.own)
				}
				m.framed[f] = math.Max(m.framed[f], r.bm25(sum, average*float64(to-from+1), inWindow))
				best[f] = math.Max(best[f], m.framed[f])
			}
		}
	}
	all := make([]ranked, 0, len(w.known))
	for _, m := range w.known {
		for f, frame := range frames {
			if best[f] > 0 {
				m.score += frame.weight * m.framed[f] / best[f]
			}
		}
		if m.score > 0 || m.meant {
			all = append(all, m.ranked)
		}
	}
	return all
}

func (c *counts) add(other counts) {
	for i, n := range other.tf {
		c.tf[i] += n
	}
	c.length += other.length
}

// around returns the first and the last place of a chain that belong to the
// frame of the message at i.
func (f frame) around(chain []*windowMessage, i int) (from, to int) {
	from, to = i, i
	for from > 0 && i-from < f.reach && chain[from].Sort-chain[from-1].Sort <= f.gap {
		from--
	}
	for to < len(chain)-1 && to-i < f.reach && chain[to+1].Sort-chain[to].Sort <= f.gap {
		to++
	}
	return from, to
}

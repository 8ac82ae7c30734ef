package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// BM25's usual constants (Robertson and Zaragoza, 2009).
const (
	k1 = 1.2
	b  = 0.75
)

// How the parts of a score weigh against the message's own words, which count
// 1 for the best message of a query.
const (
	windowWeight   = 0.7  // the message together with its neighbours
	adjacentWeight = 0.15 // the query's words stand side by side
	recencyWeight  = 0.02 // newest against oldest of the candidates
)

// windowGap is the silence that ends a conversation's thread of talk, in
// microseconds, and windowReach how many messages on either side belong to a
// message's window.
const (
	windowGap   = 30 * 60 * 1e6
	windowReach = 3
)

// ranked is a candidate with its score.
type ranked struct {
	store.Candidate
	score float64
	own   counts
	// neighbour is set when the index did not find it.
	neighbour bool
}

// ranker scores the candidates of one query.
type ranker struct {
	m        *matcher
	idf      []float64
	names    map[int64]counts // of senders; the owner is 0
	chats    map[int64]counts
	searcher *Searcher
}

func newRanker(s *Searcher, m *matcher, total int64) *ranker {
	r := &ranker{m: m, idf: make([]float64, len(m.terms)), names: map[int64]counts{}, chats: map[int64]counts{}, searcher: s}
	for i, t := range m.terms {
		docs := float64(t.docs)
		r.idf[i] = math.Log(1 + (math.Max(float64(total), docs)-docs+0.5)/(docs+0.5))
	}
	return r
}

// bm25 scores a text of the given average length.
func (r *ranker) bm25(c counts, average float64) float64 {
	score := 0.0
	for i, tf := range c.tf {
		if tf > 0 {
			score += r.idf[i] * tf * (k1 + 1) / (tf + k1*(1-b+b*c.length/average))
		}
	}
	return score
}

// counts of a message are those of its text and of its sender's name.
func (r *ranker) counts(ctx context.Context, n store.Neighbour) (counts, error) {
	c := r.m.count(n.Body)
	sender, err := r.senderCounts(ctx, n)
	if err != nil {
		return c, err
	}
	c.add(sender)
	return c, nil
}

func (r *ranker) senderCounts(ctx context.Context, n store.Neighbour) (counts, error) {
	id := n.SenderID
	if n.FromMe {
		id = 0
	}
	if c, ok := r.names[id]; ok {
		return c, nil
	}
	label := ""
	if id != 0 {
		person, err := r.searcher.r.Person(ctx, id)
		if err != nil {
			return counts{}, err
		}
		label = person.Label
	}
	c := r.m.count(label)
	r.names[id] = c
	return c, nil
}

// rank orders candidates by score, the newest first among equals. windows
// also scores each one together with its neighbours, and brings in the
// neighbours themselves: the answer often stands next to the words of the
// question.
func (r *ranker) rank(ctx context.Context, list []store.Candidate, windows bool) ([]ranked, error) {
	all := make([]ranked, 0, len(list))
	length := 0.0
	for _, c := range list {
		own, err := r.counts(ctx, c.Neighbour)
		if err != nil {
			return nil, err
		}
		length += own.length
		all = append(all, ranked{Candidate: c, own: own})
	}
	average := math.Max(1, length/math.Max(1, float64(len(all))))
	r.scoreOwn(all, average)
	if windows {
		var err error
		if all, err = r.scoreWindows(ctx, all, average); err != nil {
			return nil, err
		}
	}
	r.scoreRecency(all)
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.Sort, a.Sort), cmp.Compare(b.ID, a.ID))
	})
	return all, nil
}

func (r *ranker) scoreOwn(all []ranked, average float64) {
	best := 0.0
	for i := range all {
		all[i].score = r.bm25(all[i].own, average)
		best = math.Max(best, all[i].score)
	}
	for i := range all {
		if best > 0 {
			all[i].score /= best
		}
		if n := len(r.m.terms) - 1; n > 0 {
			all[i].score += adjacentWeight * math.Min(1, float64(all[i].own.adjacent)/float64(n))
		}
	}
}

func (r *ranker) scoreRecency(all []ranked) {
	oldest, newest := int64(math.MaxInt64), int64(math.MinInt64)
	for _, c := range all {
		oldest, newest = min(oldest, c.Sort), max(newest, c.Sort)
	}
	if newest <= oldest {
		return
	}
	for i := range all {
		all[i].score += recencyWeight * float64(all[i].Sort-oldest) / float64(newest-oldest)
	}
}

// windowed is how many of the best candidates are looked at with their
// neighbours; it bounds the time a question takes.
const windowed = 120

func (r *ranker) scoreWindows(ctx context.Context, all []ranked, average float64) ([]ranked, error) {
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.Sort, a.Sort), cmp.Compare(b.ID, a.ID))
	})
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
	near, err := r.searcher.r.Neighbours(ctx, c.ConversationID, store.Key{Sort: c.Sort, ID: c.ID}, 2*windowReach)
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
			sum := counts{tf: make([]float64, len(r.m.terms))}
			size := 0.0
			for j := range windowBounds(chain, i) {
				sum.add(chain[j].own)
				size++
			}
			m.window = math.Max(m.window, r.bm25(sum, average*size))
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

// fillDocs looks up how common the terms are.
func (s *Searcher) fillDocs(ctx context.Context, terms []term) error {
	for i, t := range terms {
		if t.class == segment.Word && !t.prefix {
			_, docs, err := s.inflections(ctx, t.word)
			if err != nil {
				return err
			}
			terms[i].docs = docs
			continue
		}
		docs, err := s.r.TermDocs(ctx, []string{t.key()})
		if err != nil {
			return err
		}
		terms[i].docs = docs[t.key()]
	}
	return nil
}

// key is the token by which the index counts a term.
func (t term) key() string {
	if t.class == segment.Pairs {
		if tokens := phraseTokens([]segment.Run{{Class: t.class, Text: t.word}}); len(tokens) > 0 {
			return tokens[0]
		}
	}
	return t.stem
}

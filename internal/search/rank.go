package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// saturation holds the two constants of BM25 (Robertson and Zaragoza, 2009):
// how soon a word said again tells nothing more, and how much less it tells in
// a long text.
type saturation struct{ k1, b float64 }

// Messages are short: that a word is said twice in one tells little, and so
// does its length. Windows are more like the documents that the usual
// constants, 1.2 and 0.75, are for. All constants of this file were chosen on
// chats with questions about them, for all chats alike and none of the
// questions by itself.
var (
	inMessage = saturation{0.5, 0.3}
	inWindow  = saturation{0.8, 0.5}
)

// How the parts of a score weigh against the message's own words, which count
// 1 for the best message of a query.
const (
	adjacentWeight = 0.15 // the query's words stand side by side
	recencyWeight  = 0.02 // newest against oldest of the candidates
)

// senderWeight is how often a word in the sender's name counts as if it stood
// in the message.
const senderWeight = 1.5

// ranked is a candidate with its score.
type ranked struct {
	store.Candidate
	score float64
	own   counts
	// neighbour is set when the index did not find it.
	neighbour bool
	// meant is set when it was found by its meaning.
	meant bool
	why   Scores
}

// match says which half of the search found a message.
func (x ranked) match() Mode {
	switch {
	case !x.meant:
		return Keyword
	case x.neighbour:
		return Semantic
	default:
		return Hybrid
	}
}

// ranker scores the candidates of one query.
type ranker struct {
	m       *matcher
	idf     []float64
	r       *store.Reader
	labels  map[int64]string // of senders
	senders map[int64]counts
	spare   []float32 // for the counts of further texts
	// talk has messages that were read with judgeReach others on either side,
	// in the middle of these.
	talk map[int64][]*windowMessage
}

func newRanker(reader *store.Reader, names nameList, m *matcher, total int64) *ranker {
	r := &ranker{m: m, idf: make([]float64, len(m.terms)), r: reader, labels: names.labels, senders: map[int64]counts{}}
	for i, t := range m.terms {
		r.idf[i] = t.idf(total)
	}
	return r
}

// zeros returns room for the counts of a text.
func (r *ranker) zeros() []float32 {
	n := len(r.m.terms)
	if len(r.spare) < n {
		r.spare = make([]float32, 256*n)
	}
	tf := r.spare[:n:n]
	r.spare = r.spare[n:]
	return tf
}

// bm25 scores a text among texts of the given average length.
func (r *ranker) bm25(c counts, average float64, sat saturation) float64 {
	score := 0.0
	for i, tf := range c.tf {
		if tf > 0 {
			f := float64(tf)
			score += r.idf[i] * f * (sat.k1 + 1) / (f + sat.k1*(1-sat.b+sat.b*float64(c.length)/average))
		}
	}
	return score
}

// counts of a message are those of its text and of its sender's name.
func (r *ranker) counts(n store.Neighbour) counts {
	c := r.m.count(n.Body, r.zeros())
	c.add(r.sender(n))
	return c
}

// countedAtOnce is how many messages at least are worth counting apart.
const countedAtOnce = 64

// countAll returns the counts of n messages, made on several processors.
func (r *ranker) countAll(ctx context.Context, n int, at func(i int) store.Neighbour) []counts {
	all := make([]counts, n)
	parts := min(maxAtOnce, 1+n/countedAtOnce)
	_ = atOnce(ctx, parts, func(_ context.Context, part int) error {
		mine := r.apart()
		for i := part * n / parts; i < (part+1)*n/parts; i++ {
			all[i] = mine.counts(at(i))
		}
		return nil
	})
	return all
}

// apart returns a ranker that counts while r does.
func (r *ranker) apart() *ranker {
	m := *r.m
	m.runs = nil
	return &ranker{m: &m, labels: r.labels, senders: map[int64]counts{}}
}

// sender returns what the name of a message's sender holds of the query. The
// owner's is not counted: it would be in half of the messages.
func (r *ranker) sender(n store.Neighbour) counts {
	if n.FromMe || n.SenderID == 0 {
		return counts{}
	}
	c, known := r.senders[n.SenderID]
	if !known {
		label := r.labels[n.SenderID]
		c = r.m.count(label+divided(label), r.zeros())
		r.senders[n.SenderID] = c
	}
	return c
}

// rank orders candidates by score, those with the higher ids first among
// equals. windows also scores each one together with its neighbours, and
// brings in the neighbours themselves: the answer often stands next to the
// words of the question.
func (r *ranker) rank(ctx context.Context, list []met, windows bool) ([]ranked, error) {
	all := make([]ranked, len(list))
	for i, c := range list {
		all[i] = ranked{Candidate: c.Candidate, neighbour: c.only, meant: c.meant, why: Scores{Near: c.near}}
	}
	own := r.countAll(ctx, len(all), func(i int) store.Neighbour { return all[i].Neighbour })
	length := 0.0
	for i := range all {
		all[i].own = own[i]
		length += float64(own[i].length)
	}
	average := math.Max(1, length/math.Max(1, float64(len(all))))
	r.scoreOwn(all, average)
	if windows {
		sortRanked(all)
		var err error
		if all, err = r.scoreWindows(ctx, all, average); err != nil {
			return nil, err
		}
	}
	scoreRecency(all)
	sortRanked(all)
	return all, nil
}

func sortRanked(all []ranked) {
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.ID, a.ID)) })
}

func (r *ranker) scoreOwn(all []ranked, average float64) {
	best := 0.0
	tf := make([]float32, len(r.m.terms))
	for i := range all {
		// The sender's name is in own already, counted once.
		copy(tf, all[i].own.tf)
		for t, n := range r.sender(all[i].Neighbour).tf {
			tf[t] += (senderWeight - 1) * n
		}
		all[i].score = r.bm25(counts{tf: tf, length: all[i].own.length}, average, inMessage)
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

// scoreRecency prefers the newer of equals. Every candidate gets something, so
// that what only a filter or a name found has a score, too.
func scoreRecency(all []ranked) {
	oldest, newest := int64(math.MaxInt64), int64(math.MinInt64)
	for _, c := range all {
		oldest, newest = min(oldest, c.Sort), max(newest, c.Sort)
	}
	length := math.Max(1, float64(newest)-float64(oldest))
	for i := range all {
		all[i].score += recencyWeight * (1 + (float64(all[i].Sort)-float64(oldest))/length) / 2
	}
}

// namedScore is what a message has that holds nothing of the words but its
// sender's name.
const namedScore = 0.1

// mentionsFirst puts what only the name of its sender or conversation found
// behind what holds the words, the newest first: whoever looks for a name finds
// where it was said before all that its bearer ever wrote.
func (r *ranker) mentionsFirst(order []ranked) {
	var named []int
	for i, x := range order {
		sender := r.sender(x.Neighbour).tf
		said := false
		for t, n := range x.own.tf {
			said = said || n > 0 && (sender == nil || n > sender[t])
		}
		if !said && sender != nil {
			named = append(named, i)
		}
	}
	list := make([]ranked, len(named))
	for i, at := range named {
		list[i] = order[at]
		if list[i].score = 0; slices.ContainsFunc(r.sender(list[i].Neighbour).tf, func(n float32) bool { return n > 0 }) {
			list[i].score = namedScore
		}
	}
	scoreRecency(list)
	for i, at := range named {
		order[at].score = list[i].score
	}
	sortRanked(order)
}

// coverage is how much of what the words of a query tell the best of the
// messages holds, 0 to 1.
func (r *ranker) coverage(order []ranked) float64 {
	all, best := 0.0, 0.0
	for _, idf := range r.idf {
		all += idf
	}
	for _, x := range order {
		held := 0.0
		for i, n := range x.own.tf {
			if n > 0 {
				held += r.idf[i]
			}
		}
		best = math.Max(best, held)
	}
	if all == 0 {
		return 1
	}
	return best / all
}

package search

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// How similarities weigh against the keyword score, in which a message's own
// words count 1 for the best one of a query and the talk around it up to 2.1.
// Similarities of different models lie in different ranges, so that each
// counts by how many standard deviations it lies above the others of the same
// query. Like the constants of the keyword ranking, these were chosen on chats
// as a whole; half or twice as much changes little.
const (
	nearWeight   = 0.05
	judgedWeight = 0.3
	// askedWeight is what a message loses in a question when it asks something
	// itself: it is more like the question than its answer is.
	askedWeight = 0.3
	// askedWeightAlone is what it loses in a search by meaning alone, where
	// one standard deviation of the similarities counts 1.
	askedWeightAlone = 1
	// fullCoverage is the share of what a question's words tell from which on
	// the keyword score counts in full. Below it the best message has little
	// more than a common word of another language.
	fullCoverage = 0.3
	// namedWeight is what a message gets in a search by meaning alone when the
	// query names its sender or its conversation.
	namedWeight = 2
)

const (
	// judgedPool is how many of the best messages are judged.
	judgedPool = 70
	// judgedPoolAlone is how many are in a search by meaning alone.
	judgedPoolAlone = 75
	// similarPool bounds the messages that are shown for their meaning after
	// those with all the words.
	similarPool = 20
)

// meet joins the messages found by words with those found by meaning, as far
// as these meet the query's filters.
func (p *pursuit) meet(ctx context.Context, c *compiled, list []store.Candidate, results *Results) ([]met, error) {
	all := make([]met, len(list))
	at := make(map[int64]int, len(list))
	for i, x := range list {
		all[i].Candidate, at[x.ID] = x, i
	}
	if p.near == nil {
		if p.q.Mode != Keyword && p.s.meaning == nil {
			results.WithoutMeaning = noModel
		}
		return all, nil
	}
	found := p.near.wait()
	if found.err != nil {
		return nil, found.err
	}
	if results.WithoutMeaning = found.why; found.why != "" {
		return all, nil
	}
	results.Mode = Hybrid
	var unknown []embed.Near
	for _, n := range found.list {
		if i, known := at[n.Message]; known {
			all[i].near, all[i].meant = float64(n.Score()), true
		} else if p.worth(n, found.least) {
			unknown = append(unknown, n)
		}
	}
	if !p.asked && p.q.Mode != Semantic {
		unknown = unknown[:min(len(unknown), 2*similarPool)] // some are folded or filtered away
	}
	more, err := p.admitted(ctx, c, unknown)
	for _, m := range more {
		// Another message may have stood for one that holds the words.
		if i, known := at[m.ID]; known {
			all[i].near, all[i].meant = max(all[i].near, m.near), true
			continue
		}
		all = append(all, m)
	}
	return all, err
}

// worth reports whether a message that no word of the query found may be
// shown.
func (p *pursuit) worth(n embed.Near, least float64) bool {
	switch {
	case p.q.Mode == Semantic:
		return true
	case p.asked:
		return float64(n.Score()) >= least
	default:
		return float64(n.Own) >= least
	}
}

// met is a candidate with what the search by meaning says of it.
type met struct {
	store.Candidate
	near  float64
	meant bool // found by meaning
	only  bool // and by nothing else
}

// fuse orders what was found by words and by meaning. In a question the scores
// add up; otherwise the messages with the words stay first, and similar ones
// follow.
func (p *pursuit) fuse(ctx context.Context, r *ranker, order []ranked, windows bool, results *Results) ([]ranked, error) {
	if results.Mode != Hybrid || !slices.ContainsFunc(order, func(x ranked) bool { return x.meant }) {
		return order, nil
	}
	if !windows {
		return p.follow(order, results), nil
	}
	results.Total, results.Counted = int64(len(order)), false
	covered := math.Min(1, r.coverage(order)/fullCoverage)
	for i := range order {
		order[i].score *= covered
		if endsAsQuestion(order[i].Body) {
			order[i].score -= askedWeight
		}
	}
	addNear(order, nearWeight)
	sortRanked(order)
	if p.near.found.judged {
		if err := p.judge(ctx, r, order[:min(judgedPool, len(order))], judgedWeight); err != nil {
			return nil, err
		}
		sortRanked(order)
	}
	return order, nil
}

// admitted reads the messages that were found by meaning and keeps those that
// meet the filters.
func (p *pursuit) admitted(ctx context.Context, c *compiled, list []embed.Near) ([]met, error) {
	ids := make([]int64, 0, len(list))
	for _, n := range list {
		if ids = append(ids, n.Message); n.Inside != 0 {
			ids = append(ids, n.Inside)
		}
	}
	candidates, err := p.s.candidates(ctx, ids, Range{})
	if err != nil {
		return nil, err
	}
	admits, err := p.filter(ctx, c, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]store.Candidate, len(candidates))
	for _, x := range candidates {
		byID[x.ID] = x
	}
	var kept, shut []met
	for _, n := range list {
		x, known := byID[n.Message]
		switch m := (met{x, float64(n.Score()), true, true}); {
		case !known:
		case !x.Missing && admits(x):
			kept = append(kept, m)
		case inside(x, byID[n.Inside]) && admits(byID[n.Inside]):
			m.Candidate = byID[n.Inside]
			kept = append(kept, m)
		case n.Alike && len(shut) < alikeLimit:
			shut = append(shut, m)
		}
	}
	found := make([]bool, len(shut))
	err = atOnce(ctx, len(shut), func(ctx context.Context, i int) (err error) {
		shut[i].Candidate, found[i], err = p.alike(ctx, c, shut[i].Candidate)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, m := range shut {
		if found[i] {
			kept = append(kept, m)
		}
	}
	slices.SortFunc(kept, func(a, b met) int { return int(b.ID - a.ID) })
	return slices.CompactFunc(kept, func(a, b met) bool { return a.ID == b.ID }), nil
}

// inside reports whether a message that the index named for a short text, if
// any, still says the same.
func inside(short, x store.Candidate) bool {
	return x.ID != 0 && !x.Missing && sameWords(short.Body, x.Body)
}

// filter returns what tells whether one of the messages meets the query's
// filters.
func (p *pursuit) filter(ctx context.Context, c *compiled, ids []int64) (func(store.Candidate) bool, error) {
	if !c.opaque {
		return func(x store.Candidate) bool {
			return c.admits(x) && (c.conversations == nil || slices.Contains(c.conversations, x.ConversationID))
		}, nil
	}
	in, err := p.s.r.MatchAmong(ctx, allOf(c.filters, nil).text, ids)
	return func(x store.Candidate) bool { return in[x.ID] && c.period.holds(x.Sort) }, err
}

// alikeLimit is for how many short texts another message is looked for; the
// nearest come first.
const alikeLimit = 3

// alikePool is how many messages with the words of a short text are looked
// through for one that consists of them.
const alikePool = 20

// alike finds a message that meets the filters among those that say the same
// as one that does not.
func (p *pursuit) alike(ctx context.Context, c *compiled, x store.Candidate) (store.Candidate, bool, error) {
	runs := runsOf(x.Body)
	if len(runs) == 0 {
		return x, false, nil
	}
	tokens, more := tokensOf(runs)
	e := expr{text: quote(tokens...), most: unbounded}
	if more {
		e.text += " *"
	}
	ids, err := p.s.r.Matches(ctx, store.MatchQuery{Expression: allOf(append([]expr{e}, c.filters...), nil).text, Limit: alikePool})
	if err != nil {
		return x, false, err
	}
	list, err := p.s.candidates(ctx, ids, c.period)
	if err != nil {
		return x, false, err
	}
	slices.SortFunc(list, func(a, b store.Candidate) int { return int(b.ID - a.ID) })
	for _, y := range list {
		if sameWords(x.Body, y.Body) {
			return y, true, nil
		}
	}
	return x, false, nil
}

// follow puts the most similar messages after those with the words.
func (p *pursuit) follow(order []ranked, results *Results) []ranked {
	var similar []ranked
	matched := order[:0:0]
	for _, x := range order {
		switch {
		case x.match() != Semantic:
			x.score += 2 // above all similarities
			matched = append(matched, x)
		default:
			x.score = x.why.Near // at most 1.5
			similar = append(similar, x)
		}
	}
	sortRanked(similar)
	if similar = foldAlike(similar); len(similar) > similarPool {
		similar = similar[:similarPool]
	}
	if len(similar) > 0 {
		notice := fmt.Sprintf("the messages with these words, then %d similar in meaning", len(similar))
		if len(matched) == 0 {
			notice = "no message holds these words; similar in meaning: " + strconv.Itoa(len(similar))
		}
		results.Notices = append(results.Notices, notice)
		results.Total += int64(len(similar))
	}
	matched = append(matched, similar...)
	sortRanked(matched)
	return matched
}

// foldAlike keeps the first of messages that say the same.
func foldAlike(order []ranked) []ranked {
	said := make(map[string]bool, len(order))
	return slices.DeleteFunc(order, func(x ranked) bool {
		words := folded(x.Body)
		seen := said[words]
		said[words] = true
		return seen
	})
}

// addNear adds the similarities, as far above the mean as they are. What has
// none is no nearer than the farthest that was found.
func addNear(order []ranked, weight float64) {
	least := math.Inf(1)
	for _, x := range order {
		if x.meant {
			least = math.Min(least, x.why.Near)
		}
	}
	value := func(x ranked) float64 {
		if !x.meant {
			return least
		}
		return x.why.Near
	}
	var all spread
	for _, x := range order {
		all.add(value(x))
	}
	for i := range order {
		order[i].score += weight * all.above(value(order[i]))
	}
}

// spread tells how far a value lies above the mean of others.
type spread struct {
	n            int
	sum, squares float64
}

func (s *spread) add(v float64) { s.n, s.sum, s.squares = s.n+1, s.sum+v, s.squares+v*v }

// above returns the distance from the mean in standard deviations.
func (s *spread) above(v float64) float64 {
	n := math.Max(1, float64(s.n))
	mean := s.sum / n
	return (v - mean) / math.Sqrt(math.Max(s.squares/n-mean*mean, 1e-6))
}

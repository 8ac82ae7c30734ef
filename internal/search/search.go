package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// Query is what someone looks for.
type Query struct {
	// Text is in the query language: words (all must be found), "phrases",
	// -excluded, OR, parentheses, word*, operators such as from: and in:; a
	// plain question is recognised and its words are looked for one by one.
	Text string
	// Filters narrow the search; they are resolved already.
	Conversation int64
	Senders      []int64
	FromMe       bool
	Source       msg.Source
	Period       Range
	Has          string // one of Has, or empty
	Limit        int
	After        *Place // the last hit already shown
}

// Place is a hit's place in the ranking.
type Place struct {
	Score float64
	ID    int64
}

// Mode says which halves of the search took part.
type Mode string

// Keyword is the mode of a search by words alone.
const Keyword Mode = "keyword"

// Results are what was found.
type Results struct {
	Hits []Hit
	// Total is how many messages match, when that was counted to the end.
	Total   int64
	Counted bool
	Mode    Mode
	// More is set when the ranking goes on after the last hit.
	More bool
	// Notices say what was done to the query beyond what it says.
	Notices []string
}

// Hit is a message that was found.
type Hit struct {
	store.Message
	// Excerpt is the body, or the part that matches, with Mark around every
	// match.
	Excerpt string
	Score   float64
}

// Searcher answers queries. It is safe for concurrent use.
type Searcher struct {
	r   *store.Reader
	now func() time.Time

	mu     sync.Mutex
	called nameList
}

// New returns a Searcher over an archive.
func New(r *store.Reader, now func() time.Time) *Searcher { return &Searcher{r: r, now: now} }

// Bounds of the work a query may cause.
const (
	// pool is how many candidates are ranked and can be paged through.
	pool = 600
	// broad is the number of matches beyond which relevance over all of them
	// costs more than it tells; the newest are ranked instead.
	broad = 5_000
	// countLimit is how far matches are counted.
	countLimit = 10_000
	// questionDocs bounds the matches of a question's words together; the
	// commonest words are dropped until they fit.
	questionDocs = 60_000
)

// Search runs a query.
func (s *Searcher) Search(ctx context.Context, q Query) (Results, error) {
	root, err := parse(q.Text)
	if err != nil {
		return Results{}, err
	}
	out := &compiled{period: q.Period}
	if err := s.narrow(out, q); err != nil {
		return Results{}, err
	}
	c := compiler{ctx: ctx, s: s, now: s.now(), out: out}
	asked := isQuestion(root, q.Text)
	switch {
	case root == nil && len(out.filters) == 0 && q.Text != "":
		return Results{}, fmt.Errorf("query %q holds no word to look for; write words, \"phrases\" or a question", q.Text)
	case root == nil:
		if q.Text == "" {
			return Results{}, fmt.Errorf("query is empty; write words, \"phrases\" or a question")
		}
	case asked:
		if err := c.question(root); err != nil {
			return Results{}, err
		}
	default:
		if err := c.compile(root); err != nil {
			return Results{}, err
		}
	}
	if err := s.fillDocs(ctx, out.terms); err != nil {
		return Results{}, err
	}
	results, err := s.run(ctx, q, out, asked)
	if err != nil || len(results.Hits) > 0 || q.After != nil || asked || root == nil {
		return results, err
	}
	return s.loosen(ctx, q, root, results)
}

// narrow turns the query's filters into expressions.
func (s *Searcher) narrow(out *compiled, q Query) error {
	if q.Has != "" {
		if _, err := hasTag(q.Has); err != nil {
			return err
		}
	}
	out.filters = append(out.filters, q.filters()...)
	return nil
}

// filters are the expressions of the query's own filters.
func (q Query) filters() (list []string) {
	if q.Conversation != 0 {
		list = append(list, tagExpression(segment.ConversationTag(q.Conversation)))
	}
	if len(q.Senders) > 0 || q.FromMe {
		list = append(list, sendersTag(q.Senders, q.FromMe))
	}
	if q.Source != "" {
		list = append(list, sourceTag(q.Source))
	}
	if q.Has != "" {
		list = append(list, tagExpression(segment.KindTag(q.Has)))
	}
	return list
}

// loosen tries again when nothing was found: a last word that may be the
// beginning of one, then any of the words.
func (s *Searcher) loosen(ctx context.Context, q Query, root node, none Results) (Results, error) {
	words := plainWords(root)
	if len(words) == 0 {
		return none, nil
	}
	last := words[len(words)-1]
	attempts := []struct {
		query  string
		notice string
	}{
		{withLastPrefix(words), fmt.Sprintf("nothing holds exactly this; messages with words that begin with %q are shown", last)},
	}
	if len(words) > 1 {
		attempts = append(attempts, struct{ query, notice string }{
			strings.Join(words, " OR "), "no message holds all the words; those that hold some of them are shown"})
	}
	for _, attempt := range attempts {
		if attempt.query == "" {
			continue
		}
		again, err := parse(attempt.query)
		if err != nil || again == nil {
			continue
		}
		out := &compiled{period: q.Period}
		if err := s.narrow(out, q); err != nil {
			return none, err
		}
		c := compiler{ctx: ctx, s: s, now: s.now(), out: out}
		for _, f := range filtersOf(root) {
			if err := c.narrow(f); err != nil {
				return none, err
			}
		}
		if err := c.compile(again); err != nil {
			return none, err
		}
		if err := s.fillDocs(ctx, out.terms); err != nil {
			return none, err
		}
		results, err := s.run(ctx, q, out, len(words) > 1)
		if err != nil {
			return none, err
		}
		if len(results.Hits) > 0 {
			results.Notices = append([]string{attempt.notice}, results.Notices...)
			return results, nil
		}
	}
	return none, nil
}

// outermost returns the parts that a query joins.
func outermost(root node) []node {
	if and, ok := root.(andNode); ok {
		return and.kids
	}
	return []node{root}
}

// filtersOf returns the filters that narrow a query as a whole.
func filtersOf(root node) (list []filterNode) {
	for _, kid := range outermost(root) {
		if f, ok := kid.(filterNode); ok {
			list = append(list, f)
		}
	}
	return list
}

// plainWords returns the words of a query that holds nothing else but
// filters.
func plainWords(root node) []string {
	words := []string{}
	for _, kid := range outermost(root) {
		if _, isFilter := kid.(filterNode); isFilter {
			continue
		}
		t, ok := kid.(textNode)
		if !ok || t.phrase || t.prefix {
			return nil
		}
		words = append(words, t.text)
	}
	return words
}

func withLastPrefix(words []string) string {
	last := words[len(words)-1]
	runs := runsOf(last)
	if len(runs) != 1 || runs[0].Class != segment.Word || len(runs[0].Text) < 2 {
		return ""
	}
	return strings.Join(append(slices.Clone(words[:len(words)-1]), last+"*"), " ")
}

// run gathers candidates from the index and ranks them.
func (s *Searcher) run(ctx context.Context, q Query, c *compiled, windows bool) (Results, error) {
	results := Results{Mode: Keyword, Notices: c.notices}
	extent, err := s.r.Extent(ctx)
	if err != nil {
		return results, err
	}
	found, err := s.gather(ctx, c, extent, windows, &results)
	if err != nil {
		return results, err
	}
	list, dropped, err := s.candidates(ctx, c, found)
	if err != nil {
		return results, err
	}
	results.Total -= int64(dropped)
	if len(found) >= pool && (dropped > 0 || c.period != Range{} || len(c.phrases) > 0) {
		results.Counted = false // what lies beyond the pool was not looked at
	}
	return s.page(ctx, q, c, results, list, extent.Messages, windows)
}

// gather asks the index for the candidates of a query and counts its matches.
func (s *Searcher) gather(ctx context.Context, c *compiled, extent store.Extent, windows bool, results *Results) ([]store.Match, error) {
	expression := c.expression()
	if s.mayBeBroad(c, windows) {
		if c.period != (Range{}) {
			expression = "(" + expression + ")" + monthFilter(c.period, extent)
		}
		total, err := s.r.CountMatches(ctx, expression, countLimit+1)
		if err != nil {
			return nil, err
		}
		results.Total, results.Counted = total, total <= countLimit
		if total > broad {
			found, since, err := s.newest(ctx, expression, c.period, extent)
			if err == nil && len(found) >= pool {
				results.Notices = append(results.Notices, fmt.Sprintf(
					"very many messages match; %d of the newest, back to %s, were ranked: narrow by date, sender or conversation to reach the others", len(found), since))
			}
			return found, err
		}
	}
	found, err := s.r.Match(ctx, store.MatchQuery{Expression: expression, Limit: pool, Ranked: true})
	if err != nil || results.Counted {
		return found, err
	}
	results.Total, results.Counted = int64(len(found)), true
	if len(found) == pool {
		if results.Total, err = s.r.CountMatches(ctx, expression, countLimit+1); err != nil {
			return nil, err
		}
		results.Counted = results.Total <= countLimit
	}
	return found, nil
}

// mayBeBroad guesses from how common the terms are whether so much may match
// that it must be counted before it is ranked.
func (s *Searcher) mayBeBroad(c *compiled, windows bool) bool {
	if windows {
		return false // a question's words were chosen to fit
	}
	for _, t := range c.terms {
		if !t.prefix && t.docs <= broad {
			return false
		}
	}
	return true
}

// candidates reads the found messages and leaves out those that are missing,
// outside the exact period, or lack a phrase that the index only seemed to
// find.
func (s *Searcher) candidates(ctx context.Context, c *compiled, found []store.Match) (list []store.Candidate, dropped int, err error) {
	ids := make([]int64, len(found))
	for i, f := range found {
		ids[i] = f.ID
	}
	list, err = s.r.Candidates(ctx, ids)
	if err != nil {
		return nil, 0, err
	}
	kept := slices.DeleteFunc(list, func(x store.Candidate) bool {
		return x.Missing || c.period.Start != nil && x.Sort < *c.period.Start || c.period.End != nil && x.Sort >= *c.period.End
	})
	return kept, len(found) - len(kept), nil
}

// page ranks the candidates and reads the messages of the page.
func (s *Searcher) page(ctx context.Context, q Query, c *compiled, results Results, list []store.Candidate, total int64, windows bool) (Results, error) {
	m := newMatcher(c.terms)
	order, err := newRanker(s, m, total).rank(ctx, list, windows)
	if err != nil {
		return results, err
	}
	if windows {
		order = withinFilters(q, c, q.Has != "" || len(c.filters) > len(q.filters()), order)
	}
	if q.After != nil {
		order = slices.DeleteFunc(order, func(x ranked) bool {
			return x.score > q.After.Score || x.score == q.After.Score && x.ID >= q.After.ID
		})
	}
	if results.More = len(order) > q.Limit; results.More {
		order = order[:q.Limit]
	}
	ids := make([]int64, len(order))
	scores := make(map[int64]float64, len(order))
	for i, x := range order {
		ids[i], scores[x.ID] = x.ID, x.score
	}
	messages, err := s.r.Messages(ctx, ids)
	if err != nil {
		return results, err
	}
	results.Hits = make([]Hit, 0, len(messages))
	for _, message := range messages {
		results.Hits = append(results.Hits, Hit{Message: message, Excerpt: m.excerpt(message.Body), Score: scores[message.ID]})
	}
	return results, nil
}

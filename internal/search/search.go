// Package search finds messages. It owns the query language, the ranking and
// the excerpts, and asks the store; every door gets the same answer from the
// same Search.
package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
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
	Limit        int    // how many hits, 20 when it is not above 0
	After        *Place // the last hit already shown
	// Mode chooses a half of the search; Hybrid, also when empty, is both.
	Mode Mode
}

// Place is a hit's place in the ranking.
type Place struct {
	Score float64
	ID    int64
}

// Mode says which halves of the search took part.
type Mode string

// The modes of a search: by words alone, by meaning alone, by both. The mode
// of results is what took part, which may be less than was asked for.
const (
	Keyword  Mode = "keyword"
	Semantic Mode = "semantic"
	Hybrid   Mode = "hybrid"
)

// Modes lists the modes by name.
func Modes() []string { return []string{string(Hybrid), string(Keyword), string(Semantic)} }

// ParseMode reads a mode's name.
func ParseMode(name string) (Mode, error) {
	if !slices.Contains(Modes(), name) {
		return "", fmt.Errorf("mode %q is not known; use one of %s", name, strings.Join(Modes(), ", "))
	}
	return Mode(name), nil
}

// Half names what found a hit: keyword, semantic or both.
func (m Mode) Half() string {
	if m == Hybrid {
		return "both"
	}
	return string(m)
}

// Results are what was found.
type Results struct {
	Hits []Hit
	// Total is how many messages match, when that was counted to the end.
	Total   int64
	Counted bool
	Mode    Mode
	// WithoutMeaning says why meaning took no part, when it was asked for and
	// could not.
	WithoutMeaning string
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
	// Match says which half found it: Keyword, Semantic or, as Hybrid, both.
	Match Mode
	// Similarity of its meaning to the query's, 0 to 1; 0 also where it was
	// not asked for.
	Similarity float64
	// Why are the scores that Score is made of.
	Why Scores
}

// Scores are what a hit got from the parts of a search; 0 where a part did not
// find it.
type Scores struct {
	Keyword float64 // relative to the best of the query, talk around it and recency included
	// Near is the similarity of the vectors of message and query, with half
	// that of the talk around it.
	Near float64
	// Judged is the similarity that the judge found, talk around it included.
	Judged float64
	// KeywordRank and NearRank are the places among what words found and among
	// what meaning found, from 1; 0 where that half did not find it.
	KeywordRank, NearRank int
}

// Searcher answers queries. It is safe for concurrent use.
type Searcher struct {
	r       *store.Reader
	now     func() time.Time
	meaning *Meaning
	judged  memory

	mu     sync.Mutex
	called nameList
	orders []order
}

// New returns a Searcher over an archive.
func New(r *store.Reader, now func() time.Time) *Searcher { return &Searcher{r: r, now: now} }

// Bounds of the work a query may cause.
const (
	// pool is how many candidates are ranked and can be paged through, and
	// questionPool how many those of a question are, which are ranked with more
	// care; four times as many find no more, also among 200,000 messages.
	pool         = 600
	questionPool = 150
	// newestPool is how many of the newest matches of a broad query are.
	newestPool = 250
	// broad is the number of matches beyond which relevance over all of them
	// costs more than it tells; the newest are ranked instead.
	broad = 3_000
	// countLimit is how far matches are counted.
	countLimit = 10_000
	// questionDocs bounds the matches of a question's words together; its
	// commonest words do not find messages by themselves.
	questionDocs = 12_000
	// usualLimit is how many hits a query gets that asks for no number.
	usualLimit = 20
)

// Search runs a query. An error of type *SyntaxError tells where the text
// cannot be read or asks for what there is not; it comes in a *NameError when
// it is about a name.
func (s *Searcher) Search(ctx context.Context, q Query) (Results, error) {
	results, err := s.search(ctx, q)
	return results, located(err, q.Text)
}

func (s *Searcher) search(ctx context.Context, q Query) (Results, error) {
	root, mended, err := read(q.Text)
	if err != nil {
		return Results{}, err
	}
	if root == nil {
		if strings.TrimSpace(q.Text) == "" {
			return Results{}, faultAt(0, "the query is empty", `write words, "phrases" or a question`)
		}
		return Results{}, faultAt(0, fmt.Sprintf("%q holds no word to look for", q.Text), `write words, "phrases" or a question`)
	}
	if q.Limit <= 0 {
		q.Limit = usualLimit
	}
	asked := isQuestion(root, q.Text)
	p := &pursuit{s: s, q: q, asked: asked, text: meantText(root, q.Text, asked || q.Mode == Semantic), mended: mended}
	defer p.stop()
	if s.meaning != nil && s.meaning.Judge != nil {
		var cancel context.CancelFunc
		p.hurry, cancel = context.WithTimeout(ctx, s.meaning.judgeTime())
		defer cancel()
	}
	key, err := s.orderKey(ctx, q)
	if err != nil {
		return Results{}, err
	}
	if kept, known := s.orderOf(key); known && q.After != nil {
		results := kept.results
		return results, p.page(ctx, newMatcher(kept.terms), kept.list, &results)
	}
	results, err := p.run(ctx, root)
	if word := negated(root, q.Text); word != "" {
		results.Notices = append(results.Notices, fmt.Sprintf("NOT was taken for a word; write -%s to leave out what holds it", word))
	}
	if err == nil && results.More && results.Mode != Keyword {
		p.ranking.key = key
		s.keepOrder(p.ranking)
	}
	return results, err
}

// run searches as the query's mode says.
func (p *pursuit) run(ctx context.Context, root node) (Results, error) {
	if p.q.Mode == Semantic {
		return p.semantic(ctx, root)
	}
	results, found, err := p.try(ctx, p.asked, func(c *compiler) error {
		if p.asked {
			if p.mended != "" {
				c.notice(p.mended)
			}
			return c.question(root)
		}
		return c.compile(root)
	})
	if err != nil || found > 0 {
		return results, err
	}
	first := p.ranking
	loosened, found, err := p.loosen(ctx, root)
	if err != nil || found > 0 {
		return loosened, err
	}
	p.ranking = first
	return results, nil
}

// pursuit is one search under way.
type pursuit struct {
	s      *Searcher
	q      Query
	asked  bool   // it is a question
	text   string // what it means; empty when only its words count
	mended string // what was done to the query so that it can be read
	near   *pending
	hurry  context.Context // ends when the judge has to
	// ranking is what the last reading came to.
	ranking order
}

// try runs one reading of a query and returns the page of hits and how many
// messages the index found for it. windows is for readings that look for any
// of their words: the messages around a match then count as well.
func (p *pursuit) try(ctx context.Context, windows bool, compile func(*compiler) error) (Results, int, error) {
	s := p.s
	c := &compiler{ctx: ctx, s: s, now: s.now(), out: &compiled{}}
	if err := c.arguments(p.q); err != nil {
		return Results{}, 0, err
	}
	if err := compile(c); err != nil {
		return Results{}, 0, err
	}
	if !c.out.missing { // whose vectors are gone
		p.ask(ctx, c.out.scope())
	}
	extent, err := s.r.Extent(ctx)
	if err != nil {
		return Results{}, 0, err
	}
	found, err := s.gather(ctx, c.out, extent, windows)
	if err != nil {
		return Results{}, 0, err
	}
	names, err := s.names(ctx)
	if err != nil {
		return Results{}, 0, err
	}
	results := Results{Total: found.total, Counted: found.counted, Mode: Keyword, Notices: append(c.out.notices, found.notices...)}
	list, err := p.meet(ctx, c.out, found.list, &results)
	if err != nil {
		return Results{}, 0, err
	}
	m := newMatcher(c.out.terms)
	r := newRanker(s.r, names, m, extent.Messages)
	order, err := r.rank(ctx, list, windows)
	if err != nil {
		return Results{}, 0, err
	}
	if !windows {
		r.mentionsFirst(order)
	}
	if windows {
		order = slices.DeleteFunc(order, func(x ranked) bool { return x.neighbour && !x.meant && !c.out.admits(x.Candidate) })
		results.Total = int64(len(order))
		if p.asked {
			favourAnswers(order, cmp.Or(p.text, p.q.Text), answerWeight)
		}
	}
	matched := explained(order)
	if order, err = p.fuse(ctx, r, order, windows, &results); err != nil {
		return Results{}, 0, err
	}
	if windows {
		order = repeatsLast(order)
	}
	p.ranked(order, c.out.terms, results)
	if err := p.page(ctx, m, order, &results); err != nil {
		return Results{}, 0, err
	}
	if !results.More && found.rest != "" {
		results.Notices = append(results.Notices, found.rest)
	}
	return results, matched, nil
}

// explained notes what words make of messages in their order, and their places
// in both halves of the search. It returns how many were found by words.
func explained(order []ranked) (matched int) {
	var near []int
	for i := range order {
		x := &order[i]
		if x.why.Keyword = x.score; x.match() != Semantic {
			matched++
			x.why.KeywordRank = matched
		}
		if order[i].meant {
			near = append(near, i)
		}
	}
	slices.SortStableFunc(near, func(a, b int) int { return cmp.Compare(order[b].why.Near, order[a].why.Near) })
	for rank, i := range near {
		order[i].why.NearRank = rank + 1
	}
	return matched
}

const (
	// repeatWeight is what a message loses in a question when its sender says
	// the same in one that ranks higher.
	repeatWeight = 2.5
	// repeatPool is how many of the best messages are looked through for what
	// is said again: that must not take time from the judge.
	repeatPool = 100
)

// repeatsLast puts what somebody says again behind what is said once: it
// answers a question no better than the first time.
func repeatsLast(order []ranked) []ranked {
	type saying struct {
		sender int64
		fromMe bool
		words  string
	}
	said := make(map[saying]bool, repeatPool)
	for i, x := range order[:min(repeatPool, len(order))] {
		key := saying{x.SenderID, x.FromMe, folded(x.Body)}
		if key.words != "" && said[key] {
			order[i].score -= repeatWeight
		}
		said[key] = true
	}
	sortRanked(order)
	return order
}

// admits reports whether a message that the index did not find meets the
// query's filters as far as that can be told; in doubt it does not.
func (c *compiled) admits(x store.Candidate) bool {
	if c.opaque || c.missing || !c.period.holds(x.Sort) {
		return false
	}
	return !slices.ContainsFunc(c.allows, func(allows func(store.Candidate) bool) bool { return !allows(x) })
}

// page reads the messages of the page that follows the query's place.
func (p *pursuit) page(ctx context.Context, m *matcher, order []ranked, results *Results) error {
	q := p.q
	if q.After != nil {
		order = slices.DeleteFunc(slices.Clone(order), func(x ranked) bool {
			return x.score > q.After.Score || x.score == q.After.Score && x.ID >= q.After.ID
		})
	}
	if results.More = len(order) > q.Limit; results.More {
		order = order[:q.Limit]
	}
	ids := make([]int64, len(order))
	places := make(map[int64]ranked, len(order))
	for i, x := range order {
		ids[i], places[x.ID] = x.ID, x
	}
	messages, err := p.s.r.Messages(ctx, ids)
	if err != nil {
		return err
	}
	results.Hits = make([]Hit, 0, len(messages))
	for _, message := range messages {
		x := places[message.ID]
		results.Hits = append(results.Hits, Hit{Message: message, Excerpt: m.excerpt(message.Body), Score: x.score, Match: x.match(), Similarity: similarity(x.why), Why: x.why})
	}
	return nil
}

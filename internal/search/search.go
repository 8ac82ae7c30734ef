// Package search finds messages. It owns the query language, the ranking and
// the excerpts, and asks the store; every door gets the same answer from the
// same Search.
package search

import (
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
// cannot be read or asks for what there is not.
func (s *Searcher) Search(ctx context.Context, q Query) (Results, error) {
	root, mended, err := read(q.Text)
	if err != nil {
		return Results{}, err
	}
	if root == nil {
		if strings.TrimSpace(q.Text) == "" {
			return Results{}, &SyntaxError{0, "the query is empty", `write words, "phrases" or a question`}
		}
		return Results{}, &SyntaxError{0, fmt.Sprintf("%q holds no word to look for", q.Text), `write words, "phrases" or a question`}
	}
	if q.Limit <= 0 {
		q.Limit = usualLimit
	}
	asked := isQuestion(root, q.Text)
	results, found, err := s.try(ctx, q, asked, func(c *compiler) error {
		if asked {
			if mended != "" {
				c.notice(mended)
			}
			return c.question(root)
		}
		return c.compile(root)
	})
	if err != nil || found > 0 {
		return results, err
	}
	return s.loosen(ctx, q, root, results)
}

// try runs one reading of a query and returns the page of hits and how many
// messages it ranked. windows is for readings that look for any of their
// words: the messages around a match then count as well.
func (s *Searcher) try(ctx context.Context, q Query, windows bool, compile func(*compiler) error) (Results, int, error) {
	c := &compiler{ctx: ctx, s: s, now: s.now(), out: &compiled{}}
	if err := c.arguments(q); err != nil {
		return Results{}, 0, err
	}
	if err := compile(c); err != nil {
		return Results{}, 0, err
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
	m := newMatcher(c.out.terms)
	order, err := newRanker(s.r, names, m, extent.Messages).rank(ctx, found.list, windows)
	if err != nil {
		return Results{}, 0, err
	}
	if windows {
		order = slices.DeleteFunc(order, func(x ranked) bool { return x.neighbour && !c.out.admits(x.Candidate) })
		found.total = int64(len(order))
	}
	results := Results{Total: found.total, Counted: found.counted, Mode: Keyword, Notices: append(c.out.notices, found.notices...)}
	if err := s.page(ctx, q, m, order, &results); err != nil {
		return Results{}, 0, err
	}
	if !results.More && found.rest != "" {
		results.Notices = append(results.Notices, found.rest)
	}
	return results, len(order), nil
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
func (s *Searcher) page(ctx context.Context, q Query, m *matcher, order []ranked, results *Results) error {
	if q.After != nil {
		order = slices.DeleteFunc(slices.Clone(order), func(x ranked) bool {
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
		return err
	}
	results.Hits = make([]Hit, 0, len(messages))
	for _, message := range messages {
		results.Hits = append(results.Hits, Hit{Message: message, Excerpt: m.excerpt(message.Body), Score: scores[message.ID]})
	}
	return nil
}

package search

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// openers begin English questions.
var openers = map[string]bool{
	"who": true, "whom": true, "whose": true, "what": true, "when": true, "where": true, "which": true, "why": true, "how": true,
	"is": true, "are": true, "was": true, "were": true, "do": true, "does": true, "did": true, "has": true, "have": true, "had": true,
	"can": true, "could": true, "will": true, "would": true, "should": true, "may": true, "might": true,
}

// longQuery is how many plain words with stop words among them make a
// sentence rather than a list of search words.
const longQuery = 5

// isQuestion reports whether a query is a sentence in plain words: it ends
// with a question mark, begins like a question, or is long and holds words no
// one would search for.
func isQuestion(root node, text string) bool {
	words := plainWords(root)
	if root == nil || len(words) < 2 {
		return false
	}
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") {
		return true
	}
	stops, meaning := 0, 0
	for _, w := range words {
		if segment.IsStopWord(segment.Fold(w)) {
			stops++
		} else {
			meaning++
		}
	}
	if meaning == 0 {
		return false
	}
	return len(words) > 2 && openers[segment.Fold(words[0])] || len(words) >= longQuery && stops > 0
}

// question compiles a sentence: any of its words that mean something. Filters
// beside them narrow it.
func (c *compiler) question(root node) error {
	for _, f := range filtersOf(root) {
		if err := c.narrow(f); err != nil {
			return err
		}
	}
	var runs, stops []segment.Run
	for _, w := range plainWords(root) {
		for _, r := range runsOf(w) {
			switch {
			case r.Class == segment.Word && (segment.IsStopWord(r.Text) || len(r.Text) == 1):
				stops = append(stops, r)
			default:
				runs = append(runs, r)
			}
		}
	}
	if len(runs) == 0 {
		runs = stops
	}
	for _, r := range runs {
		c.want(r, false)
	}
	if err := c.s.fillDocs(c.ctx, c.out.terms); err != nil {
		return err
	}
	kept := c.fitting(c.out.terms)
	parts := make([]string, 0, len(kept))
	for _, t := range kept {
		switch {
		case t.class == segment.Pairs:
			tokens := phraseTokens([]segment.Run{{Class: t.class, Text: t.word}})
			expr := quote(strings.Join(tokens, " "))
			if len([]rune(t.word)) == 1 {
				expr += " *"
			}
			parts = append(parts, expr)
		default:
			expr, err := c.word(t.word)
			if err != nil {
				return err
			}
			parts = append(parts, expr)
		}
	}
	c.out.text = strings.Join(parts, " OR ")
	return nil
}

// fitting leaves out the commonest words of a question until the rest match
// few enough messages to be ranked. They still count for what is found.
func (c *compiler) fitting(terms []term) []term {
	rarest := slices.Clone(terms)
	slices.SortStableFunc(rarest, func(a, b term) int { return cmp.Compare(a.docs, b.docs) })
	sum := int64(0)
	for i, t := range rarest {
		sum += t.docs
		if i > 0 && sum > questionDocs {
			dropped := []string{}
			for _, d := range rarest[i:] {
				dropped = append(dropped, fmt.Sprintf("%q", d.word))
			}
			c.out.notices = append(c.out.notices, "common words did not choose the messages, only their order: "+strings.Join(dropped, ", "))
			return rarest[:i]
		}
	}
	return rarest
}

// withinFilters drops neighbours that the query's filters exclude; they came
// in through the window of a message, not through the index. Filters that only
// the index can judge exclude them all.
func withinFilters(q Query, c *compiled, indexOnly bool, order []ranked) []ranked {
	return slices.DeleteFunc(order, func(x ranked) bool {
		if !x.neighbour {
			return false
		}
		if indexOnly || c.period.Start != nil && x.Sort < *c.period.Start || c.period.End != nil && x.Sort >= *c.period.End {
			return true
		}
		if !q.FromMe && len(q.Senders) == 0 {
			return false
		}
		mine := q.FromMe && x.FromMe
		theirs := !x.FromMe && slices.Contains(q.Senders, x.SenderID)
		return !mine && !theirs
	})
}

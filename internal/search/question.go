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

const (
	// longQuery is how many plain words with stop words among them make a
	// sentence rather than a list of search words.
	longQuery = 5
	// longRun is how many characters of a script without spaces do so.
	longRun = 5
)

// isQuestion reports whether a query is a sentence: it ends with a question
// mark, begins like a question, or is long and holds words no one would search
// for. Phrases may stand in it.
func isQuestion(root node, text string) bool {
	texts, plain := textsOf(root)
	if !plain || slices.ContainsFunc(texts, func(t textNode) bool { return t.prefix }) {
		return false
	}
	words, stops, size := 0, 0, 0
	for _, t := range texts {
		if t.phrase {
			continue
		}
		words++
		if segment.IsStopWord(segment.Fold(t.text)) {
			stops++
		}
		for _, r := range runsOf(t.text) {
			if r.Class == segment.Pairs {
				size = max(size, len([]rune(r.Text)))
			}
		}
	}
	if words == 0 || words == 1 && size < longRun {
		return false
	}
	if text = strings.TrimSpace(text); strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") {
		return true
	}
	if stops == words {
		return false
	}
	return words > 2 && openers[segment.Fold(texts[0].text)] || words >= longQuery && stops > 0
}

// question compiles a sentence: any of its words that mean something. A
// phrase in it must be found, and the words beside it only rank.
func (c *compiler) question(root node) error {
	if err := c.narrowAll(root); err != nil {
		return err
	}
	texts, _ := textsOf(root)
	var phrases []expr
	var words []string
	for _, t := range texts {
		if !t.phrase {
			words = append(words, t.text)
			continue
		}
		e, err := c.text(t)
		if err != nil {
			return err
		}
		phrases = append(phrases, e)
	}
	var err error
	if c.out.words, err = c.any(words); err == nil && len(phrases) > 0 {
		c.out.words = allOf(phrases, nil)
	}
	return err
}

// sought is a term with the expression that finds it.
type sought struct {
	term
	expr
}

// any compiles words of which any may be found. Stop words count only when
// there is nothing else.
func (c *compiler) any(words []string) (expr, error) {
	var list []sought
	known := map[string]bool{}
	for _, r := range telling(words) {
		if known[r.Text] {
			continue
		}
		known[r.Text] = true
		t, e, err := c.look([]segment.Run{r}, false, false)
		if err != nil {
			return expr{}, err
		}
		c.want(t)
		c.out.names = append(c.out.names, t.named...)
		list = append(list, sought{t, e})
	}
	if len(c.out.names) > 0 && !slices.ContainsFunc(list, func(x sought) bool { return x.docs > 0 }) {
		return tagged(c.out.names...), nil
	}
	return anyOf(c.fitting(list)), nil
}

// telling returns the runs of words that mean something, or of all when none
// does.
func telling(words []string) []segment.Run {
	var runs, stops []segment.Run
	for _, w := range words {
		for _, r := range runsOf(w) {
			if r.Class == segment.Word && (segment.IsStopWord(r.Text) || len(r.Text) == 1) {
				stops = append(stops, r)
			} else {
				runs = append(runs, split(r)...)
			}
		}
	}
	if len(runs) == 0 {
		return stops
	}
	return runs
}

// split takes a long run of a script without spaces apart into its pairs: a
// sentence is not found in one piece, and where its words end is not known.
func split(r segment.Run) []segment.Run {
	if r.Class != segment.Pairs || len([]rune(r.Text)) < longRun {
		return []segment.Run{r}
	}
	pairs := r.Tokens()
	runs := make([]segment.Run, len(pairs)-1)
	for i := range runs {
		runs[i] = segment.Run{Class: segment.Pairs, Text: pairs[i]}
	}
	return runs
}

// fitting leaves out the commonest words of a question until the rest match
// few enough messages to be ranked. They still count for what is found.
func (c *compiler) fitting(list []sought) []expr {
	slices.SortStableFunc(list, func(a, b sought) int { return cmp.Compare(a.docs, b.docs) })
	kept := []expr{}
	sum := int64(0)
	for i, x := range list {
		sum += x.docs
		if i > 0 && sum > questionDocs {
			dropped := []string{}
			for _, d := range list[i:] {
				dropped = append(dropped, fmt.Sprintf("%q", d.first()))
			}
			c.notice("common words did not choose the messages, only their order: " + strings.Join(dropped, ", "))
			break
		}
		kept = append(kept, x.expr)
	}
	return kept
}

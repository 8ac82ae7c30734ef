package search

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

const (
	// longQuery is how many plain words with stop words among them make a
	// sentence rather than a list of search words.
	longQuery = 5
	// longRun is how many characters of a script without spaces do so.
	longRun = 5
	// wordRun is how many such characters may be more than one word.
	wordRun = 3
)

// isQuestion reports whether a query is a sentence: it ends with a question
// mark, holds a word that asks, or is long and holds words no one would search
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
	if endsAsQuestion(text) {
		return true
	}
	if stops == words {
		return false
	}
	return asks(texts) || words >= longQuery && stops > 0
}

// read parses a query. A sentence that ends with a question mark may open a
// quotation and not close it, as in: who sang "Yellow Submarine? Its words
// only rank, so nothing more is found when the mark is left out, which the
// notice says. Anywhere else the fault is the reader's to mend: what stood
// behind the mark might have been a phrase that must be found.
func read(text string) (root node, notice string, err error) {
	root, err = parse(text)
	var fault *SyntaxError
	if !errors.As(err, &fault) || fault.Problem != unclosed || strings.HasSuffix(text[:fault.Position], "-") {
		return root, "", err
	}
	_, mark := utf8.DecodeRuneInString(text[fault.Position:])
	mended, again := parse(text[:fault.Position] + " " + text[fault.Position+mark:])
	if again != nil || len(filtersOf(mended)) > 0 || !endsAsQuestion(text) || !isQuestion(mended, text) {
		return nil, "", err
	}
	return mended, fmt.Sprintf("the quotation mark at position %d is never closed and was left out", fault.Place()), nil
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
		c.out.words, c.out.parts = allOf(phrases, nil), nil
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
	others, err := c.respellings(words)
	if err != nil {
		return expr{}, err
	}
	for _, x := range others {
		c.want(x.term)
		list = append(list, x)
	}
	if len(c.out.names) > 0 && !slices.ContainsFunc(list, func(x sought) bool { return x.docs > 0 }) {
		return tagged(c.out.names...), nil
	}
	return c.fitting(list)
}

// respellings are the other spellings of the words of a question that stand in
// the archive.
func (c *compiler) respellings(words []string) ([]sought, error) {
	var list []sought
	dates := dateSpellings(words)
	for at := 0; at < len(words); {
		n, number, abroad := dialled(words[at:])
		var others []sought
		var err error
		switch {
		case n > 0:
			others, err = c.numbers(number, abroad)
		case dates[at] != nil:
			others, err = c.known(dates[at])
		case !slices.ContainsFunc(runsOf(words[at]), func(r segment.Run) bool { return segment.IsStopWord(r.Text) }):
			others, err = c.spelled(words[at])
		}
		if err != nil {
			return nil, err
		}
		list, at = append(list, others...), at+max(1, n)
	}
	return list, nil
}

// telling returns the runs of words that mean something, or of all when none
// does.
func telling(words []string) []segment.Run {
	var all, runs, stops []segment.Run
	for _, w := range words {
		all = append(all, runsOf(w)...)
	}
	isStopWord := stopWordsOf(all)
	for _, r := range all {
		if r.Class == segment.Word && (isStopWord(r.Text) || len(r.Text) == 1) {
			stops = append(stops, r)
		} else {
			runs = append(runs, split(r)...)
		}
	}
	if len(runs) == 0 {
		return stops
	}
	return runs
}

// split takes a run of a script without spaces apart into its pairs, unless
// it is a word by its length: a sentence is not found in one piece, and where
// its words end is not known.
func split(r segment.Run) []segment.Run {
	if r.Class != segment.Pairs || len([]rune(r.Text)) < wordRun {
		return []segment.Run{r}
	}
	pairs := r.Tokens()
	runs := make([]segment.Run, len(pairs)-1)
	for i := range runs {
		runs[i] = segment.Run{Class: segment.Pairs, Text: pairs[i]}
	}
	return runs
}

// fitting makes the expression of a question from those of its words. The
// rarest words find messages by themselves, as long as all together match few
// enough to be ranked; each of the others only beside another one. All count
// for the order.
func (c *compiler) fitting(list []sought) (expr, error) {
	extent, err := c.s.r.Extent(c.ctx)
	if err != nil {
		return expr{}, err
	}
	slices.SortStableFunc(list, func(a, b sought) int { return cmp.Compare(a.docs, b.docs) })
	kept := 1
	for sum := list[0].docs; kept < len(list) && sum+list[kept].docs <= questionDocs; kept++ {
		sum += list[kept].docs
	}
	parts := make([]expr, 0, len(list))
	for _, x := range list[:kept] {
		parts = append(parts, x.expr)
		c.out.parts = append(c.out.parts, part{x.expr, x.idf(extent.Messages), false})
	}
	most := anyOf(parts).most
	common := list[kept:]
	for i, a := range common {
		for _, b := range common[:i] {
			if len(parts) < kept+maxBeside {
				both := allOf([]expr{a.expr, b.expr}, nil)
				parts = append(parts, both)
				c.out.parts = append(c.out.parts, part{both, a.idf(extent.Messages) + b.idf(extent.Messages), true})
			}
		}
	}
	if len(common) > 0 {
		words := make([]string, len(common))
		for i, x := range common {
			words[i] = fmt.Sprintf("%q", x.first())
		}
		c.notice("common words find messages only beside another word: " + strings.Join(words, ", "))
	}
	e := anyOf(parts)
	e.most = most
	return e, nil
}

// maxBeside bounds how many pairs of common words are looked for.
const maxBeside = 6

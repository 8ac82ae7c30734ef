package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// compiled is a query in the language of the index, with what the ranking and
// the excerpts need to know of it.
type compiled struct {
	text    string   // FTS5 expression of the words; empty when there are none
	filters []string // FTS5 expressions that every hit must meet
	period  Range
	terms   []term   // what is looked for, without what is excluded
	phrases []phrase // to be found word for word
	notices []string
}

// expression joins words and filters.
func (c *compiled) expression() string {
	parts := c.filters
	if c.text != "" {
		parts = append([]string{"(" + c.text + ")"}, parts...)
	}
	return strings.Join(parts, " AND ")
}

// term is one thing looked for in a text.
type term struct {
	class  segment.Class
	word   string // folded
	stem   string // of a Word; else the word
	prefix bool
	docs   int64 // messages that hold it, as far as the index counts
}

// phrase is a sequence of folded tokens.
type phrase []string

// compiler turns a parsed query into a compiled one.
type compiler struct {
	ctx context.Context
	s   *Searcher
	now time.Time
	out *compiled
	// excluded is set while a part after a minus sign is compiled.
	excluded bool
}

func (c *compiler) compile(root node) error {
	expr, err := c.top(root)
	c.out.text = expr
	return err
}

// top compiles the outermost level, where filters narrow the whole query.
func (c *compiler) top(root node) (string, error) {
	var words []node
	for _, kid := range outermost(root) {
		f, ok := kid.(filterNode)
		if !ok {
			words = append(words, kid)
			continue
		}
		if err := c.narrow(f); err != nil {
			return "", err
		}
	}
	if len(words) == 0 {
		return "", nil
	}
	return c.and(words)
}

func (c *compiler) node(n node) (string, error) {
	switch n := n.(type) {
	case andNode:
		expr, err := c.and(n.kids)
		return "(" + expr + ")", err
	case orNode:
		parts := make([]string, 0, len(n.kids))
		for _, kid := range n.kids {
			part, err := c.node(kid)
			if err != nil {
				return "", err
			}
			parts = append(parts, part)
		}
		return "(" + strings.Join(parts, " OR ") + ")", nil
	case notNode:
		return "", fmt.Errorf("query: a part that is only excluded finds nothing; add a word to look for beside it")
	case filterNode:
		return c.tag(n)
	case textNode:
		return c.textNode(n)
	}
	return "", fmt.Errorf("query: unexpected part %T", n)
}

// and joins what must hold and takes off what must not.
func (c *compiler) and(kids []node) (string, error) {
	var wanted, unwanted []string
	for _, kid := range kids {
		if not, isNot := kid.(notNode); isNot {
			part, err := c.without(not.kid)
			if err != nil {
				return "", err
			}
			unwanted = append(unwanted, part)
			continue
		}
		part, err := c.node(kid)
		if err != nil {
			return "", err
		}
		wanted = append(wanted, part)
	}
	if len(wanted) == 0 {
		if len(c.out.filters) == 0 {
			return "", fmt.Errorf("query: it only says what not to find; add a word to look for")
		}
		// The filters become the set that is taken from.
		wanted, c.out.filters = c.out.filters, nil
	}
	expr := strings.Join(wanted, " AND ")
	if len(unwanted) > 0 {
		expr = "(" + expr + ") NOT (" + strings.Join(unwanted, " OR ") + ")"
	}
	return expr, nil
}

// without compiles an excluded part, whose words are neither ranked nor
// highlighted.
func (c *compiler) without(n node) (string, error) {
	was := c.excluded
	c.excluded = true
	defer func() { c.excluded = was }()
	return c.node(n)
}

// textNode compiles a word or phrase. A word that punctuation or a change of
// script divides must be found in one piece.
func (c *compiler) textNode(n textNode) (string, error) {
	var runs []segment.Run
	segment.Runs(n.text, func(r segment.Run) bool { runs = append(runs, r); return true })
	if len(runs) == 1 && !n.phrase {
		return c.run(runs[0], n.prefix)
	}
	tokens := phraseTokens(runs)
	if !c.excluded {
		c.out.phrases = append(c.out.phrases, tokens)
		for _, r := range runs {
			c.want(r, false)
		}
	}
	expr := quote(strings.Join(tokens, " "))
	if n.prefix {
		expr += " *"
	}
	named, err := c.named(func(name string) bool {
		return strings.Contains(" "+name+" ", " "+strings.Join(tokens, " ")+" ")
	})
	return either(expr, named), err
}

// named returns the tags of senders and conversations whose folded name fits:
// their messages are found by the name as if it stood in them.
func (c *compiler) named(fits func(folded string) bool) ([]string, error) {
	names, err := c.s.names(c.ctx)
	if err != nil {
		return nil, err
	}
	var tags []string
	for _, n := range names {
		if len(tags) < maxNamed && fits(n.folded) {
			tags = append(tags, n.tag)
		}
	}
	return tags, nil
}

// maxNamed bounds how many names one word stands for.
const maxNamed = 200

// either joins an expression with the tags that do as well.
func either(expr string, tags []string) string {
	if len(tags) == 0 {
		return expr
	}
	return "(" + expr + " OR " + tagExpression(tags...) + ")"
}

// phraseTokens are the tokens of consecutive runs. The last run of a script
// without spaces gives its pairs only: in the text it may go on.
func phraseTokens(runs []segment.Run) phrase {
	var tokens phrase
	for i, r := range runs {
		t := r.Tokens()
		if i == len(runs)-1 && len(t) > 1 {
			t = t[:len(t)-1]
		}
		tokens = append(tokens, t...)
	}
	return tokens
}

func (c *compiler) want(r segment.Run, prefix bool) {
	if c.excluded {
		return
	}
	stem := r.Text
	if r.Class == segment.Word && !prefix {
		stem = segment.Stem(r.Text)
	}
	c.out.terms = append(c.out.terms, term{class: r.Class, word: r.Text, stem: stem, prefix: prefix})
}

// run compiles a single run of text.
func (c *compiler) run(r segment.Run, prefix bool) (string, error) {
	c.want(r, prefix)
	switch {
	case r.Class == segment.Pairs:
		tokens := phraseTokens([]segment.Run{r})
		expr := quote(strings.Join(tokens, " "))
		if len([]rune(r.Text)) == 1 {
			expr += " *" // the character with whatever follows it
		}
		return expr, nil
	case prefix:
		return c.prefix(r.Text)
	}
	return c.word(r.Text)
}

// word finds every inflection of a word, and the word in a name.
func (c *compiler) word(word string) (string, error) {
	named, err := c.named(func(name string) bool { return strings.Contains(" "+name+" ", " "+word+" ") })
	if err != nil {
		return "", err
	}
	forms, _, err := c.s.inflections(c.ctx, word)
	if err != nil {
		return "", err
	}
	parts := make([]string, len(forms))
	for i, form := range forms {
		parts[i] = quote(form)
	}
	expr := strings.Join(parts, " OR ")
	if len(parts) > 1 {
		expr = "(" + expr + ")"
	}
	return either(expr, named), nil
}

// maxForms bounds how many inflections of a word are looked for.
const maxForms = 40

// inflections returns the words of the archive that have the same stem as
// word, with word itself, and in how many messages they stand.
func (s *Searcher) inflections(ctx context.Context, word string) (forms []string, docs int64, err error) {
	forms = []string{word}
	stem := segment.Stem(word)
	prefix, others := segment.StemPrefix(stem)
	if stem == word && !segment.Inflects(word) {
		counts, err := s.r.TermDocs(ctx, forms)
		return forms, counts[word], err
	}
	add := func(term string, n int64) bool {
		if term == word {
			docs += n
		} else if len(term) <= len(word)+8 && segment.Stem(term) == stem {
			forms, docs = append(forms, term), docs+n
		}
		return len(forms) < maxForms
	}
	if err := s.r.Terms(ctx, prefix, add); err != nil {
		return nil, 0, err
	}
	counts, err := s.r.TermDocs(ctx, others)
	for term, n := range counts {
		add(term, n)
	}
	if !strings.HasPrefix(word, prefix) {
		own, err := s.r.TermDocs(ctx, forms[:1])
		return forms, docs + own[word], err
	}
	return forms, docs, err
}

// Prefix bounds: beyond wideDocs messages a prefix is looked up through its
// wideTerms commonest words instead of all of them.
const (
	wideDocs  = 20_000
	wideTerms = 64
)

func (c *compiler) prefix(prefix string) (string, error) {
	terms, err := c.s.r.PrefixTerms(c.ctx, prefix, wideTerms)
	if err != nil {
		return "", err
	}
	named, err := c.named(func(name string) bool { return strings.Contains(" "+name, " "+prefix) })
	if err != nil {
		return "", err
	}
	if terms.Docs <= wideDocs {
		return either(quote(prefix)+" *", named), nil
	}
	if terms.Words > len(terms.Terms) {
		c.out.notices = append(c.out.notices, fmt.Sprintf("%s* begins %d different words; the %d commonest were searched", prefix, terms.Words, len(terms.Terms)))
	}
	parts := make([]string, len(terms.Terms))
	for i, t := range terms.Terms {
		parts[i] = quote(t)
	}
	return either("("+strings.Join(parts, " OR ")+")", named), nil
}

// quote makes an FTS5 string of tokens; a quotation mark cannot be part of
// one, but the engine's syntax must not depend on that.
func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// narrow applies a filter to the whole query.
func (c *compiler) narrow(f filterNode) error {
	switch f.name {
	case "before", "after", "on":
		return c.narrowTime(f)
	}
	expr, err := c.tag(f)
	if err == nil {
		c.out.filters = append(c.out.filters, expr)
	}
	return err
}

func (c *compiler) narrowTime(f filterNode) error {
	from, to, err := ParsePeriod(f.value, c.now)
	if err != nil {
		return &SyntaxError{f.at, err.Error(), "for example " + f.name + ":2024-03"}
	}
	var r Range
	switch f.name {
	case "before":
		r.End = micros(from)
	case "after":
		// "after:2024" means what came when 2024 was over, "after:7d" the last
		// seven days.
		r.Start = micros(to)
		if to.After(c.now) {
			r.Start = micros(from)
		}
	case "on":
		r.Start, r.End = micros(from), micros(to)
	}
	return c.out.within(r)
}

// within narrows the period of the query.
func (c *compiled) within(r Range) error {
	if r.Start != nil && (c.period.Start == nil || *r.Start > *c.period.Start) {
		c.period.Start = r.Start
	}
	if r.End != nil && (c.period.End == nil || *r.End < *c.period.End) {
		c.period.End = r.End
	}
	if c.period.Start != nil && c.period.End != nil && *c.period.Start >= *c.period.End {
		return fmt.Errorf("query: no time lies in all the periods it asks for; widen one of them")
	}
	return nil
}

// tag compiles a filter to the tags of the index.
func (c *compiler) tag(f filterNode) (string, error) {
	fail := func(err error) (string, error) {
		return "", fmt.Errorf("%s: in the query: %w", f.name, err)
	}
	switch f.name {
	case "from":
		handles, owner, err := Senders(c.ctx, c.s.r, f.value)
		if err != nil {
			return fail(err)
		}
		return sendersTag(handles, owner), nil
	case "in", "with":
		return c.conversationFilter(f)
	case "source":
		source, err := Source(c.ctx, c.s.r, f.value)
		if err != nil {
			return fail(err)
		}
		return sourceTag(source), nil
	case "has":
		return hasTag(f.value)
	case "is":
		return c.isTag(f)
	case "domain":
		return domainExpression(f)
	}
	return "", &SyntaxError{f.at, f.name + ": narrows the whole query and cannot stand inside OR or a parenthesis", "move it outside"}
}

// domainExpression finds the words of a domain one after the other, as they
// stand in an address.
func domainExpression(f filterNode) (string, error) {
	tokens := phraseTokens(runsOf(f.value))
	if len(tokens) == 0 {
		return "", &SyntaxError{f.at, "domain:" + f.value + " is no domain", "write it like domain:example.com"}
	}
	return quote(strings.Join(tokens, " ")), nil
}

func runsOf(text string) (runs []segment.Run) {
	segment.Runs(text, func(r segment.Run) bool { runs = append(runs, r); return true })
	return runs
}

// conversationFilter compiles in: (a conversation) and with: (the direct
// conversations with a person and the groups they are in).
func (c *compiler) conversationFilter(f filterNode) (string, error) {
	if f.name == "in" {
		conversation, err := Conversation(c.ctx, c.s.r, f.value)
		if err != nil {
			return "", fmt.Errorf("in: in the query: %w", err)
		}
		return tagExpression(segment.ConversationTag(conversation.ID)), nil
	}
	handles, _, err := Senders(c.ctx, c.s.r, f.value)
	if err != nil {
		return "", fmt.Errorf("with: in the query: %w", err)
	}
	conversations, err := c.s.r.ConversationsOf(c.ctx, handles)
	if err != nil {
		return "", err
	}
	if len(conversations) == 0 {
		return "", fmt.Errorf("with: in the query: %q takes part in no conversation", f.value)
	}
	tags := make([]string, len(conversations))
	for i, id := range conversations {
		tags[i] = segment.ConversationTag(id)
	}
	return tagExpression(tags...), nil
}

func (c *compiler) isTag(f filterNode) (string, error) {
	switch strings.ToLower(f.value) {
	case "me":
		return tagExpression(segment.OwnerTag), nil
	case "group", "direct":
		return c.chatKind(strings.ToLower(f.value))
	case "edited", "call":
		return tagExpression(segment.KindTag(strings.ToLower(f.value))), nil
	}
	return "", &SyntaxError{f.at, "is:" + f.value + " is not known", "use is:me, is:group, is:direct, is:edited or is:call"}
}

// chatKind finds the messages of direct or of group conversations.
func (c *compiler) chatKind(kind string) (string, error) {
	all, err := c.s.r.ConversationRefs(c.ctx)
	if err != nil {
		return "", err
	}
	var tags []string
	for _, conversation := range all {
		if tag := segment.ChatTag(string(conversation.Source), kind); !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	slices.Sort(tags)
	return tagExpression(tags...), nil
}

// sourceTag finds the messages of a source.
func sourceTag(source msg.Source) string {
	return tagExpression(segment.ChatTag(string(source), msg.Direct.String()), segment.ChatTag(string(source), msg.Group.String()))
}

// Has are the things has: and the has argument know.
var Has = []string{"link", "image", "video", "audio", "file", "reaction", "reply"}

func hasTag(value string) (string, error) {
	value = strings.ToLower(strings.TrimSpace(value))
	for _, known := range Has {
		if value == known {
			return tagExpression(segment.KindTag(known)), nil
		}
	}
	return "", fmt.Errorf("has %q is not known; use one of %s", value, strings.Join(Has, ", "))
}

func sendersTag(handles []int64, owner bool) string {
	var tags []string
	if owner {
		tags = append(tags, segment.OwnerTag)
	}
	for _, h := range handles {
		tags = append(tags, segment.SenderTag(h))
	}
	return tagExpression(tags...)
}

// tagExpression finds messages with at least one of the tags.
func tagExpression(tags ...string) string {
	parts := make([]string, len(tags))
	for i, tag := range tags {
		parts[i] = quote(tag)
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

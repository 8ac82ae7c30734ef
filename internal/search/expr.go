package search

import (
	"math"
	"slices"
	"strings"
)

// expr is an expression of the index with a bound on how many messages it
// finds, which decides how its matches are read and ranked.
type expr struct {
	text string
	most int64
	// joint is set when several things must hold, so that the bound is likely
	// far off.
	joint bool
}

// jointMost is the bound up to which an expression that is joint should find
// no more than anybody reads.
const jointMost = 2 * questionDocs

// few reports whether the expression should find no more than limit messages.
func (e expr) few(limit int) bool {
	return e.most <= int64(limit) || e.joint && e.most <= jointMost
}

// unbounded is the bound of what was not counted.
const unbounded = math.MaxInt64

// quote makes an FTS5 string of tokens; a quotation mark cannot be part of
// one, but the engine's syntax must not depend on that.
func quote(tokens ...string) string {
	return `"` + strings.ReplaceAll(strings.Join(tokens, " "), `"`, `""`) + `"`
}

// anyOf joins expressions of which one must hold.
func anyOf(list []expr) expr {
	if len(list) == 1 {
		return list[0]
	}
	all := expr{joint: true}
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i], all.joint = e.text, all.joint && e.joint
		if all.most += e.most; all.most < 0 {
			all.most = unbounded
		}
	}
	all.text = "(" + strings.Join(parts, " OR ") + ")"
	return all
}

// allOf joins expressions that must all hold, without any of the others.
func allOf(wanted, unwanted []expr) expr {
	all := expr{most: unbounded, joint: len(wanted) > 1}
	parts := make([]string, len(wanted))
	for i, e := range wanted {
		parts[i], all.most = e.text, min(all.most, e.most)
	}
	all.text = strings.Join(parts, " AND ")
	if len(parts) > 1 {
		all.text = "(" + all.text + ")"
	}
	if len(unwanted) > 0 {
		all.text = "(" + all.text + " NOT " + anyOf(unwanted).text + ")"
	}
	return all
}

// tagged finds messages with at least one of the tags.
func tagged(tags ...string) expr {
	slices.Sort(tags)
	parts := make([]string, len(tags))
	for i, tag := range tags {
		parts[i] = quote(tag)
	}
	return expr{text: "(" + strings.Join(parts, " OR ") + ")", most: unbounded}
}

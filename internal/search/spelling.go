package search

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// otherSpellings returns other ways to write a word that is divided by punctuation,
// or a number: wi-fi is wifi, don't is dont, 1,200 is 1200 and 1.200.
func otherSpellings(text string) []string {
	runs := runsOf(text)
	if grouped := otherGroups(text); grouped != "" {
		return []string{grouped}
	}
	if joined := joinedWord(text, runs); joined != "" {
		return []string{joined}
	}
	return nil
}

// maxPieces is of how many pieces a word that is divided by punctuation has at
// most; addresses have more.
const maxPieces = 3

// joinedWord returns in one piece a word that hyphens, apostrophes or dots
// divide, and nothing for all else: numbers side by side would become another
// number.
func joinedWord(text string, runs []segment.Run) string {
	if len(runs) < 2 || len(runs) > maxPieces {
		return ""
	}
	var joined strings.Builder
	for i, r := range runs {
		if r.Class != segment.Word {
			return ""
		}
		if i > 0 {
			if !divides(text[runs[i-1].End:r.Start]) || isNumber(r.Text) && isNumber(runs[i-1].Text) {
				return ""
			}
		}
		joined.WriteString(r.Text)
	}
	return joined.String()
}

func divides(between string) bool {
	switch between {
	case "-", "‐", "‑", "'", "’", "ʼ", ".", "/", "&":
		return true
	}
	return false
}

func isNumber(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

var (
	grouped   = regexp.MustCompile(`^\d{1,3}([.,'’]\d{3})+$`)
	ungrouped = regexp.MustCompile(`^[1-9]\d{3,8}$`)
	decimals  = regexp.MustCompile(`^(.*)([.,]\d{1,2})$`)
)

// otherGroups writes a number with groups of thousands without them, and one
// without them with them; decimals stay.
func otherGroups(text string) string {
	text = strings.TrimFunc(text, func(r rune) bool { return !unicode.IsDigit(r) && !unicode.IsLetter(r) })
	rest := ""
	if parts := decimals.FindStringSubmatch(text); parts != nil {
		text, rest = parts[1], parts[2]
	}
	switch {
	case grouped.MatchString(text):
		return strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, text) + rest
	case ungrouped.MatchString(text):
		for at := len(text) - 3; at > 0; at -= 3 {
			text = text[:at] + "." + text[at:]
		}
		return text + rest
	}
	return ""
}

// Telephone numbers have so many digits (E.164), written in at most so many
// groups.
const (
	maxDigits = 15
	maxGroups = 6
)

// dialled returns how many of the words make a telephone number together, as
// people write it in groups, with its digits; 0 when the first is none.
func dialled(words []string) (n int, number string, abroad bool) {
	for _, word := range words {
		group := strings.Map(func(r rune) rune {
			if strings.ContainsRune("+-–./\u00a0\u2011", r) {
				return -1
			}
			return r
		}, strings.TrimRight(word, "?!,;:？"))
		if !isNumber(group) || len(number)+len(group) > maxDigits {
			break
		}
		if n == 0 {
			abroad = strings.HasPrefix(word, "+") || strings.HasPrefix(group, "00")
		}
		n, number = n+1, number+group
	}
	if len(number) < minDigits {
		return 0, "", false
	}
	return n, strings.TrimPrefix(number, "00"), abroad
}

const (
	// maxDialled bounds in how many ways a telephone number is looked for.
	maxDialled = 100
	// maxNumbers bounds how many numbers of a query are, each of which takes
	// some milliseconds; further ones are looked for as they are typed.
	maxNumbers = 4
)

// numbers compiles a telephone number to what finds it in other groups than
// those it was typed in, or with or without the country's code. Only groups
// that the archive has are tried.
func (c *compiler) numbers(number string, abroad bool) ([]sought, error) {
	if c.dialled++; c.dialled > maxNumbers {
		return nil, nil
	}
	full := []string{number}
	switch {
	case abroad:
		for code := 1; code <= 3 && len(number)-code >= minDigits; code++ {
			full = append(full, number[code:], "0"+number[code:])
		}
	case number[0] == '0':
		full = append(full, number[1:])
	}
	ways, err := c.groups(full)
	if err != nil {
		return nil, err
	}
	if !abroad {
		national := strings.TrimPrefix(number, "0")
		for _, code := range countryCodes() {
			ways = append(ways, []string{code + national})
		}
	}
	var list []sought
	for _, groups := range ways {
		if len(list) == maxDialled {
			break
		}
		runs := make([]segment.Run, len(groups))
		for i, group := range groups {
			runs[i] = segment.Run{Class: segment.Word, Text: group}
		}
		t, e, err := c.look(runs, true, false)
		if err != nil {
			return nil, err
		}
		if list, err = c.standing(list, sought{t, e}); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// standing appends what stands in a message or a name.
func (c *compiler) standing(list []sought, x sought) ([]sought, error) {
	if len(x.named) == 0 {
		if x.docs == 0 {
			return list, nil
		}
		if len(x.runs) > 1 { // that all of its words stand somewhere says little
			found, err := c.s.r.Matches(c.ctx, store.MatchQuery{Expression: x.text, Missing: c.out.missing, Limit: 1})
			if err != nil || len(found) == 0 {
				return list, err
			}
		}
	}
	return append(list, x), nil
}

// countryCodes are the codes of one and two digits.
func countryCodes() []string {
	codes := []string{"1", "7"}
	for a := '2'; a <= '9'; a++ {
		for b := '0'; b <= '9'; b++ {
			codes = append(codes, string([]rune{a, b}))
		}
	}
	return codes
}

// groups returns the ways to write numbers in groups that all stand in the
// archive, fewer groups first. None but the first has a single digit.
func (c *compiler) groups(numbers []string) ([][]string, error) {
	known := map[string]bool{}
	for _, number := range numbers {
		for from := range number {
			for to := from + 1; to <= len(number); to++ {
				known[number[from:to]] = false
			}
		}
	}
	names, err := c.s.names(c.ctx)
	if err != nil {
		return nil, err
	}
	list := make([]string, 0, len(known))
	for group := range known {
		list = append(list, group)
	}
	docs, err := c.s.r.TermDocs(c.ctx, list)
	if err != nil {
		return nil, err
	}
	for group := range known {
		known[group] = docs[group] > 0 || len(names.words[group]) > 0
	}
	var ways [][]string
	seen := map[string]bool{}
	var split func(groups []string, rest string, most int)
	split = func(groups []string, rest string, most int) {
		if rest == "" {
			if key := strings.Join(groups, " "); !seen[key] {
				seen[key] = true
				ways = append(ways, slices.Clone(groups))
			}
			return
		}
		if len(groups) == most || len(ways) >= maxDialled {
			return
		}
		for n := len(rest); n > 0; n-- {
			if (n > 1 || len(groups) == 0) && known[rest[:n]] {
				split(append(groups, rest[:n]), rest[n:], most)
			}
		}
	}
	for most := 1; most <= maxGroups; most++ {
		for _, number := range numbers {
			split(nil, number, most)
		}
	}
	return ways, nil
}

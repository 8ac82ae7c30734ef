package search

import (
	"regexp"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// monthForms are the English months with what they are shortened to.
var monthForms = [...][]string{
	{"january", "jan"}, {"february", "feb"}, {"march", "mar"}, {"april", "apr"}, {"may"}, {"june", "jun"}, {"july", "jul"}, {"august", "aug"},
	{"september", "sept", "sep"}, {"october", "oct"}, {"november", "nov"}, {"december", "dec"},
}

var dayOfMonth = regexp.MustCompile(`^([1-9]|[12]\d|3[01])(st|nd|rd|th)?$`)

// dateSpellings returns, by their places, other ways to write the words that
// are a day beside the name of its month: march 3 is 3rd of March and Mar 3.
func dateSpellings(words []string) map[int][]string {
	forms := make([]string, len(words))
	for i, w := range words {
		forms[i] = segment.Fold(w)
	}
	others := map[int][]string{}
	for i, form := range forms {
		at := slices.IndexFunc(monthForms[:], func(names []string) bool { return slices.Contains(names, form) })
		if at < 0 {
			continue
		}
		day := dayBeside(forms, i)
		if day < 0 {
			continue
		}
		others[day] = []string{otherDay(forms[day])}
		for _, name := range monthForms[at] {
			if name != form {
				others[i] = append(others[i], name)
			}
		}
	}
	return others
}

// dayBeside returns the place of the day that belongs to the month at i, or -1.
func dayBeside(words []string, i int) int {
	before := i - 1
	for before > 0 && (words[before] == "of" || words[before] == "the") {
		before--
	}
	after := i + 1
	if after < len(words)-1 && words[after] == "the" {
		after++
	}
	for _, at := range []int{before, after} {
		if at >= 0 && at < len(words) && dayOfMonth.MatchString(words[at]) {
			return at
		}
	}
	return -1
}

// otherDay gives a day its ordinal ending, or takes it away.
func otherDay(day string) string {
	parts := dayOfMonth.FindStringSubmatch(day)
	number, ending := parts[1], parts[2]
	switch last := number[len(number)-1]; {
	case ending != "":
		return number
	case number == "11", number == "12", number == "13":
		return number + "th"
	case last == '1':
		return number + "st"
	case last == '2':
		return number + "nd"
	case last == '3':
		return number + "rd"
	}
	return number + "th"
}

package spam

import (
	"slices"
	"sort"
	"time"
)

// Window is how many contacts fall into twelve months. Dates are readings of
// the clock that Counts names.
type Window struct {
	Contacts int `json:"contacts"`
	// First and Last are the first and last contact counted, empty without
	// any.
	First string `json:"first,omitempty"`
	Last  string `json:"last,omitempty"`
	// Ends is when the twelve months that began with First were over; the
	// moment itself is no longer inside.
	Ends string `json:"ends,omitempty"`
}

const readingLayout = "2006-01-02 15:04:05"

// twelveMonths returns when the twelve calendar months that begin with a
// contact are over. It is always computed forwards.
func twelveMonths(from time.Time) time.Time { return from.AddDate(1, 0, 0) }

// trailing counts the contacts whose twelve months are not over at asOf.
func trailing(contacts []time.Time, asOf time.Time) Window {
	var inside []time.Time
	for _, c := range contacts {
		if !c.After(asOf) && twelveMonths(c).After(asOf) {
			inside = append(inside, c)
		}
	}
	return windowOf(inside)
}

// worst finds the twelve months with the most contacts, the earliest of equal
// ones. contacts is sorted.
func worst(contacts []time.Time) Window {
	from, most := 0, 0
	for i, c := range contacts {
		if n := endOf(contacts, twelveMonths(c)) - i; n > most {
			from, most = i, n
		}
	}
	return windowOf(contacts[from : from+most])
}

// endOf returns how many contacts came before a moment.
func endOf(contacts []time.Time, moment time.Time) int {
	return sort.Search(len(contacts), func(i int) bool { return !contacts[i].Before(moment) })
}

func windowOf(inside []time.Time) Window {
	if len(inside) == 0 {
		return Window{}
	}
	first, last := slices.MinFunc(inside, time.Time.Compare), slices.MaxFunc(inside, time.Time.Compare)
	return Window{len(inside), first.Format(readingLayout), last.Format(readingLayout), twelveMonths(first).Format(readingLayout)}
}

// nearBoundary counts the contacts whose twelve months end within a day of
// another contact: a clock that was wrong, or another zone, would change the
// figures there.
func nearBoundary(contacts []time.Time) int {
	n := 0
	for _, c := range contacts {
		over := twelveMonths(c)
		if endOf(contacts, over.Add(24*time.Hour+1)) > endOf(contacts, over.Add(-24*time.Hour)) {
			n++
		}
	}
	return n
}

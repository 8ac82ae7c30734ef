package whatsapp

import (
	"slices"
	"time"
)

// orderEvidence collects what the dates of one file say about the order of
// their numbers. Dates that begin with a four-digit year say nothing.
type orderEvidence struct {
	dates int64
	// Per order: how many dates exist in it, how many have an odd year in it,
	// how often the day before is later in it, and that day.
	valid, odd, backward [orders]int64
	lastDay              [orders]int64
	// What phones of different countries do differently.
	zeroPadded, upper, asian bool
	separator                byte
	half                     bool
}

func (e *orderEvidence) add(h *header, moments *[orders]int64, valid [orders]bool, now time.Time) {
	if e.dates == 0 {
		e.separator = h.separator
	}
	e.dates++
	e.zeroPadded = e.zeroPadded || h.zeroPadded
	e.upper = e.upper || h.upper
	e.asian = e.asian || h.asian
	e.half = e.half || h.half
	for o := range orders {
		if !valid[o] {
			continue
		}
		day := moments[o] / dayMicros
		if day < e.lastDay[o] && e.valid[o] > 0 {
			e.backward[o]++
		}
		e.lastDay[o] = day
		e.valid[o]++
		if h.oddYear(o, now) {
			e.odd[o]++
		}
	}
}

const dayMicros = 86400 * 1e6

// basis says what a decision rests on.
type basis uint8

const (
	noDates  basis = iota // nothing to decide
	byValues              // one order alone makes days of all numbers
	byOrder               // one order alone puts the messages in sequence
	byHabit               // a guess from how the dates are written
)

// decide picks the order of the whole file.
func (e *orderEvidence) decide() (order, basis) {
	if e.dates == 0 {
		return dayFirst, noDates
	}
	left := keepBest([]order{dayFirst, monthFirst, shortFirst}, func(o order) int64 { return -e.valid[o] })
	if len(left) == 1 {
		return left[0], byValues
	}
	left = keepBest(left, func(o order) int64 { return e.odd[o] })
	if left = e.weighShort(left); len(left) == 1 {
		return left[0], byValues
	}
	left = keepBest(left, func(o order) int64 { return e.backward[o] })
	if len(left) == 1 {
		return left[0], byOrder
	}
	guess := e.habit()
	for _, o := range left {
		if o == guess {
			return guess, byHabit
		}
	}
	return left[0], byHabit
}

// weighShort drops the order with a two-digit year in front, or all others,
// unless the sequence of messages says otherwise: apart from East Asia next to
// nobody writes a two-digit year first.
func (e *orderEvidence) weighShort(left []order) []order {
	at := slices.Index(left, shortFirst)
	if at < 0 || len(left) == 1 {
		return left
	}
	others := slices.Delete(slices.Clone(left), at, at+1)
	best := e.backward[others[0]]
	for _, o := range others[1:] {
		best = min(best, e.backward[o])
	}
	switch {
	case e.asian && e.backward[shortFirst] <= best:
		return []order{shortFirst}
	case best <= e.backward[shortFirst]:
		return others
	}
	return left
}

// keepBest returns those with the least cost.
func keepBest(from []order, cost func(order) int64) []order {
	best := cost(from[0])
	for _, o := range from[1:] {
		best = min(best, cost(o))
	}
	var left []order
	for _, o := range from {
		if cost(o) == best {
			left = append(left, o)
		}
	}
	return left
}

// habit guesses the order from the country that writes dates like these: the
// month comes first, without leading zeros and with AM and PM in capitals, in
// the United States.
func (e *orderEvidence) habit() order {
	if e.separator == '/' && e.half && e.upper && !e.zeroPadded {
		return monthFirst
	}
	return dayFirst
}

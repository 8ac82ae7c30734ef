package web

import (
	"strconv"

	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/wording"
)

// chartView is bars over time. Its units are those of the picture's own
// coordinates: one bar is chartStep wide, the tallest chartHeight high.
type chartView struct {
	Width, Height int
	// Few is set for so few bars that the whole width would make slabs of them.
	Few         bool
	Bars        []barView
	First, Last string
	Summary     string
}

type barView struct {
	X, Y, Height int
	Label        string
}

const (
	chartStep   = 10
	chartHeight = 100
	// mostBars is how many months are drawn one by one; longer stretches are
	// drawn by the year.
	mostBars = 180
	// fewBars are drawn on half the width.
	fewBars = 10
)

// chartOf draws months, those without messages too. It is nil when there is
// nothing to draw.
func chartOf(months []store.MonthCount) *chartView {
	if len(months) == 0 {
		return nil
	}
	first, last := months[0].Month, months[len(months)-1].Month
	step := store.Month(1)
	if last-first >= mostBars {
		step = 12
		first -= first % 12
	}
	sums := make([]int64, (last-first)/step+1)
	if len(sums) > mostBars {
		sums = sums[len(sums)-mostBars:]
		first = last - store.Month(mostBars-1)*step
	}
	most, total := int64(1), int64(0)
	for _, m := range months {
		if m.Month < first {
			continue
		}
		at := (m.Month - first) / step
		sums[at] += m.Messages
		most, total = max(most, sums[at]), total+m.Messages
	}
	view := &chartView{Width: len(sums) * chartStep, Few: len(sums) <= fewBars, Height: chartHeight, First: monthName(months[0].Month), Last: monthName(last)}
	for i, n := range sums {
		if n == 0 {
			continue
		}
		height := max(1, int(n*chartHeight/most))
		month := first + store.Month(i)*step
		label := monthName(month)
		if step == 12 {
			label = strconv.Itoa(month.Year())
		}
		view.Bars = append(view.Bars, barView{i * chartStep, chartHeight - height, height, label + ": " + wording.Count(n)})
	}
	view.Summary = wording.Plural(total, "message", "messages") + " from " + view.First + " to " + view.Last +
		"; at most " + wording.Count(most) + map[store.Month]string{1: " in a month", 12: " in a year"}[step]
	return view
}

package web

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// calendarView is a year of a conversation, a square for each day.
type calendarView struct {
	Conversation conversationView
	Year         int
	Years        []yearLink
	Months       []calendarMonth
	Total        int64
}

type yearLink struct {
	Year    int
	Href    string
	Current bool
}

type calendarMonth struct {
	Name   string
	Number int
	// Days begin with empty ones up to the first day's weekday, Monday first.
	Days []calendarDay
}

type calendarDay struct {
	Number int
	Count  int64
	Level  int // 0 for none to 4 for most
	Href   string
	Name   string
}

// calendar is the page to jump to a day from.
func (s *site) calendar(r *http.Request) (answer, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return answer{}, err
	}
	ctx, p := r.Context(), paramsOf(r)
	c, err := s.r.Conversation(ctx, id)
	if err != nil {
		return answer{}, err
	}
	year, err := p.year("year")
	if err != nil {
		return answer{}, err
	}
	months, err := s.r.ConversationMonths(ctx, id)
	if err != nil {
		return answer{}, err
	}
	if year == 0 {
		year = time.UnixMicro(c.Last).UTC().Year()
	}
	first := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	days, err := s.r.DayCounts(ctx, id, first.UnixMicro(), first.AddDate(1, 0, 0).UnixMicro())
	if err != nil {
		return answer{}, err
	}
	view := calendarView{Conversation: conversationOf(c), Year: year, Years: yearsOf(id, year, months), Months: monthsOf(id, first, days)}
	for _, d := range days {
		view.Total += d.Messages
	}
	return answer{page: "calendar", nav: "conversations", title: view.Conversation.Name + ", " + strconv.Itoa(year), data: view}, nil
}

func yearsOf(conversation int64, current int, months []store.MonthCount) []yearLink {
	var years []yearLink
	for _, m := range months {
		year := m.Month.Year()
		if len(years) == 0 || years[len(years)-1].Year != year {
			years = append(years, yearLink{year, conversationPath(conversation) + "/calendar?year=" + strconv.Itoa(year), year == current})
		}
	}
	return years
}

func monthsOf(conversation int64, first time.Time, days []store.DayCount) []calendarMonth {
	counts := map[int64]int64{}
	most := int64(1)
	for _, d := range days {
		counts[d.Day], most = d.Messages, max(most, d.Messages)
	}
	months := make([]calendarMonth, 12)
	for i := range months {
		begin := first.AddDate(0, i, 0)
		days := make([]calendarDay, (int(begin.Weekday())+6)%7)
		for day := begin; day.Month() == begin.Month(); day = day.AddDate(0, 0, 1) {
			d := calendarDay{Number: day.Day(), Count: counts[store.DayOf(day.UnixMicro())], Name: day.Format("2 January")}
			if d.Count > 0 {
				d.Level = densityOf(d.Count, most)
				d.Href = conversationPath(conversation) + "?date=" + day.Format(time.DateOnly)
			}
			days = append(days, d)
		}
		months[i] = calendarMonth{begin.Format("January"), i + 1, slices.Clip(days)}
	}
	return months
}

// densityOf sorts days into four levels; each holds up to three times as many
// messages as the one below, down from the fullest day.
func densityOf(n, most int64) int {
	level := 4
	for bound := most / 3; level > 1 && n <= bound; bound /= 3 {
		level--
	}
	return level
}

package spam

import "time"

// federalHolidays returns the days of a year that 5 U.S.C. 6103 makes
// holidays, as they are observed: one that falls on a Saturday on the Friday
// before, one on a Sunday on the Monday after. A New Year's Day that falls on
// a Saturday is observed in the year before and listed there.
func federalHolidays(year int) []time.Time {
	day := func(month time.Month, d int) time.Time { return time.Date(year, month, d, 0, 0, 0, 0, time.UTC) }
	list := []time.Time{
		observed(day(time.January, 1)),
		nthWeekday(year, time.January, time.Monday, 3),                // Birthday of Martin Luther King, Jr.
		nthWeekday(year, time.February, time.Monday, 3),               // Washington's Birthday
		nthWeekday(year, time.June, time.Monday, 1).AddDate(0, 0, -7), // Memorial Day, the last Monday of May
		observed(day(time.July, 4)),
		nthWeekday(year, time.September, time.Monday, 1),  // Labor Day
		nthWeekday(year, time.October, time.Monday, 2),    // Columbus Day
		observed(day(time.November, 11)),                  // Veterans Day
		nthWeekday(year, time.November, time.Thursday, 4), // Thanksgiving Day
		observed(day(time.December, 25)),
		observed(time.Date(year+1, time.January, 1, 0, 0, 0, 0, time.UTC)),
	}
	if year >= 2021 { // Public Law 117-17
		list = append(list, observed(day(time.June, 19)))
	}
	return list
}

func observed(day time.Time) time.Time {
	switch day.Weekday() {
	case time.Saturday:
		return day.AddDate(0, 0, -1)
	case time.Sunday:
		return day.AddDate(0, 0, 1)
	}
	return day
}

// nthWeekday returns the n-th given weekday of a month.
func nthWeekday(year int, month time.Month, weekday time.Weekday, n int) time.Time {
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	ahead := (int(weekday) - int(first.Weekday()) + 7) % 7
	return first.AddDate(0, 0, ahead+7*(n-1))
}

func isBusinessDay(day time.Time) bool {
	if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
		return false
	}
	for _, holiday := range federalHolidays(day.Year()) {
		if holiday.Equal(day) {
			return false
		}
	}
	return true
}

// businessDaysAfter returns the n-th business day after a day, which itself
// is not counted.
func businessDaysAfter(day time.Time, n int) time.Time {
	for n > 0 {
		day = day.AddDate(0, 0, 1)
		if isBusinessDay(day) {
			n--
		}
	}
	return day
}

// dayOf returns the day of a reading.
func dayOf(reading time.Time) time.Time {
	return time.Date(reading.Year(), reading.Month(), reading.Day(), 0, 0, 0, 0, time.UTC)
}

package spam

import (
	"slices"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// registryDays is how long a number must be on the do-not-call registry:
// callers may work with a copy of it that is 31 days old (47 CFR
// 64.1200(c)(2)(i)(D)).
const registryDays = 31

// byLine counts contacts by the owner's line.
func (k *counting) byLine() []LineCount {
	byLine := map[string][]time.Time{}
	for _, x := range k.contacts {
		byLine[x.OwnerLine] = append(byLine[x.OwnerLine], x.at)
	}
	list := []LineCount{}
	for _, line := range sortedKeys(byLine) {
		times := byLine[line]
		slices.SortFunc(times, time.Time.Compare)
		count := LineCount{Line: line, Contacts: len(times), Worst: worst(times)}
		for _, l := range k.q.Settings.Lines {
			if SameIdentifier(l.Number, line) {
				count.Registry = onRegistry(l.RegisteredOn, times)
			}
		}
		list = append(list, count)
	}
	return list
}

// onRegistry counts contacts of a line that was registered on a day; nil when
// that is not known.
func onRegistry(day string, contacts []time.Time) *RegistryCount {
	on, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return nil
	}
	count := &RegistryCount{Registered: day}
	from := on.AddDate(0, 0, registryDays)
	for _, at := range contacts {
		switch dayOf(at).Compare(from) {
		case 0:
			count.Boundary++
			count.Eligible++
		case 1:
			count.Eligible++
		}
	}
	return count
}

// The hours of the day outside which solicitations are not to come, by 47 CFR
// 64.1200(c)(1): before 8 and after 21 o'clock where the called person is.
const (
	quietUntil = 8 * time.Hour
	quietFrom  = 21 * time.Hour
)

// sentGap is how far sending and receiving must lie apart to be mentioned.
const sentGap = int64(10 * time.Minute / time.Microsecond)

// quietHours counts contacts in quiet hours where the owner said to be.
func quietHours(contacts []contact, q Question) QuietHours {
	if len(q.Settings.Places) == 0 {
		return QuietHours{Why: "not computed: you declared no place (spam.places)"}
	}
	places := slices.SortedStableFunc(slices.Values(q.Settings.Places), func(a, b Place) int {
		if a.From < b.From {
			return -1
		}
		return 1
	})
	zones := make([]*time.Location, len(places))
	for i, p := range places {
		zone, err := time.LoadLocation(p.Zone)
		if err != nil {
			return QuietHours{Why: "not computed: the zone " + p.Zone + " is not known here"}
		}
		zones[i] = zone
	}
	quiet := &QuietCounts{}
	for _, x := range contacts {
		if x.SentAt != 0 && abs(x.Sort-x.SentAt) > sentGap {
			quiet.Gaps++
		}
		at, ok := whereOwnerWas(x, places, zones)
		switch clock := at.Sub(dayOf(at)); {
		case !ok:
			quiet.Unplaced++
		case clock < quietUntil || clock > quietFrom:
			quiet.Outside++
		}
	}
	return QuietHours{Computed: true, Counts: quiet}
}

// whereOwnerWas returns the reading of a clock at the owner's place when a
// contact was sent or, if that is not known, came in. A reading of an
// undeclared wall clock is taken for that of the place.
func whereOwnerWas(x contact, places []Place, zones []*time.Location) (time.Time, bool) {
	for i := len(places) - 1; i >= 0; i-- {
		at := x.at
		if x.Clock == record.Instants {
			instant := x.Sort
			if x.SentAt != 0 {
				instant = x.SentAt
			}
			at = asReading(time.UnixMicro(instant).In(zones[i]))
		}
		if at.Format(time.DateOnly) >= places[i].From {
			return at, true
		}
	}
	return time.Time{}, false
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

package imessage

import (
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// text is what lines are held in: bytes while a file is split, strings once a
// record is whole.
type text interface{ ~string | ~[]byte }

// clockLen is the length of "May 17, 2022  5:29:42 PM". Every field has a
// fixed width; the hour is padded with a space.
const clockLen = 24

// parseClock reads the date at the beginning of s. A date with another
// padding, an unknown month or a day the month does not have is none.
func parseClock[T text](s T) (time.Time, bool) {
	if len(s) < clockLen || s[3] != ' ' || s[6] != ',' || s[7] != ' ' || s[12] != ' ' || s[21] != ' ' {
		return time.Time{}, false
	}
	month := monthOf(s)
	day, dayOK := twoDigits(s, 4)
	century, centuryOK := twoDigits(s, 8)
	years, yearsOK := twoDigits(s, 10)
	clock, clockOK := parseTimeOfDay(s[13:clockLen])
	if month == 0 || !dayOK || !centuryOK || !yearsOK || !clockOK {
		return time.Time{}, false
	}
	midnight := time.Date(century*100+years, month, day, 0, 0, 0, 0, time.UTC)
	if midnight.Day() != day || day == 0 {
		return time.Time{}, false
	}
	return midnight.Add(clock), true
}

// isCutClock says whether s is a date that is cut off.
func isCutClock(s []byte) bool {
	const any = "Jan 01, 2000 12:00:00 AM"
	if len(s) == 0 || len(s) >= clockLen {
		return false
	}
	whole := [clockLen]byte([]byte(any))
	copy(whole[:], s)
	if len(s) < 3 {
		at := strings.Index(monthNames, string(s))
		return at >= 0 && at%3 == 0
	}
	_, ok := parseClock(whole[:])
	return ok
}

// parseTimeOfDay reads " 5:29:42 PM", eleven bytes, as the time since
// midnight.
func parseTimeOfDay[T text](s T) (time.Duration, bool) {
	if len(s) != 11 || s[2] != ':' || s[5] != ':' || s[8] != ' ' || s[10] != 'M' || s[9] != 'A' && s[9] != 'P' {
		return 0, false
	}
	hour, hourOK := int(s[1]-'0'), s[0] == ' ' && s[1] >= '1' && s[1] <= '9'
	if !hourOK {
		hour, hourOK = twoDigits(s, 0)
		hourOK = hourOK && hour >= 10 && hour <= 12
	}
	minute, minuteOK := twoDigits(s, 3)
	second, secondOK := twoDigits(s, 6)
	if !hourOK || !minuteOK || !secondOK || minute > 59 || second > 60 {
		return 0, false
	}
	hour %= 12
	if s[9] == 'P' {
		hour += 12
	}
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second, true
}

func twoDigits[T text](s T, at int) (int, bool) {
	tens, ones := s[at]-'0', s[at+1]-'0'
	return int(tens)*10 + int(ones), tens <= 9 && ones <= 9
}

const monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec"

func monthOf[T text](s T) time.Month {
	for i := 0; i < len(monthNames); i += 3 {
		if s[0] == monthNames[i] && s[1] == monthNames[i+1] && s[2] == monthNames[i+2] {
			return time.Month(i/3 + 1)
		}
	}
	return 0
}

// The database stores no date as zero, which is the first second of 2001 in
// UTC, and the exporter shows it in local time: up to twelve hours before or
// fourteen after. Old databases that count seconds come out the same way.
var (
	nullFirst = time.Date(2000, 12, 31, 12, 0, 0, 0, time.UTC)
	nullLast  = time.Date(2001, 1, 1, 14, 0, 0, 0, time.UTC)
)

func isNullDate(t time.Time) bool { return !t.Before(nullFirst) && !t.After(nullLast) }

// wall is the time of a record whose date line began with raw.
func wall(t time.Time, raw string) msg.Time {
	w := msg.WallTime(t, msg.Second, raw)
	w.Known = !isNullDate(t)
	return w
}

// Package wording writes numbers, sizes and durations for people, the same in
// every door.
package wording

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Count writes a number with thousands separators: "12,345".
func Count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Plural writes a number of things: "1 message", "12,345 messages".
func Plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// Size writes a number of bytes: "999 B", "1.2 MB", "340 GB".
func Size(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	value := float64(n)
	for _, unit := range []string{"kB", "MB", "GB", "TB", "PB", "EB"} {
		value /= 1000
		switch {
		case value < 9.95:
			return strconv.FormatFloat(value, 'f', 1, 64) + " " + unit
		case value < 999.5:
			return strconv.FormatFloat(value, 'f', 0, 64) + " " + unit
		}
	}
	return strconv.FormatFloat(value, 'f', 0, 64) + " EB"
}

// Span writes a duration: "0.4 s", "12 s", "3 min 05 s", "2 h 10 min".
func Span(d time.Duration) string {
	if d < 9950*time.Millisecond {
		return strconv.FormatFloat(max(0, d.Seconds()), 'f', 1, 64) + " s"
	}
	seconds := int64(math.Round(d.Seconds()))
	switch {
	case seconds < 60:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%d min %02d s", seconds/60, seconds%60)
	default:
		minutes := (seconds + 30) / 60
		return fmt.Sprintf("%s h %02d min", Count(minutes/60), minutes%60)
	}
}

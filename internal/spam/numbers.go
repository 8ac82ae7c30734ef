package spam

import (
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// maxNumbers bounds what is kept of one body.
const maxNumbers = 50

// findNumbers returns the telephone numbers a text asks to call or write to,
// in E.164, and the short codes, sorted, each once. Numbers without a country
// code are read as in the country of the sender; spans are stretches, such as
// links, that hold none.
func findNumbers(text, sender string, spans []span) []string {
	if countDigits(text) < 3 {
		return nil
	}
	region := regionOf(sender)
	var list []string
	for i := 0; i < len(text) && len(list) < maxNumbers; {
		if end := inSpan(i, spans); end > 0 {
			i = end
			continue
		}
		if !startsNumber(text, i) {
			i++
			continue
		}
		written, groups := readNumber(text[i:])
		if isShortCode(written) { // never to be parsed: it would become a number
			if asksFor(text[:i]) {
				list = append(list, written)
			}
		} else if number := numberOf(written, groups, region); number != "" {
			list = append(list, number)
		}
		i += max(1, len(written))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func countDigits(text string) (n int) {
	for i := range len(text) {
		if text[i] >= '0' && text[i] <= '9' {
			n++
		}
	}
	return n
}

func inSpan(i int, spans []span) int {
	for _, s := range spans {
		if i >= s.start && i < s.end {
			return s.end
		}
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// startsNumber reports whether a number may begin at i: at a digit, a plus or
// a parenthesis that nothing stands before which makes it something else.
func startsNumber(text string, i int) bool {
	c := text[i]
	if !isDigit(c) && !(c == '+' || c == '(') {
		return false
	}
	if !isDigit(c) && (i+1 == len(text) || !isDigit(text[i+1])) {
		return false
	}
	return i == 0 || !isHostByte(text[i-1]) && strings.IndexByte(".,$#/=+*", text[i-1]) < 0 && !strings.HasSuffix(text[:i], "£") && !strings.HasSuffix(text[:i], "€")
}

// readNumber returns the longest start of text that may be one number as it
// is written, and the lengths of its groups of digits.
func readNumber(text string) (written string, groups []int) {
	end, digits, gap := 0, 0, 0
	for i := 0; i < len(text) && digits <= 15; i++ {
		switch c := text[i]; {
		case isDigit(c):
			if gap > 0 || len(groups) == 0 {
				groups = append(groups, 0)
			}
			groups[len(groups)-1]++
			digits++
			gap, end = 0, i+1
			continue
		case c == '+' && i == 0, c == '(' && i <= 4, c == ')' && i < 12, c == ' ', c == '-', c == '.':
			gap++
			if gap <= 2 {
				continue
			}
		}
		break
	}
	return text[:end], groups
}

var nanpGroups = [][]int{{10}, {11}, {3, 3, 4}, {1, 3, 3, 4}, {3, 7}, {6, 4}, {1, 10}, {1, 3, 7}}

// numberOf returns a written number in E.164, empty when it is none.
func numberOf(written string, groups []int, region string) string {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, written)
	international := strings.HasPrefix(written, "+") || strings.HasPrefix(written, "(+")
	national := strings.TrimPrefix(digits, "1")
	switch {
	case international && len(digits) == 11 && digits[0] == '1' && nationalNANP(national):
		return "+" + digits
	case international && len(digits) >= 8 && len(digits) <= 15:
		return parseNumber("+"+digits, region, phonenumbers.IsPossibleNumber)
	case international:
		return ""
	case region == "US":
		known := slices.ContainsFunc(nanpGroups, func(g []int) bool { return slices.Equal(g, groups) })
		if known && nationalNANP(national) {
			return "+1" + national
		}
		return ""
	case len(digits) >= 9 && digits[0] == '0':
		return parseNumber(digits, region, phonenumbers.IsValidNumber)
	}
	return ""
}

func parseNumber(number, region string, holds func(*phonenumbers.PhoneNumber) bool) string {
	parsed, err := phonenumbers.Parse(number, region)
	if err != nil || !holds(parsed) {
		return ""
	}
	return phonenumbers.Format(parsed, phonenumbers.E164)
}

// regionOf returns the country whose numbers a sender writes: its own, or the
// United States where its key does not say.
func regionOf(key string) string {
	number, ok := strings.CutPrefix(key, "tel:+")
	if !ok || strings.HasPrefix(number, "1") {
		return "US"
	}
	parsed, err := phonenumbers.Parse("+"+number, "US")
	if err != nil {
		return "US"
	}
	if region := phonenumbers.GetRegionCodeForCountryCode(int(parsed.GetCountryCode())); len(region) == 2 && region != "ZZ" {
		return region
	}
	return "US"
}

// asking are the verbs that a short code follows.
var asking = map[string]bool{"text": true, "txt": true, "reply": true, "send": true, "sms": true, "msg": true, "message": true, "texting": true, "texted": true}

// asksFor reports whether the words before a short code ask to write to it:
// "text STOP to 12345", "sms 12345".
func asksFor(before string) bool {
	const window = 48 // bytes: a verb, a keyword and "to"
	list := words(before[max(0, len(before)-window):])
	if len(list) == 0 {
		return false
	}
	last := list[len(list)-1]
	if asking[last] {
		return true
	}
	if last != "to" && last != "2" {
		return false
	}
	for _, w := range list[max(0, len(list)-6):] {
		if asking[w] {
			return true
		}
	}
	return false
}

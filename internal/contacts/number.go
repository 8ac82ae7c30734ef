package contacts

import "strings"

// nationalDigits is how many trailing digits make a telephone number of one
// country: ten in North America, and at least as many as tell two subscribers
// apart elsewhere.
const nationalDigits = 10

// longestShortCode is how many digits a short code has at most. A number of so
// few digits is compared as a whole.
const longestShortCode = 8

// ShortCode reports whether a number, in the form that Phone gives, is so
// short that it names a service and no subscriber line.
func ShortCode(number string) bool {
	return number != "" && number[0] != '+' && len(number) <= longestShortCode
}

// phoneIndex groups the numbers that may be the same.
func phoneIndex(number string) string {
	digits := strings.TrimPrefix(number, "+")
	if ShortCode(number) {
		return digits
	}
	digits = strings.TrimLeft(digits, "0")
	return digits[max(0, len(digits)-longestShortCode):]
}

// sameNumber compares two numbers in the form that Phone gives. Numbers with
// their country code are the same when all digits are. One without is the
// same as one with it when the rest is a country code, that is up to three
// digits, and ten digits or the whole national number agree.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	if ShortCode(a) || ShortCode(b) || a[0] == '+' && b[0] == '+' {
		return false
	}
	a, b = strings.TrimLeft(a, "+0"), strings.TrimLeft(b, "+0")
	if len(a) < len(b) {
		a, b = b, a
	}
	rest := len(a) - len(b)
	return b != "" && rest <= 3 && strings.HasSuffix(a, b) && (rest == 0 || len(b) >= nationalDigits-2)
}

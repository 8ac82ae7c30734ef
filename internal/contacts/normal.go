// Package contacts knows how the identifiers of people compare.
package contacts

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Normal returns the comparable form of a handle: E.164 for a telephone
// number written with its country code, digits for one without, lower case
// for an e-mail address, the id itself for everything else. Two handles of
// kind phone or e-mail with equal normal forms are one person.
func Normal(h msg.Handle) string {
	switch h.Kind {
	case msg.HandlePhone:
		return Phone(h.ID)
	case msg.HandleEmail:
		return strings.ToLower(msg.IdentityText(h.ID))
	}
	return msg.IdentityText(h.ID)
}

// Phone returns a telephone number without its separators, empty when s holds
// no digit. A leading 00 is the international prefix. A WhatsApp id is a
// number with its country code and without plus, before the @ and before the
// colon of a linked device.
func Phone(s string) string {
	s, server, _ := strings.Cut(s, "@")
	international := strings.HasPrefix(msg.IdentityText(s), "+")
	if server == "s.whatsapp.net" || server == "c.us" {
		s, _, _ = strings.Cut(s, ":")
		international = true
	}
	number := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
	switch {
	case number == "":
		return ""
	case international:
		return "+" + number
	case strings.HasPrefix(number, "00") && len(number) > 2:
		return "+" + number[2:]
	case strings.HasPrefix(number, "0"): // the national trunk prefix
		return number
	case len(number) > 11, len(number) == 11 && isAmerican(s, number):
		// No national number is this long: the plus was left off.
		return "+" + number
	}
	return number
}

// isAmerican reports whether eleven digits are a North American number with
// its country code 1 and cannot be a Chinese mobile number, which is 1, a digit
// from 3 on and nine more. Where the digits stand in the American groups, or
// the area code begins with 2, there is no doubt.
func isAmerican(written, number string) bool {
	groups := strings.FieldsFunc(written, func(r rune) bool { return r < '0' || r > '9' })
	grouped := len(groups) == 4 && len(groups[0]) == 1 && len(groups[1]) == 3 && len(groups[2]) == 3
	const exchange = 4 // its first digit, which is 2 to 9 like an area code's
	return number[0] == '1' && (grouped || number[1] == '2' && number[exchange] >= '2')
}

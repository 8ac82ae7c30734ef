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
	case strings.HasPrefix(number, "1") && len(number) == 11, len(number) > 11:
		// No national number is this long: the plus was left off.
		return "+" + number
	}
	return number
}

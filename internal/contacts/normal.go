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
		return strings.ToLower(strings.TrimSpace(h.ID))
	}
	return msg.IdentityText(h.ID)
}

// Phone returns a telephone number without its separators. A leading 00 is
// the international prefix; a WhatsApp id gives the number before the @.
func Phone(s string) string {
	s, _, _ = strings.Cut(s, "@")
	plus := strings.HasPrefix(strings.TrimSpace(msg.IdentityText(s)), "+")
	var digits strings.Builder
	for _, r := range s {
		if r >= '0' && r <= '9' {
			digits.WriteRune(r)
		}
	}
	number := digits.String()
	switch {
	case plus:
		return "+" + number
	case strings.HasPrefix(number, "00"):
		return "+" + number[2:]
	case strings.HasPrefix(number, "1") && len(number) == 11, len(number) > 11:
		// No national number is this long: the plus was left off.
		return "+" + number
	}
	return number
}

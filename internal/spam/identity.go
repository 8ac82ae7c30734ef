package spam

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// Identify says who a handle is on the record. ok is false when nothing but a
// display name or an account of the source is known: such a sender cannot be
// compared with an address book, and the identity is good only for enrolling
// it by hand.
func Identify(p store.Person) (who record.SenderIdentity, ok bool) {
	who = record.SenderIdentity{Identifier: p.Native, Name: p.Name}
	if who.Name == who.Identifier {
		who.Name = ""
	}
	who.Key, who.Kind, ok = senderKey(p.Native)
	if !ok || p.Kind == msg.HandleAccount && who.Kind != record.Email && !strings.HasPrefix(p.Native, "+") {
		who.Key, who.Kind = "name:"+string(p.Source)+"/"+msg.IdentityText(p.Native), record.NameOnly
		return who, false
	}
	return who, true
}

// senderKey reads an identifier as people write it. ok is false for a name.
func senderKey(identifier string) (key string, kind record.SenderKind, ok bool) {
	text := strings.TrimSpace(msg.IdentityText(identifier))
	for _, prefix := range []string{"tel:", "sms:", "mailto:", "code:", "mail:"} {
		text = strings.TrimPrefix(text, prefix)
	}
	switch {
	case isShortCode(text): // before anything reads it as a number
		return "code:" + text, record.ShortCode, true
	case isAddress(text):
		return "mail:" + strings.ToLower(text), record.Email, true
	case !isNumber(text):
		return "", record.NameOnly, false
	}
	number := contacts.Phone(text)
	if nationalNANP(number) {
		number = "+1" + number
	}
	return "tel:" + number, numberKind(number), true
}

// isShortCode reports whether text is 3 to 8 digits and nothing else.
func isShortCode(text string) bool {
	return len(text) >= 3 && len(text) <= 8 && allDigits(text)
}

func allDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

func isAddress(text string) bool {
	local, host, ok := strings.Cut(text, "@")
	return ok && local != "" && strings.IndexByte(host, '.') > 0 && !strings.ContainsAny(text, " /") &&
		host != "s.whatsapp.net" && host != "c.us" && host != "g.us" && host != "lid"
}

// isNumber reports whether text is a telephone number in some spelling: at
// least seven digits and nothing but what people put between them.
func isNumber(text string) bool {
	text, server, _ := strings.Cut(text, "@")
	if server != "" && server != "s.whatsapp.net" && server != "c.us" {
		return false
	}
	digits := 0
	for i, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '+' && i > 0, !strings.ContainsRune("+()-.:/ \u00A0\u2010\u2011\u2013", r):
			return false
		}
	}
	return digits >= 7 && digits <= 17
}

// nationalNANP reports whether digits are a number of the North American plan
// without its country code: NXX NXX XXXX.
func nationalNANP(digits string) bool {
	return len(digits) == 10 && allDigits(digits) && digits[0] >= '2' && digits[3] >= '2'
}

// areaCode returns the area code of a sender's key, empty when it has none.
func areaCode(key string) string {
	number, ok := strings.CutPrefix(key, "tel:+1")
	if !ok || !nationalNANP(number) {
		return ""
	}
	return number[:3]
}

var tollFree = map[string]bool{"800": true, "833": true, "844": true, "855": true, "866": true, "877": true, "888": true}

func numberKind(number string) record.SenderKind {
	switch code := areaCode("tel:" + number); {
	case code == "":
		return record.Foreign
	case tollFree[code]:
		return record.TollFree
	}
	return record.NANP
}

// SameIdentifier reports whether two identifiers, in any spelling, are one:
// numbers with their country codes when all digits are equal, one without
// when the last ten are, short codes and e-mail addresses as a whole. Names
// are never the same.
func SameIdentifier(a, b string) bool {
	keyA, _, okA := senderKey(a)
	keyB, _, okB := senderKey(b)
	switch {
	case !okA || !okB:
		return false
	case keyA == keyB:
		return true
	case strings.HasPrefix(keyA, "tel:+") && strings.HasPrefix(keyB, "tel:+"):
		return false // two countries may have the same last digits
	}
	return MatchKey(a) == MatchKey(b)
}

// MatchKey returns what is equal where identifiers may be the same: the last
// ten digits of a telephone number, the digits of a short code, an e-mail
// address in lower case; empty for a name. SameIdentifier decides.
func MatchKey(identifier string) string {
	key, kind, ok := senderKey(identifier)
	if !ok {
		return ""
	}
	if kind == record.ShortCode || kind == record.Email {
		return key
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(key, "tel:"), "+")
	return "tel:" + digits[max(0, len(digits)-10):]
}

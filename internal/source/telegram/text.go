package telegram

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// readText joins a text, which is a string or a list of strings and
// formatted parts. Titled links go to m.Links, people mentioned by name and
// not by user name to m.Details.
func readText(raw []byte, m *msg.Message) (string, error) {
	if len(raw) == 0 || isNull(raw) {
		return "", nil
	}
	if raw[0] != '[' {
		return plainText(raw)
	}
	var b strings.Builder
	err := elements(raw, func(value []byte) error {
		if value[0] != '{' {
			s, err := plainText(value)
			b.WriteString(s)
			return err
		}
		part, err := readPart(value)
		if err != nil {
			return err
		}
		b.WriteString(part.text)
		if part.href != "" && part.href != part.text {
			m.Links = append(m.Links, part.href)
		}
		if part.userID != "" {
			m.Details = append(m.Details, msg.Detail{Name: "mention", Value: part.userID})
		}
		return nil
	})
	return b.String(), err
}

func plainText(raw []byte) (string, error) {
	switch raw[0] {
	case '"':
		return decodeString(raw), nil
	case '{', '[':
		return "", errMalformed
	}
	if isNull(raw) {
		return "", nil
	}
	return plain(raw), nil
}

// part is one formatted stretch of a text.
type part struct{ text, href, userID string }

func readPart(raw []byte) (part, error) {
	var p part
	err := fields(raw, func(key string, value []byte) error {
		switch key {
		case "text":
			p.text = decodeString(value)
		case "href":
			p.href = decodeString(value)
		case "user_id":
			p.userID = peerID(value, false)
		}
		return nil
	})
	return p, err
}

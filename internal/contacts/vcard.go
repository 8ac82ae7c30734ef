package contacts

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime/quotedprintable"
	"slices"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Bounds of one vCard: what lies beyond is photographs and other bulk.
const (
	maxProperty = 64 << 10 // bytes of a property, its folded lines together
	maxEntries  = 500      // names, numbers and addresses of one card each
)

// errNoCards is returned for a file without any BEGIN:VCARD.
var errNoCards = errors.New("no vCard in the file")

// ReadVCards reads the cards of a vCard file, version 2.1, 3.0 or 4.0. It
// never keeps more than one property in memory, so photographs of any size
// pass. A card that the file's end cuts off is returned as far as it goes; a
// file without any card is an error.
func ReadVCards(ctx context.Context, r io.Reader) ([]Card, error) {
	p := vcardReader{lines: bufio.NewReaderSize(transform.NewReader(r, unicode.BOMOverride(transform.Nop)), 64<<10)}
	var cards []Card
	found, depth := false, 0
	var card Card
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		line, err := p.property()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read vCard: %w", err)
		}
		name, _, value := splitProperty(line)
		switch {
		case name == "BEGIN" && strings.EqualFold(strings.TrimSpace(value), "VCARD"):
			found = true
			if depth++; depth == 1 { // an AGENT may be a card inside a card
				card = Card{Provider: ProviderVCard}
			}
		case name == "END" && strings.EqualFold(strings.TrimSpace(value), "VCARD"):
			if depth == 1 {
				cards = appendCard(cards, card)
			}
			depth = max(0, depth-1)
		case depth == 1:
			card.add(line)
		}
		if err != nil {
			if depth > 0 {
				cards = appendCard(cards, card)
			}
			if !found {
				return nil, errNoCards
			}
			return cards, nil
		}
	}
}

// appendCard adds a card that says anything.
func appendCard(cards []Card, c Card) []Card {
	if len(c.Names)+len(c.Phones)+len(c.Emails) == 0 {
		return cards
	}
	return append(cards, c)
}

// add takes over what a property says, if it is about names and identifiers.
func (c *Card) add(line []byte) {
	name, params, value := splitProperty(line)
	switch name {
	case "FN", "N", "NICKNAME", "ORG", "TEL", "EMAIL":
	default:
		return
	}
	text := params.decode(value)
	switch name {
	case "FN":
		// The formatted name is the best one, whatever stands before it.
		if full := oneLine(unescape(text)); full != "" && len(c.Names) < maxEntries {
			c.Names = slices.DeleteFunc(c.Names, func(name string) bool { return name == full })
			c.Names = slices.Insert(c.Names, 0, full)
		}
	case "N":
		c.addName(structuredName(splitUnescaped(text, ';')))
	case "NICKNAME":
		for _, part := range splitUnescaped(text, ',') {
			c.addName(oneLine(unescape(part)))
		}
	case "ORG":
		c.addName(oneLine(unescape(splitUnescaped(text, ';')[0])))
	case "TEL":
		c.addPhone(oneLine(unescape(text)))
	case "EMAIL":
		c.addEmail(oneLine(unescape(text)))
	}
}

// structuredName puts the parts of an N property, family name first, into the
// order people say them in.
func structuredName(parts []string) string {
	at := func(i int) string {
		if i >= len(parts) {
			return ""
		}
		return unescape(parts[i])
	}
	return oneLine(at(1) + " " + at(2) + " " + at(0))
}

func (c *Card) addName(name string) { c.Names = addUnique(c.Names, name) }

func (c *Card) addPhone(text string) {
	if rest, ok := cutPrefixFold(text, "tel:"); ok {
		text = rest
	}
	text, _, _ = strings.Cut(text, ";") // ;ext=, ;phone-context=
	if Phone(text) != "" {
		c.Phones = addUnique(c.Phones, text)
	}
}

func (c *Card) addEmail(text string) {
	if rest, ok := cutPrefixFold(text, "mailto:"); ok {
		text = rest
	}
	if strings.Contains(text, "@") {
		c.Emails = addUnique(c.Emails, text)
	}
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}

func addUnique(list []string, text string) []string {
	if text == "" || len(list) >= maxEntries {
		return list
	}
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// vcardReader puts folded lines together.
type vcardReader struct {
	lines *bufio.Reader
	next  []byte // the physical line read ahead
	ahead bool
	err   error
}

// property returns the next property without its folding, at most maxProperty
// bytes of it. The error of the last one is io.EOF.
func (p *vcardReader) property() ([]byte, error) {
	line := p.line()
	soft := softBreak(line)
	for p.err == nil || p.ahead {
		more := p.peek()
		switch {
		case soft: // quoted-printable text goes on after a lone =
			line = extend(line[:len(line)-1], more)
		case len(more) > 0 && (more[0] == ' ' || more[0] == '\t'):
			line = extend(line, more[1:])
		default:
			return line, nil
		}
		p.ahead = false
		soft = soft && bytes.HasSuffix(more, []byte("="))
	}
	return line, p.err
}

// softBreak reports whether a quoted-printable property goes on in the next
// line.
func softBreak(line []byte) bool {
	if !bytes.HasSuffix(line, []byte("=")) {
		return false
	}
	_, params, _ := splitProperty(line)
	return params.quoted
}

func extend(line, more []byte) []byte {
	return append(line, more[:min(len(more), max(0, maxProperty-len(line)))]...)
}

func (p *vcardReader) peek() []byte {
	if !p.ahead {
		p.next = p.read()
		p.ahead = true
	}
	return p.next
}

func (p *vcardReader) line() []byte {
	line := p.peek()
	p.ahead = false
	return bytes.Clone(line)
}

// read returns the next physical line without its end, cut at maxProperty.
func (p *vcardReader) read() []byte {
	var line []byte
	for {
		part, err := p.lines.ReadSlice('\n')
		line = extend(line, part)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			p.err = err
		}
		return bytes.TrimRight(line, "\r\n")
	}
}

// vcardParams are the parameters of a property that say how its value is
// written.
type vcardParams struct {
	charset string
	quoted  bool
	base64  bool
}

// splitProperty takes group.NAME;PARAM=x:value apart. The name is in
// capitals and empty when the line is no property.
func splitProperty(line []byte) (name string, params vcardParams, value string) {
	colon := -1
	inQuotes := false
	for i, c := range line {
		switch {
		case c == '"':
			inQuotes = !inQuotes
		case c == ':' && !inQuotes:
			colon = i
		}
		if colon >= 0 {
			break
		}
	}
	if colon < 0 {
		return "", params, ""
	}
	parts := strings.Split(string(line[:colon]), ";")
	name = strings.ToUpper(strings.TrimSpace(parts[0]))
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		name = name[dot+1:]
	}
	for _, part := range parts[1:] {
		key, val, given := strings.Cut(strings.ToUpper(strings.TrimSpace(part)), "=")
		if !given { // 2.1 writes TEL;CELL and N;QUOTED-PRINTABLE
			key, val = "ENCODING", key
		}
		switch {
		case key == "CHARSET":
			params.charset = strings.Trim(val, `"`)
		case key == "ENCODING" && val == "QUOTED-PRINTABLE":
			params.quoted = true
		case key == "ENCODING" && (val == "B" || val == "BASE64"):
			params.base64 = true
		}
	}
	return name, params, string(line[colon+1:])
}

// decode returns the value as UTF-8 text, as far as it can be read.
func (p vcardParams) decode(value string) string {
	raw := []byte(value)
	switch {
	case p.quoted:
		raw, _ = io.ReadAll(quotedprintable.NewReader(strings.NewReader(value)))
	case p.base64:
		decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(value), ""))
		if err == nil {
			raw = decoded
		}
	}
	if p.charset != "" && !strings.EqualFold(p.charset, "UTF-8") {
		if encoding, err := htmlindex.Get(p.charset); err == nil {
			if text, err := encoding.NewDecoder().Bytes(raw); err == nil {
				raw = text
			}
		}
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD")
}

// splitUnescaped splits at a separator that no backslash stands before. It
// returns at least one part.
func splitUnescaped(s string, separator byte) []string {
	var parts []string
	start := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case separator:
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

// unescape resolves \, \; \n and \\.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if s[i] == 'n' || s[i] == 'N' {
			b.WriteByte('\n')
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// oneLine joins the words of a text with single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

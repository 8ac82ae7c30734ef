package contacts

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// csvColumns says which columns of a Google Contacts export hold what.
type csvColumns struct {
	full, given, middle, family, nickname, organisation int // -1 when absent
	phones, emails                                      []int
}

// ReadGoogleCSV reads the cards of a CSV export of Google Contacts, with the
// headers it has had since 2024 ("First Name", "Phone 1 - Label") or those
// before ("Given Name", "Phone 1 - Type"). A file without a column of numbers
// or addresses is an error.
func ReadGoogleCSV(ctx context.Context, r io.Reader) ([]Card, error) {
	lines := csv.NewReader(transform.NewReader(r, unicode.BOMOverride(transform.Nop)))
	lines.FieldsPerRecord, lines.LazyQuotes, lines.ReuseRecord = -1, true, true
	header, err := lines.Read()
	if err != nil {
		return nil, fmt.Errorf("read header of CSV: %w", err)
	}
	columns := findColumns(header)
	if len(columns.phones)+len(columns.emails) == 0 {
		return nil, errors.New(`no column "Phone 1 - Value" or "E-mail 1 - Value": not an export of Google Contacts as "Google CSV"`)
	}
	var cards []Card
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return cards, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read CSV: %w", err)
		}
		cards = appendCard(cards, columns.card(fields))
	}
}

func findColumns(header []string) csvColumns {
	c := csvColumns{full: -1, given: -1, middle: -1, family: -1, nickname: -1, organisation: -1}
	for i, title := range header {
		title = strings.ToLower(strings.TrimSpace(title))
		switch title {
		case "name", "file as":
			if c.full < 0 {
				c.full = i
			}
		case "given name", "first name":
			c.given = i
		case "additional name", "middle name":
			c.middle = i
		case "family name", "last name":
			c.family = i
		case "nickname":
			c.nickname = i
		case "organization 1 - name", "organization name":
			c.organisation = i
		default:
			switch {
			case strings.HasPrefix(title, "phone ") && strings.HasSuffix(title, " - value"):
				c.phones = append(c.phones, i)
			case strings.HasPrefix(title, "e-mail ") && strings.HasSuffix(title, " - value"):
				c.emails = append(c.emails, i)
			}
		}
	}
	return c
}

func (c csvColumns) card(fields []string) Card {
	at := func(i int) string {
		if i < 0 || i >= len(fields) {
			return ""
		}
		return oneLine(strings.ToValidUTF8(fields[i], "\uFFFD"))
	}
	card := Card{Provider: ProviderGoogleCSV}
	card.addName(at(c.full))
	card.addName(oneLine(at(c.given) + " " + at(c.middle) + " " + at(c.family)))
	card.addName(oneLine(at(c.given) + " " + at(c.family)))
	card.addName(at(c.nickname))
	card.addName(at(c.organisation))
	// Several values of one label stand in one field.
	for _, i := range c.phones {
		for part := range strings.SplitSeq(at(i), ":::") {
			card.addPhone(strings.TrimSpace(part))
		}
	}
	for _, i := range c.emails {
		for part := range strings.SplitSeq(at(i), ":::") {
			card.addEmail(strings.TrimSpace(part))
		}
	}
	return card
}

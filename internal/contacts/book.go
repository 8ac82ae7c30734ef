package contacts

import (
	"strings"

	"golang.org/x/text/cases"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Card is one entry of an address book: a person or an organisation.
type Card struct {
	// Names are what the entry is called: the formatted name first, then
	// other spellings, nicknames and the organisation.
	Names []string
	// Phones and Emails are as the book writes them.
	Phones, Emails []string
	// Provider is where it was read: ProviderVCard and the like.
	Provider string
}

// Name is what to call the card; empty when the book does not say.
func (c Card) Name() string {
	if len(c.Names) == 0 {
		return ""
	}
	return c.Names[0]
}

// Book finds cards by identifier and by name. Make one with NewBook; it is
// safe for concurrent use.
type Book struct {
	cards  []Card
	phones map[string][]phoneEntry // by phoneIndex
	emails map[string]int          // by lower case
	names  map[string]int          // by nameKey
}

type phoneEntry struct {
	number string // as Phone gives it
	card   int
}

// NewBook makes a book of cards. Of two cards with the same identifier the
// first is found.
func NewBook(cards []Card) *Book {
	b := &Book{cards: cards, phones: map[string][]phoneEntry{}, emails: map[string]int{}, names: map[string]int{}}
	for i, c := range cards {
		for _, text := range c.Phones {
			if number := Phone(text); number != "" {
				key := phoneIndex(number)
				b.phones[key] = append(b.phones[key], phoneEntry{number, i})
			}
		}
		for _, text := range c.Emails {
			addFirst(b.emails, emailKey(text), i)
		}
		for _, name := range c.Names {
			addFirst(b.names, nameKey(name), i)
		}
	}
	return b
}

func addFirst(index map[string]int, key string, card int) {
	if _, taken := index[key]; !taken && key != "" {
		index[key] = card
	}
}

// Len is how many cards the book holds.
func (b *Book) Len() int { return len(b.cards) }

// Find returns the card of a number or address, and of a display name when
// that is all there is of a person.
func (b *Book) Find(h msg.Handle) (Card, bool) {
	switch h.Kind {
	case msg.HandlePhone:
		return b.FindPhone(h.ID)
	case msg.HandleEmail:
		return b.at(b.emails, emailKey(h.ID))
	case msg.HandleName:
		return b.FindName(h.ID)
	default: // an account: some of them are numbers
		if number := accountNumber(h.ID); number != "" {
			return b.FindPhone(number)
		}
		return b.FindName(h.Name)
	}
}

// FindPhone returns the card with a telephone number, however that is
// written.
func (b *Book) FindPhone(text string) (Card, bool) {
	number := Phone(text)
	if number == "" {
		return Card{}, false
	}
	for _, entry := range b.phones[phoneIndex(number)] {
		if sameNumber(entry.number, number) {
			return b.cards[entry.card], true
		}
	}
	return Card{}, false
}

// FindName returns the card with a display name; case and the width of spaces
// do not count.
func (b *Book) FindName(name string) (Card, bool) { return b.at(b.names, nameKey(name)) }

func (b *Book) at(index map[string]int, key string) (Card, bool) {
	i, ok := index[key]
	if !ok || key == "" {
		return Card{}, false
	}
	return b.cards[i], true
}

func emailKey(text string) string {
	return strings.ToLower(strings.TrimPrefix(msg.IdentityText(text), "mailto:"))
}

func nameKey(name string) string {
	return cases.Fold().String(strings.Join(strings.Fields(msg.IdentityText(name)), " "))
}

// accountNumber returns the number in a WhatsApp id, else nothing.
func accountNumber(id string) string {
	_, server, _ := strings.Cut(id, "@")
	if server == "s.whatsapp.net" || server == "c.us" {
		return id
	}
	return ""
}

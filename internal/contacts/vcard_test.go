package contacts

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/text/encoding/unicode"
)

var ignoreProvider = cmpopts.IgnoreFields(Card{}, "Provider")

// card makes a vCard of lines.
func card(lines ...string) string {
	return "BEGIN:VCARD\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VCARD\r\n"
}

func TestReadVCards(t *testing.T) {
	t.Parallel()
	photo := "PHOTO;ENCODING=b;TYPE=JPEG:" + strings.Repeat("QUJD", 100_000)
	tests := []struct {
		name, in string
		want     []Card
	}{
		{"3.0", card("VERSION:3.0", "N:Moreno;Ana;Maria;;", "FN:Ana Maria Moreno", "TEL;TYPE=CELL,VOICE;TYPE=pref:+1 212 555 0142", "EMAIL;TYPE=INTERNET:Ana@Example.org"),
			[]Card{{Names: []string{"Ana Maria Moreno"}, Phones: []string{"+1 212 555 0142"}, Emails: []string{"Ana@Example.org"}}}},
		{"4.0 with tel and mailto", card("VERSION:4.0", "FN:Bo", `TEL;VALUE=uri;TYPE="voice,home":tel:+1-646-555-0102;ext=12`, "EMAIL:mailto:bo@example.org"),
			[]Card{{Names: []string{"Bo"}, Phones: []string{"+1-646-555-0102"}, Emails: []string{"bo@example.org"}}}},
		{"2.1 quoted-printable", card("VERSION:2.1", "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;;", "TEL;CELL:0151 1234567"),
			[]Card{{Names: []string{"Jörg Müller"}, Phones: []string{"0151 1234567"}}}},
		{"2.1 soft line break", card("VERSION:2.1", "FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:J=C3=\r\n=B6rg M=C3=BC=\r\nller", "TEL;HOME;VOICE:5550142"),
			[]Card{{Names: []string{"Jörg Müller"}, Phones: []string{"5550142"}}}},
		{"2.1 in another charset", card("VERSION:2.1", "FN;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:Ren=E9", "EMAIL;INTERNET:rene@example.org"),
			[]Card{{Names: []string{"René"}, Emails: []string{"rene@example.org"}}}},
		{"folded", card("VERSION:3.0", "FN:Ana", " Maria", "TEL:+1 212", "\t 555 0142"),
			[]Card{{Names: []string{"AnaMaria"}, Phones: []string{"+1 212 555 0142"}}}},
		{"grouped", card("FN:Ana", "item1.TEL;type=pref:+12125550142", "item1.X-ABLabel:_$!<Mobile>!$_", "ITEM2.EMAIL:a@example.org"),
			[]Card{{Names: []string{"Ana"}, Phones: []string{"+12125550142"}, Emails: []string{"a@example.org"}}}},
		{"escaped", card(`FN:Moreno\, Ana\; the 2nd\\`, `ORG:Acme\, Inc.;Sales`, `NICKNAME:Nan,Annie\, dear`),
			[]Card{{Names: []string{`Moreno, Ana; the 2nd\`, "Acme, Inc.", "Nan", "Annie, dear"}}}},
		{"name from its parts", card("N:Moreno;Ana;;Dr.;"), []Card{{Names: []string{"Ana Moreno"}}}},
		{"huge photograph", card("FN:Ana", photo, "TEL:+12125550142"),
			[]Card{{Names: []string{"Ana"}, Phones: []string{"+12125550142"}}}},
		{"photograph in folded lines", card("FN:Ana", "PHOTO;ENCODING=b:"+strings.Repeat("QUJD\r\n ", 50_000), "TEL:+12125550142"),
			[]Card{{Names: []string{"Ana"}, Phones: []string{"+12125550142"}}}},
		{"photograph in lines without folding", card("FN:Ana", "PHOTO;JPEG;ENCODING=BASE64:"+strings.Repeat("QUJD\r\n", 1000), "TEL:+12125550142"),
			[]Card{{Names: []string{"Ana"}, Phones: []string{"+12125550142"}}}},
		{"colon in a quoted parameter", card("FN:Ana", `TEL;X="a:b;c":+12125550142`), []Card{{Names: []string{"Ana"}, Phones: []string{"+12125550142"}}}},
		{"number said twice", card("FN:Ana", "TEL:1", "TEL:1"), []Card{{Names: []string{"Ana"}, Phones: []string{"1"}}}},
		{"no number, no address", card("FN:Ana", "TEL:ask her", "EMAIL:none"), []Card{{Names: []string{"Ana"}}}},
		{"card inside a card", card("FN:Ana", "AGENT:", "BEGIN:VCARD", "FN:Secretary", "TEL:1234567890", "END:VCARD", "TEL:+12125550142"),
			[]Card{{Names: []string{"Ana"}, Phones: []string{"+12125550142"}}}},
		{"several", card("FN:Ana") + "\r\n" + card("FN:Bo"), []Card{{Names: []string{"Ana"}}, {Names: []string{"Bo"}}}},
		{"small letters and bare line ends", "begin:vcard\nfn:Ana\ntel:1234567890\nend:vcard\n", []Card{{Names: []string{"Ana"}, Phones: []string{"1234567890"}}}},
		{"cut off", "BEGIN:VCARD\nFN:Ana\nTEL:123456", []Card{{Names: []string{"Ana"}, Phones: []string{"123456"}}}},
		{"byte order mark", "\uFEFF" + card("FN:Ana"), []Card{{Names: []string{"Ana"}}}},
		{"empty card", card("VERSION:3.0") + card("FN:Bo"), []Card{{Names: []string{"Bo"}}}},
		{"stray end", "END:VCARD\n" + card("FN:Bo"), []Card{{Names: []string{"Bo"}}}},
		{"invalid bytes", card("FN:A\xffna"), []Card{{Names: []string{"A\uFFFDna"}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := ReadVCards(t.Context(), strings.NewReader(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, ignoreProvider); diff != "" {
				t.Errorf("cards (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadVCardsUTF16(t *testing.T) {
	t.Parallel()
	text, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(card("FN:Jörg", "TEL:+12125550142"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadVCards(t.Context(), strings.NewReader(text))
	want := []Card{{Names: []string{"Jörg"}, Phones: []string{"+12125550142"}}}
	if diff := cmp.Diff(want, got, ignoreProvider); diff != "" || err != nil {
		t.Errorf("error %v, cards (-want +got):\n%s", err, diff)
	}
}

func TestReadVCardsErrors(t *testing.T) {
	t.Parallel()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	broken := errors.New("broken disk")
	tests := []struct {
		name string
		ctx  context.Context
		in   io.Reader
		want error
	}{
		{"no card", t.Context(), strings.NewReader("hello\nworld\n"), errNoCards},
		{"nothing", t.Context(), strings.NewReader(""), errNoCards},
		{"cancelled", cancelled, strings.NewReader(card("FN:Ana")), context.Canceled},
		{"unreadable", t.Context(), io.MultiReader(strings.NewReader("BEGIN:VCARD\nFN:Ana\n"), failing{broken}), broken},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := ReadVCards(tt.ctx, tt.in); !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// FuzzReadVCards holds that cards of any text are bounded, clean of line ends
// and found again by the identifiers they name.
func FuzzReadVCards(f *testing.F) {
	f.Add(card("VERSION:3.0", "N:M;Ana;;;", "FN:Ana", "item1.TEL;TYPE=CELL:+1 212 555 0142", "EMAIL:a@example.org"))
	f.Add(card("VERSION:2.1", "FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:J=C3=\r\n=B6rg", "TEL;CELL:5550142"))
	f.Add(card("FN;CHARSET=UTF-7:x", "ORG:;;", "NICKNAME:\\", `TEL;X=":tel:1`, "PHOTO;ENCODING=b:QUJD", " QUJD"))
	f.Add("BEGIN:VCARD\nBEGIN:VCARD\nEND:VCARD\nTEL:1=\n=")
	f.Fuzz(func(t *testing.T, text string) {
		cards, err := ReadVCards(t.Context(), strings.NewReader(text))
		if err != nil {
			return
		}
		book := NewBook(cards)
		for _, c := range cards {
			checkCard(t, book, c)
		}
	})
}

func checkCard(t *testing.T, book *Book, c Card) {
	t.Helper()
	if len(c.Names) > maxEntries || len(c.Phones) > maxEntries || len(c.Emails) > maxEntries {
		t.Errorf("card with %d names, %d numbers, %d addresses", len(c.Names), len(c.Phones), len(c.Emails))
	}
	for _, phone := range c.Phones {
		if _, ok := book.FindPhone(phone); !ok {
			t.Errorf("number %q is not found", phone)
		}
	}
	for _, name := range c.Names {
		if strings.ContainsAny(name, "\r\n") {
			t.Errorf("name %q has several lines", name)
		}
	}
}

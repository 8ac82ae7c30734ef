package contacts

import (
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestFind(t *testing.T) {
	t.Parallel()
	book := NewBook([]Card{
		{Names: []string{"Ana Moreno", "Nan"}, Phones: []string{"(212) 555-0142", "26297"}, Emails: []string{"Ana@Example.org"}},
		{Names: []string{"Jörg"}, Phones: []string{"0151 1234567", "+49 30 12345678"}},
		{Names: []string{"Ida"}, Phones: []string{"+45 20 12 34 56"}},
		{Names: []string{"Ana Moreno"}, Phones: []string{"+442071234567"}},
	})
	phone := func(id string) msg.Handle { return msg.Handle{ID: id, Kind: msg.HandlePhone} }
	tests := []struct {
		name string
		in   msg.Handle
		want string // the card's name, empty when there is none
	}{
		{"with the country code", phone("+12125550142"), "Ana Moreno"},
		{"without", phone("2125550142"), "Ana Moreno"},
		{"with 1 before it", phone("1-212-555-0142"), "Ana Moreno"},
		{"local digits alone", phone("5550142"), ""},
		{"another last digit", phone("+12125550143"), ""},
		{"another area code", phone("+16465550142"), ""},
		{"trunk prefix against country code", phone("+491511234567"), "Jörg"},
		{"country code against trunk prefix", phone("030 12345678"), "Jörg"},
		{"both with country codes that differ", phone("+4420712345678"), ""},
		{"eight national digits", phone("+4520123456"), "Ida"},
		{"eight digits are compared whole", phone("20123456"), ""},
		{"same end in another country", phone("+332071234567"), ""},
		{"short code", phone("26297"), "Ana Moreno"},
		{"longer than the short code", phone("126297"), ""},
		{"no digits", phone("unknown"), ""},
		{"e-mail in other case", msg.Handle{ID: "ana@example.ORG", Kind: msg.HandleEmail}, "Ana Moreno"},
		{"another e-mail", msg.Handle{ID: "bo@example.org", Kind: msg.HandleEmail}, ""},
		{"name", msg.Handle{ID: "ANA\u00a0 moreno", Kind: msg.HandleName}, "Ana Moreno"},
		{"nickname", msg.Handle{ID: "nan", Kind: msg.HandleName}, "Ana Moreno"},
		{"part of a name", msg.Handle{ID: "Ana", Kind: msg.HandleName}, ""},
		{"WhatsApp account", msg.Handle{ID: "12125550142@s.whatsapp.net", Kind: msg.HandleAccount}, "Ana Moreno"},
		{"account with a known name", msg.Handle{ID: "user77", Name: "Ida", Kind: msg.HandleAccount}, "Ida"},
		{"account without a name", msg.Handle{ID: "user77", Kind: msg.HandleAccount}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := book.Find(tt.in)
			if got.Name() != tt.want || ok != (tt.want != "") {
				t.Errorf("Find(%+v) = %q, %v, want %q", tt.in, got.Name(), ok, tt.want)
			}
		})
	}
}

package contacts

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	oldHeader = "Name,Given Name,Additional Name,Family Name,Nickname,Notes,Photo,Group Membership,E-mail 1 - Type,E-mail 1 - Value," +
		"Phone 1 - Type,Phone 1 - Value,Phone 2 - Type,Phone 2 - Value,Organization 1 - Type,Organization 1 - Name\n"
	newHeader = "First Name,Middle Name,Last Name,Phonetic First Name,Name Prefix,Nickname,File As,Organization Name,Organization Title," +
		"Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value\n"
)

func TestReadGoogleCSV(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     []Card
	}{
		{"headers before 2024", oldHeader + `Ana Moreno,Ana,,Moreno,Nan,"two
lines",,* myContacts,* Home,ana@example.org ::: am@example.org,Mobile,+1 212 555 0142 ::: +1 646 555 0102,Work,26297,,Acme` + "\n",
			[]Card{{Names: []string{"Ana Moreno", "Nan", "Acme"}, Phones: []string{"+1 212 555 0142", "+1 646 555 0102", "26297"}, Emails: []string{"ana@example.org", "am@example.org"}}}},
		{"headers since 2024", newHeader + "Ana,Maria,Moreno,,,,,Acme,,,,,* myContacts,* Home,ana@example.org,Mobile,(212) 555-0142\n",
			[]Card{{Names: []string{"Ana Maria Moreno", "Ana Moreno", "Acme"}, Phones: []string{"(212) 555-0142"}, Emails: []string{"ana@example.org"}}}},
		{"byte order mark and short lines", "\uFEFF" + newHeader + "Bo\n,,,,\nCy,,,,,,,,,,,,,,,,5550142\n",
			[]Card{{Names: []string{"Bo"}}, {Names: []string{"Cy"}, Phones: []string{"5550142"}}}},
		{"stray quotation marks", newHeader + `A"na,,,,,,,,,,,,,,,,+12125550142` + "\n",
			[]Card{{Names: []string{`A"na`}, Phones: []string{"+12125550142"}}}},
		{"only a header", oldHeader, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := ReadGoogleCSV(t.Context(), strings.NewReader(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, ignoreProvider); diff != "" {
				t.Errorf("cards (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadGoogleCSVErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", "read header of CSV: EOF"},
		{"another table", "date,amount\n2026-01-01,3\n", "not an export of Google Contacts"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := ReadGoogleCSV(t.Context(), strings.NewReader(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func FuzzReadGoogleCSV(f *testing.F) {
	f.Add(oldHeader + "Ana Moreno,Ana,,Moreno,,,,,,ana@example.org ::: x,Mobile,+1 212 555 0142,,,,\n")
	f.Add(newHeader + "\"Ana\n")
	f.Fuzz(func(t *testing.T, text string) {
		cards, err := ReadGoogleCSV(t.Context(), strings.NewReader(text))
		if err != nil {
			return
		}
		book := NewBook(cards)
		for _, c := range cards {
			checkCard(t, book, c)
		}
	})
}

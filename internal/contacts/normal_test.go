package contacts

import (
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestPhone(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"international", "+491511234567", "+491511234567"},
		{"separators", "+49 (151) 123-45.67", "+491511234567"},
		{"no-break spaces", "+49\u00a0151\u202f1234567", "+491511234567"},
		{"directional marks", "\u202a+49 151 1234567\u202c", "+491511234567"},
		{"double zero", "0049 151 1234567", "+491511234567"},
		{"WhatsApp id", "491511234567@s.whatsapp.net", "+491511234567"},
		{"short WhatsApp id", "33612345678@s.whatsapp.net", "+33612345678"},
		{"WhatsApp contact id", "33612345678@c.us", "+33612345678"},
		{"WhatsApp id of a linked device", "491511234567:12@s.whatsapp.net", "+491511234567"},
		{"American with its country code", "1 (555) 123-4567", "+15551234567"},
		{"American in groups", "1-391-234-5678", "+13912345678"},
		{"American of an area that Chinese mobiles cannot have", "12125551234", "+12125551234"},
		{"American or Chinese mobile", "13912345678", "13912345678"},
		{"Chinese mobile in groups", "139 1234 5678", "13912345678"},
		{"Chinese mobile with its country code", "+86 139 1234 5678", "+8613912345678"},
		{"Chinese mobile with its country code alone", "8613912345678", "+8613912345678"},
		{"no American exchange", "12120551234", "12120551234"},
		{"no area code", "11234567890", "11234567890"},
		{"American without", "(555) 123-4567", "5551234567"},
		{"too long for a national number", "491511234567", "+491511234567"},
		{"national with trunk prefix", "0151 1234567", "01511234567"},
		{"long national with trunk prefix", "0176 12345678", "017612345678"},
		{"short code", "26297", "26297"},
		{"plus alone", "+", ""},
		{"nothing", "", ""},
		{"no digits", "call me", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Phone(tt.in); got != tt.want {
				t.Errorf("Phone(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestNormal(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   msg.Handle
		want string
	}{
		{"phone", msg.Handle{ID: "+49 151 1234567", Kind: msg.HandlePhone}, "+491511234567"},
		{"e-mail in capitals", msg.Handle{ID: " Ana@Example.ORG", Kind: msg.HandleEmail}, "ana@example.org"},
		{"e-mail behind a mark", msg.Handle{ID: "\u200eana@example.org", Kind: msg.HandleEmail}, "ana@example.org"},
		{"account", msg.Handle{ID: "User123", Kind: msg.HandleAccount}, "User123"},
		{"name", msg.Handle{ID: "Ana\u00a0B ", Name: "Ana B", Kind: msg.HandleName}, "Ana B"},
		{"name that looks like a number", msg.Handle{ID: "0049 151 1234567", Kind: msg.HandleName}, "0049 151 1234567"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Normal(tt.in); got != tt.want {
				t.Errorf("Normal(%+v) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// TestChineseMobileIsNotAmerican makes sure that two people stay two.
func TestChineseMobileIsNotAmerican(t *testing.T) {
	t.Parallel()
	if chinese, american := Phone("13912345678"), Phone("+1 391 234 5678"); chinese == american {
		t.Errorf("both are %q", chinese)
	}
}

// FuzzPhone checks that a normal form is its own normal form and holds
// nothing but a plus and digits.
func FuzzPhone(f *testing.F) {
	for _, seed := range []string{"+49 151 1234567", "0049151", "1 (555) 123-4567", "491511234567@s.whatsapp.net", "++1", "00", "000", "٠١٢"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Phone(s)
		if strings.Trim(got, "+0123456789") != "" || strings.LastIndexByte(got, '+') > 0 || got == "+" {
			t.Errorf("Phone(%q) = %q", s, got)
		}
		if again := Phone(got); again != got {
			t.Errorf("Phone(%q) = %q, and of that %q", s, got, again)
		}
	})
}

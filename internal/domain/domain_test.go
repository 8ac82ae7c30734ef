package domain

import (
	"strings"
	"testing"
)

func TestRegistrable(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, host, want string }{
		{"plain", "example.org", "example.org"},
		{"subdomain", "a.b.example.org", "example.org"},
		{"capitals", "WWW.Example.ORG", "example.org"},
		{"trailing dot", "www.example.org.", "example.org"},
		{"two-part suffix", "www.example.co.uk", "example.co.uk"},
		{"private suffix", "ana.github.io", "ana.github.io"},
		{"the suffix itself", "co.uk", "co.uk"},
		{"unknown suffix", "www.example.invalidtld", "example.invalidtld"},
		{"one label", "localhost", "localhost"},
		{"IPv4", "192.0.2.7", "192.0.2.7"},
		{"IPv6", "2001:db8::7", "2001:db8::7"},
		{"punycode", "www.xn--mller-kva.example", "xn--mller-kva.example"},
		{"letters of the world", "www.müller.example", "xn--mller-kva.example"},
		{"capital letters of the world", "www.MÜLLER.example", "xn--mller-kva.example"},
		{"composed and decomposed", "www.mu\u0308ller.example", "xn--mller-kva.example"},
		{"suffix of the world", "www.例子.中国", "xn--fsqu00a.xn--fiqs8s"},
		{"two-part suffix of the world", "www.例子.公司.cn", "xn--fsqu00a.xn--55qx5d.cn"},
		{"underscore", "my_site.example.co.uk", "example.co.uk"},
		{"underscore before letters of the world", "my_site.müller.example", "xn--mller-kva.example"},
		{"Cyrillic letters that look Latin", "www.\u0430pple.com", "xn--pple-43d.com"},
		{"not to be converted", "xn--a.example", "xn--a.example"},
		{"ideographic full stop", "www。example。org", "example.org"},
		{"leading dot", ".example.org", ".example.org"},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Registrable(tt.host); got != tt.want {
				t.Errorf("Registrable(%q) = %q, want %q", tt.host, got, tt.want)
			}
		})
	}
}

func TestReadable(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"plain", "example.org", "example.org"},
		{"letters of the world", "xn--mller-kva.example", "müller.example"},
		{"suffix of the world", "xn--fsqu00a.xn--fiqs8s", "例子.中国"},
		{"not to be converted", "xn--a.example", "xn--a.example"},
		{"address", "192.0.2.7", "192.0.2.7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Readable(tt.in); got != tt.want {
				t.Errorf("Readable(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// FuzzRegistrable checks that what is compared is ASCII, whatever the host.
func FuzzRegistrable(f *testing.F) {
	for _, seed := range []string{"www.example.org", "müller.example", "xn--a.example", "\u0430pple.com", "a_b.ü", "::1", "。", "xn--"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, host string) {
		got := Registrable(host)
		if strings.IndexFunc(got, func(r rune) bool { return r >= 0x80 }) >= 0 {
			t.Errorf("Registrable(%q) = %q is not ASCII", host, got)
		}
	})
}

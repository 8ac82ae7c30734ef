package spam

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLinks(t *testing.T) {
	t.Parallel()
	r := mustRules(t, DefaultSettings())
	type link struct {
		Written, Target, Domain, Unicode string
		Obfuscated, Mixed                bool
	}
	tests := []struct {
		name, body string
		want       []link
	}{
		{"plain", "see https://example.com/a?b=c.", []link{{"https://example.com/a?b=c", "https://example.com/a?b=c", "example.com", "", false, false}}},
		{"parentheses", "(https://example.com/a_(b))", []link{{"https://example.com/a_(b)", "https://example.com/a_(b)", "example.com", "", false, false}}},
		{"upper case", "HTTPS://EXAMPLE.COM/A", []link{{"HTTPS://EXAMPLE.COM/A", "https://example.com/A", "example.com", "", false, false}}},
		{"bare", "visit acme-roofing.com, now", []link{{"acme-roofing.com", "http://acme-roofing.com", "acme-roofing.com", "", false, false}}},
		{"www", "www.acme.me!", []link{{"www.acme.me", "http://www.acme.me", "acme.me", "", false, false}}},
		{"sentence before www", "your details.www.acme.me", []link{{"www.acme.me", "http://www.acme.me", "acme.me", "", false, false}}},
		{"sentence behind www", "www.acme.com.T&C apply", []link{{"www.acme.com", "http://www.acme.com", "acme.com", "", false, false}}},
		{"defanged scheme", "hxxps://acme-deals[.]example", []link{{"hxxps://acme-deals[.]example", "https://acme-deals.example", "acme-deals.example", "", true, false}}},
		{"dot in words", "acme (dot) com/x", []link{{"acme (dot) com/x", "http://acme.com/x", "acme.com", "", true, false}}},
		{"dot as a word", "go to acme dot com today", []link{{"acme dot com", "http://acme.com", "acme.com", "", true, false}}},
		{"zero width inside", "bit.\u200bly/abc", []link{{"bit.\u200bly/abc", "http://bit.ly/abc", "bit.ly", "", true, false}}},
		{"full width", "ｂｉｔ．ｌｙ/abc", []link{{"ｂｉｔ．ｌｙ/abc", "http://bit.ly/abc", "bit.ly", "", true, false}}},
		{"spaces around the dot", "acme . com now", []link{{"acme . com", "http://acme.com", "acme.com", "", true, false}}},
		{"space before a path", "bit. ly/abc", []link{{"bit. ly/abc", "http://bit.ly/abc", "bit.ly", "", true, false}}},
		{"space behind the scheme", "https:// acme.com", []link{{"https:// acme.com", "https://acme.com", "acme.com", "", true, false}}},
		{"spelled out", "h t t p : / / b i t . l y / x", []link{{"h t t p : / / b i t . l y / x", "http://bit.ly/x", "bit.ly", "", true, false}}},
		{"cyrillic", "https://pаypal.example/x", []link{{"https://pаypal.example/x", "https://xn--pypal-4ve.example/x", "xn--pypal-4ve.example", "pаypal.example", false, true}}},
		{"punycode", "http://xn--mnchen-3ya.de", []link{{"http://xn--mnchen-3ya.de", "http://xn--mnchen-3ya.de", "xn--mnchen-3ya.de", "münchen.de", false, false}}},
		{"tenants", "a.github.io/x", []link{{"a.github.io/x", "http://a.github.io/x", "a.github.io", "", false, false}}},
		{"posing host", "https://paypal.com@evil.example/x", []link{{"https://paypal.com@evil.example/x", "https://evil.example/x", "evil.example", "", false, false}}},
		{"posing ending", "https://usps.com-track.top/x", []link{{"https://usps.com-track.top/x", "https://usps.com-track.top/x", "com-track.top", "", false, false}}},
		{"address", "http://203.0.113.7/x", []link{{"http://203.0.113.7/x", "http://203.0.113.7/x", "203.0.113.7", "", false, false}}},
		{"two in one word", "acme.com/a,bit.ly/b", []link{{"acme.com/a,bit.ly/b", "http://acme.com/a,bit.ly/b", "acme.com", "", false, false}}},
		{"none: sentences", "ok.So what.Me too. And e.g. this at 8.15", nil},
		{"none: e-mail", "a@example.com", nil},
		{"none: dots", "wait... what. is. it", nil},
		{"none: ordinary full stop", "I bought it. Com on, link it. Net result", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []link
			for _, u := range r.Read("code:12345", tt.body, true).Fields.URLs {
				got = append(got, link{u.Written, u.Target, u.Domain, u.Unicode, u.Obfuscated, u.Mixed})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("links (-want +got):\n%s", diff)
			}
		})
	}
}

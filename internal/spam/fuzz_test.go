package spam

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

func seedBodies(f *testing.F) {
	f.Helper()
	for _, body := range append(benchTexts, "hxxps://acme-deals[.]example", "bit.\u200bly/abc", "h t t p : / / b i t . l y / x", "https://pаypal.example",
		"a@b.com +44 20 7946 0958 text STOP to 12345", "ＳＴＯＰ", "\xff\xfe.com/\x00", "((((+1(((", "[.][.][.]", "://", "a . . . com", "“STOP”\n-- Sent from my iPhone") {
		f.Add(body)
	}
}

// FuzzRead holds what is extracted against the body it came from.
func FuzzRead(f *testing.F) {
	seedBodies(f)
	r := mustRules(f, DefaultSettings())
	f.Fuzz(func(t *testing.T, body string) {
		v := r.Read("tel:+447700900123", body, true)
		if again := r.Read("tel:+447700900123", body, true); !cmp.Equal(v, again) {
			t.Fatalf("two readings differ: %s", cmp.Diff(v, again))
		}
		for _, u := range v.Fields.URLs {
			if !strings.Contains(body, u.Written) || u.Written == "" {
				t.Errorf("link %q does not stand in the body", u.Written)
			}
			if u.Host == "" || !isASCII(u.Host) || !isASCII(u.Domain) || !strings.HasSuffix(u.Host, u.Domain) {
				t.Errorf("link %q: host %q, domain %q", u.Written, u.Host, u.Domain)
			}
		}
		for _, n := range v.Fields.Callbacks {
			if !allDigits(strings.TrimPrefix(n, "+")) {
				t.Errorf("number %q", n)
			}
		}
	})
}

// FuzzReadable holds the way back from what is read to what is written.
func FuzzReadable(f *testing.F) {
	seedBodies(f)
	f.Fuzz(func(t *testing.T, body string) {
		v := readable(body)
		if v.at == nil {
			if v.text != body {
				t.Fatalf("changed without a way back: %q", v.text)
			}
			return
		}
		if len(v.at) != len(v.text)+1 {
			t.Fatalf("%d offsets for %d bytes", len(v.at), len(v.text))
		}
		for i := 1; i < len(v.text); i++ {
			if v.at[i] < v.at[i-1] || v.at[i] >= len(body) {
				t.Fatalf("offset %d of byte %d behind %d, body of %d bytes", v.at[i], i, v.at[i-1], len(body))
			}
		}
	})
}

// FuzzOptOut holds the normal form: it is its own normal form, and what
// surrounds a keyword does not change what it is.
func FuzzOptOut(f *testing.F) {
	seedBodies(f)
	r := mustRules(f, DefaultSettings())
	f.Fuzz(func(t *testing.T, body string) {
		if utf8.ValidString(body) {
			once, _ := normalOptOut(body)
			if again, _ := normalOptOut(once); again != once {
				t.Errorf("normal form of %q is %q, its own is %q", body, once, again)
			}
		}
		kind, _ := r.OptOut(body, "")
		if kind == record.OptOutA || kind == record.OptOutB || kind == record.OptIn {
			if around, _ := r.OptOut("\u200b "+body+" !\ufe0f", ""); around != kind {
				t.Errorf("OptOut(%q) = %s, with punctuation around %s", body, kind, around)
			}
		}
	})
}

// FuzzShown holds what is printed: nothing in it acts, no link in it can be
// followed, and printing it again changes nothing.
func FuzzShown(f *testing.F) {
	seedBodies(f)
	for _, body := range hostile {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		once := shown(body)
		if inert.Text(once) != once {
			t.Errorf("%q is shown as %q, which acts", body, once)
		}
		if again := shown(once); again != once {
			t.Errorf("%q shown once is %q, twice %q", body, once, again)
		}
		if lower := strings.ToLower(once); strings.Contains(lower, "http://") || strings.Contains(lower, "https://") {
			t.Errorf("%q is shown as %q, with a link", body, once)
		}
		if c := cell(body); c != "" && strings.ContainsAny(c[:1], "=+-@\t|%") {
			t.Errorf("cell %q begins a formula", c)
		}
	})
}

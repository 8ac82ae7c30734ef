package web

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLinks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string // the links
	}{
		{"none", "no address here: http://", nil},
		{"one", "see https://example.org/a?b=c#d for more", []string{"https://example.org/a?b=c#d"}},
		{"end of a sentence", "It is http://example.org.", []string{"http://example.org"}},
		{"in parentheses", "(see http://example.org/x)", []string{"http://example.org/x"}},
		{"with parentheses", "http://example.org/x_(y)", []string{"http://example.org/x_(y)"}},
		{"in quotation marks", `"http://example.org/x"`, []string{"http://example.org/x"}},
		{"two", "http://a.example http://b.example", []string{"http://a.example", "http://b.example"}},
		{"capitals", "HTTPS://EXAMPLE.ORG", []string{"HTTPS://EXAMPLE.ORG"}},
		{"other schemes", "ftp://example.org javascript://example.org data://x file:///etc/passwd", nil},
		{"password", "http://user:pass@example.org/", nil},
		{"broken", "http://[::1", nil},
		{"after another scheme", "javascript:alert(1)//http://ok.example", []string{"http://ok.example"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var links []string
			whole := ""
			for _, p := range proseOf(tt.text) {
				whole += p.Text
				if p.Href != "" {
					links = append(links, p.Href)
				}
			}
			if diff := cmp.Diff(tt.want, links); diff != "" {
				t.Errorf("links (-want +got):\n%s", diff)
			}
			if whole != tt.text {
				t.Errorf("the text became %q", whole)
			}
		})
	}
}

func TestExcerpts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, excerpt string
		want          []piece
	}{
		{"plain", "nothing", []piece{{Text: "nothing"}}},
		{"marked", "the **lease** runs", []piece{{Text: "the "}, {Text: "lease", Mark: true}, {Text: " runs"}}},
		{"at the ends", "**a** b **c**", []piece{{Text: "a", Mark: true}, {Text: " b "}, {Text: "c", Mark: true}}},
		{"left over", "2 ** 3", []piece{{Text: "2 "}, {Text: "** 3"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, excerptOf(tt.excerpt)); diff != "" {
				t.Errorf("pieces (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzProse(f *testing.F) {
	for _, seed := range []string{"see https://example.org/a.", "http://http://x", "://", "(http://a)", "h\u202ettp://b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean := ""
		for _, p := range proseOf(text) {
			clean += p.Text
			if p.Href != "" && !strings.HasPrefix(strings.ToLower(p.Href), "http") {
				t.Errorf("a link to %q", p.Href)
			}
		}
		again := ""
		for _, p := range proseOf(clean) {
			again += p.Text
		}
		if clean != again {
			t.Errorf("%q became %q", clean, again)
		}
	})
}

func TestCutText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		limit      int
		want       string
		cut        bool
	}{
		{"short", "one two", 10, "one two", false},
		{"at a word", "one two three", 9, "one two", true},
		{"a long word", "abcdefghij", 5, "abcde", true},
		{"inside a character", "aé", 2, "a", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, cut := cutText(tt.text, tt.limit); got != tt.want || cut != tt.cut {
				t.Errorf("got %q, %t, want %q, %t", got, cut, tt.want, tt.cut)
			}
		})
	}
}

package ingest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func urls(list []store.Link) []string {
	var all []string
	for _, l := range list {
		all = append(all, l.URL)
	}
	return all
}

func TestLinks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"none", "no link here", nil},
		{"alone", "https://example.org/a", []string{"https://example.org/a"}},
		{"in a sentence", "see https://example.org/a and http://example.net", []string{"https://example.org/a", "http://example.net"}},
		{"capitals", "HTTPS://Example.ORG/A", []string{"HTTPS://Example.ORG/A"}},
		{"www", "on www.example.org today", []string{"www.example.org"}},
		{"twice", "https://example.org https://example.org", []string{"https://example.org"}},
		{"lines", "https://example.org/a\nhttps://example.org/b\r\nhttps://example.org/c", []string{"https://example.org/a", "https://example.org/b", "https://example.org/c"}},

		{"full stop", "See https://example.org/a.", []string{"https://example.org/a"}},
		{"full stop within", "https://example.org/a.html", []string{"https://example.org/a.html"}},
		{"comma, colon, mark", "https://example.org/a, https://example.org/b: https://example.org/c!", []string{"https://example.org/a", "https://example.org/b", "https://example.org/c"}},
		{"ellipsis", "https://example.org/a... and", []string{"https://example.org/a"}},
		{"ellipsis character", "https://example.org/a… and", []string{"https://example.org/a"}},
		{"parenthesised", "(https://example.org/a)", []string{"https://example.org/a"}},
		{"parentheses within", "https://en.example.org/wiki/Go_(game)", []string{"https://en.example.org/wiki/Go_(game)"}},
		{"parentheses within and around", "(https://en.example.org/wiki/Go_(game)).", []string{"https://en.example.org/wiki/Go_(game)"}},
		{"brackets", "[https://example.org/a] {https://example.org/b}", []string{"https://example.org/a", "https://example.org/b"}},
		{"Markdown link", "[text](https://example.org/a)", []string{"https://example.org/a"}},
		{"angle brackets", "<https://example.org/a>", []string{"https://example.org/a"}},
		{"quoted", `"https://example.org/a" 'https://example.org/b'`, []string{"https://example.org/a", "https://example.org/b"}},
		{"curly quotes", "“https://example.org/a” ‘https://example.org/b’", []string{"https://example.org/a", "https://example.org/b"}},
		{"guillemets", "«https://example.org/a»", []string{"https://example.org/a"}},
		{"bold, italic, struck", "*https://example.org/a* ~https://example.org/b~", []string{"https://example.org/a", "https://example.org/b"}},
		{"no-break space", "https://example.org/a\u00a0b", []string{"https://example.org/a"}},
		{"zero-width space", "https://example.org/a\u200bb", []string{"https://example.org/a"}},
		{"directional marks", "\u2066https://example.org/a\u2069", []string{"https://example.org/a"}},

		{"port", "http://example.org:8080/a", []string{"http://example.org:8080/a"}},
		{"user", "https://ana:secret@example.org/a", []string{"https://ana:secret@example.org/a"}},
		{"query and fragment", "https://example.org/?q=a&b=c,d#e", []string{"https://example.org/?q=a&b=c,d#e"}},
		{"escapes", "https://example.org/a%20b", []string{"https://example.org/a%20b"}},
		{"IPv4", "http://192.0.2.7/a", []string{"http://192.0.2.7/a"}},
		{"IPv6", "http://[2001:db8::7]:80/a", []string{"http://[2001:db8::7]:80/a"}},
		{"letters of the world", "https://müller.example/straße", []string{"https://müller.example/straße"}},
		{"emoji in the path", "https://example.org/👍", []string{"https://example.org/👍"}},

		{"Chinese around", "看这里https://example.org/a。", []string{"https://example.org/a"}},
		{"Chinese comma", "https://example.org/a，很好", []string{"https://example.org/a"}},
		{"Japanese brackets", "「https://example.org/a」", []string{"https://example.org/a"}},
		{"full-width parentheses", "（https://example.org/a）", []string{"https://example.org/a"}},
		{"full-width marks", "https://example.org/a！https://example.org/b？", []string{"https://example.org/a", "https://example.org/b"}},
		{"ideographic space", "https://example.org/a\u3000b", []string{"https://example.org/a"}},
		{"Chinese in the path", "https://zh.example.org/wiki/围棋", []string{"https://zh.example.org/wiki/围棋"}},

		{"in a word", "xhttps://example.org _www.example.org 9www.example.org", nil},
		{"after a slash", "/https://example.org", []string{"https://example.org"}},
		{"scheme alone", "https:// and http://", nil},
		{"www alone", "www. and www", nil},
		{"www and a dot", "www..", nil},
		{"www without a domain", "www.x", nil},
		{"no host", "https:///path http://?q https://#f", nil},
		{"bad port", "http://example.org:port/", nil},
		{"other schemes", "ftp://example.org mailto:a@example.org javascript:alert(1)", nil},
		{"glued", "https://example.org/https://example.net", []string{"https://example.org/https://example.net"}},
		{"invalid UTF-8", "https://example.org/\xff\xfe", []string{"https://example.org/\xff\xfe"}},
		{"control character", "https://example.org/a\x00b", []string{"https://example.org/a"}},
		{"nothing but marks", "https://...", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, urls(links(tt.text, nil, nil))); diff != "" {
				t.Errorf("links of %q (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestHiddenLinks(t *testing.T) {
	t.Parallel()
	extra := []string{"https://hidden.example/", "https://shown.example/", "mailto:a@example.org", "tg://resolve", "www.hidden.example", "see https://not.example/"}
	got := urls(links("at https://shown.example/", extra, []store.Link{{URL: "stale"}}))
	want := []string{"https://shown.example/", "https://hidden.example/", "www.hidden.example"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
}

func TestManyLinks(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 10 * maxLinks {
		fmt.Fprintf(&b, "https://example.org/%d ", i)
	}
	if got := len(links(b.String(), []string{"https://example.net/"}, nil)); got != maxLinks {
		t.Errorf("%d links are kept, want %d", got, maxLinks)
	}
}

// TestHostileLinks looks for links in long texts that were made to take long.
func TestHostileLinks(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	for name, text := range map[string]string{
		"closing brackets": "https://example.org/" + strings.Repeat(")", size),
		"opening brackets": "https://example.org/" + strings.Repeat("(", size),
		"pairs":            "https://example.org/" + strings.Repeat("()", size/2) + strings.Repeat(")", size/2),
		"marks":            "https://example.org/" + strings.Repeat(".,", size/2),
		"beginnings":       strings.Repeat("https://", size/8),
		"letters":          strings.Repeat("hw", size/2),
		"hosts":            "https://" + strings.Repeat("a.", size/2) + "org",
		"links":            strings.Repeat("www.a ", size/6),
	} {
		done := make(chan int, 1)
		go func() { done <- len(links(text, nil, nil)) }()
		select {
		case <-done:
		case <-time.After(20 * time.Second): // a thousand times what it takes
			t.Errorf("%s: no end in sight", name)
		}
	}
}

// FuzzLinks checks that what is found stands in the text, is a link by
// itself and has a domain.
func FuzzLinks(f *testing.F) {
	for _, seed := range []string{"see https://example.org/a.", "(www.example.org)", "http://[::1]:80/", "https://a@b:c", "https://例子.中国/。", "HTTP://x\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range links(text, nil, nil) {
			if !strings.Contains(text, l.URL) || l.Domain == "" {
				t.Errorf("%q of %q has the domain %q", l.URL, text, l.Domain)
			}
			if again := links(l.URL, nil, nil); len(again) != 1 || again[0] != l {
				t.Errorf("%q gives %+v, and by itself %+v", text, l, again)
			}
		}
	})
}

package web_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// hostileTexts are what strangers write to break pages.
var hostileTexts = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	`' onmouseover='alert(1)`,
	`</li></ol><h1>forged</h1>`,
	`javascript:alert(1)//http://ok.example`,
	`{{.Path}} {{template "layout"}}`,
	"bidi \u202eevil\u2066 text\u2069",
	"zero\u200bwidth\U000E0041tag",
	"control\x07\x1b[2Jbytes",
	`<!--`,
	`http://user:pass@evil.example/`,
	"https://ok.example/a\"onclick=alert(1)",
	`data:text/html,<script>alert(1)</script>`,
}

// hostileArchive serves an archive whose every text is hostile.
func hostileArchive(t *testing.T) *desk {
	t.Helper()
	return newDesk(t, hostileData(t), web.Options{})
}

// hostileData is a data folder with a Telegram export whose every text is
// hostile.
func hostileData(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	exports := filepath.Join(dir, "exports")
	if err := os.MkdirAll(filepath.Join(exports, "files"), 0o700); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"files/page.html": "<script>alert(1)</script>", "files/picture.svg": `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`,
		"files/fake.png": "<html><script>alert(1)</script>", "files/real.png": "\x89PNG\r\n\x1a\n0123456789",
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(exports, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "outside.png"), []byte("\x89PNG\r\n\x1a\nsecret"), 0o600); err != nil {
		t.Fatal(err)
	}
	var messages []any
	add := func(m map[string]any) {
		m["id"], m["type"] = len(messages)+1, "message"
		m["date"], m["date_unixtime"] = "2024-06-01T10:00:00", "1717236000"
		messages = append(messages, m)
	}
	for i, text := range hostileTexts {
		add(map[string]any{"from": hostileTexts[(i+1)%len(hostileTexts)], "from_id": "user" + string(rune('1'+i)), "text": text, "text_entities": []any{},
			"reactions": []any{map[string]any{"type": "emoji", "count": 1, "emoji": text, "recent": []any{map[string]any{"from": text, "from_id": "user9", "date": "2024-06-01T10:00:00"}}}}})
	}
	for name := range files {
		add(map[string]any{"from": "Eve", "from_id": "user77", "text": "file", "file": name, "file_name": `"><script>alert(1)</script>` + name, "mime_type": "text/html"})
	}
	add(map[string]any{"from": "Eve", "from_id": "user77", "text": "outside", "file": "../outside.png", "file_name": "x.png", "mime_type": "image/png"})
	export := map[string]any{"name": hostileTexts[0], "type": "private_group", "id": 5, "messages": messages}
	data, err := json.Marshal(export)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(exports, "result.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := importExports(t.Context(), exports, filepath.Join(dir, "data")); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "data")
}

// TestHostileArchive looks at every page of an archive that wants to break
// them: none holds an element, an attribute or a character that is not ours.
func TestHostileArchive(t *testing.T) {
	t.Parallel()
	d := hostileArchive(t)
	addresses := []string{"/", "/conversations", "/c/1", "/c/1?missing=1", "/c/1/calendar", "/people", "/people/1", "/people/2", "/media", "/links", "/status", "/status/imports/1",
		"/search", "/search?q=alert", "/search?q=evil", "/search?q=file&person=1", "/c/1/at/1"}
	for _, text := range hostileTexts {
		query := strings.NewReplacer("%", "%25", "&", "%26", "+", "%2b", "#", "%23", " ", "+", "\x07", "%07", "\x1b", "%1b", "\"", "%22").Replace(text)
		addresses = append(addresses, "/search?q="+query, "/conversations?q="+query, "/people?q="+query, "/links?domain="+query)
	}
	pages := 0
	for _, address := range addresses {
		res := d.ask(http.MethodGet, address)
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		if res.StatusCode >= 500 {
			t.Errorf("%s: status %d", address, res.StatusCode)
		}
		if res.StatusCode == http.StatusOK {
			pages++
		}
		for _, r := range "\u202e\u2066\u2069\u200b\U000E0041\x07\x1b" {
			if bytes.ContainsRune(body, r) {
				t.Errorf("%s holds the character %U", address, r)
			}
		}
		root, err := html.Parse(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		checkMarkup(t, address, root)
	}
	if pages < 60 {
		t.Errorf("only %d pages were looked at", pages)
	}
	if shown := text(d.page("/c/1")); !strings.Contains(shown, hostileTexts[0]) || !strings.Contains(shown, hostileTexts[3]) {
		t.Error("what was written is not shown as it was written")
	}
}

// checkMarkup refuses what no template of ours makes.
func checkMarkup(t *testing.T, address string, root *html.Node) {
	t.Helper()
	scripts, headings := 0, 0
	for n := range root.Descendants() {
		if n.Type == html.CommentNode {
			t.Errorf("%s holds a comment", address)
		}
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script":
			if scripts++; !strings.HasPrefix(attribute(n, "src"), "/static/app-") || n.FirstChild != nil {
				t.Errorf("%s holds a script of its own", address)
			}
		case "h1":
			headings++
		case "iframe", "object", "embed", "base", "style":
			t.Errorf("%s holds an element %s", address, n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				t.Errorf("%s: attribute %s=%q", address, a.Key, a.Val)
			}
			if a.Key == "href" || a.Key == "src" || a.Key == "action" {
				if !strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "https://") && !strings.HasPrefix(a.Val, "http://") {
					t.Errorf("%s: %s=%q", address, a.Key, a.Val)
				}
				if strings.Contains(a.Val, "user:pass") {
					t.Errorf("%s: a link carries a password: %q", address, a.Val)
				}
				if strings.HasPrefix(a.Val, "http") && !strings.Contains(attribute(n, "rel"), "noreferrer") {
					t.Errorf("%s: %q tells where it was followed from", address, a.Val)
				}
			}
		}
	}
	if scripts != 1 || headings != 1 {
		t.Errorf("%s: %d scripts, %d headings, want one of each", address, scripts, headings)
	}
}

// TestMediaFiles serves files by what they are.
func TestMediaFiles(t *testing.T) {
	t.Parallel()
	d := hostileArchive(t)
	list, _, err := d.reader.ListMedia(t.Context(), store.MediaQuery{Limit: 20})
	if err != nil || len(list) != 5 {
		t.Fatalf("%d files, %v", len(list), err)
	}
	shown := 0
	for _, m := range list {
		address := "/media/" + itoa(m.ID)
		res := d.ask("GET", address)
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		kind, disposition := res.Header.Get("Content-Type"), res.Header.Get("Content-Disposition")
		switch {
		case strings.Contains(string(body), "secret"):
			t.Errorf("%s gives a file outside of its export", address)
		case m.Message.Body == "outside":
			if res.StatusCode != http.StatusNotFound {
				t.Errorf("outside: status %d", res.StatusCode)
			}
		case strings.HasSuffix(m.Path, "real.png"):
			shown++
			if kind != "image/png" || !strings.HasPrefix(disposition, "inline") {
				t.Errorf("picture: %q, %q", kind, disposition)
			}
		default:
			if kind != "application/octet-stream" || !strings.HasPrefix(disposition, "attachment") || res.Header.Get("X-Content-Type-Options") != "nosniff" ||
				!strings.Contains(res.Header.Get("Content-Security-Policy"), "sandbox") {
				t.Errorf("%s: %q, %q", m.Path, kind, disposition)
			}
		}
	}
	if shown != 1 {
		t.Errorf("%d pictures are shown, want 1", shown)
	}
}

// TestMediaRanges gets parts of a file, from a folder and from a zip.
func TestMediaRanges(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	list, _, err := d.reader.ListMedia(t.Context(), store.MediaQuery{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	folders, zips := 0, 0
	for _, m := range list {
		if m.Path == "" {
			if got := d.ask("GET", "/media/"+itoa(m.ID)).StatusCode; got != http.StatusNotFound {
				t.Errorf("a file that is not held: status %d", got)
			}
			continue
		}
		from, err := d.reader.Provenance(t.Context(), m.Message)
		if err != nil {
			t.Fatal(err)
		}
		if from.File.Member != "" {
			zips++
		} else {
			folders++
		}
		address := "/media/" + itoa(m.ID)
		whole, err := io.ReadAll(d.ask("GET", address).Body)
		if err != nil || len(whole) < 50 {
			t.Fatalf("%s: %d bytes, %v", address, len(whole), err)
		}
		res := d.ask("GET", address, with("Range", "bytes=10-29"), with("Accept-Encoding", "gzip"))
		part, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusPartialContent || !bytes.Equal(part, whole[10:30]) {
			t.Errorf("%s: status %d, %d bytes, %v", address, res.StatusCode, len(part), err)
		}
		if res := d.ask("GET", address, with("Range", "bytes=999999999-")); res.StatusCode != http.StatusRequestedRangeNotSatisfiable {
			t.Errorf("%s beyond its end: status %d", address, res.StatusCode)
		}
		if tag := res.Header.Get("ETag"); d.ask("GET", address, with("If-None-Match", tag)).StatusCode != http.StatusNotModified {
			t.Errorf("%s is sent again although it is known", address)
		}
	}
	if folders < 5 || zips < 1 {
		t.Errorf("%d files in folders and %d in zips are too few to tell", folders, zips)
	}
	for _, wrong := range []string{"/media/0", "/media/x", "/media/99999", "/media/-1"} {
		if got := d.ask("GET", wrong).StatusCode; got != http.StatusNotFound {
			t.Errorf("%s: status %d", wrong, got)
		}
	}
}

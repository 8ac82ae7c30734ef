package web_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/jpeg"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/image/tiff"
	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/picture"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// copiesDesk serves pictures that browsers cannot show; copies go to the
// folder media.
func copiesDesk(t *testing.T, media string) *desk {
	t.Helper()
	dir := t.TempDir()
	exports, data := filepath.Join(dir, "exports"), filepath.Join(dir, "data")
	if err := os.MkdirAll(filepath.Join(exports, "photos"), 0o700); err != nil {
		t.Fatal(err)
	}
	var drawn bytes.Buffer
	if err := tiff.Encode(&drawn, image.NewGray(image.Rect(0, 0, 30, 20)), nil); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"scan.tiff": drawn.String(), "broken.tif": "II*\x00broken", "page.heic": "<html><script>alert(1)</script>", "fake.heic": "\x89PNG\r\n\x1a\n0123456789",
		"photo.HEIC": "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heicpixels",
	}
	var messages []any
	for _, name := range []string{"scan.tiff", "broken.tif", "page.heic", "fake.heic", "photo.HEIC"} {
		if err := os.WriteFile(filepath.Join(exports, "photos", name), []byte(files[name]), 0o600); err != nil {
			t.Fatal(err)
		}
		messages = append(messages, map[string]any{"id": len(messages) + 1, "type": "message", "date": "2024-06-01T10:00:00", "date_unixtime": "1717236000",
			"from": "Eve", "from_id": "user7", "text": "", "text_entities": []any{}, "photo": "photos/" + name})
	}
	text, err := json.Marshal(map[string]any{"name": "Eve", "type": "personal_chat", "id": 5, "messages": messages})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(exports, "result.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := importExports(t.Context(), exports, data); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, data, defaults)
	if d.handler, err = web.NewHandler(web.Archive{Reader: d.reader, Searcher: search.New(d.reader, clock), Media: ingest.OpenAttachment,
		Copies: picture.New(media), Now: clock}, defaults); err != nil {
		t.Fatal(err)
	}
	return d
}

// mediaPath is the address of the file with a name.
func (d *desk) mediaPath(name string) string {
	d.t.Helper()
	list, _, err := d.reader.ListMedia(d.t.Context(), store.MediaQuery{Limit: 20})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, m := range list {
		if strings.HasSuffix(m.Path, name) {
			return "/media/" + itoa(m.ID)
		}
	}
	d.t.Fatalf("no file %s", name)
	return ""
}

// shownPictures are the addresses that a page shows pictures from.
func shownPictures(root *html.Node) (list []string) {
	for _, n := range all(root, "img", "") {
		list = append(list, attribute(n, "src"))
	}
	return list
}

// TestCopiesOfPictures shows what browsers cannot by itself, and says what is
// missing where it cannot.
func TestCopiesOfPictures(t *testing.T) {
	bin, media := t.TempDir(), filepath.Join(t.TempDir(), "media")
	t.Setenv("PATH", bin)
	d := copiesDesk(t, media)
	scan, photo := d.mediaPath("scan.tiff"), d.mediaPath("photo.HEIC")

	res := d.ask("GET", scan+"/shown")
	copied, err := jpeg.Decode(res.Body)
	if err != nil || copied.Bounds().Size() != image.Pt(30, 20) || res.Header.Get("Content-Type") != "image/jpeg" ||
		!strings.Contains(res.Header.Get("Content-Security-Policy"), "sandbox") || !strings.Contains(res.Header.Get("Content-Disposition"), "scan.jpg") {
		t.Errorf("TIFF: %v, %v", res.Header, err)
	}
	if d.ask("GET", scan+"/shown", with("If-None-Match", res.Header.Get("ETag"))).StatusCode != http.StatusNotModified {
		t.Error("a copy is sent again although it is known")
	}
	if original := d.ask("GET", scan); original.Header.Get("ETag") == res.Header.Get("ETag") || !strings.HasPrefix(original.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the original: %v", original.Header)
	}
	for _, address := range []string{"/c/1", "/media"} {
		root := d.page(address)
		shown := shownPictures(root)
		if !strings.Contains(strings.Join(shown, " "), scan+"/shown") || strings.Contains(strings.Join(shown, " "), photo) {
			t.Errorf("%s shows %q", address, shown)
		}
		if said := text(root); !strings.Contains(said, "browsers cannot show HEIC") || !strings.Contains(said, "heif-convert") {
			t.Errorf("%s does not say what is missing: %q", address, said)
		}
	}
	for address, want := range map[string]string{photo: "heif-convert", d.mediaPath("broken.tif"): "cannot be read"} {
		res := d.ask("GET", address+"/shown")
		said, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusNotFound || !strings.Contains(string(said), want) {
			t.Errorf("%s: status %d, %q, %v", address, res.StatusCode, said, err)
		}
	}
	// From then on pages say so.
	if shown := strings.Join(shownPictures(d.page("/c/1")), " "); strings.Contains(shown, d.mediaPath("broken.tif")) || !strings.Contains(text(d.page("/c/1")), "cannot be read") {
		t.Errorf("the page shows %q", shown)
	}
	// What is called a picture is shown only if it is one.
	for name, want := range map[string]string{"page.heic": "application/octet-stream", "fake.heic": "image/png"} {
		if res := d.ask("GET", d.mediaPath(name)+"/shown"); res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != want {
			t.Errorf("%s: %d, %q, want %q", name, res.StatusCode, res.Header.Get("Content-Type"), want)
		}
	}
	for _, wrong := range []string{"/media/0/shown", "/media/x/shown", "/media/999/shown"} {
		if res := d.ask("GET", wrong); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", wrong, res.StatusCode)
		}
	}
	if runtime.GOOS == "windows" {
		return // the converter below is a script of a shell
	}
	entries, err := os.ReadDir(media)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d copies, %v", len(entries), err)
	}
	script := "#!/bin/sh\n/bin/cp " + filepath.Join(media, entries[0].Name()) + " \"$4\"\n"
	if err := os.WriteFile(filepath.Join(bin, "heif-convert"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if shown := shownPictures(d.page("/c/1")); !strings.Contains(strings.Join(shown, " "), photo+"/shown") {
		t.Errorf("with a converter, the page shows %q", shown)
	}
	if copied, err := jpeg.Decode(d.ask("GET", photo+"/shown").Body); err != nil || copied.Bounds().Dx() != 30 {
		t.Errorf("HEIC: %v", err)
	}
}

// TestWithoutCopies saves what would need one.
func TestWithoutCopies(t *testing.T) {
	t.Parallel()
	d := copiesDesk(t, "")
	handler, err := web.NewHandler(web.Archive{Reader: d.reader, Searcher: search.New(d.reader, clock), Media: ingest.OpenAttachment, Now: clock}, defaults)
	if err != nil {
		t.Fatal(err)
	}
	d.handler = handler
	if shown := shownPictures(d.page("/c/1")); len(shown) != 0 {
		t.Errorf("the page shows %q", shown)
	}
	if got := d.ask("GET", d.mediaPath("scan.tiff")+"/shown").StatusCode; got != http.StatusNotFound {
		t.Errorf("status %d", got)
	}
}

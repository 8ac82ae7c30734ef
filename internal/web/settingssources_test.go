package web_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/web"
)

// TestSourcesSettings lists what was imported and what the configuration
// names.
func TestSourcesSettings(t *testing.T) {
	t.Parallel()
	gone := filepath.Join(t.TempDir(), "<b>gone")
	d := newSettingsDeskWith(t, web.Options{Jobs: &web.Jobs{List: []web.Job{{Name: "import", Label: "Import"}}}}, "# mine\narchive_root: ["+gone+"]\n")
	root := d.page("/settings/sources")
	checkMarkup(t, "sources", root)
	list := all(d.one(root, "ul", "roots"), "li", "")
	if len(list) != 2 {
		t.Fatalf("%d roots, want 2", len(list))
	}
	known, err := d.reader.Roots(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{known[0].Path, "3 files", "136 messages in 3 conversations", "Last read 2026-06-15 09:00 UTC"} {
		if !strings.Contains(text(list[0]), want) {
			t.Errorf("what was imported is shown as %q, without %q", text(list[0]), want)
		}
	}
	for _, want := range []string{gone, "Nothing was imported from there yet.", "Never read", "named by archive_root"} {
		if !strings.Contains(text(list[1]), want) {
			t.Errorf("what the file names is shown as %q, without %q", text(list[1]), want)
		}
	}
	if n := len(all(root, "textarea", "")); n != 2 {
		t.Errorf("%d lists to edit, want 2: two of the three that mean the same are not used", n)
	}
	d.done("/settings/sources", "me", "Ana\nAnita", "tz", "Europe/Berlin")
	if got, want := d.text(), "# mine\narchive_root: ["+gone+"]\nme:\n  - \"Ana\"\n  - \"Anita\"\ntz: \"Europe/Berlin\"\n"; got != want {
		t.Errorf("saved\n%s\nwant\n%s", got, want)
	}
	if said := text(d.shown(http.StatusUnprocessableEntity, "/settings/sources", "tz", "Berlin")); !strings.Contains(said, "IANA time zone") {
		t.Errorf("a zone that is none: %s", said)
	}
}

// TestAddAndForgetSources changes what imports look at, in the file and in the
// archive.
func TestAddAndForgetSources(t *testing.T) {
	t.Parallel()
	d := newSettingsDesk(t, "# mine\n")
	dir := filepath.Dir(d.file)
	exports := filepath.Join(dir, "more")
	if err := os.MkdirAll(filepath.Join(exports, "Ana"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(exports, "Ana", "chat.md"), []byte("[2024-03-01 09:00:00] Ana: hello  \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, path, says string }{
		{"nothing", " ", "Write the path"},
		{"nothing there", filepath.Join(dir, "nowhere"), "No export is recognised there."},
		{"no export", dir + "/config.yaml", "No export is recognised there."},
	} {
		root := d.shown(http.StatusUnprocessableEntity, "/settings/sources/add", "path", tt.path)
		if said := text(d.one(root, "p", "remark")); !strings.Contains(said, tt.says) {
			t.Errorf("%s: the page says %q", tt.name, said)
		}
		if typed := attribute(byID(root, "path"), "value"); typed != strings.TrimSpace(tt.path) {
			t.Errorf("%s: the field holds %q", tt.name, typed)
		}
	}
	d.done("/settings/sources/add", "path", "~/more")
	want := "# mine\narchive_root:\n  - \"~/more\"\n"
	if got := d.text(); got != want {
		t.Errorf("added\n%s\nwant\n%s", got, want)
	}
	if said := text(d.shown(http.StatusUnprocessableEntity, "/settings/sources/add", "path", exports)); !strings.Contains(said, "look there already") {
		t.Errorf("added twice: %s", said)
	}
	d.done("/settings/sources/forget", "path", exports)
	if got := d.text(); got != "# mine\narchive_root: []\n" {
		t.Errorf("forgotten\n%s", got)
	}
	root := func() *html.Node { return all(d.one(d.page("/settings/sources"), "ul", "roots"), "li", "")[0] }
	known, err := d.reader.Roots(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.done("/settings/sources/forget", "path", known[0].Path)
	if shown := root(); !hasClass(shown, "forgotten") || !strings.Contains(text(shown), "no longer looked at") {
		t.Errorf("a forgotten root is shown as %q", text(shown))
	}
	if n := len(all(d.page("/search?q=offer"), "li", "hit")); n == 0 {
		t.Error("its messages are gone")
	}
	d.done("/settings/sources/recall", "path", known[0].Path)
	if shown := root(); hasClass(shown, "forgotten") {
		t.Errorf("it is still shown as %q", text(shown))
	}
	d.done("/settings/sources/forget", "path", known[0].Path)
	d.done("/settings/sources/add", "path", known[0].Path)
	if shown := root(); hasClass(shown, "forgotten") {
		t.Errorf("added again it is shown as %q", text(shown))
	}
	fixed := newSettingsDesk(t, "", "MSGBROWSE_ARCHIVE_ROOT="+exports)
	if said := text(fixed.shown(http.StatusUnprocessableEntity, "/settings/sources/forget", "path", exports)); !strings.Contains(said, "MSGBROWSE_ARCHIVE_ROOT names it") {
		t.Errorf("what the environment names: %s", said)
	}
	if said := text(fixed.shown(http.StatusUnprocessableEntity, "/settings/sources/add", "path", dir)); !strings.Contains(said, "MSGBROWSE_ARCHIVE_ROOT says") {
		t.Errorf("beside what the environment names: %s", said)
	}
}

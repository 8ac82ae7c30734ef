package web_test

import (
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/web"
)

const someRules = "# mine\nspam:\n  # far\n  watch_area_codes: [646] # away\n  allowlist:\n    - +12125550100 # home\n\nmcp:\n  listen: 127.0.0.1:9\n"

func (d *recordDesk) text() string {
	d.t.Helper()
	text, err := os.ReadFile(d.file)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

// TestSettingsPage shows what is in force, and what the file cannot change.
func TestSettingsPage(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults, withFile(t, someRules, "MSGBROWSE_SPAM_NAME_VARIANTS=Bob"))
	root := d.page("/settings/spam")
	checkMarkup(t, "settings", root)
	fields := map[string]*html.Node{}
	for _, tag := range []string{"textarea", "input", "select"} {
		for _, n := range all(d.one(root, "form", "settings"), tag, "") {
			fields[attribute(n, "name")] = n
		}
	}
	if len(fields) != 17 {
		t.Errorf("%d fields, want 17", len(fields))
	}
	if got := text(fields["spam.allowlist"]); got != "+12125550100" {
		t.Errorf("the allowlist is shown as %q", got)
	}
	for name, n := range fields {
		_, disabled := attributes(n)["disabled"]
		if disabled != (name == "spam.name_variants") {
			t.Errorf("%s: disabled is %t", name, disabled)
		}
	}
	if n := len(all(newRecordDesk(t, defaults).page("/spam"), "a", "to-settings")); n != 0 {
		t.Error("settings are offered that nobody can change")
	}
}

func attributes(n *html.Node) map[string]string {
	list := map[string]string{}
	for _, a := range n.Attr {
		list[a.Key] = a.Val
	}
	return list
}

// TestSaveSettings asks before rules become others, and changes nothing else.
func TestSaveSettings(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults, withFile(t, someRules, "MSGBROWSE_SPAM_NAME_VARIANTS=Bob"))
	d.done("/settings/spam", "spam.watch_area_codes", "646\n212", "spam.name_variants", "Al")
	want := strings.Replace(someRules, "[646] # away\n", "# away\n    - \"646\"\n    - \"212\"\n", 1)
	if got := d.text(); got != want {
		t.Fatalf("without a scan that asks:\n%s\nwant\n%s", got, want)
	}
	d.scan()
	before := d.state()
	res := d.post("/settings/spam", "spam.watch_area_codes", "212", "spam.allowlist", "+12125550100\n+16465550102")
	root, err := html.Parse(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v", res.StatusCode, err)
	}
	said := text(d.one(root, "section", "plain-text"))
	if !strings.Contains(said, "134 findings on 2 senders") || !strings.Contains(said, before.Ruleset) {
		t.Errorf("the page says %q", said)
	}
	if d.text() != want {
		t.Error("saved before the answer")
	}
	var fields []string
	for _, n := range all(d.one(root, "section", "plain-text"), "input", "") {
		fields = append(fields, attribute(n, "name"), attribute(n, "value"))
	}
	d.done("/settings/spam", append(fields, "then", "save")...)
	want = "# mine\nspam:\n  # far\n  watch_area_codes: # away\n    - \"212\"\n  allowlist:\n    - +12125550100 # home\n    - \"+16465550102\"\n\nmcp:\n  listen: 127.0.0.1:9\n"
	if got := d.text(); got != want {
		t.Errorf("saved\n%s\nwant\n%s", got, want)
	}
	if state := d.state(); state.LastRun.ID != before.LastRun.ID {
		t.Error("saving alone has scanned")
	}
	d.done("/settings/spam", "spam.watch_area_codes", "917", "then", "scan")
	d.wait()
	if state := d.state(); state.LastDone.ID != before.LastRun.ID+1 || state.Ruleset == before.Ruleset {
		t.Errorf("the scan after saving: %+v", state.LastRun)
	}
}

func TestSettingsRefused(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults, withFile(t, someRules))
	taken := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, key, value, says string }{
		{"code", "spam.watch_area_codes", "21", "three digits"},
		{"flag", "spam.flag_any_url", "maybe", "true or false"},
		{"share", "spam.canned_notice_match_ratio", "half", "at most 1"},
		{"share out of range", "spam.canned_notice_match_ratio", "2", "at most 1"},
		{"place", "spam.places", "Denver", "time zone"},
		{"relative folder", "spam.export_dir", "dossiers", "whole path"},
		{"folder below a file", "spam.export_dir", filepath.Join(taken, "x"), "cannot be made"},
	} {
		res := d.post("/settings/spam", tt.key, tt.value)
		root, err := html.Parse(res.Body)
		if err != nil || res.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(text(root), tt.says) {
			t.Errorf("%s: status %d, %v: %s", tt.name, res.StatusCode, err, text(root))
		}
	}
	if res := d.ask("POST", "/settings/spam", with("Sec-Fetch-Site", "cross-site")); res.StatusCode != http.StatusForbidden {
		t.Errorf("from another site: status %d", res.StatusCode)
	}
	d.done("/settings/spam", "data_dir", "/elsewhere", "mcp.allow_remote", "true", "spam.allowlist", "+12125550100")
	if d.text() != someRules {
		t.Errorf("what the page does not offer was changed:\n%s", d.text())
	}
	dir := filepath.Join(t.TempDir(), "a", "b")
	d.done("/settings/spam", "spam.export_dir", dir)
	if info, err := os.Stat(dir); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the folder for dossiers: %v, %v", info, err)
	}
}

// TestClientSettings offers what a client is told as it is.
func TestClientSettings(t *testing.T) {
	t.Parallel()
	told := "{\n  \"command\": \"/opt/a b/msgbrowse\", <\"--data-dir\">\n}\n"
	o := web.Options{Clients: []web.Client{{Name: "one", Config: told}, {Name: "two", Config: "claude mcp add"}}}
	d := newRecordDesk(t, o, withFile(t, someRules))
	root := d.page("/settings/mcp")
	checkMarkup(t, "clients", root)
	buttons := all(root, "button", "")
	var copies []string
	for _, b := range buttons {
		if text, ok := attributes(b)["data-copy"]; ok {
			copies = append(copies, text)
		}
	}
	if len(copies) != 2 || copies[0] != told {
		t.Errorf("to be copied: %q", copies)
	}
	if shown := all(root, "pre", "")[0].FirstChild.Data; shown != told {
		t.Errorf("shown: %q", shown)
	}
	if n := len(all(d.page("/settings/spam"), "nav", "tabs")); n != 1 {
		t.Errorf("%d ways from the rules to the clients", n)
	}
	alone := sampleDeskWith(t, o)
	if got := alone.ask("GET", "/settings").Header.Get("Location"); got != "/settings/mcp" {
		t.Errorf("without rules the settings begin at %q", got)
	}
	if n := len(all(alone.page("/settings/mcp"), "nav", "tabs")); n != 0 {
		t.Error("a page is offered that is not there")
	}
	sampleDesk(t).pageWith("/settings/mcp", http.StatusNotFound)
}

// TestConnectedClients tells who asked over MCP, and of a server that serves
// none, that it does not.
func TestConnectedClients(t *testing.T) {
	t.Parallel()
	o := web.Options{Clients: []web.Client{{Name: "one", Config: "x"}}}
	if said := text(sampleDeskWith(t, o).page("/settings/mcp")); !strings.Contains(said, "This server answers no MCP clients") {
		t.Errorf("without MCP the page says %s", said)
	}
	var asked []web.Caller
	var since time.Time
	o.Callers = func(moment time.Time) []web.Caller { since = moment; return asked }
	d := sampleDeskWith(t, o)
	root := d.page("/settings/mcp")
	checkMarkup(t, "MCP clients", root)
	if said := text(root); !strings.Contains(said, "No client has asked in the last ten minutes.") || !since.Equal(now.Add(-10*time.Minute)) {
		t.Errorf("nobody since %s: %s", since, said)
	}
	asked = []web.Caller{{Name: "desk <b> 1.2", Last: now}, {Last: now.Add(-75 * time.Second), Calls: 3}}
	part := d.page("/settings/mcp/clients?part=1")
	if n := len(all(part, "nav", "")); n != 0 {
		t.Error("the part has a frame")
	}
	want := []string{"desk <b> 1.2 asked just now; 0 calls", "A client that gives no name asked 1 min 15 s ago; 3 calls"}
	if diff := cmp.Diff(want, texts(all(part, "li", ""))); diff != "" {
		t.Errorf("clients (-want +got):\n%s", diff)
	}
	checkMarkup(t, "connected clients", d.page("/settings/mcp/clients"))
}

package e2e

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// send posts a form and follows to the page that answers it.
func send(t testing.TB, address string, form url.Values) (status int, body string) {
	t.Helper()
	res, err := http.PostForm(address, form)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(raw)
}

// generated is when a dossier says it was made, in any rendering.
var generated = regexp.MustCompile(`(?:generated_at[",: ]*|Made at )([0-9TZ:-]{20})`)

// TestRecordInBrowser makes the record from its pages: what is downloaded
// there is, byte for byte, what the command line prints, and a changed rule
// changes nothing of the configuration but itself.
func TestRecordInBrowser(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.importChat(data, stranger, chat())
	text := "# mine\ncontacts: {vcard: []} # none yet\n\nspam:\n  # codes\n  watch_area_codes: [\"646\"] # far\n  flag_any_url: true\n\n# the end\nmcp:\n  listen: 127.0.0.1:9\n"
	file := h.path("rules.yaml")
	h.write(file, []byte(text))
	base, _ := h.serveWeb("--data-dir", data, "--config", file)

	if _, body := get(t, base+"/spam"); !strings.Contains(body, "Nothing has been scanned yet") {
		t.Error("the record is not explained")
	}
	h.scanFrom(base, "/spam/scan", nil)
	page := base + "/spam/s/1"
	if status, body := send(t, page+"/judgment", url.Values{"status": {"tracked"}, "notes": {"calls, too"}}); status != http.StatusOK || !strings.Contains(body, "calls, too") {
		t.Errorf("judgment: status %d", status)
	}
	if status, body := send(t, page+"/event", url.Values{"type": {"reported_7726"}, "at": {"2026-03-05"}}); status != http.StatusOK || !strings.Contains(body, "reported_7726") {
		t.Errorf("event: status %d", status)
	}
	for _, format := range []string{"md", "json", "csv"} {
		_, downloaded := get(t, page+"/dossier."+format+"?as_of="+asOf)
		at := generated.FindStringSubmatch(downloaded)
		if at == nil {
			t.Fatalf("%s: no time of writing in %.600s", format, downloaded)
		}
		printed := h.must("--data-dir", data, "--config", file, "spam", "evidence", "1", "--format", format, "--as-of", asOf, "--generated-at", at[1]).stdout
		if downloaded != printed || len(printed) < 1000 {
			t.Errorf("%s: the download differs from what the command line prints:\n%s\n%s", format, downloaded, printed)
		}
	}

	// Other rules: nothing is saved until what stands under the old ones is known.
	form := url.Values{"spam.watch_area_codes": {"212\n646"}, "spam.flag_any_url": {"true"}}
	if _, body := send(t, base+"/settings/spam", form); !strings.Contains(body, "6 findings on 1 sender") {
		t.Errorf("the page does not say what stands under the old rules: %s", body)
	}
	if got := h.read(file); got != text {
		t.Errorf("the file was changed unasked:\n%s", got)
	}
	form.Set("then", "scan")
	h.scanFrom(base, "/settings/spam", form)
	want := strings.Replace(text, "watch_area_codes: [\"646\"] # far\n", "watch_area_codes: # far\n    - \"212\"\n    - \"646\"\n", 1)
	if got := h.read(file); got != want {
		t.Errorf("the file became\n%s\nwant\n%s", got, want)
	}
	if _, body := get(t, page); !strings.Contains(body, "area_code:212") {
		t.Error("the scan did not use the new rule")
	}
	// Another order is no other rule.
	form = url.Values{"spam.watch_area_codes": {"646\n212"}}
	if _, body := send(t, base+"/settings/spam", form); !strings.Contains(body, "Saved.") {
		t.Error("another order was not simply saved")
	}
	for _, wrong := range []url.Values{{"spam.watch_area_codes": {"21"}}, {"spam.export_dir": {"dossiers"}}, {"spam.canned_notice_match_ratio": {"2"}}, {"spam.flag_any_url": {"perhaps"}}} {
		if status, _ := send(t, base+"/settings/spam", wrong); status != http.StatusUnprocessableEntity {
			t.Errorf("%v: status %d", wrong, status)
		}
	}
}

// scanFrom posts a form that starts a scan, and waits for the scan's end.
func (h *home) scanFrom(base, target string, form url.Values) {
	h.t.Helper()
	if status, body := send(h.t, base+target, form); status != http.StatusOK {
		h.t.Fatalf("%s: status %d: %s", target, status, body)
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, body := get(h.t, base+"/spam/progress?part=1"); !strings.Contains(body, "data-running") {
			return
		}
	}
	h.t.Fatal("the scan did not end")
}

func (h *home) read(path string) string {
	h.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(text)
}

// TestJobsInBrowser imports what is new and indexes it, from the page Status.
func TestJobsInBrowser(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	chat := h.path("chats", "Ana", "chat.md")
	h.write(chat, []byte("[2024-03-01 09:00:00] Ana: hello there  \n"))
	h.must("import", "--quiet", "--data-dir", data, h.path("chats"))
	base, _ := h.serveWeb("--data-dir", data)
	h.write(chat, []byte("[2024-03-01 09:00:00] Ana: hello there  \n\n[2024-03-02 09:00:00] Ana: a belated greeting  \n"))
	for job, want := range map[string]string{"import": "Imported: 1 message new", "index": "by meaning"} {
		if status, body := send(t, base+"/status/jobs/"+job, nil); status != http.StatusOK {
			t.Fatalf("%s: status %d: %s", job, status, body)
		}
		said := ""
		for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if _, said = get(t, base+"/status"); !strings.Contains(said, "data-running") {
				break
			}
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: the page does not say %q: %s", job, want, said)
		}
	}
	if _, body := get(t, base+"/search?q=belated"); !strings.Contains(body, "<mark>belated</mark>") {
		t.Error("what was imported is not found")
	}
}

//go:build browser

package web_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/msgbrowse/msgbrowse/internal/web"
)

// callers are the MCP clients of a test, which may change meanwhile.
type callers struct {
	mu   sync.Mutex
	list []web.Caller
}

func (c *callers) since(time.Time) []web.Caller {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.list
}

func (c *callers) add(caller web.Caller) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, caller)
}

// busyDesk is a desk with everything that settings, Status and People can
// show.
func busyDesk(t *testing.T) (*settingsDesk, *callers) {
	asked := &callers{}
	tail := web.NewLogTail(slog.DiscardHandler)
	log := slog.New(tail)
	log.Info("web: job began", "job", "import")
	log.Warn("web: request", "route", "GET /c/{id}", "status", 404)
	log.Error("web: open media", "media", 7, "gone", true)
	o := web.Options{
		Clients: []web.Client{{Name: "claude-code", Config: "claude mcp add msgbrowse -- /usr/local/bin/msgbrowse mcp\n"}, {Name: "generic", Config: "{\n  \"command\": \"msgbrowse\"\n}\n"}},
		Callers: asked.since, Log: tail,
		Index: func(context.Context) (web.IndexState, error) {
			return web.IndexState{Provider: "builtin", Complete: true, Behind: 12, Text: "12 new messages to be indexed"}, nil
		},
		Jobs: &web.Jobs{List: []web.Job{
			{Name: "import", Label: "Import what is new", Doc: "Looks at the folders and files below again."},
			{Name: "index", Label: "Index for searches by meaning", Doc: "Nothing leaves this machine."},
			{Name: "reindex", Label: "Make this index anew", Doc: "It is seldom needed.", Asks: true},
		}},
	}
	dir := t.TempDir()
	return newSettingsDeskWith(t, o, someSettings+"archive_root: ["+filepath.Join(dir, "old-phone")+"]\n"), asked
}

// A person tries an endpoint, mends what is wrong, and saves; what was typed
// stays while it is tried.
func TestEmbeddingsInBrowser(t *testing.T) {
	url, asked := endpointServer(t)
	d, _ := busyDesk(t)
	b := recordTab(t, d.recordDesk, 1280, 900)
	b.open("/settings")
	b.do(`[...document.querySelectorAll('.tabs a')].find(a => a.textContent === 'Embeddings').click()`)
	b.until("the page is there", `document.querySelector('[name="llm.base_url"]') && document.readyState === 'complete'`)
	b.settle()
	fill := func(name, value string) {
		b.do(fmt.Sprintf(`document.querySelector('form.settings').elements[%q].value = %q`, name, value))
	}
	fill("embeddings.provider", "endpoint")
	fill("llm.base_url", url)
	fill("llm.embed_model", "nomic")
	try := func() string {
		b.do(`document.getElementById('trial').textContent = ''`)
		b.run(chromedp.Click(chromedp.CSS(`button[data-into]`)))
		b.until("there is an answer", `document.querySelector('#trial p') && !document.querySelector('button[data-into]').disabled`)
		return eval[string](b, `document.getElementById('trial').textContent`)
	}
	if said := try(); !strings.Contains(said, "It asks for an API key") {
		t.Errorf("without the key: %q", said)
	}
	fill("key", secretKey)
	if said := try(); !strings.Contains(said, "A vector of 4 dimensions") || *asked != 2 {
		t.Errorf("with the key: %q after %d requests", said, *asked)
	}
	if kept := eval[string](b, `document.querySelector('[name=key]').value`); kept != secretKey || d.text() != mustRead(t, d.file) {
		t.Errorf("the field of the key holds %q", kept)
	}
	if got := b.address(); got != "/settings/embeddings" {
		t.Errorf("trying led to %s", got)
	}
	b.submit("form.settings")
	b.until("it says that it was saved", `document.querySelector('.saved')?.textContent.startsWith('Saved')`)
	if page := eval[string](b, `document.documentElement.outerHTML`); strings.Contains(page, secretKey) {
		t.Error("the page holds the key")
	}
	if text := d.text(); !strings.Contains(text, `embed_model: "nomic"`) || !strings.Contains(text, "# mine") {
		t.Errorf("the file holds\n%s", text)
	}
}

func mustRead(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The line of connected clients follows them without being loaded again.
func TestConnectedClientsInBrowser(t *testing.T) {
	d, asked := busyDesk(t)
	b := recordTab(t, d.recordDesk, 1280, 900)
	b.open("/settings/mcp")
	b.do(`document.documentElement.dataset.left = '1'`)
	if said := eval[string](b, `document.querySelector('[data-refresh]').textContent`); !strings.Contains(said, "No client has asked") {
		t.Errorf("nobody: %q", said)
	}
	asked.add(web.Caller{Name: "desk 1.2", Last: now, Calls: 3})
	b.until("the client is told of", `document.querySelector('[data-refresh]').textContent.includes('desk 1.2')`)
	if !eval[bool](b, `!!document.documentElement.dataset.left`) {
		t.Error("the page was loaded again")
	}
}

// A person adds a folder that is none, then sees why, and forgets another.
func TestSourcesInBrowser(t *testing.T) {
	d, _ := busyDesk(t)
	b := recordTab(t, d.recordDesk, 1280, 900)
	b.open("/settings/sources")
	b.submit(`form[action="/settings/sources/add"]`, "path", "/nowhere/at/all")
	if said := eval[string](b, `document.querySelector('[role=alert]').textContent`); !strings.Contains(said, "No export is recognised there.") {
		t.Errorf("the page says %q", said)
	}
	b.forgive() // the console tells of the status 422
	b.submit(`form[action="/settings/sources/forget"]`)
	b.until("it is forgotten", `document.querySelector('.roots .forgotten')`)
	b.submit(`form[action="/settings/sources/recall"]`)
	b.until("it is looked at again", `document.querySelector('.roots') && !document.querySelector('.roots .forgotten')`)
}

// A person says that two people are one, and takes it back.
func TestMergeInBrowser(t *testing.T) {
	d, _ := busyDesk(t)
	loud, quiet := d.personOf(loudSender), d.personOf(quietSender)
	b := recordTab(t, d.recordDesk, 1280, 900)
	b.open("/people/" + loud)
	b.do(`[...document.querySelectorAll('main a')].find(a => a.textContent.startsWith('Same person')).click()`)
	b.until("people are offered", `document.querySelector('#list .row') && document.querySelector('[name=q]')`)
	b.settle()
	b.run(chromedp.SendKeys(chromedp.CSS("[name=q]"), "646"))
	b.until("the list is narrowed", `document.querySelectorAll('#list .row').length === 1`)
	b.do(`document.querySelector('#list .row a').click()`)
	b.until("it is asked", `document.querySelector('form [name=reason]')`)
	b.submit(`form.stack`, "reason", "her new number")
	b.until("it is shown", `document.querySelectorAll('.handles li').length === 2 && document.querySelector('.decided').textContent.includes('her new number')`)
	if d.personOf(quietSender) != loud {
		t.Error("they were not merged")
	}
	b.submit(`.decided form`)
	b.until("it is taken back", `location.pathname === '/decisions' && document.querySelector('.decided').textContent.includes('taken back')`)
	if d.personOf(quietSender) != quiet {
		t.Error("they are still merged")
	}
}

// On a phone every page can be reached from the bar, with and without the
// script.
func TestEveryPageOnPhone(t *testing.T) {
	d, _ := busyDesk(t)
	b := recordTab(t, d.recordDesk, 390, 844)
	for _, script := range []bool{true, false} {
		b.run(call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !script}))
		for _, page := range []struct{ link, path string }{{"unsolicited", "/spam"}, {"settings", "/settings/sources"}, {"status", "/status"}, {"links", "/links"}, {"media", "/media"}} {
			b.run(chromedp.Navigate(b.base+"/people"), chromedp.WaitReady(chromedp.CSS("main")))
			b.run(chromedp.Click(chromedp.CSS(".rail .to-more")), chromedp.WaitVisible(chromedp.CSS("#pages .to-"+page.link)), chromedp.Click(chromedp.CSS("#pages .to-"+page.link)))
			for end := time.Now().Add(patience); b.address() != page.path && time.Now().Before(end); {
				time.Sleep(20 * time.Millisecond)
			}
			if got := b.address(); got != page.path {
				t.Errorf("%s leads to %s", page.link, got)
			}
		}
	}
}

// busyPages are the pages that are judged by their looks, with a name for
// their pictures.
func busyPages(d *settingsDesk) []struct{ name, path string } {
	loud, quiet := d.personOf(loudSender), d.personOf(quietSender)
	return []struct{ name, path string }{
		{"settings-sources", "/settings/sources"}, {"settings-embeddings", "/settings/embeddings"}, {"settings-clients", "/settings/mcp"}, {"status-busy", "/status"},
		{"person-decided", "/people/" + loud}, {"person-merge", "/people/" + quiet + "/merge"}, {"person-ask", "/people/" + quiet + "/merge/" + loud}, {"decisions", "/decisions"},
		{"person-split", "/people/" + loud + "/split?handle=" + d.handleOf(loudSender)},
	}
}

// preparedDesk is a busy desk on which something was decided.
func preparedDesk(t *testing.T) *settingsDesk {
	d, asked := busyDesk(t)
	asked.add(web.Caller{Name: "claude-code 2.1.4", Last: now.Add(-12 * time.Second), Calls: 14})
	asked.add(web.Caller{Last: now.Add(-4 * time.Minute), Calls: 1})
	loud, other := d.personOf(loudSender), d.personOf(friend)
	d.done("/people/"+loud+"/merge/"+other, "reason", "her new number")
	return d
}

func TestSettingsAreAccessible(t *testing.T) {
	axe := mustRead(t, os.Getenv("MSGBROWSE_AXE"))
	d := preparedDesk(t)
	for _, width := range []int64{1280, 390} {
		b := recordTab(t, d.recordDesk, width, 800)
		for i, page := range busyPages(d) {
			for _, open := range []bool{false, true} {
				b.open(page.path)
				if open {
					b.do(`for (const d of document.querySelectorAll('main details')) d.open = true; document.querySelector('#pages').showPopover()`)
				}
				b.run(dark((i%2 == 0) == open))
				b.accessible(axe, fmt.Sprintf("%s at %d px, opened %t", page.name, width, open))
				if wide := eval[float64](b, `document.documentElement.scrollWidth`); int64(wide) > width {
					t.Errorf("%s at %d px is %v px wide", page.name, width, wide)
				}
			}
		}
	}
}

func TestScreenshotsOfSettings(t *testing.T) {
	dir := os.Getenv("MSGBROWSE_SCREENSHOTS")
	if dir == "" {
		t.Skip("pictures are taken by \"make screenshots\"")
	}
	d := preparedDesk(t)
	for _, kind := range []struct {
		name          string
		width, height int64
		night         bool
	}{{"light", 1280, 900, false}, {"dark", 1280, 900, true}, {"phone", 390, 844, false}} {
		b := recordTab(t, d.recordDesk, kind.width, kind.height)
		b.run(dark(kind.night))
		for _, page := range busyPages(d) {
			b.open(page.path)
			b.picture(filepath.Join(dir, page.name+"-"+kind.name+".png"))
			b.do(`for (const d of document.querySelectorAll('main details')) d.open = true; scrollTo(0, document.documentElement.scrollHeight)`)
			b.settle()
			b.picture(filepath.Join(dir, page.name+"-end-"+kind.name+".png"))
		}
		if kind.width < 900 {
			b.do(`document.querySelector('.to-more').click()`)
			b.picture(filepath.Join(dir, "pages-"+kind.name+".png"))
		}
	}
}

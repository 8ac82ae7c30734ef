//go:build browser

package web_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// everyPage are the pages that people see, with a name for their pictures.
var everyPage = []struct{ name, path string }{
	{"home", "/"},
	{"conversations", "/conversations"},
	{"transcript", "/c/7"},
	{"group", "/c/12"},
	{"beginning", "/c/7?from=start"},
	{"calendar", "/c/7/calendar?year=2023"},
	{"message", "/c/7/at/211"},
	{"permalink", "/m/7ba75d7489e4b12cb7d1d94b9f1e8c85"},
	{"search", "/search?q=lease"},
	{"question", "/search?q=what+did+Harper+say+about+the+lease"},
	{"nothing", "/search?q=xyzzyplugh"},
	{"wrong", "/search?q=%22lease"},
	{"blank", "/search"},
	{"people", "/people"},
	{"person", "/people/1"},
	{"media", "/media"},
	{"links", "/links"},
	{"domains", "/links/domains"},
	{"status", "/status"},
	{"import", "/status/imports/1"},
	{"check", "/status/check"},
	{"problem", "/nowhere"},
}

// notPages are the routes that give no page of their own, and what they give.
var notPages = map[string]string{
	"GET /static/{file}":        "style and script",
	"GET /media/{id}":           "a file",
	"GET /media/{id}/shown":     "a picture",
	"GET /spam/s/{id}/dossier.": "a download",
	"GET /spam/e/{id}/dossier.": "a download",
	"GET /settings/mcp/clients": "a part of a page",
}

// TestEveryPageIsLookedAt finds every route in the code; each must be among
// the pages that are checked with axe-core and photographed.
func TestEveryPageIsLookedAt(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	missing, routes := map[string]bool{}, http.NewServeMux()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`"(GET /[^"]*)"`).FindAllStringSubmatch(string(code), -1) {
			if pattern := match[1]; !missing[pattern] {
				missing[pattern] = true
				routes.HandleFunc(pattern, func(http.ResponseWriter, *http.Request) {})
			}
		}
	}
	if len(missing) < 30 {
		t.Fatalf("found only %d routes: the code was not read", len(missing))
	}
	for _, page := range slices.Concat(everyPage, recordPages(judged(t)), busyPages(preparedDesk(t))) {
		_, pattern := routes.Handler(httptest.NewRequest(http.MethodGet, page.path, nil))
		delete(missing, pattern)
	}
	for pattern := range missing {
		if notPages[pattern] == "" {
			t.Errorf("no page of %q is checked: add one to everyPage, recordPages or busyPages", pattern)
		}
	}
}

func dark(yes bool) chromedp.Action[chromedp.Void] {
	scheme := "light"
	if yes {
		scheme = "dark"
	}
	return call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// TestPagesAreAccessible runs axe-core over every page, light and dark, wide
// and on a phone. Nothing serious may be found.
func TestPagesAreAccessible(t *testing.T) {
	path := os.Getenv("MSGBROWSE_AXE")
	if path == "" {
		t.Fatal("MSGBROWSE_AXE names no axe-core; run this by \"make browser\"")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{1280, 390} {
		b := newTab(t, width, 800)
		for i, page := range everyPage {
			b.forgive()
			b.open(page.path)
			for _, night := range []bool{i%2 == 0, i%2 == 1} {
				b.run(dark(night))
				b.accessible(string(axe), fmt.Sprintf("%s at %d px, dark %t", page.name, width, night))
			}
			if wide := eval[float64](b, `document.documentElement.scrollWidth`); int64(wide) > width {
				t.Errorf("%s at %d px is %v px wide", page.name, width, wide)
			}
			if page.name == "problem" {
				b.forgive() // the console tells of the status 404
			}
		}
	}
}

// accessible runs axe-core over the page. Nothing serious may be found.
func (b *tab) accessible(axe, page string) {
	b.t.Helper()
	b.do(axe + "; true")
	found := eval[string](b, `axe.run(document).then(r => JSON.stringify({passes: r.passes.length, violations: r.violations.map(v =>
		({id: v.id, impact: v.impact, nodes: v.nodes.map(n => n.target + ': ' + n.failureSummary)}))}))`)
	seen := reportOf(b.t, found)
	if seen.Passes < 10 {
		b.t.Errorf("%s: only %d rules passed: axe did not see the page", page, seen.Passes)
	}
	for _, v := range seen.Violations {
		if v.Impact == "serious" || v.Impact == "critical" {
			b.t.Errorf("%s: %s (%s)\n%s", page, v.ID, v.Impact, strings.Join(v.Nodes, "\n"))
		}
	}
}

// report is what axe-core says of a page.
type report struct {
	Passes     int
	Violations []struct {
		ID, Impact string
		Nodes      []string
	}
}

func reportOf(t *testing.T, text string) (r report) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestScreenshots takes pictures of every page for people to look at.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("MSGBROWSE_SCREENSHOTS")
	if dir == "" {
		t.Skip("pictures are taken by \"make screenshots\"")
	}
	for _, kind := range []struct {
		name          string
		width, height int64
		night         bool
	}{{"light", 1280, 900, false}, {"dark", 1280, 900, true}, {"phone", 390, 844, false}, {"phone-dark", 390, 844, true}} {
		b := newTab(t, kind.width, kind.height)
		b.run(dark(kind.night))
		for _, page := range everyPage {
			b.open(page.path)
			b.picture(filepath.Join(dir, page.name+"-"+kind.name+".png"))
		}
		b.forgive()
	}
}

// picture keeps what the page looks like.
func (b *tab) picture(path string) {
	b.t.Helper()
	picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, picture, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// A person finds a message, reads around it, and comes back to the place they
// left.
func TestSearchAndComeBack(t *testing.T) {
	b := newTab(t, 1280, 500)
	b.open("/search")
	b.run(chromedp.SendKeys(chromedp.CSS("#q"), "boat"))
	b.until("results appear while typing", `document.querySelectorAll('.hit').length > 3 && location.search === '?q=boat'`)
	if said := eval[string](b, `document.getElementById('said').textContent`); !strings.Contains(said, "found") {
		t.Errorf("readers of the screen are told %q", said)
	}
	b.do(`document.querySelectorAll('.hit')[3].scrollIntoView(); document.querySelectorAll('.hit')[3].querySelector('a').focus()`)
	place := eval[float64](b, `scrollY`)
	if place < 100 {
		t.Fatalf("scrolled only to %v", place)
	}
	want := eval[string](b, `document.querySelectorAll('.hit')[3].querySelector('a').getAttribute('href').split('#')[1]`)
	b.do(`document.querySelectorAll('.hit')[3].querySelector('a').click()`)
	b.until("the message is shown", `document.querySelector('.target')`)
	b.settle()
	if got := eval[string](b, `document.querySelector('.target').id`); got != want {
		t.Errorf("message %s, want %s", got, want)
	}
	seen := eval[[]float64](b, `[document.querySelector('.target').getBoundingClientRect().top, innerHeight]`)
	if seen[0] < 0 || seen[0] > seen[1] {
		t.Errorf("the message is at %v of %v", seen[0], seen[1])
	}
	if around := eval[int](b, `document.querySelectorAll('.msg').length`); around < 10 {
		t.Errorf("only %d messages around it", around)
	}
	b.do(`history.back()`)
	b.until("the results are back", `document.querySelectorAll('.hit').length > 3`)
	b.settle()
	if back := eval[float64](b, `scrollY`); math.Abs(back-place) > 40 {
		t.Errorf("back at %v, left at %v", back, place)
	}
	if query := eval[string](b, `document.getElementById('q').value`); query != "boat" {
		t.Errorf("the field holds %q", query)
	}
}

// A search can be narrowed on every window, and what narrows it removed again.
func TestNarrowAndWiden(t *testing.T) {
	for _, width := range []int64{1280, 1024, 640, 390} {
		b := newTab(t, width, 800)
		b.open("/search?q=boat")
		shown := `document.querySelector('#narrow a').checkVisibility()`
		if beside := eval[bool](b, shown); beside != (width >= 1200) {
			t.Errorf("at %d px the facets stand beside: %t", width, beside)
		}
		if width < 1200 {
			b.do(`document.querySelector('.to-narrow').focus()`)
			b.press("\r")
			b.until("the facets open", shown)
		}
		b.do(`document.querySelector('#narrow a').click()`)
		b.until("the search is narrowed", `location.search !== '?q=boat' && document.querySelector('.chips')`)
		b.do(`document.querySelector('.chips a').click()`)
		b.until("the filter is gone", `location.search === '?q=boat' && !document.querySelector('.chips')`)
	}
}

// A transcript goes on in both directions and nothing that is being read
// moves.
func TestEndlessTranscript(t *testing.T) {
	b := newTab(t, 1280, 700)
	b.open("/c/7")
	if bottom := eval[float64](b, `document.getElementById('end').getBoundingClientRect().bottom - innerHeight`); bottom > 80 {
		t.Errorf("the latest message is %v px below the window", bottom)
	}
	before := eval[int](b, `document.querySelectorAll('.msg').length`)
	b.do(`window.marked = document.querySelector('.msg'); marked.scrollIntoView({block: 'center'}); window.was = marked.getBoundingClientRect().top`)
	b.until("earlier messages came", fmt.Sprintf(`document.querySelectorAll('.msg').length > %d`, before))
	b.settle()
	if moved := eval[float64](b, `marked.getBoundingClientRect().top - was`); math.Abs(moved) > 2 {
		t.Errorf("what was read moved by %v px", moved)
	}
	for range 40 {
		if eval[bool](b, `!document.querySelector('.more')`) {
			break
		}
		b.do(`scrollTo(0, 0)`)
		b.settle()
	}
	check := eval[map[string]int](b, `(() => { const ids = [...document.querySelectorAll('.msg')].map(m => m.id), days = [...document.querySelectorAll('.day')].map(d => +d.dataset.day)
		return { all: ids.length, distinct: new Set(ids).size, days: days.length, distinctDays: new Set(days).size, sorted: days.every((d, i) => !i || days[i - 1] < d) ? 1 : 0, more: document.querySelectorAll('.more').length } })()`)
	if check["all"] != check["distinct"] || check["days"] != check["distinctDays"] || check["sorted"] != 1 || check["more"] != 0 || check["all"] < 90 {
		t.Errorf("after scrolling to the beginning: %v", check)
	}
	b.open("/c/7?from=start")
	for range 40 {
		if eval[bool](b, `!document.querySelector('.more')`) {
			break
		}
		b.do(`scrollTo(0, document.documentElement.scrollHeight)`)
		b.settle()
	}
	if forward := eval[int](b, `new Set([...document.querySelectorAll('.msg')].map(m => m.id)).size`); forward != check["all"] {
		t.Errorf("%d messages forwards, %d backwards", forward, check["all"])
	}
	b.until("the address says where one is", `location.search.includes('near=')`)
	near := eval[string](b, `'m' + new URL(location.href).searchParams.get('near')`)
	b.run(chromedp.Reload(), chromedp.WaitReady(chromedp.CSS("main")))
	b.settle()
	if top := eval[float64](b, `document.getElementById('`+near+`').getBoundingClientRect().top`); top < 0 || top > 700 {
		t.Errorf("after loading again, the message is at %v", top)
	}
}

// A date of the calendar leads to its messages.
func TestJumpToDate(t *testing.T) {
	b := newTab(t, 1280, 700)
	b.open("/c/7")
	b.until("the calendar is there", `document.querySelector('#calendar .days a')`)
	b.do(`[...document.querySelectorAll('#calendar .years a')].find(a => a.textContent === '2023').click()`)
	b.until("the year changed", `document.querySelector('#calendar .years [aria-current]').textContent === '2023' && location.pathname === '/c/7'`)
	b.do(`[...document.querySelectorAll('#calendar .days a')].find(a => a.getAttribute('href').endsWith('date=2023-04-02')).click()`)
	b.until("the day is shown", `location.search.includes('2023-04-02') && document.querySelector('.day time')`)
	b.settle()
	if top := eval[float64](b, `document.querySelector('time[datetime="2023-04-02"]').getBoundingClientRect().top`); top < 0 || top > 700 {
		t.Errorf("the day stands at %v", top)
	}
	if text := eval[string](b, `document.querySelector('.talk').textContent`); !strings.Contains(text, "all eleven pages") {
		t.Error("the messages of the day are not there")
	}
}

// Everything by keyboard.
func TestKeys(t *testing.T) {
	b := newTab(t, 1280, 700)
	b.open("/")
	b.press("gc")
	b.until("g c leads to the conversations", `location.pathname === '/conversations'`)
	b.settle()
	b.press("j")
	b.press("j")
	b.press("k")
	want := eval[string](b, `document.querySelector('[data-item] a').getAttribute('href')`)
	if got := eval[string](b, `document.activeElement.getAttribute('href')`); got != want {
		t.Errorf("j j k focuses %q, want %q", got, want)
	}
	b.press("\r")
	b.until("Enter opens it", `location.pathname.startsWith('/c/')`)
	b.settle()
	b.press("/")
	b.until("/ leads to the search", `location.pathname === '/search' && document.activeElement.id === 'q'`)
	b.do(`document.activeElement.blur()`)
	b.press("?")
	b.until("? shows the keys", `document.getElementById('help').open`)
	b.run(chromedp.KeyEvent("\x1b"))
	b.until("Escape closes them", `!document.getElementById('help').open`)
	b.open("/")
	b.press("\t")
	if text := eval[string](b, `document.activeElement.textContent`); text != "Skip to content" {
		t.Errorf("the first thing to reach is %q", text)
	}
}

// Pictures open over the page and lead to their message.
func TestViewer(t *testing.T) {
	b := newTab(t, 1280, 700)
	b.open("/media?kind=image")
	b.do(`document.querySelector('[data-view=image]').click()`)
	b.until("the picture is shown", `document.querySelector('#viewer[open] img')?.naturalWidth > 0`)
	b.do(`document.querySelector('#viewer figcaption a').click()`)
	b.until("its message is shown", `document.querySelector('.target .picture')`)
}

// Both colour schemes are there, and they differ.
func TestColourSchemes(t *testing.T) {
	b := newTab(t, 1280, 700)
	b.open("/")
	ground := func(night bool) string {
		b.run(dark(night))
		return eval[string](b, `getComputedStyle(document.documentElement).backgroundColor`)
	}
	if day, night := ground(false), ground(true); day != "rgb(250, 248, 244)" || night != "rgb(28, 29, 31)" {
		t.Errorf("light %s, dark %s", day, night)
	}
}

// Without a script everything can still be read, searched and reached.
func TestWithoutScript(t *testing.T) {
	b := newTab(t, 1280, 700)
	b.run(call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	b.run(chromedp.Navigate(b.base+"/search"), chromedp.WaitReady(chromedp.CSS("#q")))
	b.run(chromedp.SendKeys(chromedp.CSS("#q"), "lease\r"), chromedp.WaitReady(chromedp.CSS(".hit")), chromedp.Click(chromedp.CSS(".hit a")), chromedp.WaitReady(chromedp.CSS(".target")))
	b.run(chromedp.Click(chromedp.CSS(".to-conversations")), chromedp.WaitReady(chromedp.CSS(".row")), chromedp.Click(chromedp.CSS(`.row a[href="/c/7#end"]`)), chromedp.WaitReady(chromedp.CSS(".more")))
	b.run(chromedp.Click(chromedp.CSS(".more a")))
	b.run(chromedp.WaitReady(chromedp.CSS(`.more[data-more=after]`)))
	if address := b.address(); !strings.HasPrefix(address, "/c/7?before=") {
		t.Errorf("earlier messages are at %s", address)
	}
}

//go:build browser

package web_test

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/msgbrowse/msgbrowse/internal/demo/large"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

const (
	largeMessages = 200_000
	// still is how far what is being read may move, in px.
	still = 3
)

// TestLargeArchive walks the paths that people take through an archive of
// 200,000 messages, half of them from strangers.
func TestLargeArchive(t *testing.T) {
	dir := t.TempDir()
	exports, data := filepath.Join(dir, "exports"), filepath.Join(dir, "data")
	if err := large.Write(exports, largeMessages); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := importExports(t.Context(), exports, data, large.Me); err != nil {
		t.Fatal(err)
	}
	t.Logf("imported in %v", time.Since(began))
	d := serveRecord(t, data, filepath.Join(dir, "dossiers"), defaults, nil)
	for _, step := range []struct {
		name string
		run  func(*testing.T, *recordDesk)
	}{
		{"search and come back", largeSearch}, {"earlier messages", largeEarlier}, {"later messages", largeLater}, {"jump to a date", largeDate},
		{"gallery", largeGallery}, {"lists", largeLists}, {"without script", largeWithoutScript}, {"record", largeRecord}, {"both schemes", largeSchemes}, {"page sizes", largeSizes},
	} {
		t.Run(step.name, func(t *testing.T) {
			mine := *d.desk
			mine.t = t
			own := *d
			own.desk = &mine
			step.run(t, &own)
		})
	}
}

// talk is the address of the longest conversation.
func (d *recordDesk) talk() string {
	d.t.Helper()
	list, _, err := d.reader.ListConversations(d.t.Context(), store.ConversationQuery{Order: store.BySize, Limit: 1})
	if err != nil || len(list) != 1 || list[0].Name != large.Talk {
		d.t.Fatalf("longest conversation %+v, %v", list, err)
	}
	return "/c/" + itoa(list[0].ID)
}

// mark remembers what is in the middle of the window, of the elements that
// match, and from then on the farthest it moved within the window.
func (b *tab) mark(selector string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf(`(() => {
		const middle = innerHeight / 2, distance = x => Math.abs(x.getBoundingClientRect().top - middle)
		const marked = [...document.querySelectorAll(%q)].reduce((a, b) => distance(b) < distance(a) ? b : a)
		const was = marked.getBoundingClientRect().top
		const watch = window.watched = { marked, moved: 0 }
		const look = () => {
			if (window.watched !== watch) return
			watch.moved = Math.max(watch.moved, Math.abs(marked.getBoundingClientRect().top - was))
			requestAnimationFrame(look)
		}
		look()
		return marked.id || marked.textContent.slice(0, 60)
	})()`, selector))
}

// moved is the farthest that what was marked moved, in px; infinite when it
// is gone.
func (b *tab) moved() float64 {
	b.t.Helper()
	return eval[float64](b, `watched.marked.isConnected ? watched.moved : 1e9`)
}

// scrollBy scrolls as a wheel does.
func (b *tab) scrollBy(y int) {
	b.t.Helper()
	b.do(fmt.Sprintf(`scrollBy({ top: %d, behavior: 'instant' })`, y))
	b.settle()
}

// readOn reads through a list that goes on, until it has grown so many times;
// what is read must stay where it is. selector names its items.
func (b *tab) readOn(selector string, step, times int) {
	b.t.Helper()
	for grown, steps := 0, 0; grown < times; steps++ {
		if steps > 60*times {
			b.t.Fatalf("the list grew only %d times", grown)
		}
		count := eval[int](b, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector))
		b.scrollBy(step)
		what := b.mark(selector)
		if eval[bool](b, `Boolean(document.querySelector('.more[data-busy]'))`) {
			b.until("the list grows", fmt.Sprintf(`document.querySelectorAll(%q).length > %d`, selector, count))
			b.settle()
		}
		if n := eval[int](b, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector)); n > count {
			grown++
		}
		if moved := b.moved(); moved > still {
			b.t.Errorf("while the list grew, %q moved by %v px", what, moved)
		}
	}
}

// inOrder checks that every message of a transcript stands there once, in
// order, under one heading for each day.
func (b *tab) inOrder(least int) {
	b.t.Helper()
	check := eval[map[string]int](b, `(() => { const ids = [...document.querySelectorAll('.msg')].map(m => +m.id.slice(1)), days = [...document.querySelectorAll('.day')].map(d => +d.dataset.day)
		return { all: ids.length, distinct: new Set(ids).size, days: days.length, rising: days.filter((d, i) => !i || days[i - 1] < d).length } })()`)
	if check["all"] != check["distinct"] || check["days"] != check["rising"] || check["all"] < least {
		b.t.Errorf("the transcript holds %v, want at least %d messages, each once", check, least)
	}
}

func largeSearch(t *testing.T, d *recordDesk) {
	b := recordTab(t, d, 1280, 700)
	b.open("/search")
	b.run(chromedp.SendKeys(chromedp.CSS("#q"), large.Landmark))
	b.until("results appear while typing", `document.querySelectorAll('.hit').length === 20 && location.search.startsWith('?q=`+large.Landmark+`')`)
	b.readOn(".hit", 500, 1)
	const pick = `document.querySelectorAll('.hit')[27]`
	b.do(pick + `.scrollIntoView({ block: 'center' }); ` + pick + `.querySelector('a').focus()`)
	b.settle()
	want := eval[string](b, pick+`.querySelector('a').getAttribute('href').split('#')[1]`)
	place := eval[float64](b, pick+`.getBoundingClientRect().top`)
	b.press("\r")
	b.until("the message is shown", `document.querySelector('.target')`)
	b.settle()
	if got := eval[string](b, `document.querySelector('.target').id`); got != want {
		t.Errorf("message %s, want %s", got, want)
	}
	if seen := eval[[]float64](b, `[document.querySelector('.target').getBoundingClientRect().top, innerHeight]`); seen[0] < 0 || seen[0] > seen[1] {
		t.Errorf("the message is at %v of %v", seen[0], seen[1])
	}
	if around := eval[int](b, `document.querySelectorAll('.msg').length`); around < 10 {
		t.Errorf("only %d messages around it", around)
	}
	// Reading on and coming back must lead to the same place all the same.
	b.scrollBy(-900)
	b.do(`history.back()`)
	b.until("the results are back", `document.querySelectorAll('.hit').length > 27`)
	b.settle()
	if got := eval[string](b, pick+`.querySelector('a').getAttribute('href').split('#')[1]`); got != want {
		t.Errorf("the result is now %s, was %s", got, want)
	}
	if back := eval[float64](b, pick+`.getBoundingClientRect().top`); math.Abs(back-place) > still {
		t.Errorf("the result is at %v, was at %v", back, place)
	}
	b.open("/search?q=" + large.Rare)
	if n := eval[int](b, `document.querySelectorAll('.hit').length`); n != 1 {
		t.Errorf("%d messages with the rare word, want 1", n)
	}
}

func largeEarlier(t *testing.T, d *recordDesk) {
	b := recordTab(t, d, 1280, 700)
	b.open(d.talk())
	if bottom := eval[float64](b, `document.getElementById('end').getBoundingClientRect().bottom - innerHeight`); bottom > 80 {
		t.Errorf("the latest message is %v px below the window", bottom)
	}
	b.readOn(".msg", -700, 6)
	b.inOrder(250)
	// And from a message in the middle, on a phone.
	res := d.ask(http.MethodGet, "/search?q="+large.Rare)
	if res.StatusCode != http.StatusOK {
		t.Fatalf("status %d", res.StatusCode)
	}
	b = recordTab(t, d, 390, 844)
	b.open("/search?q=" + large.Rare)
	b.do(`document.querySelector('.hit a').click()`)
	b.until("the message is shown", `document.querySelector('.target')`)
	b.settle()
	b.readOn(".msg", -600, 3)
	b.readOn(".msg", 600, 3)
	b.inOrder(200)
}

func largeLater(t *testing.T, d *recordDesk) {
	b := recordTab(t, d, 1280, 700)
	b.open(d.talk() + "?from=start")
	b.readOn(".msg", 700, 6)
	b.inOrder(250)
	b.until("the address says where one is", `location.search.includes('near=')`)
	near := eval[string](b, `'m' + new URL(location.href).searchParams.get('near')`)
	b.run(chromedp.Reload(), chromedp.WaitReady(chromedp.CSS("main")))
	b.settle()
	if top := eval[float64](b, `document.getElementById('`+near+`').getBoundingClientRect().top`); top < 0 || top > 700 {
		t.Errorf("after loading again, the message is at %v", top)
	}
}

func largeDate(t *testing.T, d *recordDesk) {
	b := recordTab(t, d, 1280, 700)
	b.open(d.talk())
	b.until("the calendar is there", `document.querySelector('#calendar .days a')`)
	b.do(`[...document.querySelectorAll('#calendar .years a')].find(a => a.textContent === '2019').click()`)
	b.until("the year changed", `document.querySelector('#calendar .years [aria-current]').textContent === '2019'`)
	day := eval[string](b, `(() => { const days = document.querySelectorAll('#calendar .days a'), a = days[days.length >> 1]; a.click(); return new URL(a.href).searchParams.get('date') })()`)
	b.until("the day is shown", `location.search.includes('`+day+`') && document.querySelector('.day time')`)
	b.settle()
	if top := eval[float64](b, `document.querySelector('time[datetime="`+day+`"]').getBoundingClientRect().top`); top < 0 || top > 700 {
		t.Errorf("the day stands at %v", top)
	}
	b.readOn(".msg", 600, 1)
	b.readOn(".msg", -600, 2)
	b.inOrder(100)
}

func largeGallery(t *testing.T, d *recordDesk) {
	b := recordTab(t, d, 1280, 700)
	b.open("/media?kind=image")
	b.readOn(".tile", 600, 2)
	b.until("a picture in the window is loaded", `[...document.querySelectorAll('.tile img')].some(i => i.getBoundingClientRect().top > 0 && i.getBoundingClientRect().top < innerHeight && i.naturalWidth > 0)`)
	what := b.mark(".tile")
	b.do(`watched.marked.querySelector('[data-view=image]').click()`)
	b.until("the picture is shown", `document.querySelector('#viewer[open] img')?.naturalWidth > 0`)
	b.press("\x1b")
	b.until("Escape closes it", `!document.querySelector('#viewer').open`)
	b.settle()
	if moved := b.moved(); moved > still {
		t.Errorf("behind the picture, %q moved by %v px", what, moved)
	}
	b.do(`watched.marked.querySelector('[data-view=image]').click()`)
	b.until("the picture is shown", `document.querySelector('#viewer[open] img')?.naturalWidth > 0`)
	b.do(`document.querySelector('#viewer figcaption a').click()`)
	b.until("its message is shown", `document.querySelector('.target .picture')`)
}

// largeLists reads on in every other list that goes on by itself.
func largeLists(t *testing.T, d *recordDesk) {
	b := recordTab(t, d, 1280, 700)
	for _, list := range []struct{ path, selector string }{{"/conversations", ".row"}, {"/people", ".row"}, {"/links", ".link"}, {"/search?q=dinner", ".hit"}} {
		b.open(list.path)
		b.readOn(list.selector, 700, 2)
	}
	b.open("/conversations")
	b.run(chromedp.SendKeys(chromedp.CSS("main input[type=search]"), large.Talk))
	b.until("the list is narrowed as one types", `document.querySelectorAll('.row').length === 1`)
}

func largeWithoutScript(t *testing.T, d *recordDesk) {
	b := recordTab(t, d, 1280, 700)
	b.run(call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	b.run(chromedp.Navigate(b.base+"/search"), chromedp.WaitReady(chromedp.CSS("#q")),
		chromedp.SendKeys(chromedp.CSS("#q"), large.Landmark+"\r"), chromedp.WaitReady(chromedp.CSS(".hit")),
		chromedp.Click(chromedp.CSS(".more a")), chromedp.WaitReady(chromedp.CSS(".hit")), chromedp.Click(chromedp.CSS(".hit a")), chromedp.WaitReady(chromedp.CSS(".target")))
	if address := b.address(); !strings.HasPrefix(address, d.talk()+"/at/") {
		t.Errorf("the message is at %s", address)
	}
	b.run(chromedp.Click(chromedp.CSS(`.more[data-more=before] a`)), chromedp.WaitReady(chromedp.CSS(`.more[data-more=after]`)))
	if address := b.address(); !strings.HasPrefix(address, d.talk()+"?before=") {
		t.Errorf("earlier messages are at %s", address)
	}
}

// largeRecord scans, reads of the loudest stranger, says what it thinks of it
// and takes the dossier away.
func largeRecord(t *testing.T, d *recordDesk) {
	b := recordTab(t, d, 1280, 900)
	b.open("/spam")
	b.submit(`form[action="/spam/scan"]`)
	b.until("the scan shows how far it is", `document.querySelector('[data-running] progress') || document.querySelectorAll('.senders .row').length`)
	b.until("the list shows the senders without being loaded by hand", `document.querySelectorAll('.senders .row').length > 20 && !document.querySelector('[data-running]')`)
	b.settle()
	b.readOn(".senders .row", 700, 2)
	id := itoa(d.id(large.Loud))
	b.open("/spam/s/" + id)
	b.submit(`form[action="/spam/s/`+id+`/judgment"]:has([name=status])`, "status", "tracked")
	b.submit(`details form[action="/spam/s/`+id+`/event"]`, "type", "reported_7726", "at", "2025-09-01", "details", "by phone")
	said := eval[string](b, `document.querySelector('.by-person').textContent + document.querySelector('#h-events').parentElement.textContent`)
	for _, want := range []string{"tracked", "reported_7726", "2025-09-01"} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	made := d.dossier(d.id(large.Loud))
	if got := eval[string](b, `fetch(document.querySelector('a[href*="dossier.md"]').href).then(r => r.text())`); got != string(made.Markdown()) {
		t.Error("the download is not the rendering")
	}
	b.do(`[...document.querySelectorAll('main a')].find(a => a.textContent === 'Later messages').click()`)
	b.until("later messages are shown", `location.search.includes('from=26') && document.querySelector('#x26')`)
	b.open("/spam/violations")
	if rows := eval[int](b, `document.querySelectorAll('tbody tr').length`); rows < 10 || rows > 25 {
		t.Errorf("%d senders on a page, want up to 25", rows)
	}
	b.do(`[...document.querySelectorAll('main a')].find(a => a.textContent === 'Further senders').click()`)
	b.until("further ones are shown", `location.search.includes('after=') && document.querySelectorAll('tbody tr').length > 0`)
	b.open("/spam/entities")
	b.until("the leads are there without being loaded by hand", `document.querySelectorAll('section.derived tbody tr').length === 50`)
}

// everyList are the pages that could load more than they show.
func (d *recordDesk) everyList() []string {
	talk, loud := d.talk(), "/spam/s/"+itoa(d.id(large.Loud))
	return []string{"/", "/conversations", "/conversations?order=size", talk, talk + "?from=start", talk + "/calendar", "/search?q=dinner", "/search?q=" + large.Landmark, "/people", "/people/1",
		"/media", "/media?kind=image&person=1", "/links", "/links?person=1", "/status", "/status/imports/1", "/spam", "/spam?status=all", "/spam/violations", "/spam/entities", "/spam/runs",
		loud, loud + "?from=1001"}
}

const (
	// mostHTML is how many bytes a page may have, mostMemory how many the
	// server may allocate to make it: all senders, people or messages of this
	// archive take many times as many.
	mostHTML   = 60_000
	mostMemory = 4 << 20
	// mostCounted is mostMemory where figures are counted, from every finding
	// of the senders that are shown; all findings of this archive take 700 MB.
	mostCounted = 32 << 20
)

// largeSizes holds every page to what it shows.
func largeSizes(t *testing.T, d *recordDesk) {
	for _, path := range d.everyList() {
		d.page(path) // what is remembered until the archive changes
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		body, err := io.ReadAll(d.ask(http.MethodGet, path).Body)
		runtime.ReadMemStats(&after)
		if err != nil || len(body) > mostHTML {
			t.Errorf("%s has %d bytes, want at most %d, %v", path, len(body), mostHTML, err)
		}
		memory := after.TotalAlloc - before.TotalAlloc
		t.Logf("%-40s %6d bytes %9d allocated", path, len(body), memory)
		most := uint64(mostMemory)
		if strings.HasPrefix(path, "/spam/s/") || path == "/spam/violations" {
			most = mostCounted
		}
		if memory > most {
			t.Errorf("%s takes %d bytes of memory, want at most %d", path, memory, most)
		}
	}
}

// largeSchemes opens every page, light and dark: the console stays silent,
// which newTab checks.
func largeSchemes(t *testing.T, d *recordDesk) {
	for _, night := range []bool{false, true} {
		b := recordTab(t, d, 1280, 700)
		b.run(dark(night))
		for _, path := range d.everyList() {
			b.open(path)
			want := map[bool]string{false: "rgb(250, 248, 244)", true: "rgb(28, 29, 31)"}[night]
			if ground := eval[string](b, `getComputedStyle(document.documentElement).backgroundColor`); ground != want {
				t.Errorf("%s, dark %t: the ground is %s", path, night, ground)
			}
		}
	}
}

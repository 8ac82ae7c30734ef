//go:build browser

package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// seen reports whether an element is there to be seen, and not to be heard
// alone.
const seen = `(e => e.checkVisibility() && getComputedStyle(e).clipPath === 'none' && e.getBoundingClientRect().width > 4)`

// What the pointer tells, the keyboard tells as well.
func TestTimesAndReactionsByKeyboard(t *testing.T) {
	b := newTab(t, 1280, 800)
	b.open("/c/7/at/211")
	full := seen + `(document.querySelector('#m212 .full'))`
	if eval[bool](b, full) {
		t.Error("the full time stands there without being asked for")
	}
	b.do(`document.querySelector('#m212').previousElementSibling.tabIndex = -1; document.querySelector('#m212').previousElementSibling.focus()`)
	b.press("j")
	b.until("the full time shows on the focus of the message", full)
	b.press("\t")
	b.until("and on that of its time", `document.activeElement.matches('#m212 .when') && `+full)
	if text := eval[string](b, `document.querySelector('#m212 .full').textContent`); text != "2023-04-02 10:38:23, a clock reading; its zone is not recorded" {
		t.Errorf("the full time is %q", text)
	}
	if right := eval[float64](b, `document.querySelector('#m212 .full').getBoundingClientRect().right`); right > 1280 {
		t.Errorf("it ends at %v", right)
	}
	who := seen + `(document.querySelector('.reactions .unseen'))`
	if eval[bool](b, who) {
		t.Error("who reacted stands there without being asked for")
	}
	b.do(`document.querySelector('.reactions').focus()`)
	b.until("who reacted shows on focus", `document.activeElement.matches('.reactions') && `+who)
}

// The calendar opens at what is read, below who takes part; on a narrow window
// a button shows these, and a link the calendar.
func TestBesideTheConversation(t *testing.T) {
	b := newTab(t, 1280, 800)
	b.open("/c/7?date=2024-12-14")
	b.until("the calendar is there", `document.querySelector('#calendar [data-number="12"]')`)
	b.settle()
	if place := eval[[]float64](b, `[document.querySelector('#calendar [data-number="12"]').getBoundingClientRect().top, innerHeight]`); place[0] < 0 || place[0] > place[1] {
		t.Errorf("December stands at %v of %v", place[0], place[1])
	}
	if hidden := eval[[]string](b, `[...document.querySelectorAll('#about .person a, #calendar .years a')].filter(e => { const box = e.getBoundingClientRect(); return document.elementFromPoint(box.left + 5, box.top + 10)?.closest('a') !== e }).map(e => e.textContent)`); len(hidden) > 0 {
		t.Errorf("out of sight: %q", hidden)
	}
	b = newTab(t, 390, 844)
	b.open("/c/12")
	if eval[bool](b, `document.querySelector('#about').checkVisibility()`) {
		t.Error("what belongs to the conversation lies over it unasked")
	}
	b.do(`document.querySelector('.to-narrow').click()`)
	b.until("people are there", `document.querySelector('#about .person a').checkVisibility()`)
	name := eval[string](b, `document.querySelector('#about .person bdi').textContent`)
	b.do(`document.querySelector('#about .person a').click()`)
	b.until("a person's page is there", `location.pathname.startsWith('/people/') && document.querySelector('h1').textContent.includes(`+fmt.Sprintf("%q", name)+`)`)
}

// Whoever waits sees that, and whoever waits in vain sees why.
func TestWaitingAndLost(t *testing.T) {
	server, err := sampleServer()
	if err != nil {
		t.Fatal(err)
	}
	held, broken, given := make(chan struct{}), atomic.Bool{}, atomic.Int64{}
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Sec-Fetch-Dest") == "empty" { // what the script fetches
			if broken.Load() {
				panic(http.ErrAbortHandler)
			}
			select {
			case <-held:
			case <-r.Context().Done():
				given.Add(1)
				return
			}
		}
		r.Host = "127.0.0.1:8787"
		server.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(slow.Close)
	b := newTab(t, 1280, 800)
	b.base = slow.URL
	b.open("/search")
	b.run(chromedp.SendKeys(chromedp.CSS("#q"), "boat"))
	b.until("the frame of results stands there", `document.querySelector('#results.skeleton[aria-busy=true]').offsetHeight > 400`)
	b.run(chromedp.SendKeys(chromedp.CSS("#q"), "s"))
	for end := time.Now().Add(patience); given.Load() == 0 && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	if given.Load() == 0 {
		t.Error("typing on does not give up the search before")
	}
	close(held)
	b.until("the results take its place", `document.querySelectorAll('#results:not(.skeleton):not([aria-busy]) .hit').length > 0`)
	broken.Store(true)
	b.run(chromedp.SendKeys(chromedp.CSS("#q"), "s"))
	b.until("the page says that no answer came", `document.querySelector('#results .remark[role=alert]').textContent.includes('No answer came')`)
	b.open("/c/7")
	b.do(`scrollTo(0, 0)`)
	b.until("a list that does not go on says so", `document.querySelector('.more a').textContent.includes('could not be loaded')`)
	b.until("a calendar that does not come leaves its link", `document.querySelector('#calendar a').textContent === 'Calendar'`)
	broken.Store(false)
	b.do(`document.querySelector('#calendar a').click()`)
	b.until("which works", `location.pathname === '/c/7/calendar' && document.querySelector('.days a')`)
	b.forgive() // the console tells of what did not come
}

// A picture has its frame before it is loaded, so that nothing jumps.
func TestFramesOfPictures(t *testing.T) {
	server, err := sampleServer()
	if err != nil {
		t.Fatal(err)
	}
	without := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Sec-Fetch-Dest") == "image" {
			<-r.Context().Done() // the picture does not come
			return
		}
		r.Host = "127.0.0.1:8787"
		server.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(without.Close)
	const frames = `[...document.querySelectorAll('.picture')].map(p => { const b = p.getBoundingClientRect(); return Math.round(b.width) + 'x' + Math.round(b.height) })`
	for _, width := range []int64{1280, 390} {
		for _, path := range []string{"/c/12", "/c/11", "/c/13"} {
			b := newTab(t, width, 800)
			b.open(path)
			b.until("the pictures are loaded", `[...document.images].every(i => { i.loading = 'eager'; return i.complete && i.naturalWidth > 0 })`)
			loaded := eval[[]string](b, frames)
			b.base = without.URL
			b.run(chromedp.Navigate(b.base + path + "?from=start"))
			b.until("the page without them is there", `document.querySelector('#end')`)
			empty := eval[[]string](b, frames)
			if len(loaded) == 0 || !slices.Equal(loaded, empty) {
				t.Errorf("%s at %d px: frames %q with pictures, %q without", path, width, loaded, empty)
			}
			b.forgive()
		}
	}
}

// On a phone a list says when, too.
func TestDatesOnPhone(t *testing.T) {
	d := judged(t)
	record := recordTab(t, d, 390, 844)
	sample := newTab(t, 390, 844)
	for _, list := range []struct {
		b    *tab
		path string
	}{{sample, "/conversations"}, {sample, "/people"}, {record, "/spam"}} {
		list.b.open(list.path)
		if n := eval[[]int](list.b, `[document.querySelectorAll('.row').length, [...document.querySelectorAll('.row-when')].filter(`+seen+`).length]`); n[0] < 2 || n[0] != n[1] {
			t.Errorf("%s: %d rows, %d with a date", list.path, n[0], n[1])
		}
	}
}

// Those who do not see the bar hear how far a job is.
func TestProgressIsSaid(t *testing.T) {
	d, step, _ := jobDesk(t)
	server := httptest.NewServer(d.handler)
	t.Cleanup(server.Close)
	b := newTab(t, 1280, 800)
	b.base = server.URL
	b.open("/status")
	b.do(`document.querySelector('form[action="/status/jobs/slow"] button').click()`)
	b.until("the job runs", `document.querySelector('[data-running]')`)
	step <- "on"
	<-step
	b.until("the bar is there and said", `document.querySelector('progress').value === 25 && document.querySelector('#said').textContent.endsWith(': 25 %')`)
	step <- "end"
	b.until("the end is said", `document.querySelector('[role=status]:not(#said)')?.textContent === 'Did it all.'`)
}

// smallTargets lists what can be touched and is less than 40 px in one
// direction. Links within a line of text are as high as the line, and so are
// the times beside messages.
const smallTargets = `[...document.querySelectorAll('a, button, summary, select, input:not([type=hidden]):not([type=checkbox])')].filter(e => {
	if (!e.checkVisibility() || e.closest('.unseen, .skip, dialog, .when')) return false
	const box = e.getBoundingClientRect()
	if (!box.width || !box.height || getComputedStyle(e).clipPath !== 'none') return false
	const style = getComputedStyle(e)
	const inline = style.display === 'inline' // a link in a sentence
	return !inline && (box.height < 39.5 || box.width < 39.5)
}).map(e => (e.closest('[class]')?.className ?? '') + ': ' + e.outerHTML.slice(0, 90))`

// What is touched on a phone is large enough for a finger.
func TestTouchTargets(t *testing.T) {
	b := newTab(t, 390, 844)
	check := func(b *tab, name, path string) {
		b.open(path)
		b.do(`for (const d of document.querySelectorAll('main details')) d.open = true`)
		small := eval[[]string](b, smallTargets)
		slices.Sort(small)
		if small = slices.Compact(small); len(small) > 0 {
			t.Errorf("%s: too small to touch:\n%s", name, strings.Join(small[:min(len(small), 8)], "\n"))
		}
		b.forgive()
	}
	for _, page := range everyPage {
		check(b, page.name, page.path)
	}
	d := judged(t)
	b = recordTab(t, d, 390, 844)
	for _, page := range recordPages(d) {
		check(b, page.name, page.path)
	}
	busy := preparedDesk(t)
	b = recordTab(t, busy.recordDesk, 390, 844)
	for _, page := range busyPages(busy) {
		check(b, page.name, page.path)
	}
}

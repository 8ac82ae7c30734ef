//go:build browser

package web_test

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// The browser suite: "make browser" runs it in Chromium over the bundled
// sample. It is kept apart by its build tag because it needs that program.

// patience is how long a step may take on a machine that is busy with other
// things.
const patience = time.Minute

var allocator context.Context

// runTests runs the tests in a browser of their own.
func runTests(m *testing.M) int {
	path, err := findBrowser()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(filepath.Join(scratch, "profile")), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.WSURLReadTimeout(patience))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	browser, closeBrowser := chromedp.NewContext(ctx)
	defer closeBrowser()
	if err := chromedp.Do(browser); err != nil {
		fmt.Fprintln(os.Stderr, "start Chromium:", err)
		return 1
	}
	allocator = browser
	return m.Run()
}

func findBrowser() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("the browser suite needs Chromium; install it (apt-get install chromium)")
}

// tab is a page of a browser on the sample.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string

	mu     sync.Mutex
	faults []string // what the console says
}

// sampleServer serves the bundled sample once for all tests.
var sampleServer = sync.OnceValues(func() (*httptest.Server, error) {
	data, err := sampleData()
	if err != nil {
		return nil, err
	}
	handler, err := sampleHandler(context.Background(), data)
	if err != nil {
		return nil, err
	}
	return httptest.NewServer(handler), nil
})

// sampleHandler serves the archive in a data folder. It lives as long as the
// process.
func sampleHandler(ctx context.Context, data string) (http.Handler, error) {
	r, err := store.OpenReader(ctx, data, store.ReaderOptions{})
	if err != nil {
		return nil, err
	}
	return web.NewHandler(web.Archive{Reader: r, Searcher: search.New(r, clock), Media: ingest.OpenAttachment, Now: clock}, web.Options{Version: "test"})
}

func newTab(t *testing.T, width, height int64) *tab {
	t.Helper()
	server, err := sampleServer()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, 4*patience)
	t.Cleanup(stop)
	b := &tab{t: t, ctx: ctx, base: server.URL}
	if err := chromedp.Do(ctx); err != nil { // the tab lives as long as the context of its first action
		t.Fatal(err)
	}
	b.run(call(log.Enable, cdp.Empty{}), call(runtime.Enable, cdp.Empty{}),
		call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 600}))
	go listen(b, chromedp.Events(ctx, runtime.ExceptionThrown), func(e runtime.EventExceptionThrown) string {
		return fmt.Sprint(e.ExceptionDetails.Text, e.ExceptionDetails.Exception)
	})
	go listen(b, chromedp.Events(ctx, runtime.ConsoleAPICalled), func(e runtime.EventConsoleAPICalled) string {
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			return fmt.Sprint(e.Args)
		}
		return ""
	})
	go listen(b, chromedp.Events(ctx, log.EntryAdded), func(e log.EventEntryAdded) string {
		if e.Entry.Level == log.EntryLevelError || strings.Contains(e.Entry.Text, "Content Security Policy") {
			return e.Entry.Text + " " + e.Entry.URL
		}
		return ""
	})
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, fault := range b.faults {
			t.Errorf("the console says: %s", fault)
		}
	})
	return b
}

// listen collects errors, those of the content security policy among them.
func listen[E any](b *tab, events iter.Seq2[E, error], fault func(E) string) {
	for event, err := range events {
		if err != nil {
			return // the tab is closed
		}
		if text := fault(event); text != "" {
			b.mu.Lock()
			b.faults = append(b.faults, text)
			b.mu.Unlock()
		}
	}
}

// forgive forgets what the console said so far, which was expected.
func (b *tab) forgive() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = nil
}

// do runs a script in the page.
func (b *tab) do(script string) {
	b.t.Helper()
	b.run(chromedp.Evaluate[chromedp.Void](script))
}

func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatalf("%v (at %s)", err, b.address())
	}
}

func (b *tab) address() string {
	url, _ := chromedp.Run(b.ctx, chromedp.Location()) // for a message only
	return strings.TrimPrefix(url, b.base)
}

func (b *tab) open(path string) {
	b.t.Helper()
	b.run(chromedp.Navigate(b.base+path), chromedp.WaitReady(chromedp.CSS("main")))
	b.settle()
}

// settle waits until the script has done what it does at the beginning.
func (b *tab) settle() {
	b.t.Helper()
	b.until("the page is complete", `document.readyState === 'complete'`)
	b.run(chromedp.Evaluate[chromedp.Void](`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))`, chromedp.EvalAwaitPromise))
}

// call makes an action of a command of the protocol.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

// eval evaluates an expression in the page.
func eval[T any](b *tab, expression string) (value T) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%v (at %s)", err, b.address())
	}
	return value
}

// until waits for an expression to be true.
func (b *tab) until(what, expression string) {
	b.t.Helper()
	end := time.Now().Add(patience)
	for time.Now().Before(end) {
		if yes, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("Boolean("+expression+")")); err == nil && yes {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("waited in vain until %s (at %s)", what, b.address())
}

func (b *tab) press(keys string) {
	b.t.Helper()
	b.run(chromedp.KeyEvent(keys))
}

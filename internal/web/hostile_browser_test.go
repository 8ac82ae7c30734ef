//go:build browser

package web_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestHostileArchiveInBrowser opens every page of archives that want to break
// them: nothing runs, nothing is loaded that is not ours, and no page becomes
// wider than its window. newTab checks the console.
func TestHostileArchiveInBrowser(t *testing.T) {
	archive := serveRecord(t, hostileData(t), t.TempDir(), defaults, nil)
	archive.done("/people/2/merge/3", "reason", hostileTexts[0]+hostileTexts[6])
	record := judged(t)
	loud, quiet := "/spam/s/"+itoa(record.id(loudSender)), "/spam/s/"+itoa(record.id(quietSender))
	for i, text := range hostileTexts {
		record.done(loud+"/judgment", "notes", text, "consent_notes", text, "suspected_entity", text)
		record.done(loud+"/event", "type", "reported_7726", "at", fmt.Sprintf("2025-09-%02d", i+1), "details", text, "evidence", text)
	}
	record.done(quiet+"/entity", "name", hostileTexts[0]+hostileTexts[6], "basis", hostileTexts[3], "evidence", hostileTexts[1])
	record.done(quiet+"/judgment", "status", "watch", "suspected_entity", hostileTexts[8])
	record.entities()
	var recorded []string
	for _, page := range recordPages(record) {
		recorded = append(recorded, page.path)
	}
	recorded = append(recorded, quiet, "/spam/e/2")
	for _, run := range []struct {
		d     *desk
		pages []string
	}{
		{archive.desk, []string{"/people/1/merge", "/people/1/merge/2", "/people/2", "/decisions", "/", "/conversations", "/c/1", "/c/1/at/1", "/c/1/calendar", "/people", "/people/1", "/media", "/links", "/status", "/status/imports/1",
			"/search?q=alert", "/search?q=%3Cscript%3Ealert(1)%3C/script%3E", "/search?q=evil"}},
		{record.desk, recorded},
	} {
		server := httptest.NewServer(run.d.handler)
		t.Cleanup(server.Close)
		for _, width := range []int64{1280, 390} {
			b := newTab(t, width, 800)
			b.base = server.URL
			for _, path := range run.pages {
				b.open(path)
				b.do(`for (const d of document.querySelectorAll('main details')) d.open = true`)
				found := eval[[]string](b, `[...document.querySelectorAll('*')].flatMap(e => [...e.attributes].filter(a => a.name.startsWith('on') || a.name === 'style').map(a => e.tagName + ' ' + a.name))
					.concat([...document.querySelectorAll('iframe, object, embed, base, style, script:not([src^="/static/"])')].map(e => e.tagName))`)
				if len(found) > 0 {
					t.Errorf("%s holds %q", path, found)
				}
				if wide := eval[float64](b, `document.documentElement.scrollWidth`); int64(wide) > width {
					t.Errorf("%s at %d px is %v px wide", path, width, wide)
				}
				if loaded := eval[[]string](b, `performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith(location.origin))`); len(loaded) > 0 {
					t.Errorf("%s loaded %q", path, loaded)
				}
			}
			b.forgiveMedia()
		}
	}
}

// forgiveMedia forgets what the console says of files that cannot be shown,
// which the archive holds on purpose.
func (b *tab) forgiveMedia() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = slices.DeleteFunc(b.faults, func(fault string) bool { return strings.Contains(fault, b.base+"/media/") })
}

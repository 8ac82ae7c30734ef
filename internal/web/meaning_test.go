package web_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// TestMeaningIndex says on Status how far the index by meaning is, and on Home
// when it is behind.
func TestMeaningIndex(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name           string
		state          web.IndexState
		err            error
		fact, says, at string // on Status, there again, on Home
	}{
		{"complete", web.IndexState{Provider: "builtin", Complete: true, Text: "up to date"}, nil, "100 % 100 %", "(builtin): up to date.", ""},
		{"behind", web.IndexState{Provider: "builtin", Complete: true, Behind: 53, Text: "53 new messages"}, nil, "90 % 90 %", "53 new messages", "53 messages are not found by meaning yet"},
		{"hardly behind", web.IndexState{Provider: "builtin", Complete: true, Behind: 1, Text: "1 new message"}, nil, "99 % 99 %", "1 new message", "1 message is not found by meaning yet"},
		{"none", web.IndexState{Provider: "endpoint", Behind: 530, Text: "there is none"}, nil, "0 % 0 %", "there is none", "530 messages are not found by meaning yet"},
		{"off", web.IndexState{}, nil, "off", "", ""},
		{"broken", web.IndexState{}, errors.New("read <key>"), "not known", "Read <key>.", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := sampleDeskWith(t, web.Options{Index: func(context.Context) (web.IndexState, error) { return tt.state, tt.err }})
			root := d.page("/status")
			checkMarkup(t, "status", root)
			fact := ""
			for _, f := range all(d.one(root, "dl", "facts"), "div", "") {
				if said := text(f); strings.HasPrefix(said, "Index by meaning ") {
					fact = strings.TrimPrefix(said, "Index by meaning ")
				}
			}
			if fact != tt.fact || !strings.Contains(text(root), tt.says) {
				t.Errorf("Status says %q, want %q; it says %s", fact, tt.fact, text(root))
			}
			home := text(d.page("/"))
			if strings.Contains(home, "by meaning yet") != (tt.at != "") || !strings.Contains(home, tt.at) {
				t.Errorf("Home says %s", home)
			}
		})
	}
}

// TestDegradeNotice tells of a search that went by words though the settings
// want meanings, and of none that was meant so.
func TestDegradeNotice(t *testing.T) {
	t.Parallel()
	wanted, unwanted := newSettingsDesk(t, ""), newSettingsDesk(t, "embeddings:\n  provider: none\n")
	for _, tt := range []struct {
		name    string
		d       *settingsDesk
		address string
		told    bool
	}{
		{"wanted", wanted, "/search?q=offer", true},
		{"not wanted", unwanted, "/search?q=offer", false},
		{"asked for all the same", unwanted, "/search?q=offer&mode=semantic", true},
		{"asked for words", wanted, "/search?q=offer&mode=keyword", false},
	} {
		if told := strings.Contains(text(tt.d.page(tt.address)), "Semantic search is unavailable"); told != tt.told {
			t.Errorf("%s: told is %t, want %t", tt.name, told, tt.told)
		}
	}
}

// TestRelevance shows the figure that results are in the order of.
func TestRelevance(t *testing.T) {
	t.Parallel()
	hits := texts(all(sampleDesk(t).page("/search?q=boat"), "span", "relevance"))
	if len(hits) < 3 {
		t.Fatalf("%d hits with a figure", len(hits))
	}
	for i := 1; i < len(hits); i++ {
		if hits[i] > hits[i-1] {
			t.Errorf("%q follows %q", hits[i], hits[i-1])
		}
	}
}

// TestJobTimes says how long a job has run and how long it may take yet, of
// the part that is under way.
func TestJobTimes(t *testing.T) {
	t.Parallel()
	data, err := sampleData()
	if err != nil {
		t.Fatal(err)
	}
	r, err := store.OpenReader(t.Context(), data, store.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var passed atomic.Int64 // since the beginning; the job reads the clock, too
	report, reported := make(chan [2]int64), make(chan bool)
	jobs := &web.Jobs{List: []web.Job{{Name: "long", Label: "Long", Run: func(ctx context.Context, progress func(web.Progress)) (string, error) {
		for {
			select {
			case <-ctx.Done():
				return "", ctx.Err()
			case p := <-report:
				progress(web.Progress{Done: p[0], Total: p[1]})
				reported <- true
			}
		}
	}}}}
	handler, err := web.NewHandler(web.Archive{Reader: r, Searcher: search.New(r, clock), Now: func() time.Time { return now.Add(time.Duration(passed.Load())) }}, web.Options{Jobs: jobs})
	if err != nil {
		t.Fatal(err)
	}
	defer jobs.Stop()
	ask := func(method, target string) string {
		request := httptest.NewRequestWithContext(t.Context(), method, target, nil)
		request.Host = "127.0.0.1:8787"
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, request)
		root, err := html.Parse(w.Result().Body)
		if err != nil {
			t.Fatal(err)
		}
		return text(root)
	}
	ask(http.MethodPost, "/status/jobs/long")
	for _, step := range []struct {
		done, total int64
		after       time.Duration
		want        string
	}{
		{0, 100, 0, "0 of 100 messages. Running for 0.0 s."},
		{25, 100, 20 * time.Second, "25 of 100 messages, 1 message a second. Running for 20 s; about 1 min 00 s left."},
		{0, 40, 10 * time.Second, "0 of 40 messages. Running for 30 s."}, // another part
		{10, 40, 30 * time.Second, "10 of 40 messages. Running for 1 min 00 s; about 1 min 30 s left."},
		{40, 40, 30 * time.Second, "Running for 1 min 30 s."},
	} {
		passed.Add(int64(step.after))
		report <- [2]int64{step.done, step.total}
		<-reported
		if said := ask(http.MethodGet, "/status/progress?part=1"); !strings.Contains(said, step.want) {
			t.Errorf("at %d of %d: %q, want %q", step.done, step.total, said, step.want)
		}
	}
}

package web_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

func TestHome(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	root := d.page("/")
	if got := text(d.one(root, "header", "head")); got != "Home 530 messages in 14 conversations, 2023 to 2024" {
		t.Errorf("head %q", got)
	}
	if bars := all(root, "rect", ""); len(bars) != 24 {
		t.Errorf("%d bars, want 24 months", len(bars))
	}
	people := texts(all(root, "li", "person"))
	if len(people) != 8 || people[0] != "H HarperQuinn 67 messages" {
		t.Errorf("people %q", people)
	}
	memories := texts(all(root, "li", "memory"))
	if len(memories) != 1 || !strings.Contains(memories[0], "I am on board. Where is everybody?") {
		t.Errorf("this day %q", memories)
	}
	if current := all(root, "a", "to-home"); len(current) != 1 || attribute(current[0], "aria-current") != "page" {
		t.Error("the rail does not say where one is")
	}
}

func TestConversations(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	tests := []struct {
		name, query string
		want        int
		first       string
	}{
		{"all", "", 14, "Map Club"},
		{"part of a name", "?q=harper", 3, ""},
		{"source", "?source=signal", 5, ""},
		{"kind", "?kind=group", 4, "Map Club"},
		{"size", "?order=size", 14, "HarperQuinn"},
		{"nothing", "?q=xyzzy", 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rows := all(d.page("/conversations"+tt.query), "li", "row")
			if len(rows) != tt.want {
				t.Fatalf("%d conversations, want %d: %q", len(rows), tt.want, texts(rows))
			}
			if tt.first != "" && !strings.Contains(text(rows[0]), tt.first) {
				t.Errorf("the first is %q, want %q", text(rows[0]), tt.first)
			}
		})
	}
	if empty := d.page("/conversations?q=xyzzy"); len(all(empty, "p", "nothing")) != 1 {
		t.Error("nothing says that nothing was found")
	}
}

// ids are the messages of a page in order.
func ids(root *html.Node) (list []string) {
	for _, m := range all(root, "li", "msg") {
		list = append(list, attribute(m, "id"))
	}
	return list
}

// TestTranscriptPages walks through a conversation by its links, from both
// ends, and meets every message once.
func TestTranscriptPages(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	refs, err := d.reader.ConversationRefs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range refs {
		conversation, err := d.reader.Conversation(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		var backwards, forwards []string
		for address, pages := fmt.Sprintf("/c/%d", c.ID), 0; address != ""; pages++ {
			root := d.page(address)
			backwards, address = append(ids(root), backwards...), further(root, "before")
		}
		for address := fmt.Sprintf("/c/%d?from=start", c.ID); address != ""; {
			root := d.page(address)
			forwards, address = append(forwards, ids(root)...), further(root, "after")
		}
		if !slices.Equal(backwards, forwards) || int64(len(forwards)) != conversation.Messages {
			t.Errorf("conversation %d: %d messages forwards, %d backwards, want %d", c.ID, len(forwards), len(backwards), conversation.Messages)
		}
	}
}

// further is where a list goes on in a direction.
func further(root *html.Node, direction string) string {
	for _, more := range all(root, "li", "more") {
		if attribute(more, "data-more") == direction {
			return attribute(all(more, "a", "")[0], "href")
		}
	}
	return ""
}

func TestMessagePage(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	const hash = "7ba75d7489e4b12cb7d1d94b9f1e8c85"
	res := d.ask(http.MethodGet, "/m/"+hash)
	address := res.Header.Get("Location")
	if res.StatusCode != http.StatusSeeOther || !regexp.MustCompile(`^/c/\d+/at/\d+#m\d+$`).MatchString(address) {
		t.Fatalf("status %d, to %q", res.StatusCode, address)
	}
	if short := d.ask(http.MethodGet, "/m/"+hash[:8]).Header.Get("Location"); short != address {
		t.Errorf("the beginning of the hash leads to %q, the whole to %q", short, address)
	}
	path, fragment, _ := strings.Cut(address, "#")
	root := d.page(path)
	target := d.one(root, "li", "target")
	if attribute(target, "id") != fragment || !strings.Contains(text(target), "The lease runs for one year") {
		t.Errorf("target %s: %q", attribute(target, "id"), text(target))
	}
	citation := text(d.one(root, "div", "citation"))
	for _, want := range []string{hash, "HarperQuinn in HarperQuinn (Signal), 2023-04-02 10:37:00, a clock reading", "chat.md", "line 60"} {
		if !strings.Contains(citation, want) {
			t.Errorf("citation %q lacks %q", citation, want)
		}
	}
	list := ids(root)
	at := slices.Index(list, fragment)
	if at < 5 || len(list)-at < 5 {
		t.Errorf("message %d of %d is not among its neighbours", at, len(list))
	}
	// Of another conversation it is not.
	other := strings.Replace(path, "/c/", "/c/1", 1)
	for _, wrong := range []string{other, "/c/1" + path[strings.Index(path, "/at/"):], "/m/00000000", "/m/zz", "/c/0", "/c/-1", "/c/x", "/c/999", "/c/999/calendar", "/people/999", "/status/imports/9"} {
		root := d.pageWith(wrong, http.StatusNotFound)
		if advice := text(d.one(root, "section", "nothing")); !strings.Contains(advice, "Home") {
			t.Errorf("%s says %q", wrong, advice)
		}
	}
}

// TestTranscriptParts finds what messages can have where it belongs.
func TestTranscriptParts(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	counts := map[string]int{}
	refs, err := d.reader.ConversationRefs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range refs {
		for address := fmt.Sprintf("/c/%d", c.ID); address != ""; {
			root := d.page(address)
			for what, found := range map[string][]*html.Node{
				"replies": all(root, "p", "reply"), "reactions": all(root, "ul", "reactions"), "edits": all(root, "details", "edits"),
				"notices": all(root, "li", "notice"), "pictures": all(root, "a", "picture"), "files": all(root, "a", "file"),
				"absent": all(root, "div", "absent"), "days": all(root, "li", "day"), "mine": all(root, "li", "mine"),
			} {
				counts[what] += len(found)
			}
			for _, gone := range all(root, "li", "gone") {
				counts["deleted"]++
				if said := text(gone); !strings.Contains(said, "Deleted before it was exported; its export does not hold what it said.") && !strings.Contains(said, "Deleted before it was exported. You deleted this message.") {
					t.Errorf("a deleted message says %q", said)
				}
			}
			for _, reply := range all(root, "p", "reply") {
				for _, link := range all(reply, "a", "") {
					path, _, _ := strings.Cut(attribute(link, "href"), "#")
					d.page(path)
				}
			}
			address = further(root, "before")
		}
	}
	for what, least := range map[string]int{"replies": 5, "reactions": 5, "edits": 1, "notices": 3, "pictures": 4, "files": 1, "absent": 2, "deleted": 2, "days": 50, "mine": 100} {
		if counts[what] < least {
			t.Errorf("%d %s, want at least %d", counts[what], what, least)
		}
	}
}

// TestAboutConversation names who takes part and where files and links of a
// conversation are, if it has any.
func TestAboutConversation(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	refs, err := d.reader.ConversationRefs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	leads, named := map[string]int{}, 0
	for _, c := range refs {
		root := d.page(fmt.Sprintf("/c/%d", c.ID))
		var people []*html.Node
		for _, section := range all(root, "section", "takes-part") {
			people = append(people, all(section, "a", "")...)
		}
		listed, err := d.reader.Participants(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, p := range listed {
			if !p.Owner {
				want++
			}
		}
		named += want
		if len(people) != want {
			t.Errorf("%s: %q, want %d people", c.Name, texts(people), want)
		}
		for _, person := range people {
			if heading := text(all(d.page(attribute(person, "href")), "h1", "")[0]); !strings.Contains(heading, text(all(person, "bdi", "")[0])) {
				t.Errorf("%q leads to %q", text(person), heading)
			}
		}
		for what, class := range map[string]string{"media": "tile", "links": "link"} {
			address := fmt.Sprintf("/%s?conversation=%d", what, c.ID)
			offered := slices.ContainsFunc(all(root, "a", ""), func(a *html.Node) bool { return attribute(a, "href") == address })
			if there := len(all(d.page(address), "li", class)) > 0; offered != there {
				t.Errorf("%s: %s are offered: %t, there: %t", c.Name, what, offered, there)
			}
			if offered {
				leads[what]++
			}
		}
	}
	if leads["media"] == 0 || leads["links"] == 0 || named < 10 {
		t.Errorf("offered: %v, people named: %d", leads, named)
	}
}

func TestCalendar(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	root := d.page("/c/7/calendar?year=2023")
	total := 0
	for _, day := range all(d.one(root, "div", "months"), "a", "") {
		var n int
		if _, err := fmt.Sscan(attribute(day, "title"), &n); err != nil {
			t.Fatal(err)
		}
		total += n
		if href := attribute(day, "href"); !strings.HasPrefix(href, "/c/7?date=2023-") {
			t.Errorf("a day leads to %q", href)
		}
	}
	if total != 78 || len(all(root, "section", "month")) != 12 {
		t.Errorf("%d messages in the squares, want 78", total)
	}
	day := d.page("/c/7?date=2023-04-02")
	if first := all(day, "time", "")[0]; attribute(first, "datetime") != "2023-04-02" || further(day, "before") == "" {
		t.Errorf("the page of a date begins with %s", attribute(first, "datetime"))
	}
	if after := d.page("/c/7?date=2031-01-01"); !strings.Contains(text(d.one(after, "p", "nothing")), "ends before this day") {
		t.Error("a day after the end is not explained")
	}
}

func TestSearchPage(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	root := d.page("/search?q=boat")
	hits := all(root, "li", "hit")
	if len(hits) < 5 || len(all(root, "mark", "")) < 3 {
		t.Fatalf("%d hits, %d marks", len(hits), len(all(root, "mark", "")))
	}
	summary := text(d.one(root, "p", "summary"))
	if !regexp.MustCompile(`^\d+ found by words, in \d+ ms$`).MatchString(summary) {
		t.Errorf("summary %q", summary)
	}
	facets := all(d.one(root, "aside", "facets"), "section", "")
	if len(facets) < 3 {
		t.Fatalf("facets %q", texts(facets))
	}
	// Every choice finds as many as it says.
	for _, facet := range facets {
		for _, choice := range all(facet, "a", "") {
			count := text(d.one(choice, "span", "row-count"))
			narrowed := d.page(attribute(choice, "href"))
			if got := text(d.one(narrowed, "p", "summary")); !strings.HasPrefix(got, count+" found") {
				t.Errorf("%s says %q", text(choice), got)
			}
			chips := d.one(narrowed, "ul", "chips")
			if without := attribute(all(chips, "a", "")[0], "href"); without != "/search?q=boat" {
				t.Errorf("the chip leads to %q", without)
			}
		}
	}
	more := further(root, "after")
	if more == "" {
		t.Fatal("no more results")
	}
	seen := map[string]bool{}
	for address := "/search?q=boat"; address != ""; {
		root := d.page(address)
		for _, hit := range all(root, "li", "hit") {
			href := attribute(all(hit, "a", "")[0], "href")
			if seen[href] {
				t.Errorf("%s is listed twice", href)
			}
			seen[href] = true
		}
		address = further(root, "after")
	}
	if !strings.HasPrefix(summary, fmt.Sprint(len(seen), " found")) {
		t.Errorf("%d listed, but %q", len(seen), summary)
	}
}

// TestUncountedFacets offers what a search can be narrowed by also where
// nobody counts what it finds, and then no figure.
func TestUncountedFacets(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	const address = "/search?q=what+did+Harper+say+about+the+lease"
	facets := all(d.one(d.page(address), "aside", "facets"), "section", "")
	var names []string
	for _, facet := range facets {
		names = append(names, text(all(facet, "h2", "")[0]))
		if figures := all(facet, "span", "row-count"); len(figures) != 0 {
			t.Errorf("figures %q", texts(figures))
		}
		for _, choice := range all(facet, "a", "") {
			narrowed := d.page(attribute(choice, "href"))
			chips := d.one(narrowed, "ul", "chips")
			if !strings.Contains(text(chips), text(choice)) || attribute(all(chips, "a", "")[0], "href") != address {
				t.Errorf("%q leads to the filters %q", text(choice), text(chips))
			}
			for _, again := range all(narrowed, "aside", "facets") {
				for _, heading := range all(again, "h2", "") {
					if text(heading) == text(all(facet, "h2", "")[0]) {
						t.Errorf("narrowed by %q, %s is offered again", text(choice), text(heading))
					}
				}
			}
		}
	}
	if !slices.Equal(names, []string{"Source", "From", "Conversation", "Year"}) {
		t.Errorf("facets %q", names)
	}
}

func TestSearchStates(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	tests := []struct{ name, address, class, want string }{
		{"blank", "/search", "tips", "All words must be found"},
		{"blank within a conversation", "/search?conversation=7", "chips", "HarperQuinn"},
		{"nothing", "/search?q=xyzzyplugh", "nothing", "Check the spelling"},
		{"nothing within filters", "/search?q=lease&year=1999", "nothing", "Without the filters: 1 found"},
		{"nothing with an exclusion", "/search?q=lease+-eleven+-year", "nothing", "Without -year: 1 found"},
		{"several names", "/search?q=from%3Aharper+lease", "nothing", `from:"HarperQuinn" lease`},
		{"unreadable", "/search?q=%22lease", "nothing", "quotation"},
		{"unknown name", "/search?q=from%3Anobodyatall", "nothing", "nobodyatall"},
		{"place of a fault", "/search?q=f%C3%BCr+has%3Amoney", "nothing", "(position 5 of the query)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := d.page(tt.address)
			for n := range root.Descendants() {
				if n.Type == html.ElementNode && hasClass(n, tt.class) && strings.Contains(text(n), tt.want) {
					return
				}
			}
			t.Errorf("no .%s with %q in %q", tt.class, tt.want, text(root))
		})
	}
	// What is offered finds as much as it says.
	offered := 0
	for _, address := range []string{"/search?q=lease&year=1999", "/search?q=lease+-eleven+-year", "/search?q=from%3Aharper+lease&year=2023"} {
		for _, tip := range all(d.one(d.page(address), "ul", "tips-list"), "a", "") {
			offered++
			summary := text(d.one(d.page(attribute(tip, "href")), "p", "summary"))
			_, says, counted := strings.Cut(text(tip), ": ")
			if counted && strings.HasSuffix(says, "found") && !strings.HasPrefix(summary, says) {
				t.Errorf("%s offers %q, which says %q", address, text(tip), summary)
			}
		}
	}
	if offered < 4 {
		t.Errorf("only %d queries are offered", offered)
	}
	for _, wrong := range []string{"/search?q=x&source=UP", "/search?q=x&year=abc", "/search?q=x&conversation=y", "/c/7?after=1", "/c/7?date=today", "/search?q=" + strings.Repeat("x", 1001)} {
		if root := d.pageWith(wrong, http.StatusBadRequest); len(all(root, "section", "nothing")) != 1 {
			t.Errorf("%s is not explained", wrong)
		}
	}
}

func TestListsOfFilesLinksAndPeople(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	tests := []struct {
		address, tag, class string
		want                int
	}{
		{"/media", "li", "tile", 14},
		{"/media?kind=image", "li", "tile", 12},
		{"/media?conversation=6", "li", "tile", 2},
		{"/links", "li", "link", 21},
		{"/links?domain=lnk.example", "li", "link", 9},
		{"/links/domains", "li", "link", 9},
		{"/links/domains", "div", "group", 15},
		{"/links/domains?after=lnk.example", "li", "link", 8},
		{"/people", "li", "row", 17},
		{"/people?q=harper", "li", "row", 2},
		{"/status", "dl", "facts", 1},
		{"/status/imports/1", "dl", "facts", 1},
	}
	for _, tt := range tests {
		t.Run(tt.address, func(t *testing.T) {
			t.Parallel()
			if got := all(d.page(tt.address), tt.tag, tt.class); len(got) != tt.want {
				t.Errorf("%d %s.%s, want %d", len(got), tt.tag, tt.class, tt.want)
			}
		})
	}
	for _, row := range all(d.page("/people"), "li", "row") {
		link := all(row, "a", "")[0]
		person := d.page(attribute(link, "href"))
		name := text(d.one(link, "span", "row-name"))
		if heading := text(all(person, "h1", "")[0]); !strings.HasSuffix(heading, name) {
			t.Errorf("%q leads to %q", name, heading)
		}
	}
	if sound := text(d.page("/status/check")); !strings.Contains(sound, "The archive is sound.") {
		t.Errorf("integrity: %q", sound)
	}
}

// TestLinksBySource shows each source its own links: those of the sources
// together are all there are, for the sample has no link in two of them.
// TestCharts draws few months on less width.
func TestCharts(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	seen := map[bool]int{}
	for _, row := range all(d.page("/people"), "li", "row") {
		for _, chart := range all(d.page(attribute(all(row, "a", "")[0], "href")), "figure", "chart") {
			var x, y, width, height int
			if _, err := fmt.Sscan(attribute(all(chart, "svg", "")[0], "viewBox"), &x, &y, &width, &height); err != nil {
				t.Fatal(err)
			}
			few := hasClass(chart, "few")
			if few != (width <= 100) {
				t.Errorf("%s: %d units wide, few: %t", text(row), width, few)
			}
			seen[few]++
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("charts %v", seen)
	}
}

func TestLinksBySource(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	root := d.page("/links")
	checkMarkup(t, "links", root)
	seen := map[string]int{}
	for _, o := range all(d.one(root, "form", "filters"), "option", "") {
		source := attribute(o, "value")
		if source == "" {
			continue
		}
		page := d.page("/links?source=" + source)
		for _, item := range all(page, "li", "link") {
			link := all(item, "a", "")
			message := attribute(link[len(link)-1], "href")
			if head := all(d.page(strings.Split(message, "#")[0]), "header", "talk-head"); len(all(head[0], "span", "source-"+source)) == 0 {
				t.Errorf("%s shows %q of another source", source, text(item))
			}
			seen[text(item)]++
		}
		if counts := all(d.one(page, "aside", "facets"), "span", "row-count"); len(counts) != 0 {
			t.Errorf("%s: figures of all sources stand beside the links of one", source)
		}
	}
	if len(seen) != 21 {
		t.Errorf("%d links in all sources, want 21", len(seen))
	}
	d.pageWith("/links?source=UP", http.StatusBadRequest)
}

// TestEmptyArchive shows a designed first run everywhere.
func TestEmptyArchive(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	w, err := store.OpenWriter(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, data, defaults)
	for _, address := range []string{"/", "/conversations", "/people", "/media", "/links", "/status"} {
		if root := d.page(address); len(all(root, "section", "nothing")) != 1 {
			t.Errorf("%s says nothing of being empty: %q", address, text(root))
		}
	}
	d.page("/search")
	if found := d.page("/search?q=anything"); len(all(found, "section", "nothing")) != 1 {
		t.Error("searching an empty archive finds something")
	}
	r, err := store.OpenReader(t.Context(), data, store.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	settable, err := web.NewHandler(web.Archive{Reader: r, Searcher: search.New(r, clock), Now: clock}, web.Options{Settings: &web.Settings{}})
	if err != nil {
		t.Fatal(err)
	}
	for offered, handler := range map[string]http.Handler{"": d.handler, "/settings/sources": settable} {
		d.handler = handler
		address := ""
		for _, button := range all(d.one(d.page("/"), "section", "nothing"), "a", "button") {
			address = attribute(button, "href")
		}
		if address != offered {
			t.Errorf("an empty archive offers %q, want %q", address, offered)
		}
	}
}

// TestParts gets pieces of pages without their frame, as the script does.
func TestParts(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	for _, address := range []string{"/c/7?part=1", "/c/7/calendar?part=1", "/search?q=boat&part=1", "/conversations?part=1", "/people?part=1", "/media?part=1", "/links?part=1"} {
		body, err := io.ReadAll(d.ask(http.MethodGet, address).Body)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(body), "<html") || strings.Contains(string(body), "<nav class=\"rail\"") || len(body) < 500 {
			t.Errorf("%s: %.200s", address, body)
		}
	}
}

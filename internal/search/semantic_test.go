package search

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// concepts is a model that knows a few conceptOf and nothing else.
type concepts struct {
	query func(ctx context.Context) error // called before a query is embedded
}

var conceptOf = map[string]string{
	"flat": "home", "apartment": "home", "home": "home", "rent": "pay", "landlord": "owner", "owner": "owner",
	"automobile": "car", "car": "car", "vehicle": "car", "broke": "broken", "broken": "broken", "damaged": "broken", "ill": "sick", "sick": "sick", "flu": "sick",
}

func (concepts) Fingerprint() string { return "concepts" }

func (concepts) Dims() int { return 64 }

func (concepts) Embed(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = conceptVector(text)
	}
	return vectors, nil
}

func (c concepts) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	if c.query != nil {
		if err := c.query(ctx); err != nil {
			return nil, err
		}
	}
	return conceptVector(query), nil
}

func conceptVector(text string) []float32 {
	v := make([]float32, 64)
	sum := 0.0
	for word := range strings.FieldsSeq(segment.Fold(text)) {
		if concept := conceptOf[word]; concept != "" {
			h := fnv.New32a()
			h.Write([]byte(concept))
			v[h.Sum32()%64]++
		}
	}
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		if sum > 0 {
			v[i] /= float32(math.Sqrt(sum))
		}
	}
	return v
}

// meaningOf indexes an archive by the concepts of its messages.
func (a *archive) meaningOf(t testing.TB, model concepts) *Searcher {
	t.Helper()
	r, dir := a.reader(t), t.TempDir()
	index(t, r, dir, model)
	return meaningIn(t, r, dir, model)
}

// besideWriter is a reader while which the archive can be written to.
func (a *archive) besideWriter(t testing.TB) *store.Reader {
	t.Helper()
	r, err := store.OpenReader(t.Context(), a.dir, store.ReaderOptions{WithWriter: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// index brings an index in a folder up to date.
func index(t testing.TB, r *store.Reader, dir string, model concepts) {
	t.Helper()
	if _, err := embed.Update(t.Context(), r, dir, model, embed.UpdateOptions{Now: time.Now}); err != nil {
		t.Fatal(err)
	}
}

// meaningIn searches with the index in a folder.
func meaningIn(t testing.TB, r *store.Reader, dir string, model concepts) *Searcher {
	t.Helper()
	f := embed.NewFinder(r, dir, model)
	t.Cleanup(func() { f.Close() })
	return New(r, func() time.Time { return now }).WithMeaning(&Meaning{Models: []Model{{Embedder: model, Finder: f, Alike: 0.4}}})
}

// homes is an archive in which things are called differently.
func homes() []chat {
	return []chat{
		newChat(msg.Signal, "Ana Silva", morning,
			"Ana Silva: our apartment is damaged after the storm",
			"me: did anybody call the insurance people about it"),
		newChat(msg.Signal, "Bo Lind", morning.AddDate(0, 0, 1),
			"Bo Lind: the flat is broken into again, says the paper",
			"Bo Lind: my automobile is at the garage until Monday"),
		newChat(msg.WhatsApp, "Club*", morning.AddDate(0, 0, 2),
			"Cleo: I am sick", "me: the harbour festival starts at noon on Saturday"),
		newChat(msg.WhatsApp, "Dora", morning.AddDate(0, 0, 9), "Dora: I am sick!"),
	}
}

func TestHybrid(t *testing.T) {
	t.Parallel()
	s := newArchive(t, homes()...).meaningOf(t, concepts{})
	tests := []struct {
		name, query string
		mode        Mode
		want        []string // the beginnings of the hits with how they were found
	}{
		{"words first, then similar ones", "flat broken", Hybrid, []string{"both: the flat", "semantic: our apartment"}},
		{"nothing but similar ones", "vehicle", Hybrid, []string{"semantic: my automobile"}},
		{"a question, with what stands beside", "Is the flat broken?", Hybrid, []string{"both: the flat", "semantic: my automobile", "semantic: our apartment"}},
		{"words that mean nothing", "harbour festival", Hybrid, []string{"keyword: the harbour"}},
		{"exact words only", `"flat is broken"`, Hybrid, []string{"keyword: the flat"}},
		{"beginnings only", "brok*", Hybrid, []string{"keyword: the flat"}},
		{"some excluded", "flat -paper OR vehicle", Hybrid, nil},
		{"numbers", "flat 12", Hybrid, []string{"keyword: the flat", "keyword: my automobile"}},
		{"alternatives", "flat OR harbour", Hybrid, []string{"keyword: the harbour", "keyword: the flat"}},
		{"by words alone", "flat broken", Keyword, []string{"keyword: the flat"}},
		{"by meaning alone", "a damaged home", Semantic, []string{"semantic: our apartment", "semantic: the flat"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			results := find(t, s, Query{Text: tt.query, Mode: tt.mode})
			var got []string
			for i, h := range results.Hits {
				text := h.Match.Half() + ": " + strings.Join(strings.Fields(h.Body)[:2], " ")
				if i < len(tt.want) || h.Match != Semantic || tt.mode != Semantic {
					got = append(got, text)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" && len(got)+len(tt.want) > 0 {
				t.Errorf("hits (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSimilarAreTold: what follows the messages with the words is told apart
// from what stands there because no message holds them.
func TestSimilarAreTold(t *testing.T) {
	t.Parallel()
	s := newArchive(t, homes()...).meaningOf(t, concepts{})
	for query, want := range map[string]string{
		"flat broken": "the messages with these words, then 1 similar in meaning",
		"vehicle":     "no message holds these words; similar in meaning: 1",
	} {
		if got := find(t, s, Query{Text: query}).Notices; !slices.Equal(got, []string{want}) {
			t.Errorf("notices of %q are %q, want %q", query, got, want)
		}
	}
}

// TestExplained: a hit's places in both halves go with its scores, whether or
// not both took part.
func TestExplained(t *testing.T) {
	t.Parallel()
	s := newArchive(t, homes()...).meaningOf(t, concepts{})
	hits := find(t, s, Query{Text: "sick", Mode: Keyword}).Hits
	for i, h := range hits {
		if h.Why.KeywordRank != i+1 || h.Why.Keyword <= 0 || h.Why.NearRank != 0 {
			t.Errorf("by words: hit %d of %d, %q, has %+v", i, len(hits), h.Body, h.Why)
		}
	}
	for i, h := range find(t, s, Query{Text: "a damaged home", Mode: Semantic}).Hits {
		if h.Why.KeywordRank != 0 || i == 0 && h.Why.NearRank != 1 {
			t.Errorf("by meaning: hit %d, %q, has %+v", i, h.Body, h.Why)
		}
	}
	hits = find(t, s, Query{Text: "flat broken"}).Hits
	if len(hits) != 2 || hits[0].Why.KeywordRank != 1 || hits[0].Why.NearRank == 0 || hits[1].Why.KeywordRank != 0 || hits[1].Why.NearRank == 0 {
		t.Errorf("the places of %+v are not those of one that both found and one that meaning did", hits)
	}
}

// TestSemanticFilters holds that a filter narrows what is found by meaning as
// it narrows what is found by words.
// TestAnswersFirst asks by meaning alone what somebody asked in other words.
func TestAnswersFirst(t *testing.T) {
	t.Parallel()
	s := newArchive(t,
		newChat(msg.Signal, "Ana Silva", morning, "Ana Silva: my old automobile, is it broken?"),
		newChat(msg.Signal, "Bo Lind", morning, "Bo Lind: the car is damaged and so is our flat"),
		newChat(msg.Signal, "Cleo", morning, "Cleo: the landlord wants the rent by Monday"),
		newChat(msg.Signal, "Dora", morning, "Dora: we are all ill with the flu since Sunday"),
	).meaningOf(t, concepts{})
	for query, want := range map[string]string{"Is the vehicle broken?": "the car", "vehicle broken": "my old"} {
		if got := bodies(find(t, s, Query{Text: query, Mode: Semantic}).Hits); len(got) == 0 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: %q, want %q first", query, got, want)
		}
	}
}

func TestSemanticFilters(t *testing.T) {
	t.Parallel()
	s := newArchive(t, homes()...).meaningOf(t, concepts{})
	tests := []struct {
		name string
		q    Query
		want []string
	}{
		{"sender in the text", Query{Text: "flat vehicle sick from:bo"}, []string{"Bo Lind", "Bo Lind"}},
		{"the owner", Query{Text: "flat vehicle sick from:me"}, nil},
		{"conversation in the text", Query{Text: `flat vehicle sick in:"Ana Silva"`}, []string{"Ana Silva"}},
		{"with somebody", Query{Text: "flat vehicle sick with:ana"}, []string{"Ana Silva"}},
		{"source", Query{Text: "flat vehicle flu source:whatsapp"}, []string{"Cleo"}},
		{"kind of chat", Query{Text: "flat vehicle flu is:group"}, []string{"Cleo"}},
		{"carries something", Query{Text: "flat vehicle flu has:image"}, nil},
		{"a period", Query{Text: "flat vehicle flu after:2024-03-10"}, []string{"Dora"}},
		{"an argument", Query{Text: "flat vehicle flu", Source: msg.WhatsApp}, []string{"Cleo"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, mode := range []Mode{Hybrid, Semantic} {
				tt.q.Mode = mode
				var got []string
				for _, h := range find(t, s, tt.q).Hits {
					got = append(got, h.Sender)
				}
				slices.Sort(got)
				if diff := cmp.Diff(tt.want, got); diff != "" && len(got)+len(tt.want) > 0 {
					t.Errorf("%s: senders (-want +got):\n%s", mode, diff)
				}
			}
		})
	}
}

// TestShortTextInConversation looks for a short text within one conversation
// after the other, while messages that consist of it come and go.
func TestShortTextInConversation(t *testing.T) {
	t.Parallel()
	cleo := newChat(msg.Signal, "Cleo", morning, "Cleo: the harbour festival starts at noon on Saturday", "Cleo: I am sick")
	dora := newChat(msg.WhatsApp, "Dora", morning.AddDate(0, 0, 9), "Dora: the harbour festival starts at noon on Saturday", "Dora: i am sick", "Dora: I am sick!")
	without := func(c chat) chat {
		c.messages = c.messages[:len(c.messages)-1]
		return c
	}
	a, dir := newArchive(t, cleo), t.TempDir()
	r := a.besideWriter(t)
	for _, step := range []struct {
		name       string
		chats      []chat
		index      bool
		cleo, dora []string
	}{
		{"said in one", []chat{cleo}, true, []string{"I am sick"}, nil},
		{"said in another, too", []chat{cleo, dora}, true, []string{"I am sick"}, []string{"i am sick"}},
		{"the one in the index is gone", []chat{without(cleo), dora}, false, nil, []string{"i am sick"}},
		{"and the index knows", []chat{without(cleo), dora}, true, nil, []string{"i am sick"}},
		{"gone from the other, too, but for one", []chat{without(cleo), without(dora)}, true, nil, []string{"i am sick"}},
		{"gone from everywhere", []chat{without(cleo), without(without(dora))}, false, nil, nil},
		{"gone from the index", []chat{without(cleo), without(without(dora))}, true, nil, nil},
	} {
		a.load(t, step.chats...)
		if step.index {
			index(t, r, dir, concepts{})
		}
		s := meaningIn(t, r, dir, concepts{})
		for _, mode := range []Mode{Hybrid, Semantic} {
			for name, want := range map[string][]string{"Cleo": step.cleo, "Dora": step.dora} {
				if name == "Dora" && len(step.chats) < 2 {
					continue
				}
				got := bodies(find(t, s, Query{Text: "flu in:" + name, Mode: mode}).Hits)
				if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
					t.Errorf("%s: %s in %s: found (-want +got):\n%s", step.name, mode, name, diff)
				}
			}
		}
	}
}

// TestShortTextInside shows the message that the index names for a
// conversation and, when that says something else by now, another one.
func TestShortTextInside(t *testing.T) {
	t.Parallel()
	cleo := newChat(msg.Signal, "Cleo", morning, "Cleo: I am sick")
	dora := newChat(msg.WhatsApp, "Dora", morning.AddDate(0, 0, 9), "Dora: I am sick!", "Dora: i am sick")
	a, dir := newArchive(t, cleo, dora), t.TempDir()
	r := a.besideWriter(t)
	index(t, r, dir, concepts{})
	shown := func(want string) {
		t.Helper()
		got := bodies(find(t, meaningIn(t, r, dir, concepts{}), Query{Text: "flu in:Dora", Mode: Semantic}).Hits)
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("found (-want +got):\n%s", diff)
		}
	}
	shown("I am sick!")
	dora.messages = dora.messages[1:]
	a.load(t, cleo, dora)
	shown("i am sick")
}

// TestWithoutMeaning holds that nothing that is wrong with a model or its
// index keeps the messages with the words back, and that it is said.
func TestWithoutMeaning(t *testing.T) {
	t.Parallel()
	a := newArchive(t, homes()...)
	dead := errors.New("the endpoint at 127.0.0.1:1 cannot be reached")
	noIndex := New(a.reader(t), time.Now)
	finder := embed.NewFinder(a.reader(t), t.TempDir(), concepts{})
	t.Cleanup(func() { finder.Close() })
	noIndex.WithMeaning(&Meaning{Models: []Model{{Embedder: concepts{}, Finder: finder}}})
	tests := []struct {
		name string
		s    *Searcher
		why  string
	}{
		{"no model", New(a.reader(t), time.Now), "no embedding model"},
		{"no index", noIndex, "msgbrowse index"},
		{"dead endpoint", a.meaningOf(t, concepts{query: func(context.Context) error { return dead }}), dead.Error()},
		{"hanging endpoint", a.meaningOf(t, concepts{query: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}), "did not answer within 300 ms"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			results := find(t, tt.s, Query{Text: "flat broken"})
			if results.Mode != Keyword || len(results.Hits) != 1 || !strings.Contains(results.WithoutMeaning, tt.why) {
				t.Errorf("mode %s, %d hits, %q; want the one with the words and %q", results.Mode, len(results.Hits), results.WithoutMeaning, tt.why)
			}
			results = find(t, tt.s, Query{Text: "flat broken", Mode: Semantic})
			if len(results.Hits) > 0 || !strings.Contains(results.WithoutMeaning, tt.why) {
				t.Errorf("by meaning alone: %d hits, %q", len(results.Hits), results.WithoutMeaning)
			}
		})
	}
}

// TestNeverWorse holds that a query that means nothing to the model ranks as
// it does by words alone.
func TestNeverWorse(t *testing.T) {
	t.Parallel()
	a := newArchive(t, house()...)
	plain, hybrid := a.searcher(t), a.meaningOf(t, concepts{})
	for _, query := range []string{"keys", "anna keys", "Where are the keys of Anna?", "reading", "What do they read about?", "+1 555 0100", "北京", "is:me", `"e mail"`} {
		want, got := find(t, plain, Query{Text: query}), find(t, hybrid, Query{Text: query})
		if diff := cmp.Diff(bodies(want.Hits), bodies(got.Hits)); diff != "" {
			t.Errorf("%s (-keyword +hybrid):\n%s", query, diff)
		}
		if got.Mode != Hybrid && strings.ContainsAny(query, "kR") {
			t.Errorf("%s: mode %s", query, got.Mode)
		}
	}
}

// flipped judges that what the model found least similar is most.
type flipped struct{ late bool }

func (f flipped) EmbedQuery(context.Context, string) ([]float32, error) { return []float32{1}, nil }

func (f flipped) EmbedUntil(_ context.Context, texts []string) [][]float32 {
	if f.late {
		return nil
	}
	vectors := make([][]float32, len(texts))
	for i := range texts {
		vectors[i] = []float32{float32(i) / float32(len(texts))}
	}
	return vectors
}

func TestJudge(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 5 {
		lines = append(lines, fmt.Sprintf("Ana: %s is the flat number %d", strings.Repeat("broken ", i+1), i))
	}
	a := newArchive(t, newChat(msg.Signal, "Ana", morning, lines...))
	first := func(judge Judge) string {
		s := a.meaningOf(t, concepts{})
		s.meaning.Models[0].Judged, s.meaning.Judge = true, judge
		return find(t, s, Query{Text: "a broken home", Mode: Semantic}).Hits[0].Body
	}
	alone := first(nil)
	if got := first(flipped{late: true}); got != alone {
		t.Errorf("a judge without time puts %q first, want %q", got, alone)
	}
	if got := first(flipped{}); got == alone {
		t.Errorf("a judge that sees it the other way round puts %q first as well", got)
	}
}

// fickle judges differently each time it is asked.
type fickle struct{ calls int }

func (f *fickle) EmbedQuery(context.Context, string) ([]float32, error) { return []float32{1}, nil }

func (f *fickle) EmbedUntil(_ context.Context, texts []string) [][]float32 {
	f.calls++
	vectors := make([][]float32, len(texts)-len(texts)/(f.calls+1))
	for i := range vectors {
		vectors[i] = []float32{float32((i*7*f.calls)%11) / 11}
	}
	return vectors
}

// TestPagesOfJudged walks the pages of a question whose ranking would be
// another one each time: every message stands on one page, and on no second.
func TestPagesOfJudged(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("Ana: the flat number %d is broken and so is the lift", i))
	}
	a := newArchive(t, newChat(msg.Signal, "Ana", morning, lines...))
	for _, mode := range []Mode{Hybrid, Semantic} {
		s := a.meaningOf(t, concepts{})
		s.meaning.Models[0].Judged, s.meaning.Judge = true, &fickle{}
		seen := map[int64]bool{}
		q := Query{Text: "Is the home broken?", Mode: mode, Limit: 7}
		for page := 0; ; page++ {
			s.judged = memory{} // the judge has forgotten everything
			results := find(t, s, q)
			for _, h := range results.Hits {
				if seen[h.ID] {
					t.Errorf("%s: message %d comes again on page %d", mode, h.ID, page)
				}
				seen[h.ID] = true
			}
			if !results.More || page > 20 {
				break
			}
			last := results.Hits[len(results.Hits)-1]
			q.After = &Place{Score: last.Score, ID: last.ID}
		}
		if len(seen) != len(lines) {
			t.Errorf("%s: %d messages on all pages, want %d", mode, len(seen), len(lines))
		}
	}
}

// TestShortTextFoundTwice shows a message once that holds the words and that
// another one with the same short text stands for.
func TestShortTextFoundTwice(t *testing.T) {
	t.Parallel()
	s := newArchive(t,
		newChat(msg.Signal, "Cleo", morning, "Cleo: I am sick"),
		newChat(msg.WhatsApp, "Dora", morning.AddDate(0, 0, 9), "Dora: I am sick!"),
	).meaningOf(t, concepts{})
	hits := find(t, s, Query{Text: "sick in:Dora"}).Hits
	if len(hits) != 1 || hits[0].Body != "I am sick!" || hits[0].Match.Half() != "both" {
		t.Errorf("found %d hits, %+v; want one, by both halves", len(hits), hits)
	}
}

func TestInside(t *testing.T) {
	t.Parallel()
	say := func(id int64, body string, missing bool) store.Candidate {
		return store.Candidate{Neighbour: store.Neighbour{ID: id, Body: body}, Missing: missing}
	}
	for _, test := range []struct {
		name string
		x    store.Candidate
		want bool
	}{
		{"none", store.Candidate{}, false},
		{"the same words", say(2, "i am sick!", false), true},
		{"others by now", say(2, "I am well", false), false},
		{"missing by now", say(2, "i am sick!", true), false},
	} {
		if got := inside(say(1, "I am sick", false), test.x); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

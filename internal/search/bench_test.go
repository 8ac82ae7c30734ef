package search

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/embed/bert"
	"github.com/msgbrowse/msgbrowse/internal/embed/static"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// archiveVariable names the data folder that BenchmarkSearch searches: a large
// archive, as a generator outside of the project makes it, with its index by
// meaning.
const archiveVariable = "MSGBROWSE_BENCH_ARCHIVE"

// BenchmarkSearch reports the best time of each search, the median and the
// 95th percentile:
//
//	MSGBROWSE_BENCH_ARCHIVE=DATA go test ./internal/search -run - -bench Search -benchtime 100x
func BenchmarkSearch(b *testing.B) {
	dir := os.Getenv(archiveVariable)
	if dir == "" {
		b.Skip("set " + archiveVariable + " to a data folder")
	}
	r, err := store.OpenReader(b.Context(), dir, store.ReaderOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { r.Close() })
	chat, err := Conversation(b.Context(), r, "Conv000")
	if err != nil {
		b.Fatal(err)
	}
	table := static.Builtin()
	judge, err := bert.Builtin()
	if err != nil {
		b.Fatal(err)
	}
	finder := embed.NewFinder(r, dir+"/vectors", table)
	b.Cleanup(func() { finder.Close() })
	searcher := func(judge Judge) *Searcher {
		return New(r, time.Now).WithMeaning(&Meaning{Models: []Model{{Embedder: table, Finder: finder, Judged: true, Alike: 0.42}}, Judge: judge})
	}
	const question = "who wanted to go to the doctor about the kayak?"
	for _, bench := range []struct {
		name   string
		q      Query
		judged bool
	}{
		{"rare word", Query{Text: "zyxrare", Mode: Keyword}, false},
		{"common word", Query{Text: "dinner", Mode: Keyword}, false},
		{"broad word", Query{Text: "the", Mode: Keyword}, false},
		{"beginning", Query{Text: "th", Mode: Keyword}, false},
		{"phrase", Query{Text: `"dinner tomorrow"`, Mode: Keyword}, false},
		{"common word in a chat", Query{Text: "dinner", Mode: Keyword, Conversation: chat.ID}, false},
		{"phrase in a chat", Query{Text: `"dinner tomorrow"`, Mode: Keyword, Conversation: chat.ID}, false},
		{"question by words", Query{Text: question, Mode: Keyword}, false},
		{"question by words in a chat", Query{Text: question, Mode: Keyword, Conversation: chat.ID}, false},
		{"meaning", Query{Text: question, Mode: Semantic}, false},
		{"meaning in a chat", Query{Text: question, Mode: Semantic, Conversation: chat.ID}, false},
		{"both, rare word", Query{Text: "zyxrare"}, false},
		{"both, common word", Query{Text: "dinner"}, false},
		{"both, broad word", Query{Text: "the"}, false},
		{"both, beginning", Query{Text: "th"}, false},
		{"both, question", Query{Text: question}, false},
		{"both, question in a chat", Query{Text: question, Conversation: chat.ID}, false},
		{"judged meaning", Query{Text: question, Mode: Semantic}, true},
		{"judged question", Query{Text: question}, true},
		{"judged question in a chat", Query{Text: question, Conversation: chat.ID}, true},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s := searcher(nil)
			if _, err := s.Search(b.Context(), bench.q); err != nil { // opens what stays open
				b.Fatal(err)
			}
			var took []float64
			for b.Loop() {
				if bench.judged {
					s = searcher(judge) // which remembers no text
				}
				began := time.Now()
				if _, err := s.Search(b.Context(), bench.q); err != nil {
					b.Fatal(err)
				}
				took = append(took, float64(time.Since(began))/1e6)
			}
			slices.Sort(took)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(took[0], "best-ms")
			b.ReportMetric(took[len(took)/2], "p50-ms")
			b.ReportMetric(took[len(took)*95/100], "p95-ms")
		})
	}
}

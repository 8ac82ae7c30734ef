package ingest

import (
	"os"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/source/registry"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// archiveVariable names a folder of exports to measure with; without it a
// generated chat has to do.
const archiveVariable = "MSGBROWSE_BENCH_ARCHIVE"

// benchDesk is a desk with the exports to measure with.
func benchDesk(b *testing.B) *desk {
	b.Helper()
	d := newDesk(b)
	d.find = registry.Best
	if dir := os.Getenv(archiveVariable); dir != "" {
		d.roots = []store.Root{{Path: dir}}
		return d
	}
	writeLong(b, d.path("WhatsApp Chat with Ana.txt"), 4<<20)
	return d
}

func (d *desk) must() Summary {
	d.t.Helper()
	summary, err := d.tryImport(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return summary
}

// BenchmarkImport imports exports into a new archive and indexes them.
func BenchmarkImport(b *testing.B) {
	d := benchDesk(b)
	messages := int64(0)
	for b.Loop() {
		fresh := d.beside()
		fresh.t, fresh.find = b, d.find
		messages += fresh.must().Added
	}
	b.ReportMetric(float64(messages)/b.Elapsed().Seconds(), "messages/s")
}

// BenchmarkRefresh looks at exports again: that have not changed, and with
// every file read in full.
func BenchmarkRefresh(b *testing.B) {
	for _, full := range []bool{false, true} {
		name := "unchanged"
		if full {
			name = "full"
		}
		b.Run(name, func(b *testing.B) {
			d := benchDesk(b)
			messages := d.must().Added
			d.options.Full = full
			for b.Loop() {
				if got := d.must(); got.Added+got.Changed+got.Missing != 0 {
					b.Fatalf("a refresh changed something: %+v", got.Tally)
				}
			}
			b.ReportMetric(float64(messages)*float64(b.N)/b.Elapsed().Seconds(), "messages/s")
		})
	}
}

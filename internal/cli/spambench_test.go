package cli

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/source/registry"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// What the archive of the benchmarks holds.
const (
	benchThreads  = 400
	benchMessages = 500 // in each thread
)

var benchTexts = []string{
	"Hi, are you home later? I can bring the drill back", "Your code is %d. Do not share it with anyone",
	"Flash sale! 40%% off everything until midnight: https://shop.example/s/%d Reply STOP to end", "Package %d will arrive tomorrow between 9 and 11",
	"We miss you! Claim your reward at bit.ly/%d", "Your appointment is on Monday at %d, reply C to confirm", "This is an attempt to collect a debt, call (212) 555-0%03d",
	"Vote on Tuesday! Polls are open from 6", "ok", "Have you thought about selling your house? We buy for cash, call 646-555-0%03d",
}

// benchArchive makes an archive of strangers' texts.
func benchArchive(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	exports, data := filepath.Join(dir, "exports"), filepath.Join(dir, "data")
	if err := os.MkdirAll(exports, 0o700); err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	at := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range benchThreads {
		var text strings.Builder
		who := fmt.Sprintf("+1212555%04d", i)
		for j := range benchMessages {
			body := benchTexts[random.IntN(len(benchTexts))]
			if strings.Contains(body, "%") {
				body = fmt.Sprintf(body, random.IntN(1000))
			}
			sender := who
			if j == 100 {
				sender, body = "Me", "STOP"
			}
			moment := at.Add(time.Duration(j)*time.Hour + time.Duration(i)*time.Second)
			fmt.Fprintf(&text, "%s %2s%s\n%s\n%s\n\n", moment.Format("Jan 02, 2006"), moment.Format("3"), moment.Format(":04:05 PM"), sender, body)
		}
		if err := os.WriteFile(filepath.Join(exports, who+".txt"), []byte(text.String()), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	if err := importForBench(data, exports); err != nil {
		b.Fatal(err)
	}
	return data
}

func importForBench(data, exports string) error {
	ctx := context.Background()
	w, err := store.OpenWriter(ctx, data)
	if err != nil {
		return err
	}
	root, err := ingest.RootFor(exports)
	if err != nil {
		return err
	}
	plan, err := ingest.MakePlan(ctx, []store.Root{root}, nil, false, registry.Best)
	if err != nil {
		return err
	}
	_, err = ingest.Run(ctx, w, plan, ingest.Options{Now: time.Now, Version: "bench"})
	plan.Close()
	return errors.Join(err, w.Close())
}

// BenchmarkSpamScan reports how fast a first scan examines messages, and how
// long one takes that finds nothing new, lists take, and one dossier. Budgets
// for 200,000 findings: 20,000 messages a second, 0.2 s, 20 ms for the list of
// senders.
func BenchmarkSpamScan(b *testing.B) {
	data := benchArchive(b)
	ctx := b.Context()
	w, err := store.OpenRecorder(ctx, data)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	r, err := w.Reader(ctx)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	rules, err := spam.NewRules(spam.DefaultSettings())
	if err != nil {
		b.Fatal(err)
	}
	book := spam.ContactsBook{AddressBooks: contacts.AddressBooks{Book: contacts.NewBook(nil)}}
	scan := func(reset bool) record.Run {
		b.Helper()
		run, err := spam.Scan(ctx, r, r, w, rules, book, spam.ScanOptions{Reset: reset, Now: time.Now})
		if err != nil {
			b.Fatal(err)
		}
		return run
	}
	b.Run("first", func(b *testing.B) {
		var examined int64
		for b.Loop() {
			examined += scan(true).Counters.Examined
		}
		b.ReportMetric(float64(examined)/b.Elapsed().Seconds(), "messages/s")
	})
	scan(false)
	b.Run("second", func(b *testing.B) {
		for b.Loop() {
			if n := scan(false).Counters.Examined; n != 0 {
				b.Fatalf("%d messages examined again", n)
			}
		}
	})
	q := spam.Question{Settings: rules.Settings(), AsOf: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)}
	for name, read := range map[string]func() error{
		"senders":    func() error { _, err := r.SpamSenders(ctx, record.SenderQuery{}); return err },
		"violations": func() error { _, err := spam.ContactsAfterOptOut(ctx, r, q); return err },
		"sender":     func() error { _, err := spam.Summarize(ctx, r, spam.About{Sender: 1}, q); return err },
		"dossier": func() error {
			_, err := spam.BuildDossier(ctx, r, spam.About{Sender: 1}, spam.DossierQuestion{Question: q})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

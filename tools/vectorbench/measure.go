package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/vector"
	"github.com/msgbrowse/msgbrowse/internal/vector/vectortest"
)

const (
	nearest = 10
	groups  = 100 // so that a filter for one accepts a hundredth
)

// measure builds an index of n vectors and asks it, an exact scan and SQLite
// the same questions in turn.
func measure(ctx context.Context, dir string, n int, s settings) ([]figure, error) {
	spec := vector.Spec{Fingerprint: "bench", Dims: s.dims, Archive: 1, Rotate: true}
	figures := []figure{{"vectors", fmt.Sprint(n)}}
	add := func(name, value string) { figures = append(figures, figure{name, value}) }

	appending, committing, err := build(indexDir(dir), spec, n)
	if err != nil {
		return nil, err
	}
	add("append, vectors per second", fmt.Sprintf("%.0f", float64(n)/appending.Seconds()))
	add("commit", millis(committing))
	size, err := sizeOf(indexDir(dir))
	if err != nil {
		return nil, err
	}
	add("disk, bytes per vector", fmt.Sprint(size/int64(n)))

	var opening, refreshing times
	for range 50 {
		err := opening.of(func() error {
			ix, err := vector.Open(indexDir(dir), spec)
			if err != nil {
				return err
			}
			return ix.Close()
		})
		if err != nil {
			return nil, err
		}
	}
	ix, err := vector.Open(indexDir(dir), spec)
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	for range 50 {
		if err := refreshing.of(func() error { _, err := ix.Refresh(); return err }); err != nil {
			return nil, err
		}
	}
	add("open", opening.String())
	add("refresh", refreshing.String())

	v := ix.View()
	defer v.Release()
	asked := newSource(n, s.dims, queried)
	debug.FreeOSMemory()
	for range 1000 {
		if _, err := v.Search(ctx, asked.Next(), nearest, vector.Options{}); err != nil {
			return nil, err
		}
	}
	add("resident after 1,000 searches", resident())

	more, err := compare(ctx, dir, v, n, asked, s)
	return append(figures, more...), err
}

func build(dir string, spec vector.Spec, n int) (appending, committing time.Duration, err error) {
	w, err := vector.OpenWriter(dir, spec)
	if err != nil {
		return 0, 0, err
	}
	defer w.Close()
	src := newSource(n, spec.Dims, indexed)
	var appends, commits times
	for w.Len() < n {
		items := make([]vector.Item, min(10_000, n-w.Len()))
		for i := range items {
			slot := w.Len() + i
			items[i] = vector.Item{Vector: src.Next(), Ref: uint32(slot), Group: uint32(slot*7919) % groups, Time: uint32(slot)}
		}
		if err := appends.of(func() error { _, err := w.Append(items); return err }); err != nil {
			return 0, 0, err
		}
	}
	if err := commits.of(func() error { return w.Commit(nil) }); err != nil {
		return 0, 0, err
	}
	for _, d := range appends {
		appending += d
	}
	return appending, commits[0], nil
}

// compare asks everybody in turn.
func compare(ctx context.Context, dir string, v *vector.View, n int, asked *vectortest.Clusters, s settings) ([]figure, error) {
	var all []float32
	if n <= s.exactRows {
		all = make([]float32, 0, n*s.dims)
		for src := newSource(n, s.dims, indexed); len(all) < n*s.dims; {
			all = append(all, src.Next()...)
		}
	}
	var lite *sqlite
	if rows := min(n, s.sqliteRows); rows > 0 {
		var err error
		if lite, err = newSQLite(ctx, dir, rows, newSource(n, s.dims, indexed)); err != nil {
			return nil, fmt.Errorf("SQLite: %w", err)
		}
		defer lite.db.Close()
	}
	scattered := vector.Where(v.Groups(), vector.Is(7))
	stretch := vector.Where(v.Times(), vector.Between(uint32(n/2), uint32(n/2+n/100)))
	half := vector.Where(v.Groups(), vector.Between(0, groups/2-1))
	var ours, one, exactly, inSQLite, filtering, inScattered, inStretch, inHalf times
	right := 0
	for range s.queries {
		query := asked.Next()
		search := func(t *times, o vector.Options) (matches []vector.Match, err error) {
			err = t.of(func() error {
				matches, err = v.Search(ctx, query, nearest, o)
				return err
			})
			return matches, err
		}
		matches, err := search(&ours, vector.Options{})
		if err != nil {
			return nil, err
		}
		for _, turn := range []struct {
			t *times
			o vector.Options
		}{{&one, vector.Options{Workers: 1}}, {&inScattered, vector.Options{Accept: scattered}}, {&inStretch, vector.Options{Accept: stretch}}, {&inHalf, vector.Options{Accept: half}}} {
			if _, err := search(turn.t, turn.o); err != nil {
				return nil, err
			}
		}
		_ = filtering.of(func() error { vector.Where(v.Groups(), vector.Is(7)); return nil })
		if all != nil {
			var want []found
			_ = exactly.of(func() error { want = exact(all, query, nearest); return nil })
			right += overlap(want, matches)
		}
		if lite != nil {
			if err := inSQLite.of(func() error { return lite.search(ctx, query, nearest) }); err != nil {
				return nil, err
			}
		}
	}
	for i := range inSQLite {
		inSQLite[i] = time.Duration(float64(inSQLite[i]) * float64(n) / float64(lite.rows))
	}
	recall := "-"
	if all != nil {
		recall = fmt.Sprintf("%.3f", float64(right)/float64(nearest*s.queries))
	}
	return []figure{
		{"search", ours.String()},
		{"search by one goroutine", one.String()},
		{"exact scan in float32", exactly.String()},
		{"  against search", ratio(exactly, ours)},
		{"SQLite's extension, scaled", inSQLite.String()},
		{"  against search", ratio(inSQLite, ours)},
		{"recall of the nearest ten", recall},
		{"1 in 100, scattered", inScattered.String()},
		{"1 in 100, in a row", inStretch.String()},
		{"half", inHalf.String()},
		{"making a filter", filtering.String()},
	}, nil
}

func overlap(want []found, got []vector.Match) int {
	n := 0
	for _, w := range want {
		for _, g := range got {
			if int(g.Slot) == w.slot {
				n++
			}
		}
	}
	return n
}

func sizeOf(dir string) (int64, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return 0, err
	}
	var sum int64
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return 0, err
		}
		sum += info.Size()
	}
	return sum, nil
}

// resident returns the memory of this process, where Linux tells it.
func resident() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "-"
	}
	match := regexp.MustCompile(`(?m)^VmRSS:\s*(\d+) kB`).FindSubmatch(status)
	if match == nil {
		return "-"
	}
	var kilobytes float64
	fmt.Sscan(string(match[1]), &kilobytes)
	return fmt.Sprintf("%.0f MB", kilobytes/1024)
}

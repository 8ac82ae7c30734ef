// Command vectorbench measures the vector index beside an exact scan in
// float32 and the vector extension of SQLite, in turns, so that the ratios
// mean something on a busy machine too. The vectors are made up: gathered in
// groups, with most of their variance on few components.
//
//	go run ./tools/vectorbench [-n 10000,100000,1000000] [-dims 256] [-queries 50] [-sqlite 200000]
//
// A million vectors need 0.3 GB of disk for the index, another 0.2 GB for
// SQLite's 200,000, and 1 GB of memory for the exact scan.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

type settings struct {
	dims, queries int
	// sqliteRows is how many rows SQLite gets at most; its time, which is
	// proportional to them, is scaled.
	sqliteRows int
	// exactRows is the largest size that is also scanned exactly.
	exactRows int
}

func main() {
	sizes := flag.String("n", "10000,100000,1000000", "numbers of vectors")
	var s settings
	flag.IntVar(&s.dims, "dims", 256, "components of a vector")
	flag.IntVar(&s.queries, "queries", 50, "queries of each kind")
	flag.IntVar(&s.sqliteRows, "sqlite", 200_000, "rows in SQLite at most, 0 for none")
	flag.IntVar(&s.exactRows, "exact", 2_000_000, "vectors up to which they are also scanned exactly")
	flag.Parse()
	if err := run(*sizes, s); err != nil {
		fmt.Fprintln(os.Stderr, "vectorbench:", err)
		os.Exit(1)
	}
}

func run(sizes string, s settings) error {
	var columns [][]figure
	for text := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1000 {
			return fmt.Errorf("size %q: want a number from 1000 on", text)
		}
		dir, err := os.MkdirTemp("", "vectorbench")
		if err != nil {
			return err
		}
		figures, err := measure(context.Background(), dir, n, s)
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if err != nil {
			return err
		}
		columns = append(columns, figures)
		show(columns, s)
	}
	return nil
}

// figure is one line of the table.
type figure struct{ name, value string }

func show(columns [][]figure, s settings) {
	fmt.Printf("\nTimes: best / median. %d components, %d queries, %d processors, %s/%s\n", s.dims, s.queries, runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for i, f := range columns[0] {
		fmt.Fprint(w, f.name)
		for _, column := range columns {
			fmt.Fprint(w, "\t", column[i].value)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

// times are how long something took, again and again.
type times []time.Duration

func (t *times) of(do func() error) error {
	began := time.Now()
	err := do()
	*t = append(*t, time.Since(began))
	return err
}

// at returns the time that a share of the runs kept below.
func (t times) at(share float64) time.Duration {
	sorted := slices.Sorted(slices.Values(t))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

func (t times) String() string {
	if len(t) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f / %s", t.at(0).Seconds()*1000, millis(t.at(0.5)))
}

func millis(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1000) }

func ratio(slow, fast times) string {
	if len(slow) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0fx", slow.at(0.5).Seconds()/fast.at(0.5).Seconds())
}

func indexDir(dir string) string { return filepath.Join(dir, "vectors") }

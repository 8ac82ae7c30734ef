package ingest

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/registry"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func mustTime(s string) time.Time {
	for _, layout := range []string{"2006-01-02 15:04", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	panic("no time: " + s)
}

// now is the time of every import; it moves on with each one.
var now = mustTime("2025-06-01 12:00")

// desk is a folder of exports beside a data folder.
type desk struct {
	t       testing.TB
	exports string
	data    string
	fake    *fakeSource
	find    Finder
	roots   []store.Root
	imports int
	// options are changed by tests before an import.
	options Options
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, exports: filepath.Join(dir, "exports"), data: filepath.Join(dir, "data"), fake: newFake()}
	if err := os.Mkdir(d.exports, 0o700); err != nil {
		t.Fatal(err)
	}
	d.roots = []store.Root{{Path: d.exports}}
	d.find = d.findFake
	return d
}

// findFake knows the fake source first and then all real ones.
func (d *desk) findFake(ctx context.Context, c source.Candidate) (source.Source, source.Recognition, error) {
	r, err := d.fake.Recognize(ctx, c)
	if err != nil || r.Confidence > 0 {
		return d.fake, r, err
	}
	return registry.Best(ctx, c)
}

func (d *desk) path(name string) string { return filepath.Join(d.exports, filepath.FromSlash(name)) }

// put writes a file of the exports. Its time is later than that of every
// earlier one, so that a change shows.
func (d *desk) put(name, text string) {
	d.t.Helper()
	if err := os.MkdirAll(filepath.Dir(d.path(name)), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(d.path(name), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
	d.touch(name)
}

// ticks gives files times a second apart.
var ticks atomic.Int64

func (d *desk) touch(name string) {
	d.t.Helper()
	at := mustTime("2024-01-01 00:00").Add(time.Duration(ticks.Add(1)) * time.Second)
	if err := os.Chtimes(d.path(name), at, at); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) remove(name string) {
	d.t.Helper()
	if err := os.Remove(d.path(name)); err != nil {
		d.t.Fatal(err)
	}
}

// withWriter runs do with a writer, as a program that imports would.
func (d *desk) withWriter(ctx context.Context, do func(w *store.Writer) error) error {
	lock, err := AcquireLock(d.data, now)
	if err != nil {
		return err
	}
	defer lock.Release()
	w, err := store.OpenWriter(ctx, d.data)
	if err != nil {
		return err
	}
	defer w.Close()
	return do(w)
}

// tryImport looks at the roots and imports them.
func (d *desk) tryImport(ctx context.Context) (summary Summary, err error) {
	d.imports++
	at := now.Add(time.Duration(d.imports) * time.Hour)
	o := d.options
	o.Now, o.Version = func() time.Time { return at }, "test"
	err = d.withWriter(ctx, func(w *store.Writer) error {
		files, err := w.Files(ctx)
		if err != nil {
			return err
		}
		roots, err := w.Roots(ctx)
		if err != nil {
			return err
		}
		plan, err := MakePlan(ctx, d.remembered(roots), KnownFiles(files), o.Full, d.find)
		if err != nil {
			return err
		}
		defer plan.Close()
		summary, err = Run(ctx, w, plan, o)
		return err
	})
	return summary, err
}

// remembered gives the desk's roots their ids.
func (d *desk) remembered(known []store.Root) []store.Root {
	roots := make([]store.Root, len(d.roots))
	for i, root := range d.roots {
		roots[i] = root
		for _, k := range known {
			if k.Path == root.Path {
				roots[i].ID, roots[i].AddedAt = k.ID, k.AddedAt
			}
		}
	}
	return roots
}

// run imports and checks what the import says it did. The fields of want that
// count files are left out.
func (d *desk) run(want store.Tally) Summary {
	d.t.Helper()
	got, err := d.tryImport(d.t.Context())
	if err != nil {
		d.t.Fatalf("import %d: %v", d.imports, err)
	}
	tally := got.Tally
	tally.Scanned, tally.Read = want.Scanned, want.Read
	if diff := cmp.Diff(want, tally); diff != "" {
		d.t.Errorf("import %d (-want +got):\n%s\nproblems: %v", d.imports, diff, got.Problems)
	}
	d.checkSums()
	return got
}

// reader opens the archive for reading.
func (d *desk) reader() *store.Reader {
	d.t.Helper()
	r, err := store.OpenReader(d.t.Context(), d.data, store.ReaderOptions{})
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { r.Close() })
	return r
}

// messages returns the archive's messages, missing ones included, in the order
// of their ids.
func (d *desk) messages() []store.Message {
	d.t.Helper()
	r := d.reader()
	defer r.Close()
	var all []store.Message
	for id := int64(1); ; id += 500 {
		ids := make([]int64, 500)
		for i := range ids {
			ids[i] = id + int64(i)
		}
		list, err := r.Messages(d.t.Context(), ids)
		if err != nil {
			d.t.Fatal(err)
		}
		all = append(all, list...)
		if len(list) == 0 {
			return all
		}
	}
}

// bodies lists what is not missing, in the order of the transcript.
func (d *desk) bodies() []string {
	d.t.Helper()
	r := d.reader()
	defer r.Close()
	refs, err := r.ConversationRefs(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	var bodies []string
	for _, c := range refs {
		list, more, err := r.Transcript(d.t.Context(), store.TranscriptQuery{Conversation: c.ID, Limit: 1000})
		if err != nil || more {
			d.t.Fatalf("read conversation: %v, more %v", err, more)
		}
		for _, m := range list {
			bodies = append(bodies, m.Body)
		}
	}
	return bodies
}

// checkBodies compares the shown messages of a desk with one conversation.
func (d *desk) checkBodies(want ...string) {
	d.t.Helper()
	if diff := cmp.Diff(want, d.bodies()); diff != "" {
		d.t.Errorf("messages (-want +got):\n%s", diff)
	}
}

// tree lists a folder's files with their bytes.
func treeOf(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		found[strings.TrimPrefix(path, dir)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// rounds is how often a test does the same thing at other moments: a short run
// says something with few.
func rounds(usual, short int) int {
	if testing.Short() {
		return short
	}
	return usual
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

var cmpSorted = cmpopts.SortSlices(func(a, b string) bool { return a < b })

// contains reports whether s contains all of the parts.
func contains(s string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(s, part) {
			return false
		}
	}
	return true
}

// cancelAt makes a context that is cancelled when the fake hands over its n-th
// message.
func cancelAt(t *testing.T, d *desk, n int) (context.Context, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	d.fake.onMessage = func(at int) {
		if at == n {
			cancel()
		}
	}
	return ctx, func() {
		d.fake.onMessage = nil
		cancel()
	}
}

// now is the time of the next import.
func (d *desk) now() time.Time { return now.Add(time.Duration(d.imports) * time.Hour) }

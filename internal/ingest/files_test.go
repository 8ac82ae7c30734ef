package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// counts returns how often the fake recognised and read each file since the
// last call.
func (d *desk) counts() (recognised, read map[string]int) {
	recognised, read = d.fake.recognised, d.fake.read
	d.fake.recognised, d.fake.read = map[string]int{}, map[string]int{}
	return recognised, read
}

func TestUnchangedFilesAreNotOpened(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, name := range []string{"one/a.fake", "one/b.fake", "two/c.fake"} {
		d.put(name, lines(chat(name, five()...)...))
	}
	steps := []struct {
		name             string
		change           func()
		recognised, read map[string]int
	}{
		{"new", func() {}, map[string]int{"one/a.fake": 1, "one/b.fake": 1, "two/c.fake": 1}, map[string]int{"one/a.fake": 1, "one/b.fake": 1, "two/c.fake": 1}},
		{"unchanged", func() {}, map[string]int{}, map[string]int{}},
		{"changed", func() { d.put("two/c.fake", lines(chat("c", idents()...)...)) }, map[string]int{"two/c.fake": 1}, map[string]int{"two/c.fake": 1}},
		{"touched, but equal", func() { d.touch("two/c.fake") }, map[string]int{"two/c.fake": 1}, map[string]int{}},
		{"unchanged since", func() {}, map[string]int{}, map[string]int{}},
		{"one beside two", func() { d.touch("one/a.fake") }, map[string]int{"one/a.fake": 1, "one/b.fake": 1}, map[string]int{}},
		{"gone", func() { d.remove("one/b.fake") }, map[string]int{}, map[string]int{}},
	}
	for _, step := range steps {
		step.change()
		got, err := d.tryImport(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		recognised, read := d.counts()
		if diff := cmp.Diff(step.recognised, recognised); diff != "" {
			t.Errorf("%s: recognised (-want +got):\n%s", step.name, diff)
		}
		if diff := cmp.Diff(step.read, read); diff != "" {
			t.Errorf("%s: read (-want +got):\n%s", step.name, diff)
		}
		if got.Read != int64(len(read)) {
			t.Errorf("%s: the summary says %d files were read", step.name, got.Read)
		}
	}
	if n := len(d.bodies()); n != 5+5+4 {
		t.Errorf("%d messages, want those of every file as it was last seen", n)
	}
}

// TestImportingTwiceWritesNextToNothing bounds what a second import puts into
// the archive: its own record, whatever the number of messages.
func TestImportingTwiceWritesNextToNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for i := range 20 {
		d.put(fmt.Sprintf("%d.fake", i), lines(chat(fmt.Sprint(i), idents()...)...))
	}
	d.run(store.Tally{Added: 80})
	// The log holds every page that was written since it was last folded in.
	size := func(touch bool) int64 {
		if touch {
			for i := range 20 {
				d.touch(fmt.Sprintf("%d.fake", i))
			}
		}
		var size int64
		if err := d.withWriter(t.Context(), func(w *store.Writer) error {
			files, err := w.Files(t.Context())
			if err != nil {
				return err
			}
			plan, err := MakePlan(t.Context(), d.roots, KnownFiles(files), false, d.find)
			if err != nil {
				return err
			}
			defer plan.Close()
			if _, err := Run(t.Context(), w, plan, Options{Now: d.now}); err != nil {
				return err
			}
			info, err := os.Stat(filepath.Join(d.data, store.FileName+"-wal"))
			size = info.Size()
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return size
	}
	const page = 4096 + 24
	if n := size(false) / page; n > 16 {
		t.Errorf("an import of nothing wrote %d pages", n)
	}
	if n := size(true) / page; n > 24 {
		t.Errorf("an import of touched files wrote %d pages", n)
	}
}

// TestBrokenFilesDoNotStopTheRest has a bad file of every kind among good
// ones.
func TestBrokenFilesDoNotStopTheRest(t *testing.T) {
	t.Parallel()
	good := chat("good", five()...)
	tests := []struct {
		name, text string
		tally      store.Tally
		severity   string
		reason     string
	}{
		{"fails half-way", lines(append(chat("bad", five()[:2]...), line{Fail: "the rest is lost"})...), store.Tally{Added: 12, Errors: 1}, store.SeverityError, "the rest is lost"},
		{"panics half-way", lines(append(chat("bad", five()[:2]...), line{Panic: "index out of range"})...), store.Tally{Added: 12, Errors: 1}, store.SeverityError, "index out of range"},
		{"fails to be recognised", `{"Fail":"recognise"}` + "\n", store.Tally{Added: 10, Errors: 1}, store.SeverityError, "as the file says"},
		{"panics when recognised", `{"Panic":"recognise"}` + "\n", store.Tally{Added: 10, Errors: 1}, store.SeverityError, "as the file says"},
		{"skips records", lines(append(chat("bad", five()[:2]...), line{Skip: "no date"}, line{Note: "a note"})...), store.Tally{Added: 12, Skipped: 1}, store.SeveritySkipped, "no date"},
		{"holds rubbish", lines(chat("bad", five()[:2]...)...) + "{rubbish\n", store.Tally{Added: 12, Skipped: 1}, store.SeveritySkipped, "no line of a fake"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.put("a.fake", lines(good...))
			d.put("bad.fake", tt.text)
			d.put("z.fake", strings.ReplaceAll(lines(good...), "good", "as good"))
			got := d.run(tt.tally)
			if got.Status != store.ImportPartial {
				t.Errorf("status %q, want %q", got.Status, store.ImportPartial)
			}
			d.checkProblem(got, tt.severity, d.path("bad.fake"), tt.reason)
			d.checkSound()

			// A file that failed is tried again, and found whole.
			d.put("bad.fake", lines(chat("bad", five()...)...))
			fresh := store.Tally{Added: 15 - tt.tally.Added}
			if again := d.run(fresh); again.Status != store.ImportDone {
				t.Errorf("status of the second import %q", again.Status)
			}
			d.checkFresh(t)
		})
	}
}

// checkProblem checks that the summary and the archive report a problem, in
// words for people.
func (d *desk) checkProblem(s Summary, severity, path, reason string) {
	d.t.Helper()
	r := d.reader()
	defer r.Close()
	stored, err := r.Problems(d.t.Context(), s.ImportID, 0, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	if diff := cmp.Diff(s.Problems, stored, cmpopts.IgnoreFields(store.Problem{}, "ID")); diff != "" {
		d.t.Errorf("problems (-summary +archive):\n%s", diff)
	}
	for _, p := range stored {
		if strings.Contains(p.Reason, "goroutine ") || strings.Contains(p.Reason, "\n") {
			d.t.Errorf("the reason is not for people: %s", p.Reason)
		}
		if p.Severity == severity && p.Path == path && strings.Contains(p.Reason, reason) {
			return
		}
	}
	d.t.Errorf("no %s of %s with %q among %+v", severity, path, reason, stored)
}

// TestFailedFileIsTriedAgain fails to read a file that does not change.
func TestFailedFileIsTriedAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.put("a.fake", lines(append(chat("k", five()...), line{Fail: "lost"})...))
	for _, want := range []store.Tally{{Added: 5, Errors: 1}, {Errors: 1}, {Errors: 1}} {
		got := d.run(want)
		if got.Read != 1 {
			t.Errorf("%d files read, want the failing one", got.Read)
		}
	}
	// What a failing file does not give is not missing.
	d.put("a.fake", lines(append(chat("k", five()[:2]...), line{Fail: "lost"})...))
	d.run(store.Tally{Errors: 1})
	d.checkBodies("Morning", "ok", "ok", "See https://example.org/plan", "Bye")
	d.put("a.fake", lines(chat("k", five()[:2]...)...))
	d.run(store.Tally{Missing: 3})
	d.checkSound()
}

// TestLossBeforeAFailure loses messages in a run that then fails, and again
// not: the loss is found by the next run that reads the file to its end.
func TestLossBeforeAFailure(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	one, two := five(), idents()
	d.put("a.fake", lines(append(chat("one", one...), chat("two", two...)...)...))
	d.run(store.Tally{Added: 9})
	lossy := append(one[1:], said("Ana", "2024-05-03 10:00", "new"), said("Ana", "2024-05-03 10:01", "newer"))
	d.put("a.fake", lines(append(append(chat("one", lossy...), chat("two", two[:1]...)...), line{Fail: "lost"})...))
	d.run(store.Tally{Added: 2, Errors: 1})
	d.put("a.fake", lines(append(chat("one", lossy...), chat("two", two...)...)...))
	d.run(store.Tally{Missing: 1})
	if m := d.messages()[0]; m.Body != "Morning" || m.MissingSince == 0 {
		t.Errorf("the lost message: %+v", m)
	}
	d.checkSound()
}

func TestUnknownFiles(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.put("notes.txt", "nothing of interest\n")
	d.put("guess.fake", `{"Skip":"guess"}`+"\n")
	d.put("empty.fake", "")
	d.put("photo.jpg", "not looked at")
	d.put(".hidden/a.fake", lines(chat("hidden", five()...)...))
	d.put("__MACOSX/a.fake", lines(chat("resource fork", five()...)...))
	d.put("good.fake", lines(chat("k", five()...)...))
	plan := d.plan()
	defer plan.Close()
	if plan.Recognised() != 1 || len(plan.Roots[0].Failed) > 0 {
		t.Errorf("%d files recognised, %v failed", plan.Recognised(), plan.Roots[0].Failed)
	}
	want := []Unknown{{Path: d.path("empty.fake")}, {d.path("guess.fake"), "fake", "as the file says"}, {Path: d.path("notes.txt")}}
	if diff := cmp.Diff(want, plan.Roots[0].Unknown); diff != "" {
		t.Errorf("unknown (-want +got):\n%s", diff)
	}
	d.run(store.Tally{Added: 5})
}

// plan looks at the roots without an archive.
func (d *desk) plan() *Plan {
	d.t.Helper()
	plan, err := MakePlan(d.t.Context(), d.roots, nil, false, d.find)
	if err != nil {
		d.t.Fatal(err)
	}
	return plan
}

func TestRootThatIsGone(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.put("one/a.fake", lines(chat("one", five()...)...))
	d.put("two/b.fake", lines(chat("two", five()...)...))
	d.roots = []store.Root{{Path: d.path("one")}, {Path: d.path("two")}, {Path: d.path("three")}}
	got := d.run(store.Tally{Added: 10, Errors: 1})
	d.checkProblem(got, store.SeverityError, d.path("three"), "no such file")
	if err := os.RemoveAll(d.path("one")); err != nil {
		t.Fatal(err)
	}
	d.roots = d.roots[:2]
	got = d.run(store.Tally{Errors: 1})
	d.checkProblem(got, store.SeverityError, d.path("one"), "no such file")
	if n := len(d.bodies()); n != 10 {
		t.Errorf("%d messages are left of a root that was unplugged, want all 10", n)
	}
}

// TestFileInTwoRoots names a folder and a file of it: the file is read once.
func TestFileInTwoRoots(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.put("a.fake", lines(chat("k", five()...)...))
	d.roots = []store.Root{{Path: d.exports}, {Path: d.path("a.fake")}}
	got := d.run(store.Tally{Added: 5})
	if got.Scanned != 1 || got.Read != 1 {
		t.Errorf("%d files found and %d read, want 1", got.Scanned, got.Read)
	}
}

// TestBetterFormOfTheSame imports a file, then one beside it that holds the
// same in a better form, then loses that one again.
func TestBetterFormOfTheSame(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	all := five()
	d.put("superseded.fake", lines(chat("k", all...)...))
	d.put("z.fake", lines(chat("other", idents()...)...))
	d.run(store.Tally{Added: 9})
	ids := d.messages()
	d.put("better.fake", lines(chat("k", all[1:]...)...))
	d.run(store.Tally{Missing: 1})
	if diff := cmp.Diff([]string{"better.fake"}, d.files("Bye")); diff != "" {
		t.Errorf("files of a message (-want +got):\n%s", diff)
	}
	for i, m := range d.messages() {
		if m.ID != ids[i].ID || (m.MissingSince != 0) != (i == 0) {
			t.Errorf("message %d became %d, missing since %d", ids[i].ID, m.ID, m.MissingSince)
		}
	}
	d.run(store.Tally{})
	d.put("better.fake", lines(chat("k", all...)...))
	d.run(store.Tally{Restored: 1})
	d.checkSound()
}

// TestBetterFormThatFails keeps what the lesser form gave while the better one
// cannot be read.
func TestBetterFormThatFails(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.put("superseded.fake", lines(chat("k", five()...)...))
	d.run(store.Tally{Added: 5})
	d.put("better.fake", lines(append(chat("k", five()[:1]...), line{Fail: "lost"})...))
	d.run(store.Tally{Errors: 1})
	d.checkBodies("Morning", "ok", "ok", "See https://example.org/plan", "Bye")
	d.put("better.fake", lines(chat("k", five()...)...))
	d.run(store.Tally{})
	if diff := cmp.Diff([]string{"better.fake"}, d.files("Bye")); diff != "" {
		t.Errorf("files of a message (-want +got):\n%s", diff)
	}
	d.checkSound()
}

package store

import (
	"errors"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// A root that was forgotten stays, marked, until an import is told of it
// again.
func TestForgetRoot(t *testing.T) {
	t.Parallel()
	dir := emptyArchive(t)
	w, r := openRecorder(t, dir)
	ctx := t.Context()
	writer := openWriter(t, dir)
	first, err := writer.SaveRoot(ctx, Root{Path: "/a"})
	must(t, err)
	_, err = writer.SaveRoot(ctx, Root{Path: "/b"})
	must(t, err)
	marks := func() (list []bool) {
		t.Helper()
		roots, err := r.Roots(ctx)
		must(t, err)
		for _, root := range roots {
			list = append(list, root.Forgotten)
		}
		return list
	}
	check := func(what string, a, b bool) {
		t.Helper()
		if got := marks(); len(got) != 2 || got[0] != a || got[1] != b {
			t.Errorf("%s: %v, want %v and %v", what, got, a, b)
		}
	}
	check("before", false, false)
	must(t, w.ForgetRoot(ctx, first, true))
	must(t, w.ForgetRoot(ctx, first, true))
	check("forgotten", true, false)
	must(t, w.ForgetRoot(ctx, first, false))
	check("looked at again", false, false)
	must(t, w.ForgetRoot(ctx, first, true))
	_, err = writer.SaveRoot(ctx, Root{Path: "/a"})
	must(t, err)
	check("named again", false, false)
	if err := w.ForgetRoot(ctx, 99, true); !errors.Is(err, ErrNotFound) {
		t.Errorf("a root that is not there: %v, want %v", err, ErrNotFound)
	}
}

// TestRootSummaries asks what roots gave after every change, of one reader.
func TestRootSummaries(t *testing.T) {
	t.Parallel()
	dir := emptyArchive(t)
	recorder, r := openRecorder(t, dir)
	ctx, w := t.Context(), openWriter(t, dir)
	check := func(what string, want ...RootSummary) {
		t.Helper()
		got, err := r.RootSummaries(ctx)
		must(t, err)
		if diff := gocmp.Diff(append([]RootSummary{}, want...), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	check("nothing")
	began := time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)
	root := Root{Path: "/a", Owner: []string{"Robin"}, AddedAt: began}
	var err error
	root.ID, err = w.SaveRoot(ctx, root)
	must(t, err)
	check("no file")
	run, err := w.BeginImport(ctx, began, 1, "v")
	must(t, err)
	read := func(path string, messages int64, finish bool) {
		t.Helper()
		write(t, w, func(b *Batch) error {
			file, err := b.BeginFile(ctx, SourceFile{RootID: root.ID, Path: path, Source: msg.Signal, Format: "f"})
			must(t, err)
			for _, key := range []string{"shared", path} {
				c, _, err := b.Conversation(ctx, msg.Signal, msg.Conversation{Key: key})
				must(t, err)
				must(t, b.SetFileConversation(ctx, file, c, messages))
			}
			if finish {
				return b.FinishFile(ctx, file, run)
			}
			return nil
		})
	}
	read("/a/1", 5, false)
	one := RootSummary{Root: root, Source: msg.Signal, Format: "f", Files: 1, Conversations: 2, Messages: 10}
	check("a file that was not read to its end", one)
	read("/a/2", 3, true)
	two := RootSummary{Root: root, Source: msg.Signal, Format: "f", Files: 2, Conversations: 3, Messages: 16, ReadAt: began}
	check("two files", two)
	must(t, recorder.ForgetRoot(ctx, root.ID, true))
	two.Forgotten = true
	check("forgotten", two)
	two.Forgotten, two.Zone = false, "Europe/Berlin"
	_, err = w.SaveRoot(ctx, two.Root)
	must(t, err)
	check("with a zone", two)
}

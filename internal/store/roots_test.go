package store

import (
	"errors"
	"testing"
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

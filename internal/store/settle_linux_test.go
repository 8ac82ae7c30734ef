package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestReadingWhileTheLogIsHalfIndexed has a reader come at the moment at
// which a writer has written one of the two headers of its log's index. Only
// what may write could repair the index, so the reader has to wait.
func TestReadingWhileTheLogIsHalfIndexed(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 20)
	write(t, openWriter(t, x.dir), func(b *Batch) error { return b.setMissing(t.Context(), x.messages[0].id, x.importID) })
	index, err := os.OpenFile(filepath.Join(x.dir, FileName+"-shm"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	const changeCounter = 8 // of the first header
	whole := make([]byte, 4)
	if _, err := index.ReadAt(whole, changeCounter); err != nil {
		t.Fatal(err)
	}
	put := func(b []byte) {
		if _, err := index.WriteAt(b, changeCounter); err != nil {
			t.Error(err)
		}
	}
	put([]byte{^whole[0], whole[1], whole[2], whole[3]})
	time.AfterFunc(500*time.Millisecond, func() { put(whole) })
	p := startRole(t, "reader", x.dir)
	want := fmt.Sprintf("messages %d", len(x.kept(Filter{})))
	if got := p.line(t); got != want {
		t.Errorf("the reader said %q, want %q", got, want)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("reader: %v: %s", err, p.err)
	}
}

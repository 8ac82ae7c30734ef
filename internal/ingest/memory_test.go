package ingest

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// writeLong writes a WhatsApp chat of about the given size and returns how many messages it has.
func writeLong(t testing.TB, path string, size int64) (messages int64) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriterSize(file, 1<<20)
	at := mustTime("2020-01-01 00:00")
	for written := int64(0); written < size; messages++ {
		at = at.Add(minutes(int(messages % 3)))
		n, err := fmt.Fprintf(out, "%s - %s: message %d about %s and word%d\n", at.Format("02.01.06, 15:04"), []string{"Ana", "Ben"}[messages%2],
			messages, []string{"lunch", "the garden", "https://example.org/" + fmt.Sprint(messages%100), strings.Repeat("this and that, ", 8)}[messages%4], messages%5000)
		if err != nil {
			t.Fatal(err)
		}
		written += int64(n)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return messages
}

// watchHeap samples the heap that is in use after collections and returns a
// function that ends it and tells the most there was.
func watchHeap() (most func() uint64) {
	var peak atomic.Uint64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		var m runtime.MemStats
		for {
			runtime.GC()
			runtime.ReadMemStats(&m)
			peak.Store(max(peak.Load(), m.HeapAlloc))
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return func() uint64 {
		close(stop)
		<-done
		return peak.Load()
	}
}

// longVariable, when set, makes the long chat as long as the bound was chosen
// for; without it an eighth has to do, which takes seconds instead of a minute.
const longVariable = "MSGBROWSE_TEST_LONG"

// TestMemoryIsFlat imports a small chat and one many times as long and bounds
// the memory that is held meanwhile. It measures the whole process, so nothing
// runs beside it.
func TestMemoryIsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("imports a long chat")
	}
	const bound = 64 << 20
	long := int64(8 << 20)
	if os.Getenv(longVariable) != "" {
		long = 64 << 20
	}
	for _, size := range []int64{1 << 20, long} {
		d := newDesk(t)
		n := writeLong(t, d.path("WhatsApp Chat with Ana.txt"), size)
		most := watchHeap()
		d.run(store.Tally{Added: n})
		if peak := most(); peak > bound {
			t.Errorf("importing %d MB held %d MB, want at most %d", size>>20, peak>>20, bound>>20)
		} else {
			t.Logf("importing %d MB with %d messages held %d MB", size>>20, n, peak>>20)
		}
	}
}

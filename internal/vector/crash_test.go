package vector

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

var crashSpec = Spec{Fingerprint: "crash", Dims: 64, Archive: 1, Rotate: true}

// turn is what a writer does between two commits, and depends on nothing but
// the number of the commit and the slots there are. Every fourth commit is
// followed by a compaction.
func turn(number, slots int) (items []Item, deleted []uint32, marked []Mark) {
	r := rand.New(rand.NewPCG(uint64(number), 20))
	items = randomItems(r, r.IntN(60), crashSpec.Dims)
	for range r.IntN(20) {
		if n := slots + len(items); n > 0 {
			deleted = append(deleted, uint32(r.IntN(n)))
		}
	}
	return items, deleted, randomMarks(r, r.IntN(20), slots+len(items))
}

const compactEvery = 4

// endlessly writes until it is killed, and says which commits it has made.
func endlessly(dir string) {
	fail := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	w, err := OpenWriter(dir, crashSpec)
	fail(err)
	number := 0
	fmt.Sscan(string(w.State()), &number)
	for {
		// The compaction of the last commit may have been missed.
		if number%compactEvery == 0 {
			fail(w.Compact(rootContext))
		}
		number++
		items, deleted, marked := turn(number, w.Len())
		_, err := w.Append(items)
		fail(err)
		fail(w.Delete(deleted))
		fail(w.Mark(marked))
		fail(w.Commit(fmt.Append(nil, number)))
		fmt.Println(number)
	}
}

// TestKilled kills a writer again and again, at any moment. Every commit it
// announced is there, whole.
func TestKilled(t *testing.T) {
	t.Parallel()
	times := 60
	if testing.Short() {
		times = 15
	}
	dir := filepath.Join(t.TempDir(), "index")
	r := rand.New(rand.NewPCG(21, 1))
	m := newModel(crashSpec)
	number := 0
	for range times {
		announced := kill(t, dir, time.Duration(r.IntN(40_000))*time.Microsecond)
		ix, err := Open(dir, crashSpec)
		if errors.Is(err, ErrAbsent) && number == 0 && announced == 0 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		v := ix.View()
		var reached int
		if _, err := fmt.Sscan(string(v.State()), &reached); err != nil || reached < max(number, announced) {
			t.Fatalf("state %q after commit %d was announced and %d seen", v.State(), announced, number)
		}
		for number < reached {
			if number%compactEvery == 0 {
				m.compact()
			}
			number++
			items, deleted, marked := turn(number, len(m.items))
			m.append(items)
			m.delete(deleted)
			m.mark(marked)
			m.state = fmt.Append(nil, number)
		}
		if number%compactEvery == 0 && v.Len() != len(m.items) {
			m.compact()
		}
		m.compare(t, v, r)
		v.Release()
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if number < times {
		t.Errorf("only %d commits were made", number)
	}
}

// kill runs a writer for some time after its first commit, and returns the
// last commit it announced.
func kill(t *testing.T, dir string, after time.Duration) (announced int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if announced == 0 {
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		}
		if _, err := fmt.Sscan(lines.Text(), &announced); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
		t.Fatalf("the writer ended by itself: %v", err)
	}
	return announced
}

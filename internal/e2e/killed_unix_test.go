//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// How much the killed imports read: enough to last for tens of times what it
// takes to start a process.
const (
	killedChats    = 8
	killedMessages = 1400
)

// talk writes an export of some chats, large enough for an import to take a
// while.
func talk(t testing.TB, dir string, chats, messages int) {
	t.Helper()
	start := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for c := range chats {
		name := fmt.Sprintf("Chat%02d", c)
		var b strings.Builder
		for i := range messages {
			at := start.Add(time.Duration(i*chats+c) * time.Minute).Format(time.DateTime)
			text := fmt.Sprintf("word%d of the talk, see https://example.com/%d", i%97, i%53)
			reaction := ""
			if i%11 == 0 {
				reaction = fmt.Sprintf("\n(- %s: 👍 -)", name)
			}
			fmt.Fprintf(&b, "[%s] %s: %s  %s\n\n", at, []string{name, "Me"}[i%2], text, reaction)
		}
		folder := filepath.Join(dir, name)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "chat.md"), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// An import that is killed, at ten different moments, leaves a sound archive,
// and the next import ends where an undisturbed one does.
func TestKilledImport(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	export, undisturbed := h.path("export"), h.path("undisturbed")
	talk(t, export, killedChats, killedMessages)
	began := time.Now()
	h.must("--data-dir", undisturbed, "import", "--quiet", export)
	whole := time.Since(began)
	want, wantFound := content(t, undisturbed), found(t, undisturbed, "word7")
	if n := strings.Count(want, "\n"); n != killedChats*(killedMessages+1) || len(wantFound) != killedChats*15 {
		t.Fatalf("the undisturbed archive has %d lines and %d messages with the word", n, len(wantFound))
	}
	killed := 0
	for moment := range 10 {
		data := h.path(fmt.Sprintf("killed%d", moment))
		cmd := h.command(t.Context(), "--data-dir", data, "import", "--quiet", export)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		started, done := time.Now(), make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case <-done: // it was faster than the undisturbed one, and so will others be
			whole = time.Since(started)
		case <-time.After(whole * time.Duration(moment+1) / 14):
			cmd.Process.Kill()
			if err := <-done; err != nil {
				killed++
			}
		}
		// Killed again right after its start, the second run, too, leaves
		// what a third one can finish.
		if moment%3 == 0 {
			again := h.command(t.Context(), "--data-dir", data, "import", "--quiet", export)
			if err := again.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(whole / 6)
			again.Process.Kill()
			again.Wait()
		}
		h.must("--data-dir", data, "import", "--quiet", export)
		if diff := cmp.Diff(want, content(t, data)); diff != "" {
			t.Errorf("moment %d: the archive differs from an undisturbed one (-want +got):\n%.2000s", moment, diff)
		}
		if diff := cmp.Diff(wantFound, found(t, data, "word7")); diff != "" {
			t.Errorf("moment %d: the index differs from an undisturbed one (-want +got):\n%.2000s", moment, diff)
		}
	}
	if killed < 3 {
		t.Errorf("only %d of 10 imports were still running when they were killed", killed)
	}
}

// A killed import's lock is free at once; a living one's says who holds it.
func TestLockOfAnotherProcess(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	export, data := h.path("export"), h.path("data")
	talk(t, export, killedChats, killedMessages)
	cmd := h.command(t.Context(), "--data-dir", data, "import", "--quiet", export)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(patience)
	for {
		if _, err := os.Stat(filepath.Join(data, "import.running")); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the import never took its lock")
		}
		time.Sleep(time.Millisecond)
	}
	busy := h.run("--data-dir", data, "import", "--quiet", export)
	if want := fmt.Sprintf("another import is running: process %d, since ", cmd.Process.Pid); busy.status != 1 || !strings.Contains(busy.stderr, want) {
		t.Errorf("second import: status %d, %q, want 1 and %q", busy.status, busy.stderr, want)
	}
	cmd.Process.Kill()
	cmd.Wait()
	h.must("--data-dir", data, "import", "--quiet", export)
}

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Over standard input and output the server opens no socket, whatever it is
// asked.
func TestNoSocketIsOpened(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.importAll(data)
	cmd := h.command(t.Context(), "--data-dir", data, "mcp")
	c := connect(t, cmd)
	defer c.close()
	for range 3 {
		useEverything(t, c)
		if held := sockets(t, cmd.Process.Pid); len(held) > 0 {
			t.Errorf("the server holds %v", held)
		}
	}
	listening := h.serveHTTP("--data-dir", data)
	if held := sockets(t, listening.cmd.Process.Pid); len(held) == 0 {
		t.Error("a server that listens is seen to hold no socket either")
	}
}

// sockets lists the sockets that a process holds open.
func sockets(t testing.TB, pid int) (held []string) {
	t.Helper()
	names, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil || len(names) < 4 {
		t.Fatalf("got %d open files, %v", len(names), err)
	}
	for _, name := range names {
		target, err := os.Readlink(name)
		if err == nil && strings.HasPrefix(target, "socket:") { // others were closed meanwhile
			held = append(held, target)
		}
	}
	return held
}

package ingest

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// limitVariable is the size in bytes that no file of a process may exceed.
const limitVariable = "MSGBROWSE_TEST_LIMIT"

var _ = addRole("limited import", func(d *desk) error {
	limit, err := strconv.ParseUint(os.Getenv(limitVariable), 10, 64)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGXFSZ) // writes then fail, as on a full disk
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		return err
	}
	return importRole(d)
})

func addRole(name string, do func(d *desk) error) bool {
	roles[name] = do
	return true
}

// bulky fills the exports with more than a small disk holds.
func (d *desk) bulky() {
	d.t.Helper()
	var list []line
	for c := range 30 {
		var messages []msg.Message
		for i := range 100 {
			at := mustTime("2024-01-01 00:00").Add(minutes(i)).Format("2006-01-02 15:04")
			messages = append(messages, said("Ana", at, fmt.Sprint(c, " ", i, " ", strings.Repeat("much to say ", 40))))
		}
		list = append(list, chat(fmt.Sprintf("chat-%02d", c), messages...)...)
	}
	d.put("a.fake", lines(list...))
}

// TestDiskFull imports more than fits. The import says where it failed; what
// was committed by then stays, whole and readable, and once there is room the
// next import finishes the work.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("imports and compares much")
	}
	d := newDesk(t)
	d.bulky()
	whole := d.beside()
	whole.start("import").finish(t)
	want := whole.dump()
	tests := []struct {
		name  string
		start func(t *testing.T, d *desk) *process
	}{
		{"file size limit", func(_ *testing.T, d *desk) *process {
			return d.start("limited import", env(limitVariable, strconv.Itoa(1<<20)))
		}},
		{"small disk", func(t *testing.T, d *desk) *process {
			mountSmallDisk(t, d.data, 2<<20)
			return d.start("import")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := d.beside()
			d.t = t
			p := tt.start(t, d)
			err := waitFor(p)
			if err == nil {
				t.Fatal("the import succeeded: there was room enough")
			}
			said := strings.TrimSpace(p.err.String())
			if !strings.Contains(said, filepath.Join(d.data, store.FileName)) || strings.Contains(said, "\n") {
				t.Errorf("the error does not name the archive in one line: %s", said)
			}
			d.checkKeptWhole(t)

			// The disk is replaced by a larger one.
			larger := d.beside()
			larger.t = t
			if out, err := exec.Command("cp", "-r", d.data, larger.data).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			larger.start("import").finish(t)
			same(t, "with more room against undisturbed", want, larger.dump())
			larger.checkSound()
		})
	}
}

func waitFor(p *process) error {
	for {
		if _, err := p.out.ReadString('\n'); err != nil {
			return p.Wait()
		}
	}
}

// checkKeptWhole checks that some conversations were kept and none in part.
func (d *desk) checkKeptWhole(t *testing.T) {
	t.Helper()
	r := d.reader()
	defer r.Close()
	if found, err := r.Check(t.Context()); err != nil || len(found) > 0 {
		t.Fatalf("the archive is broken: %v, %v", found, err)
	}
	list, _, err := r.ListConversations(t.Context(), store.ConversationQuery{})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Error("nothing was kept")
	}
	for _, c := range list {
		if c.Messages != 100 {
			t.Errorf("conversation %s has %d messages, want 100", c.Key, c.Messages)
		}
	}
}

// mountSmallDisk mounts a disk of the given size, which is not allowed
// everywhere.
func mountSmallDisk(t *testing.T, dir string, size int) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=700", size)); err != nil {
		t.Skipf("no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
}

// Package e2e tests the real program the way people and their clients use it.
package e2e

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// patience is how long a step may take on a machine that is busy with other
// things.
const patience = time.Minute

var program string // path of the binary

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "msgbrowse-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "msgbrowse")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/msgbrowse").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// home is a machine of its own: an empty home folder and an environment that
// knows nothing else.
type home struct {
	t   testing.TB
	dir string
}

func newHome(t testing.TB) *home {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &home{t, dir}
	for _, name := range []string{"home", "tmp"} {
		if err := os.Mkdir(h.path(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func (h *home) path(parts ...string) string {
	return filepath.Join(append([]string{h.dir}, parts...)...)
}

func (h *home) environment() []string {
	user := h.path("home")
	env := []string{
		"HOME=" + user, "USERPROFILE=" + user, "LOCALAPPDATA=" + filepath.Join(user, "Local"), "APPDATA=" + filepath.Join(user, "Roaming"),
		"TMPDIR=" + h.path("tmp"), "TEMP=" + h.path("tmp"), "TMP=" + h.path("tmp"),
	}
	if root := os.Getenv("SYSTEMROOT"); root != "" { // without it no program starts on Windows
		env = append(env, "SYSTEMROOT="+root)
	}
	return env
}

// command prepares a run of the program.
func (h *home) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = h.path("home"), h.environment()
	return cmd
}

// outcome is what a run of the program gave.
type outcome struct {
	stdout, stderr string
	status         int
}

// run runs the program to its end.
func (h *home) run(args ...string) outcome {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	return h.finish(h.command(ctx, args...))
}

func (h *home) finish(cmd *exec.Cmd) outcome {
	h.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		h.t.Fatalf("run %v: %v", cmd.Args, err)
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// must runs the program and fails unless it succeeds.
func (h *home) must(args ...string) outcome {
	h.t.Helper()
	o := h.run(args...)
	if o.status != 0 {
		h.t.Fatalf("msgbrowse %s: status %d\n%s%s", strings.Join(args, " "), o.status, o.stdout, o.stderr)
	}
	return o
}

// unpack writes the exports of testdata and packs what WhatsApp would have
// packed.
func (h *home) unpack() {
	h.t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "exports.txtar"))
	if err != nil {
		h.t.Fatal(err)
	}
	var packed bytes.Buffer
	zipped := zip.NewWriter(&packed)
	for _, f := range archive.Files {
		if name, inZip := strings.CutPrefix(f.Name, "zip/"); inZip {
			entry, err := zipped.Create(name)
			if err != nil {
				h.t.Fatal(err)
			}
			if _, err := entry.Write(f.Data); err != nil {
				h.t.Fatal(err)
			}
			continue
		}
		h.write(h.path("downloads", filepath.FromSlash(f.Name)), f.Data)
	}
	if err := zipped.Close(); err != nil {
		h.t.Fatal(err)
	}
	h.write(h.path("downloads", "WhatsApp Chat with Ana Prado.zip"), packed.Bytes())
}

func (h *home) write(path string, data []byte) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// importAll imports the three exports with one command into a data folder.
func (h *home) importAll(data string) {
	h.t.Helper()
	h.unpack()
	h.must("--data-dir", data, "import", h.path("downloads", "WhatsApp Chat with Ana Prado.zip"), h.path("downloads", "telegram"), h.path("downloads", "signal-export"))
}

// files lists all that lies below a folder, by path.
func files(t testing.TB, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

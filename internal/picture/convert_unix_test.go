//go:build unix

package picture

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// program writes a converter of our own; jpeg is the path of a picture to
// hand out.
func program(t *testing.T, bin, name, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
}

// jpegFile writes a JPEG picture and returns its path and bytes.
func jpegFile(t *testing.T) (string, []byte) {
	t.Helper()
	data, err := drawTIFF(tiffOf(t, 20, 20))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "made.jpg")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, data
}

func TestConverter(t *testing.T) {
	t.Parallel()
	made, want := jpegFile(t)
	for name, script := range map[string]string{
		"heif-convert": `[ "$1 $2" = "-q 85" ] && grep -q pixels "$3" && cp ` + made + ` "$4"`,
		"heif-dec":     `[ "$1 $2" = "-q 85" ] && grep -q pixels "$3" && cp ` + made + ` "$4"`,
		// What libheif calls the copies of a file with several pictures.
		"heif-convert of several": `cp ` + made + ` "${4%.jpg}-1.jpg" && echo another >"${4%.jpg}-2.jpg"`,
		"magick":                  `for last; do :; done; case "$*" in *"heic:$PWD/picture.heic[0]"*) cp ` + made + ` "${last#jpeg:}";; *) exit 3;; esac`,
		"sips":                    `for last; do :; done; cp ` + made + ` "$last"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bin, runs := t.TempDir(), filepath.Join(t.TempDir(), "runs")
			name, _, _ := strings.Cut(name, " ")
			program(t, bin, name, "echo run >>"+runs+"\n"+script)
			c := newCopier(t, bin)
			for range 2 {
				f, err := c.JPEG(t.Context(), "image/heic", strings.NewReader(heic))
				if got := read(t, f, err); string(got) != string(want) {
					t.Errorf("%d bytes, want %d", len(got), len(want))
				}
			}
			if ran, err := os.ReadFile(runs); err != nil || string(ran) != "run\n" {
				t.Errorf("the converter ran %q, %v", ran, err)
			}
			entries, err := os.ReadDir(c.dir)
			if err != nil || len(entries) != 1 {
				t.Errorf("%d files are left, %v, want the copy alone", len(entries), err)
			}
		})
	}
}

// TestWrongConverter hands nothing on that is no picture, and waits for
// nobody.
func TestWrongConverter(t *testing.T) {
	t.Parallel()
	made, _ := jpegFile(t)
	for name, tt := range map[string]struct {
		script string
		want   error
	}{
		"fails":         {"exit 1", ErrUnreadable},
		"makes none":    {"exit 0", ErrUnreadable},
		"makes HTML":    {`echo '<script>alert(1)</script>' >"$4"`, ErrUnreadable},
		"cut off":       {`head -c 30 ` + made + ` >"$4"`, ErrUnreadable},
		"leads away":    {`ln -s ` + made + ` "$4"`, ErrUnreadable},
		"makes much":    {`head -c 17000000 /dev/zero >"$4"`, ErrTooLarge},
		"takes long":    {`sleep 60`, ErrUnreadable},
		"leaves others": {`sleep 60 & cp ` + made + ` "$4"`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bin := t.TempDir()
			program(t, bin, "heif-convert", tt.script)
			c := newCopier(t, bin)
			c.patience = 10 * time.Second
			if name == "takes long" {
				c.patience = 200 * time.Millisecond
			}
			began := time.Now()
			f, err := c.JPEG(t.Context(), "image/heic", strings.NewReader(heic))
			if !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
			if f != nil {
				f.Close()
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
			left, _ := filepath.Glob(filepath.Join(c.dir, "making-*"))
			if len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// TestConverterSeesLittle: nothing of the environment that is private goes to
// the converter.
func TestConverterSeesLittle(t *testing.T) {
	made, _ := jpegFile(t)
	seen := filepath.Join(t.TempDir(), "seen")
	bin := t.TempDir()
	program(t, bin, "heif-convert", `env >`+seen+`; cp `+made+` "$4"`)
	t.Setenv("MSGBROWSE_WEB_TOKEN", "secret-token")
	c := newCopier(t, bin)
	f, err := c.JPEG(t.Context(), "image/heic", strings.NewReader(heic))
	read(t, f, err)
	text, err := os.ReadFile(seen)
	if err != nil || strings.Contains(string(text), "secret-token") || !strings.Contains(string(text), "HOME="+c.dir) {
		t.Errorf("the converter saw %s, %v", text, err)
	}
}

// TestRealConverter makes a HEIC picture and a copy of it with libheif, where
// that is installed.
func TestRealConverter(t *testing.T) {
	t.Parallel()
	encoder, err := exec.LookPath("heif-enc")
	if err != nil {
		t.Skip("heif-enc is not installed")
	}
	c := New(filepath.Join(t.TempDir(), "media"))
	if _, possible := c.Kind("image/heic"); !possible {
		t.Skip("no converter is installed")
	}
	drawn, _ := jpegFile(t)
	source := filepath.Join(t.TempDir(), "real.heic")
	if said, err := exec.Command(encoder, drawn, "-o", source).CombinedOutput(); err != nil {
		t.Skipf("heif-enc cannot encode here: %v: %s", err, said)
	}
	in, err := os.Open(source)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	f, err := c.JPEG(t.Context(), "image/heic", in)
	picture, err := jpeg.Decode(bytes.NewReader(read(t, f, err)))
	if err != nil || picture.Bounds().Size() != image.Pt(20, 20) {
		t.Errorf("the copy: %v", err)
	}
}

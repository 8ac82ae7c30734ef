package demo

import (
	"bytes"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree returns the contents of the files under dir by name, after checking
// their modes.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode().Perm(), want)
		}
		if !d.IsDir() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			files[strings.TrimPrefix(filepath.ToSlash(name), filepath.ToSlash(dir)+"/")] = string(data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestExtract(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "sample")
	if err := Extract(dir); err != nil {
		t.Fatal(err)
	}
	files := tree(t, dir)
	for _, name := range []string{
		"signal/BoatTrip/chat.md", "telegram/result.json", "imessage/Ingrid Lund.txt",
		"whatsapp/WhatsApp Chat - Rosa Delgado/_chat.txt", "whatsapp/WhatsApp Chat - Maple Street 12.zip",
	} {
		if files[name] == "" {
			t.Errorf("%s was not written", name)
		}
	}
	for name := range files {
		if strings.HasPrefix(name, zipDir+"/") {
			t.Errorf("%s was written outside its zip", name)
		}
	}
	// Again into the same folder, and into another one.
	other := filepath.Join(t.TempDir(), "b")
	for _, to := range []string{dir, other} {
		if err := Extract(to); err != nil {
			t.Fatal(err)
		}
		again := tree(t, to)
		if len(again) != len(files) {
			t.Errorf("%d files the second time, want %d", len(again), len(files))
		}
		for name, data := range again {
			if data != files[name] {
				t.Errorf("%s differs the second time", name)
			}
		}
	}
}

func TestExtractStaysInside(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "signal")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := Extract(dir); err == nil {
		t.Error("a link out of the folder was followed")
	}
	left, err := os.ReadDir(outside)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("%d files were written outside the folder", len(left))
	}
}

func TestExtractNeedsAFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Extract(file); err == nil {
		t.Error("extracting over a file gave no error")
	}
}

// TestMedia opens every picture and looks at the PDF's frame.
func TestMedia(t *testing.T) {
	t.Parallel()
	pictures, pages := 0, 0
	err := fs.WalkDir(sample, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sample, name)
		if err != nil {
			return err
		}
		switch ext := filepath.Ext(name); ext {
		case ".png", ".jpg", ".jpeg":
			pictures++
			decoded, format, err := image.Decode(bytes.NewReader(data))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if size := decoded.Bounds().Size(); size.X < 100 || size.Y < 100 || !strings.HasPrefix(format, ext[1:3]) {
				t.Errorf("%s is a %s of %v", name, format, size)
			}
		case ".pdf":
			pages++
			if !bytes.HasPrefix(data, []byte("%PDF-1.4\n")) || !bytes.HasSuffix(data, []byte("%%EOF\n")) || !bytes.Contains(data, []byte("/Type /Page ")) {
				t.Errorf("%s is no PDF", name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pictures != 10 || pages != 1 {
		t.Errorf("%d pictures and %d PDF files, want 10 and 1", pictures, pages)
	}
}

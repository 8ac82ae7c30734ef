package large

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// digest is what all files below dir come to, and how many messages they
// hold.
func digest(t *testing.T, dir string) (sum [sha256.Size]byte, messages int) {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		h.Write([]byte(strings.TrimPrefix(path, dir)))
		h.Write(data)
		switch filepath.Ext(path) {
		case ".md":
			messages += strings.Count("\n"+string(data), "\n[20")
		case ".txt":
			messages += strings.Count("\n"+string(data), "\n"+strings.TrimSuffix(filepath.Base(path), ".txt")+"\n") + strings.Count(string(data), "\nMe\nSTOP\n")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return [sha256.Size]byte(h.Sum(nil)), messages
}

func TestWrite(t *testing.T) {
	t.Parallel()
	first, second := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		if err := Write(dir, 20_000); err != nil {
			t.Fatal(err)
		}
	}
	one, messages := digest(t, first)
	if two, _ := digest(t, second); one != two {
		t.Error("the same size gives other bytes")
	}
	if messages != 20_000 {
		t.Errorf("%d messages, want 20,000", messages)
	}
	for _, small := range []int{0, 1, 9, 39, 40} {
		dir := t.TempDir()
		if err := Write(dir, small); err != nil {
			t.Fatal(err)
		}
		if _, messages := digest(t, dir); messages != small {
			t.Errorf("%d messages, want %d", messages, small)
		}
	}
	talk, err := os.ReadFile(filepath.Join(first, "signal", Talk, "chat.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(talk), Rare); n != 1 {
		t.Errorf("%d messages with the rare word, want 1", n)
	}
	if n := strings.Count(string(talk), Landmark); n != 4 {
		t.Errorf("%d landmarks, want 4", n)
	}
}

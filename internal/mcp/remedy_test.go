package mcp

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

func TestErrorOfDamagedArchive(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, store.FileName), []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, damaged := store.OpenReader(t.Context(), dir, store.ReaderOptions{})
	if got := withRemedy(damaged); !errors.Is(got, damaged) || !strings.Contains(got.Error(), `"msgbrowse doctor" says what to do`) {
		t.Errorf("error %q does not say what to do", got)
	}
	if other := errors.New("no conversation"); withRemedy(other) != other {
		t.Errorf("error %q is changed", withRemedy(other))
	}
}

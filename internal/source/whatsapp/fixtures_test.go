package whatsapp

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// chatFixtures are the archives in testdata/chats by name, exportFixtures
// those in testdata/exports.
func chatFixtures(t testing.TB) map[string]sourcetest.Fixture   { return fixtures(t, "chats") }
func exportFixtures(t testing.TB) map[string]sourcetest.Fixture { return fixtures(t, "exports") }

func fixtures(t testing.TB, folder string) map[string]sourcetest.Fixture {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives in testdata/%s: %v", folder, err)
	}
	all := map[string]sourcetest.Fixture{}
	for _, file := range files {
		f := sourcetest.Archive(t, file)
		all[f.Name] = f
	}
	return all
}

func sortedFixtures(fixtures map[string]sourcetest.Fixture) []sourcetest.Fixture {
	var sorted []sourcetest.Fixture
	for _, name := range slices.Sorted(maps.Keys(fixtures)) {
		sorted = append(sorted, fixtures[name])
	}
	return sorted
}

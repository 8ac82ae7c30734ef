package sourcetest

import (
	"os"
	"path/filepath"
	"testing"
)

// Samples returns the folder of real export files that are not part of the
// project: samples inside $MSGBROWSE_SHARED, or inside the folder shared
// beside the repository. The test is skipped when the default folder does not
// exist, and fails when the variable names one that does not.
func Samples(t testing.TB) string {
	t.Helper()
	shared, named := os.LookupEnv("MSGBROWSE_SHARED")
	if !named {
		shared = filepath.Join(repositoryRoot(t), "..", "shared")
	}
	dir := filepath.Join(shared, "samples")
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return dir
	}
	if named {
		t.Fatalf("MSGBROWSE_SHARED is set but %s is no folder", dir)
	}
	t.Skipf("no sample files at %s; set MSGBROWSE_SHARED to run this test", dir)
	return ""
}

func repositoryRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the working directory")
		}
		dir = parent
	}
}

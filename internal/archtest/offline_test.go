package archtest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRecordIsOffline follows the imports of the record of unsolicited
// contact: a scan is to reach no room that can open a connection or start a
// program, however far down.
func TestRecordIsOffline(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	for _, f := range load(t, root) {
		imports[f.pkg] = append(imports[f.pkg], f.imports()...)
	}
	reached := reach(imports, "internal/spam", "internal/store/macaddressbook")
	for _, want := range []string{"internal/spam/record", "internal/store", "internal/contacts"} {
		if !slices.Contains(reached, want) {
			t.Errorf("%s is not reached: the imports were not followed", want)
		}
	}
	for _, pkg := range reached {
		for _, path := range imports[pkg] {
			for _, outward := range []string{"net", "net/http", "net/rpc", "net/smtp", "crypto/tls", "os/exec", "plugin"} {
				if path == outward {
					t.Errorf("%s, which a scan reaches, imports %s", pkg, path)
				}
			}
		}
		if slices.Contains(sockets, pkg) {
			t.Errorf("a scan reaches %s, which may open connections", pkg)
		}
	}
}

// reach lists the packages of this module that some packages import, and
// these themselves.
func reach(imports map[string][]string, from ...string) []string {
	var reached []string
	for len(from) > 0 {
		pkg := from[0]
		from = from[1:]
		if slices.Contains(reached, pkg) {
			continue
		}
		reached = append(reached, pkg)
		for _, path := range imports[pkg] {
			if own, ok := strings.CutPrefix(path, module+"/"); ok {
				from = append(from, own)
			}
		}
	}
	slices.Sort(reached)
	return reached
}

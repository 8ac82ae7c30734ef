package archtest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDependencies holds docs/dependencies.md against what go.mod requires
// directly and what the Makefile installs.
func TestDependencies(t *testing.T) {
	t.Parallel()
	want := directRequirements(read(t, "../../go.mod"))
	installed := regexp.MustCompile(`go install ([\w./-]+?)/cmd/`)
	for _, match := range installed.FindAllStringSubmatch(read(t, "../../Makefile"), -1) {
		want = append(want, match[1])
	}
	var got []string
	for _, match := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(read(t, "../../docs/dependencies.md"), -1) {
		got = append(got, match[1])
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/dependencies.md (-required +documented):\n%s", diff)
	}
}

// directRequirements lists the modules of a go.mod that are not marked as
// indirect.
func directRequirements(text string) []string {
	var modules []string
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "require (":
			inside = true
		case line == ")":
			inside = false
		case inside && !strings.HasSuffix(line, "// indirect") && line != "":
			modules = append(modules, strings.Fields(line)[0])
		}
	}
	return modules
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

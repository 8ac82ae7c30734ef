package sourcetest

import (
	"io/fs"
	"strings"
)

// checkAttachments: no attachment path leaves the export, and an attachment
// without a path says why.
func checkAttachments(r reporter, s *subject) {
	r.Helper()
	checkPaths(r, s, s.result)
}

func checkPaths(r reporter, s *subject, result Result) {
	r.Helper()
	root := s.recognition.Root
	for _, m := range result.Messages() {
		for _, a := range m.Attachments {
			switch {
			case a.Path == "" && a.Missing == "":
				r.Errorf("%s: attachment %q has neither a path nor a reason why not", position(m.Position), a.Name)
			case a.Path != "" && a.Missing != "":
				r.Errorf("%s: attachment %q has a path and is missing: %s", position(m.Position), a.Name, a.Missing)
			case a.Path == "":
			case !fs.ValidPath(a.Path) || strings.ContainsAny(a.Path, "\\\x00"):
				r.Errorf("%s: attachment path %q is not clean", position(m.Position), a.Path)
			case root != "" && root != "." && !strings.HasPrefix(a.Path, root+"/"):
				r.Errorf("%s: attachment path %q lies outside the root %q", position(m.Position), a.Path, root)
			}
		}
	}
}

// hostileRefs are references that lead out of any root.
var hostileRefs = []string{
	"../../../../etc/passwd",
	"/etc/passwd",
	"~/.ssh/id_ed25519",
	`..\..\..\..\windows\system.ini`,
	`C:\windows\system.ini`,
	"c:/windows/system.ini",
	"media/../../../../etc/passwd",
	"./../../../../etc/passwd",
	"//server/share/file",
}

// checkTraversal: a hostile reference yields no path, and does not vanish.
func checkTraversal(r reporter, s *subject) {
	r.Helper()
	if s.fixture.Traversal == nil {
		return
	}
	for _, ref := range hostileRefs {
		result, err := s.read(s.fixture.Traversal(ref))
		if err != nil {
			r.Errorf("attachment %q: %v", ref, err)
			continue
		}
		checkPaths(r, s, result)
		traces := len(result.Skipped)
		for _, m := range result.Messages() {
			if strings.Contains(m.Body, ref) {
				traces++
			}
			for _, a := range m.Attachments {
				if a.Path != "" && !harmless(a.Path, ref) {
					r.Errorf("attachment %q became the path %q", ref, a.Path)
				}
				if a.Missing != "" {
					traces++
				}
			}
		}
		if traces == 0 {
			r.Errorf("attachment %q vanished: no missing attachment, no text, no skip", ref)
		}
	}
}

// harmless reports whether path does not stem from ref.
func harmless(path, ref string) bool {
	tail := ref[strings.LastIndexAny(ref, `/\`)+1:]
	return !strings.HasSuffix(path, tail)
}

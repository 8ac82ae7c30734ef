package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	firstHalf = `05/03/2024, 18:00 - Robin Vale: pizza at eight?
05/03/2024, 18:00 - Robin Vale: pizza at eight?
05/03/2024, 18:02 - Ana: yes
25/03/2024, 18:05 - Ben: I am late
`
	secondHalf = `05/03/2024, 18:02 - Ana: yes
25/03/2024, 18:05 - Ben: I am late
31/03/2024, 02:30 - Ana: the clocks change tonight
01/04/2024, 09:00 - Robin Vale: good morning
`
)

// Overlapping exports give the same messages and hashes, whichever comes
// first and whatever zone the machine is in.
func TestOrderAndZoneDoNotMatter(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for folder, text := range map[string]string{"old": firstHalf, "new": secondHalf} {
		if err := os.Mkdir(h.path(folder), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(h.path(folder, "WhatsApp Chat with Book club.txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hashes := func(zone string, order ...string) string {
		data := h.path(filepath.Base(zone) + order[0])
		for _, folder := range order {
			cmd := h.command(t.Context(), "--data-dir", data, "import", "--quiet", h.path(folder))
			cmd.Env = append(cmd.Env, "TZ="+zone)
			if o := h.finish(cmd); o.status != 0 {
				t.Fatalf("import %s in %s: status %d\n%s", folder, zone, o.status, o.stderr)
			}
		}
		return withoutPositions(t, data)
	}
	want := hashes("Pacific/Kiritimati", "old", "new")
	for _, zone := range []string{"Pacific/Kiritimati", "America/Los_Angeles"} {
		for _, order := range [][]string{{"old", "new"}, {"new", "old"}} {
			if zone == "Pacific/Kiritimati" && order[0] == "old" {
				continue
			}
			if diff := cmp.Diff(want, hashes(zone, order...)); diff != "" {
				t.Errorf("%s, %v (-want +got):\n%s", zone, order, diff)
			}
		}
	}
}

package e2e

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// An archive of another version is refused with the command that helps, and
// not touched.
func TestArchiveOfAnotherVersion(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		by   int
		want string
	}{
		{name: "older", by: -1, want: `made by an older msgbrowse; run "msgbrowse import" to upgrade it`},
		{name: "newer", by: 1, want: "made by a newer msgbrowse; install that version or a later one"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			data := h.path("data")
			h.importAll(data)
			file := filepath.Join(data, "msgbrowse.db")
			db, err := sql.Open("sqlite", file)
			if err != nil {
				t.Fatal(err)
			}
			var version int
			if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil || version < 1 {
				t.Fatalf("the archive has version %d, %v", version, err)
			}
			if _, err := db.Exec(fmt.Sprintf("PRAGMA user_version = %d", version+tt.by)); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			for _, command := range [][]string{{"mcp"}, {"mcp", "--http", "--listen", "127.0.0.1:0"}, {"show", "1"}} {
				got := h.run(append([]string{"--data-dir", data}, command...)...)
				if got.status != 2 || got.stdout != "" || !strings.Contains(got.stderr, tt.want) || !strings.Contains(got.stderr, file) {
					t.Errorf("%v: status %d, stdout %q, stderr %q, want %q", command, got.status, got.stdout, got.stderr, tt.want)
				}
			}
		})
	}
}

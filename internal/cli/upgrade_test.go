package cli

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/demo"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// TestImportUpgrades runs what readers of an old archive are told to run.
func TestImportUpgrades(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	if err := demo.Extract(filepath.Join(dir, "exports")); err != nil {
		t.Fatal(err)
	}
	env := Machine()
	env.Host = config.Host{GOOS: env.Host.GOOS, Home: dir, Dir: dir, ReadFile: env.Host.ReadFile}
	env.Now = func() time.Time { return time.Unix(1_700_000_000, 0) }
	msgbrowse := func(args ...string) (int, string) {
		var out, errs strings.Builder
		status := run(context.Background(), commands, append([]string{"--data-dir", data}, args...), strings.NewReader(""), &out, &errs, env)
		return status, errs.String()
	}
	if status, said := msgbrowse("import", "--quiet", filepath.Join(dir, "exports")); status != exitDone {
		t.Fatalf("import: status %d, %s", status, said)
	}
	db, err := sql.Open("sqlite", filepath.Join(data, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `DROP TABLE activity; DROP INDEX attachments_sender; DROP INDEX links_sender;
		DROP TABLE month_totals; DROP INDEX conversations_size; CREATE INDEX conversations_recent ON conversations(last_ts);
		ALTER TABLE handles DROP COLUMN messages; ALTER TABLE handles DROP COLUMN first_month; ALTER TABLE handles DROP COLUMN last_month;
		ALTER TABLE conversations DROP COLUMN block_first; ALTER TABLE conversations DROP COLUMN block_last;
		PRAGMA user_version = 3`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if status, said := msgbrowse("search", "lease"); status != exitUsage || !strings.Contains(said, `run "msgbrowse import"`) {
		t.Errorf("searching an old archive: status %d, %s", status, said)
	}
	if status, said := msgbrowse("import", "--quiet"); status != exitDone {
		t.Errorf("upgrading it: status %d, %s", status, said)
	}
	if status, said := msgbrowse("search", "lease"); status != exitDone {
		t.Errorf("searching the upgraded archive: status %d, %s", status, said)
	}
}

package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// trouble is what an import could not read at one path.
type trouble struct {
	path     string
	importID int64
	skipped  int64  // records
	failed   string // why the file as a whole could not be read
}

// SpamCoverage says what of the archive's sources could not be read. Trouble
// counts until a later import has read the same file, or a file in the same
// folder, to its end.
func (r *Reader) SpamCoverage(ctx context.Context) (record.Coverage, error) {
	unread, err := r.whole.unread.get(ctx, r, r.listUnread)
	if err != nil {
		return record.Coverage{}, err
	}
	problems := slices.Clone(unread)
	last, err := r.Imports(ctx, 1)
	if err != nil {
		return record.Coverage{}, err
	}
	if len(last) > 0 && last[0].Status != ImportDone && last[0].Status != ImportPartial {
		problems = append(problems, fmt.Sprintf("the newest import, number %d, is not finished: %s", last[0].ID, last[0].Status))
	}
	return record.Coverage{Complete: len(problems) == 0, Problems: problems}, nil
}

// listUnread says what files and records could not be read.
func (r *Reader) listUnread(ctx context.Context) ([]string, error) {
	list, err := r.troubles(ctx)
	if err != nil {
		return nil, fmt.Errorf("list what was not read: %w", err)
	}
	var files []SourceFile
	if len(list) > 0 {
		if files, err = r.Files(ctx); err != nil {
			return nil, err
		}
	}
	var problems []string
	for _, t := range list {
		if slices.ContainsFunc(files, func(f SourceFile) bool { return f.ImportID > t.importID && under(f, t.path) }) {
			continue
		}
		since, err := r.importDate(ctx, t.importID)
		if err != nil {
			return nil, err
		}
		if t.failed != "" {
			problems = append(problems, fmt.Sprintf("%s could not be read to its end%s: %s", t.path, since, t.failed))
		} else {
			problems = append(problems, fmt.Sprintf("%s: %d of its records could not be read%s", t.path, t.skipped, since))
		}
	}
	return problems, nil
}

// under reports whether a file is the one at a path, or lies below it.
func under(f SourceFile, path string) bool {
	name := f.Path
	if f.Member != "" {
		name += "!/" + f.Member
	}
	rest, ok := strings.CutPrefix(name, path)
	return ok && (rest == "" || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, `\`) || strings.HasPrefix(rest, "!/") || strings.HasSuffix(path, "/"))
}

// troubles lists the newest trouble of each path, by path.
func (r *Reader) troubles(ctx context.Context) ([]trouble, error) {
	rows, err := r.query(ctx, `SELECT path, import_id, sum(severity = ?), coalesce(max(iif(severity = ?, reason, NULL)), '') FROM import_problems
		WHERE severity IN (?, ?) GROUP BY path, import_id ORDER BY path, import_id`, SeveritySkipped, SeverityError, SeveritySkipped, SeverityError)
	if err != nil {
		return nil, err
	}
	all, err := collect(rows, func(row *sql.Rows) (t trouble, err error) {
		err = row.Scan(&t.path, &t.importID, &t.skipped, &t.failed)
		return t, err
	})
	newest := all[:0]
	for i, t := range all {
		if i+1 == len(all) || all[i+1].path != t.path {
			newest = append(newest, t)
		}
	}
	return newest, err
}

func (r *Reader) importDate(ctx context.Context, id int64) (string, error) {
	run, err := r.Import(ctx, id)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(" (import %d, %s)", id, run.StartedAt.Format("2006-01-02")), nil
}

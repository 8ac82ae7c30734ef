package ingest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// Lock is held by the one process that writes to an archive. The operating
// system drops it when the process dies, however it dies.
type Lock struct {
	file *flock.Flock
	note string
}

// BusyError says who holds the lock.
type BusyError struct {
	PID   int
	Since time.Time
}

func (e *BusyError) Error() string {
	if e.PID == 0 {
		return "another import is running"
	}
	return fmt.Sprintf("another import is running: process %d, since %s", e.PID, e.Since.Format("2006-01-02 15:04:05 MST"))
}

type holder struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
}

// AcquireLock takes the lock of a data folder, creating the folder if needed,
// or returns a BusyError.
func AcquireLock(dir string, now time.Time) (*Lock, error) {
	if err := os.MkdirAll(dir, store.DirMode); err != nil {
		return nil, fmt.Errorf("create data folder: %w", err)
	}
	l := &Lock{
		file: flock.New(filepath.Join(dir, "import.lock"), flock.SetPermissions(store.FileMode)),
		// Some systems forbid reading a locked file, so the note lies beside it.
		note: filepath.Join(dir, "import.running"),
	}
	ok, err := l.file.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock data folder: %w", err)
	}
	if !ok {
		busy := &BusyError{}
		if text, err := os.ReadFile(l.note); err == nil {
			var h holder
			if json.Unmarshal(text, &h) == nil {
				busy.PID, busy.Since = h.PID, h.Since
			}
		}
		return nil, busy
	}
	text, err := json.Marshal(holder{os.Getpid(), now.UTC().Truncate(time.Second)})
	if err == nil {
		err = os.WriteFile(l.note, text, store.FileMode)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("write lock note: %w", err), l.file.Unlock())
	}
	return l, nil
}

// Release gives the lock up.
func (l *Lock) Release() error {
	return errors.Join(ignoreMissing(os.Remove(l.note)), l.file.Unlock())
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

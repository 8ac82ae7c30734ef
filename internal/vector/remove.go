package vector

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Remove deletes the index of a model, damaged or not. Readers that have it
// open keep what they see until they refresh. It returns a LockedError while
// a writer is at work. The lock file stays, since somebody may wait for it.
func Remove(dir, fingerprint string) (err error) {
	if !validFingerprint(fingerprint) {
		return fmt.Errorf("remove vector index: fingerprint %q", fingerprint)
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("remove vector index: %w", err)
	}
	lock, err := acquire(lockFile(dir, fingerprint))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	// Without its header the rest is nothing to anybody.
	names := []string{headFile(dir, fingerprint), headFile(dir, fingerprint) + ".new"}
	for _, e := range entries {
		if _, ok := generationOf(e.Name(), fingerprint); ok {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	for _, name := range names {
		if err := (osDisk{}).remove(name); err != nil {
			return fmt.Errorf("remove vector index: %w", err)
		}
	}
	return nil
}

package vector

import (
	"errors"
	"fmt"
	"strings"
)

// ErrAbsent means that the folder holds no index at all.
var ErrAbsent = errors.New("no vector index")

// OtherModelError means that the folder holds indexes, but none of the wanted
// model.
type OtherModelError struct {
	Dir, Want string
	// Found are the fingerprints of the indexes that are there.
	Found []string
}

func (e *OtherModelError) Error() string {
	return fmt.Sprintf("the vector index in %s was made by model %s, not by %s: index again with this model", e.Dir, strings.Join(e.Found, ", "), e.Want)
}

// OtherArchiveError means that the index was made of something else.
type OtherArchiveError struct {
	File        string
	Want, Found uint64
}

func (e *OtherArchiveError) Error() string {
	return fmt.Sprintf("the vector index %s belongs to another archive (%016x, not %016x): delete its folder, it is built again from the archive", e.File, e.Found, e.Want)
}

// DamagedError means that a file does not hold what was committed to it.
type DamagedError struct {
	File, Reason string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the vector index file %s is damaged (%s): delete its folder, it is built again from the archive", e.File, e.Reason)
}

// NewerFormatError means that a later version of the program wrote the index.
type NewerFormatError struct {
	File  string
	Found uint32
}

func (e *NewerFormatError) Error() string {
	return fmt.Sprintf("the vector index %s has format %d, which this version cannot read: use a newer version, or delete its folder, it is built again from the archive", e.File, e.Found)
}

// OlderFormatError means that an earlier version of the program wrote the
// index.
type OlderFormatError struct {
	File  string
	Found uint32
}

func (e *OlderFormatError) Error() string {
	return fmt.Sprintf("the vector index %s has format %d of an earlier version: index again, it is built anew from the archive", e.File, e.Found)
}

// LockedError means that another writer is at work.
type LockedError struct{ File string }

func (e *LockedError) Error() string {
	return fmt.Sprintf("the vector index is being written: %s is locked; try again when the other run has ended", e.File)
}

// DimensionError is a vector with another number of components than those of
// the index.
type DimensionError struct{ Got, Want int }

func (e *DimensionError) Error() string {
	return fmt.Sprintf("vector of %d components, want %d", e.Got, e.Want)
}

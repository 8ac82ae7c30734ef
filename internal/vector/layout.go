package vector

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// kind is one of the files that hold the data of an index.
type kind int

const (
	codes kind = iota
	int8s
	refs
	groups
	owners
	times
	keys
	dead
	marks
	kinds // the number of kinds
)

var extensions = [kinds]string{"codes", "int8", "ref", "group", "owner", "time", "key", "dead", "marks"}

const (
	fileMode = 0o600
	dirMode  = 0o700
)

// rowSize returns the bytes of one entry.
func (k kind) rowSize(padded int) int {
	switch k {
	case codes:
		return padded / 8
	case int8s:
		return padded
	case marks:
		return markSize
	default:
		return 4
	}
}

func headFile(dir, fingerprint string) string { return filepath.Join(dir, fingerprint+".head") }
func lockFile(dir, fingerprint string) string { return filepath.Join(dir, fingerprint+".lock") }

func dataFile(dir, fingerprint string, generation uint64, k kind) string {
	return filepath.Join(dir, fingerprint+"."+strconv.FormatUint(generation, 10)+"."+extensions[k])
}

// Fingerprints lists the models that the folder holds an index of, sorted.
func Fingerprints(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var found []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".head"); ok && validFingerprint(name) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found, nil
}

// generationOf returns which generation of the fingerprint's data a file name
// belongs to; false means none.
func generationOf(name, fingerprint string) (uint64, bool) {
	rest, ok := strings.CutPrefix(name, fingerprint+".")
	if !ok {
		return 0, false
	}
	number, extension, ok := strings.Cut(rest, ".")
	if !ok {
		return 0, false
	}
	for _, known := range extensions {
		if extension == known {
			generation, err := strconv.ParseUint(number, 10, 64)
			return generation, err == nil
		}
	}
	return 0, false
}

// checkMachine refuses the machines that the files cannot be mapped on.
func checkMachine() error {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return errors.New("vector indexes need a little-endian machine")
	}
	return nil
}

//go:build !linux

// Package unprivileged lets tests see what a user sees who may not open
// everything, even when they run as root.
package unprivileged

import (
	"os"
	"runtime"
	"testing"
)

// Run calls f without the right to open files and folders that their modes
// close to the user. It skips the test where the right cannot be given up.
func Run(t testing.TB, f func()) {
	t.Helper()
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("this user may read everything, or modes close nothing here")
	}
	f()
}

// Package unprivileged lets tests see what a user sees who may not open
// everything, even when they run as root.
package unprivileged

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// mayOpenAnything are root's capabilities to read and search files and folders
// that their modes close to everybody; see capabilities(7).
const mayOpenAnything = 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH

// Run calls f without the right to open files and folders that their modes
// close to the user. What f does in other goroutines keeps the right.
func Run(t testing.TB, f func()) {
	t.Helper()
	runtime.LockOSThread() // capabilities are a thread's
	defer runtime.UnlockOSThread()
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var before [2]unix.CapUserData
	if err := unix.Capget(&header, &before[0]); err != nil {
		t.Fatal(err)
	}
	during := before
	during[0].Effective &^= mayOpenAnything
	if err := unix.Capset(&header, &during[0]); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := unix.Capset(&header, &before[0]); err != nil {
			t.Fatal(err)
		}
	}()
	f()
}

// Nobody is an account without rights.
const Nobody = 65534

// Command takes the right to open everything, which root has, from a process
// to be started of the program that runs. The path of the program may be
// closed to nobody, its inode is not.
func Command(cmd *exec.Cmd) {
	cmd.Path = "/proc/self/exe"
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: Nobody, Gid: Nobody}}
	}
	cmd.Dir = "/"
}

package config

import (
	"errors"
	"path"
	"strings"
)

// Host is what the values depend on besides the settings themselves. Load
// asks it and nothing else, so the rules of every platform can be tested on
// any of them.
type Host struct {
	// GOOS is the operating system, as runtime.GOOS names it.
	GOOS string
	// Home is the user's home folder; empty when it is not known.
	Home string
	// Dir is the current folder, which relative paths in variables and flags
	// start from.
	Dir string
	// Environ is the environment, each entry in the form NAME=value.
	Environ []string
	// ReadFile reads a whole file and reports a missing one as os.ReadFile
	// does.
	ReadFile func(name string) ([]byte, error)
}

// Getenv returns a variable of the environment; an empty one counts as unset.
func (h Host) Getenv(name string) string {
	for _, entry := range h.Environ {
		if key, value, ok := h.split(entry); ok && key == name {
			return value
		}
	}
	return ""
}

// split takes an entry of the environment apart. Windows does not tell the
// cases of names apart, so there they are in capitals.
func (h Host) split(entry string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(entry, "=")
	if h.GOOS == "windows" {
		name = strings.ToUpper(name)
	}
	return name, value, ok
}

// errNoHome explains what a path needs that starts at the home folder.
var errNoHome = errors.New("the home folder is not known")

// homeVariable is the variable that names the home folder.
func (h Host) homeVariable() string {
	if h.GOOS == "windows" {
		return "USERPROFILE"
	}
	return "HOME"
}

// dataDir returns the folder of the user's data, for msgbrowse.
func (h Host) dataDir() (string, error) {
	switch h.GOOS {
	case "windows":
		return h.userFolder("LOCALAPPDATA", "AppData", "Local")
	case "darwin":
		return h.userFolder("", "Library", "Application Support")
	default:
		return h.userFolder("XDG_DATA_HOME", ".local", "share")
	}
}

// configDir returns the folder of the user's configuration, for msgbrowse.
func (h Host) configDir() (string, error) {
	switch h.GOOS {
	case "windows":
		return h.userFolder("APPDATA", "AppData", "Roaming")
	case "darwin":
		return h.userFolder("", "Library", "Application Support")
	default:
		return h.userFolder("XDG_CONFIG_HOME", ".config")
	}
}

// userFolder returns the folder msgbrowse in the folder that variable names,
// or else in the one at the given place under the home folder. A relative
// variable does not count, as the XDG base directory specification has it.
func (h Host) userFolder(variable string, underHome ...string) (string, error) {
	if variable != "" {
		if folder := h.Getenv(variable); h.isAbs(folder) {
			return h.join(folder, "msgbrowse"), nil
		}
	}
	if !h.isAbs(h.Home) {
		return "", errNoHome
	}
	return h.join(append(append([]string{h.Home}, underHome...), "msgbrowse")...), nil
}

// resolve makes a path absolute: a leading ~ is the home folder, and a
// relative path starts at base. The name is not empty.
func (h Host) resolve(base, name string) (string, error) {
	rest, atHome := strings.CutPrefix(name, "~")
	switch {
	case strings.ContainsRune(name, 0):
		return "", errors.New("a path cannot hold a zero byte")
	case atHome && (rest == "" || h.isSeparator(rest[0])):
		if !h.isAbs(h.Home) {
			return "", errNoHome
		}
		return h.join(h.Home, rest), nil
	case h.isAbs(name):
		return h.join(name), nil
	case h.needsDrive(name):
		return "", errors.New(`the path needs its drive and a backslash: C:\folder`)
	default:
		return h.join(base, name), nil
	}
}

func (h Host) isSeparator(c byte) bool { return c == '/' || c == '\\' && h.GOOS == "windows" }

func (h Host) isAbs(name string) bool {
	if h.GOOS != "windows" {
		return strings.HasPrefix(name, "/")
	}
	drive := len(name) > 2 && name[1] == ':' && h.isSeparator(name[2])
	return drive || strings.HasPrefix(name, `\\`)
}

// needsDrive reports whether a path of Windows starts at a drive's current
// folder or at the current drive's root, neither of which is known here.
func (h Host) needsDrive(name string) bool {
	return h.GOOS == "windows" && (h.isSeparator(name[0]) || len(name) > 1 && name[1] == ':')
}

// join joins the parts of a path and cleans it, with h's own separator.
func (h Host) join(parts ...string) string {
	if h.GOOS != "windows" {
		return path.Join(parts...)
	}
	all := strings.ReplaceAll(strings.Join(parts, "/"), `\`, "/")
	if share, ok := strings.CutPrefix(all, "//"); ok {
		return `\\` + strings.ReplaceAll(path.Clean(share), "/", `\`)
	}
	return strings.ReplaceAll(path.Clean(all), "/", `\`)
}

// listSeparator stands between the paths of a list in one string.
func (h Host) listSeparator() string {
	if h.GOOS == "windows" {
		return ";"
	}
	return ":"
}

// base returns the folder that a file lies in.
func (h Host) base(file string) string { return h.join(file, "..") }

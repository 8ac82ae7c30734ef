package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ClientConfigOptions say how a client is to start the server.
type ClientConfigOptions struct {
	// Command is the absolute path of the msgbrowse binary.
	Command string
	// DataDir is the absolute path of the archive; empty leaves it to the
	// server's own configuration.
	DataDir string
	// GOOS is the system the client runs on ("darwin", "linux", "windows").
	// It decides which file is named first and how a shell wants its quotes.
	GOOS string
}

// client is a program that starts MCP servers.
type client struct {
	// name is what the user calls it on the command line, title its own name.
	name, title string
	// command, if set, renders a command that registers the server, or nothing
	// where there is none; order says what it is for if not that.
	command func(o ClientConfigOptions) string
	order   string
	// snippet renders the configuration; kind says in one word what it is.
	snippet func(o ClientConfigOptions) string
	kind    string
	// files are where the configuration lives, by GOOS.
	files map[string]string
	// hint says how to reach the file from inside the program, or what to do
	// after changing it.
	hint string
}

// ClientNames are the clients ClientConfig knows.
func ClientNames() []string {
	names := make([]string, len(clients))
	for i, c := range clients {
		names[i] = c.name
	}
	return names
}

// ClientConfig returns configuration for a client, ready to be pasted, with
// the file it belongs in on each system. The text ends with a line feed. The
// error names the known clients, or says which path cannot be used.
func ClientConfig(name string, o ClientConfigOptions) (string, error) {
	for _, path := range []string{o.Command, o.DataDir} {
		if err := checkPath(path); err != nil {
			return "", fmt.Errorf("print client configuration: %w", err)
		}
	}
	if o.Command == "" {
		return "", errors.New("print client configuration: the path of the msgbrowse binary is missing")
	}
	for _, c := range clients {
		if strings.EqualFold(c.name, name) {
			return c.render(o), nil
		}
	}
	known := strings.Join(ClientNames(), ", ")
	if meant := nearest(name, ClientNames()); meant != "" {
		return "", fmt.Errorf("unknown client %q: did you mean %s? Known clients: %s", name, meant, known)
	}
	return "", fmt.Errorf("unknown client %q: known clients are %s", name, known)
}

// checkPath refuses paths that would mean something else in a client's hands.
func checkPath(path string) error {
	switch {
	case path == "":
		return nil
	case !isAbsolute(path):
		return fmt.Errorf("path %q is not absolute, and clients start servers from folders of their own", path)
	case !utf8.ValidString(path) || strings.ContainsFunc(path, unicode.IsControl):
		return fmt.Errorf("path %q holds characters that configuration files cannot", path)
	}
	return nil
}

// isAbsolute is filepath.IsAbs for the paths of every system.
func isAbsolute(path string) bool {
	if strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\\`) {
		return true
	}
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

// arguments are the words after the command.
func (o ClientConfigOptions) arguments() []string {
	if o.DataDir == "" {
		return []string{"mcp"}
	}
	return []string{"--data-dir", o.DataDir, "mcp"}
}

func (c client) render(o ClientConfigOptions) string {
	var b strings.Builder
	fmt.Fprintf(&b, "msgbrowse for %s\n", c.title)
	command := ""
	if c.command != nil {
		command = c.command(o)
	}
	if command != "" {
		fmt.Fprintf(&b, "\n%s\n\n    %s\n", cmp.Or(c.order, "Run this command:"), command)
		fmt.Fprintf(&b, "\nor merge this %s into its configuration:\n\n", c.kind)
	} else {
		fmt.Fprintf(&b, "\nMerge this %s into its configuration:\n\n", c.kind)
	}
	b.WriteString(strings.TrimRight(c.snippet(o), "\n"))
	b.WriteByte('\n')
	if len(c.files) > 0 {
		b.WriteString("\nThe file:\n\n")
		for _, system := range systemsFrom(o.GOOS) {
			if file := c.files[system.goos]; file != "" {
				fmt.Fprintf(&b, "    %-8s %s\n", system.title, file)
			}
		}
	}
	if c.hint != "" {
		fmt.Fprintf(&b, "\n%s\n", c.hint)
	}
	return b.String()
}

type system struct{ goos, title string }

// systemsFrom lists the systems, the given one first.
func systemsFrom(goos string) []system {
	all := []system{{"darwin", "macOS"}, {"linux", "Linux"}, {"windows", "Windows"}}
	for i, s := range all {
		if s.goos == goos {
			copy(all[1:i+1], all[:i])
			all[0] = s
		}
	}
	return all
}

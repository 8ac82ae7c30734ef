package mcp

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClientConfigGolden(t *testing.T) {
	t.Parallel()
	systems := map[string]ClientConfigOptions{
		"darwin":  {Command: "/opt/homebrew/bin/msgbrowse", DataDir: "/Users/ana/Library/Message Archive", GOOS: "darwin"},
		"windows": {Command: `C:\Program Files\msgbrowse\msgbrowse.exe`, DataDir: `D:\archive`, GOOS: "windows"},
	}
	for goos, o := range systems {
		for _, name := range ClientNames() {
			t.Run(goos+"/"+name, func(t *testing.T) {
				t.Parallel()
				got, err := ClientConfig(name, o)
				if err != nil {
					t.Fatal(err)
				}
				golden(t, "clientconfig/"+goos+"-"+name+".txt", []byte(got))
			})
		}
	}
}

// Every snippet gives back exactly the words it was made from.
func TestClientConfigKeepsPaths(t *testing.T) {
	t.Parallel()
	paths := []string{
		`/plain/path`, `/with space/it's "quoted"`, `/back\slash/$HOME/` + "`x`", `/ünï/<&>/%TEMP%/{a}/#/*`, `/emoji/📦/  two`,
		`C:\Users\Ana María\AppData\Local\msgbrowse.exe`, `\\server\share\a b`,
	}
	for _, path := range paths {
		o := ClientConfigOptions{Command: path, DataDir: path + "-data", GOOS: "linux"}
		want := []string{path, "--data-dir", path + "-data", "mcp"}
		for _, c := range clients {
			t.Run(c.name+path, func(t *testing.T) {
				t.Parallel()
				if diff := cmp.Diff(want, wordsOf(t, c.kind, c.snippet(o))); diff != "" {
					t.Errorf("words differ (-want +got):\n%s\nin %s", diff, c.snippet(o))
				}
			})
		}
	}
}

// wordsOf reads the command and its arguments out of a snippet.
func wordsOf(t *testing.T, kind, snippet string) []string {
	t.Helper()
	var entry struct {
		Command string
		Args    []string
	}
	if kind == "JSON" {
		var file map[string]map[string]json.RawMessage
		if err := json.Unmarshal([]byte(snippet), &file); err != nil {
			t.Fatalf("snippet is not JSON: %v", err)
		}
		for _, servers := range file {
			if err := json.Unmarshal(servers["msgbrowse"], &entry); err != nil {
				t.Fatal(err)
			}
		}
		return append([]string{entry.Command}, entry.Args...)
	}
	// In the strings used here, TOML and YAML agree with JSON.
	for line := range strings.Lines(snippet) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), map[string]string{"TOML": " = ", "YAML": ": "}[kind])
		if !ok {
			continue
		}
		var err error
		switch key {
		case "command", "cmd":
			err = json.Unmarshal([]byte(value), &entry.Command)
		case "args":
			err = json.Unmarshal([]byte(value), &entry.Args)
		}
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
	}
	return append([]string{entry.Command}, entry.Args...)
}

// A POSIX shell reads back what was quoted for it.
func TestQuoteShellRoundTrip(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX shell")
	}
	words := []string{`plain`, ``, `a b`, `it's`, `"x"`, `$HOME`, "`id`", `\`, `\\`, `a\'b`, `*?[]{}~!#&|;<>()`, "tab\t", `-n`, `é📦`, `%PATH%`}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quoteShell(w, "linux")
	}
	out, err := exec.CommandContext(t.Context(), "sh", "-c", `printf '%s\0' `+strings.Join(quoted, " ")).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for w := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		got = append(got, string(w))
	}
	if diff := cmp.Diff(words, got); diff != "" {
		t.Errorf("words differ (-want +got):\n%s", diff)
	}
}

func TestQuoteShellWindows(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, word, want string }{
		{name: "plain", word: `C:\Users\ana\msgbrowse.exe`, want: `C:\Users\ana\msgbrowse.exe`},
		{name: "space", word: `C:\Program Files\x.exe`, want: `"C:\Program Files\x.exe"`},
		{name: "apostrophe", word: `C:\Ana's\x.exe`, want: `"C:\Ana's\x.exe"`},
		{name: "dollar", word: `C:\$x\a b`, want: `'C:\$x\a b'`},
		{name: "dollar and apostrophe", word: `C:\$x\Ana's`, want: `'C:\$x\Ana''s'`},
		{name: "percent", word: `C:\100%\x`, want: `'C:\100%\x'`},
		{name: "empty", word: ``, want: `""`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := quoteShell(tt.word, "windows"); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestClientConfigRefuses(t *testing.T) {
	t.Parallel()
	good := ClientConfigOptions{Command: "/usr/bin/msgbrowse", DataDir: "/data", GOOS: "linux"}
	tests := []struct {
		name, client string
		spoil        func(*ClientConfigOptions)
		want         string
	}{
		{name: "near miss", client: "claude-desk", want: "did you mean claude-desktop? Known clients: claude-code, claude-desktop, cursor, vscode, codex, gemini-cli, zed, goose, lm-studio, generic"},
		{name: "another spelling", client: "vs code", want: "did you mean vscode?"},
		{name: "nothing near", client: "emacs29", want: "known clients are claude-code"},
		{name: "empty", client: "", want: "known clients are claude-code"},
		{name: "relative command", client: "cursor", spoil: func(o *ClientConfigOptions) { o.Command = "bin/msgbrowse" }, want: "not absolute"},
		{name: "relative data folder", client: "cursor", spoil: func(o *ClientConfigOptions) { o.DataDir = "C:data" }, want: "not absolute"},
		{name: "no command", client: "cursor", spoil: func(o *ClientConfigOptions) { o.Command = "" }, want: "binary is missing"},
		{name: "line feed", client: "cursor", spoil: func(o *ClientConfigOptions) { o.DataDir = "/a\nb" }, want: "characters"},
		{name: "not UTF-8", client: "cursor", spoil: func(o *ClientConfigOptions) { o.DataDir = "/a\xff" }, want: "characters"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := good
			if tt.spoil != nil {
				tt.spoil(&o)
			}
			if got, err := ClientConfig(tt.client, o); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, %v, want an error with %q", got, err, tt.want)
			}
		})
	}
}

func TestClientConfigWithoutDataDir(t *testing.T) {
	t.Parallel()
	got, err := ClientConfig("Claude-Code", ClientConfigOptions{Command: "/usr/bin/msgbrowse", GOOS: "linux"})
	if err != nil || !strings.Contains(got, "claude mcp add --scope user msgbrowse -- /usr/bin/msgbrowse mcp\n") {
		t.Errorf("got %q, %v", got, err)
	}
}

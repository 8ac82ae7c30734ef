package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// clients in the order they are listed. Formats and places are those of each
// program's own documentation.
var clients = []client{
	{
		name: "claude-code", title: "Claude Code",
		command: shellCommand("claude", "mcp", "add", "--scope", "user", "msgbrowse", "--"),
		snippet: typedServerJSON("mcpServers"), kind: "JSON",
		files: everywhere("~/.claude.json"),
		hint:  "In a project, .mcp.json works too. Check with: claude mcp list",
	},
	{
		name: "claude-desktop", title: "Claude Desktop",
		snippet: serverJSON("mcpServers"), kind: "JSON",
		files: map[string]string{
			"darwin":  "~/Library/Application Support/Claude/claude_desktop_config.json",
			"windows": `%APPDATA%\Claude\claude_desktop_config.json`,
			"linux":   "~/.config/Claude/claude_desktop_config.json",
		},
		hint: "Settings > Developer > Edit Config opens it. Quit and start Claude Desktop afterwards.",
	},
	{
		name: "cursor", title: "Cursor",
		snippet: serverJSON("mcpServers"), kind: "JSON",
		files: everywhere("~/.cursor/mcp.json"),
	},
	{
		name: "vscode", title: "VS Code",
		command: addToVSCode,
		snippet: typedServerJSON("servers"), kind: "JSON",
		files: map[string]string{
			"darwin":  "~/Library/Application Support/Code/User/mcp.json",
			"linux":   "~/.config/Code/User/mcp.json",
			"windows": `%APPDATA%\Code\User\mcp.json`,
		},
		hint: "The command \"MCP: Open User Configuration\" opens it; .vscode/mcp.json in a folder works too.",
	},
	{
		name: "codex", title: "Codex",
		command: shellCommand("codex", "mcp", "add", "msgbrowse", "--"),
		snippet: codexTOML, kind: "TOML",
		files: everywhere("~/.codex/config.toml"),
	},
	{
		name: "gemini-cli", title: "Gemini CLI",
		snippet: serverJSON("mcpServers"), kind: "JSON",
		files: everywhere("~/.gemini/settings.json"),
	},
	{
		name: "zed", title: "Zed",
		snippet: serverJSON("context_servers"), kind: "JSON",
		files: map[string]string{
			"darwin":  "~/.config/zed/settings.json",
			"linux":   "~/.config/zed/settings.json",
			"windows": `%APPDATA%\Zed\settings.json`,
		},
		hint: "The command \"zed: open settings\" opens it.",
	},
	{
		name: "goose", title: "goose",
		snippet: gooseYAML, kind: "YAML",
		files: map[string]string{
			"darwin":  "~/.config/goose/config.yaml",
			"linux":   "~/.config/goose/config.yaml",
			"windows": `%APPDATA%\Block\goose\config\config.yaml`,
		},
	},
	{
		name: "lm-studio", title: "LM Studio",
		snippet: serverJSON("mcpServers"), kind: "JSON",
		files: everywhere("~/.lmstudio/mcp.json"),
		hint:  "Program > Install > Edit mcp.json opens it.",
	},
	{
		name: "generic", title: "any MCP client",
		order: "A client starts the server with this command:", command: shellCommand(),
		snippet: serverJSON("mcpServers"), kind: "JSON",
		hint: "The server speaks MCP over standard input and output.",
	},
}

// everywhere is a place that all systems share, with ~ for the home folder.
func everywhere(file string) map[string]string {
	return map[string]string{
		"darwin": file, "linux": file,
		"windows": strings.ReplaceAll(strings.ReplaceAll(file, "~/", `%USERPROFILE%\`), "/", `\`),
	}
}

// server is the entry most clients have in common, in this order.
type server struct {
	Name    string   `json:"name,omitempty"`
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// addToVSCode has no form for Windows, whose shells disagree about how the
// quotes in an argument are written.
func addToVSCode(o ClientConfigOptions) string {
	if o.GOOS == "windows" {
		return ""
	}
	entry := server{Name: serverName, Command: o.Command, Args: o.arguments()}
	return "code --add-mcp " + quoteShell(compactJSON(entry), o.GOOS)
}

// serverJSON nests the entry under the name that the client's file uses.
func serverJSON(key string) func(ClientConfigOptions) string {
	return func(o ClientConfigOptions) string {
		return indentJSON(map[string]map[string]server{key: {serverName: {Command: o.Command, Args: o.arguments()}}})
	}
}

// typedServerJSON is serverJSON for clients that want the transport stated.
func typedServerJSON(key string) func(ClientConfigOptions) string {
	return func(o ClientConfigOptions) string {
		return indentJSON(map[string]map[string]server{key: {serverName: {Type: "stdio", Command: o.Command, Args: o.arguments()}}})
	}
}

func codexTOML(o ClientConfigOptions) string {
	return fmt.Sprintf("[mcp_servers.%s]\ncommand = %s\nargs = %s", serverName, compactJSON(o.Command), compactJSON(o.arguments()))
}

func gooseYAML(o ClientConfigOptions) string {
	return fmt.Sprintf(`extensions:
  %s:
    name: %[1]s
    description: Read-only access to your message archive
    type: stdio
    cmd: %[2]s
    args: %[3]s
    enabled: true
    timeout: 60
`, serverName, compactJSON(o.Command), compactJSON(o.arguments()))
}

// compactJSON encodes v on one line. What it makes of paths, which hold no
// control characters, is valid TOML and YAML too.
func compactJSON(v any) string { return encodeJSON(v, "") }

func indentJSON(v any) string { return encodeJSON(v, "  ") }

func encodeJSON(v any, indent string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Errorf("encode client configuration: %w", err)) // strings in structs always encode
	}
	return strings.TrimRight(b.String(), "\n")
}

// shellCommand renders words, then the server's own command line.
func shellCommand(words ...string) func(ClientConfigOptions) string {
	return func(o ClientConfigOptions) string {
		line := append(append([]string{}, words...), o.Command)
		line = append(line, o.arguments()...)
		for i, word := range line {
			line[i] = quoteShell(word, o.GOOS)
		}
		return strings.Join(line, " ")
	}
}

// quoteShell quotes a word for a POSIX shell, or on Windows for PowerShell
// and, as long as the word holds nothing special, for cmd.exe.
func quoteShell(word, goos string) string {
	plain := "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=+"
	if goos == "windows" {
		plain += `\`
	}
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	if goos != "windows" {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	if !strings.ContainsAny(word, "$`%“”„") {
		return `"` + word + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", "''") + "'"
}

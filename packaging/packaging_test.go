// Package packaging holds what is wrapped around the binary for others to
// install: the bundle's manifest, the registry's entry and the icon. The
// files are templates; @VERSION@ and the @SHA256_…@ of the bundles are filled
// in when a release is made.
package packaging

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

//go:generate go run icon.go

// readTemplate decodes a template as a release would fill it in, and refuses
// fields that v does not know.
func readTemplate(t *testing.T, name string, v any) {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	raw = bytes.ReplaceAll(raw, []byte("@VERSION@"), []byte("1.2.3"))
	raw = regexp.MustCompile(`@SHA256_[A-Z0-9_]+@`).ReplaceAll(raw, []byte(strings.Repeat("0a", 32)))
	if i := bytes.IndexByte(raw, '@'); i >= 0 {
		t.Errorf("%s holds an unknown placeholder: %.30s", name, raw[i:])
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

type named struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// manifest is version 0.3 of the bundle format, as far as it is used here.
type manifest struct {
	ManifestVersion string            `json:"manifest_version"`
	Name            string            `json:"name"`
	DisplayName     string            `json:"display_name"`
	Version         string            `json:"version"`
	Description     string            `json:"description"`
	LongDescription string            `json:"long_description"`
	Author          map[string]string `json:"author"`
	Repository      map[string]string `json:"repository"`
	Icon            string            `json:"icon"`
	Server          struct {
		Type       string `json:"type"`
		EntryPoint string `json:"entry_point"`
		Config     struct {
			Command   string   `json:"command"`
			Args      []string `json:"args"`
			Overrides map[string]struct {
				Command string `json:"command"`
			} `json:"platform_overrides"`
		} `json:"mcp_config"`
	} `json:"server"`
	Tools            []named  `json:"tools"`
	PromptsGenerated bool     `json:"prompts_generated"`
	Keywords         []string `json:"keywords"`
	License          string   `json:"license"`
	Compatibility    struct {
		Platforms []string `json:"platforms"`
	} `json:"compatibility"`
	UserConfig map[string]struct {
		Type        string `json:"type"`
		Title       string `json:"title"`
		Description string `json:"description"`
		Required    bool   `json:"required"`
		Default     string `json:"default"`
	} `json:"user_config"`
}

func TestManifest(t *testing.T) {
	t.Parallel()
	var m manifest
	readTemplate(t, "mcpb/manifest.json", &m)
	if m.ManifestVersion != "0.3" || m.Name != "msgbrowse" || m.Version != "1.2.3" || m.Description == "" || m.Author["name"] == "" || m.License != "MIT" {
		t.Errorf("required fields: %+v", m)
	}
	const entry = "server/msgbrowse"
	s := m.Server
	if s.Type != "binary" || s.EntryPoint != entry || s.Config.Command != "${__dirname}/"+entry ||
		s.Config.Overrides["win32"].Command != "${__dirname}/"+entry+".exe" {
		t.Errorf("server: %+v", s)
	}
	if diff := cmp.Diff([]string{"--data-dir", "${user_config.data_dir}", "mcp"}, s.Config.Args); diff != "" {
		t.Errorf("arguments differ (-want +got):\n%s", diff)
	}
	var tools []string
	for _, tool := range m.Tools {
		tools = append(tools, tool.Name)
		if tool.Description == "" {
			t.Errorf("tool %s has no description", tool.Name)
		}
	}
	slices.Sort(tools)
	want := []string{"get_context", "get_conversation", "list_conversations", "list_links", "list_media", "search_messages", "semantic_search"}
	if diff := cmp.Diff(want, tools); diff != "" {
		t.Errorf("tools differ (-want +got):\n%s", diff)
	}
	for _, arg := range s.Config.Args {
		if name, ok := strings.CutPrefix(arg, "${user_config."); ok {
			if c := m.UserConfig[strings.TrimSuffix(name, "}")]; c.Type != "directory" || c.Title == "" || c.Description == "" || !c.Required {
				t.Errorf("argument %s: setting is %+v", arg, c)
			}
		}
	}
	if diff := cmp.Diff([]string{"darwin", "linux", "win32"}, m.Compatibility.Platforms); diff != "" {
		t.Errorf("platforms differ (-want +got):\n%s", diff)
	}
	f, err := os.Open(filepath.Join("mcpb", m.Icon))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if icon, err := png.DecodeConfig(f); err != nil || icon.Width != 512 || icon.Height != 512 {
		t.Errorf("icon: %v, %d x %d, want 512 x 512", err, icon.Width, icon.Height)
	}
}

// registryEntry is the registry's server.json of 2025-12-11, as far as it is
// used here.
type registryEntry struct {
	Schema      string            `json:"$schema"`
	Name        string            `json:"name"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Version     string            `json:"version"`
	Repository  map[string]string `json:"repository"`
	Packages    []struct {
		RegistryType string            `json:"registryType"`
		Identifier   string            `json:"identifier"`
		FileSHA256   string            `json:"fileSha256"`
		Transport    map[string]string `json:"transport"`
	} `json:"packages"`
}

func TestRegistryEntry(t *testing.T) {
	t.Parallel()
	var e registryEntry
	readTemplate(t, "server.json", &e)
	if e.Schema != "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" ||
		!regexp.MustCompile(`^io\.github\.[a-z0-9-]+/msgbrowse$`).MatchString(e.Name) || e.Version != "1.2.3" ||
		len(e.Description) == 0 || len(e.Description) > 100 || e.Repository["source"] != "github" {
		t.Errorf("required fields: %+v", e)
	}
	if len(e.Packages) == 0 {
		t.Error("no packages")
	}
	seen := map[string]bool{}
	for _, p := range e.Packages {
		ok := regexp.MustCompile(`^https://github\.com/msgbrowse/msgbrowse/releases/download/v1\.2\.3/msgbrowse-(darwin|linux|windows)-(amd64|arm64)\.mcpb$`).MatchString(p.Identifier)
		if !ok || seen[p.Identifier] || p.RegistryType != "mcpb" || p.Transport["type"] != "stdio" ||
			!regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(p.FileSHA256) {
			t.Errorf("package: %+v", p)
		}
		seen[p.Identifier] = true
	}
}

// The server carries the same icon as the bundle.
func TestIconIsShared(t *testing.T) {
	t.Parallel()
	here, err := os.ReadFile("icon.svg")
	if err != nil {
		t.Fatal(err)
	}
	there, err := os.ReadFile("../internal/mcp/icon.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(here, there) {
		t.Error("icon.svg and internal/mcp/icon.svg differ; run go generate ./packaging")
	}
}

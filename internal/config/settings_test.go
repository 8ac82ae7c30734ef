package config

import (
	"os"
	"strings"
	"testing"
)

func TestSettingsTable(t *testing.T) {
	t.Parallel()
	c := defaults()
	variables := make(map[string]string)
	for _, name := range ignored {
		variables[name] = "an ignored variable"
	}
	for _, s := range settings {
		deref(s.field(c)) // panics on a type that no value can be read into
		if other := variables[s.variable()]; other != "" {
			t.Errorf("%s: the variable %s belongs to %s", s.key, s.variable(), other)
		}
		variables[s.variable()] = s.key
		if s.doc == "" {
			t.Errorf("%s: no documentation", s.key)
		}
		if isBlock(s.key) {
			t.Errorf("%s is a setting and a block", s.key)
		}
	}
}

// The manual must name every setting and variable, and no default that is
// not the default.
func TestManual(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings {
		if !strings.Contains(string(text), "`"+s.key+"`") {
			t.Errorf("docs/configuration.md does not name `%s`", s.key)
		}
		if !strings.Contains(string(text), "`"+s.variable()+"`") {
			t.Errorf("docs/configuration.md does not name `%s`", s.variable())
		}
	}
	for _, name := range ignored {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/configuration.md does not name `%s`", name)
		}
	}
}

// The example in the manual is a file that loads and sets every setting.
func TestManualExample(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```yaml\n")
	example, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("docs/configuration.md has no yaml example")
	}
	c := load(t, host(map[string]string{usual: example}), Options{})
	for _, v := range c.Values() {
		if v.Origin.Layer != File {
			t.Errorf("the example does not set %s", v.Key)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"data_dir", "log_level", "mcp.listen", "mcp.allow_remote", "web.base_url", "spam.lines"}
	for _, tt := range []struct{ name, in, want string }{
		{"same", "data_dir", "data_dir"},
		{"dropped", "dat_dir", "data_dir"},
		{"swapped", "lgo_level", "log_level"},
		{"other case", "DATA_DIR", "data_dir"},
		{"without its block", "allow_remote", "mcp.allow_remote"},
		{"in another block", "web.listen", "mcp.listen"},
		{"nothing like it in its block", "mcp.adress", "mcp.listen"},
		{"empty", "", "data_dir"},
		{"long", strings.Repeat("ü", 100_000), "data_dir"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Nearest(tt.in, known); got != tt.want {
				t.Errorf("Nearest(%q) = %q, want %q", shorten(tt.in), got, tt.want)
			}
		})
	}
	if got := Nearest("x", nil); got != "" {
		t.Errorf("Nearest among none = %q, want nothing", got)
	}
}

package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzLoad holds that any file gives settings or errors that name it, one
// line each, and never a panic, an empty data folder or a setting without
// origin.
func FuzzLoad(f *testing.F) {
	seeds, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, name := range seeds {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Load(host(map[string]string{usual: text}), Options{})
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, usual+":") {
					t.Errorf("error line %q does not name the file", line)
				}
			}
			return
		}
		if !strings.HasPrefix(c.DataDir, "/") || c.MCP.Listen == "" || c.MCP.CallTimeout <= 0 {
			t.Errorf("unusable settings: %+v", c)
		}
		for _, v := range c.Values() {
			if v.Origin.Layer == File && v.Origin.Line < 1 {
				t.Errorf("%s comes from the file without a line", v.Key)
			}
		}
	})
}

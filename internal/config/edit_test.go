package config

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestEdit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		values     map[string]any
		want       string
	}{
		{"no file", "", map[string]any{"spam.flag_any_url": false}, "spam:\n  flag_any_url: false\n"},
		{"top level", "tz: Europe/Berlin # home\nme: [Ana]\n", map[string]any{"tz": "Europe/Paris"}, "tz: \"Europe/Paris\" # home\nme: [Ana]\n"},
		{"new block behind the rest", "# mine\ntz: Europe/Berlin\n\n# end", map[string]any{"spam.name_variants": []string{"Bob", `B"ob`}},
			"# mine\ntz: Europe/Berlin\n\n# end\nspam:\n  name_variants:\n    - \"Bob\"\n    - \"B\\\"ob\"\n"},
		{"new key behind its neighbours", "spam:\n    flag_any_url: true # yes\n\n# about mcp\nmcp:\n  listen: 127.0.0.1:1\n", map[string]any{"spam.include_groups": true},
			"spam:\n    flag_any_url: true # yes\n    include_groups: true\n\n# about mcp\nmcp:\n  listen: 127.0.0.1:1\n"},
		{"block of comments", "spam:\n  # include_groups: true\nmcp:\n  listen: 127.0.0.1:1\n", map[string]any{"spam.include_groups": true},
			"spam:\n  include_groups: true\n  # include_groups: true\nmcp:\n  listen: 127.0.0.1:1\n"},
		{"comment behind", "spam:\n  flag_any_url: true  # why\n  canned_notice: \"a # b\"\t# c\n", map[string]any{"spam.flag_any_url": false, "spam.canned_notice": "n#o\nmore"},
			"spam:\n  flag_any_url: false  # why\n  canned_notice: \"n#o\\nmore\"\t# c\n"},
		{"list in brackets", "spam:\n  watch_area_codes: [212, \"646\"] # these\n", map[string]any{"spam.watch_area_codes": []string{"212"}},
			"spam:\n  watch_area_codes: # these\n    - \"212\"\n"},
		{"entries keep their comments", "spam:\n  allowlist:\n    # my sister\n    - +12125550100 # home\n    - '+1 646'\n    # the pharmacy\n    - \"55555\"\n\n  include_groups: true\n",
			map[string]any{"spam.allowlist": []string{"55555", "+12125550100", "new"}},
			"spam:\n  allowlist:\n    # the pharmacy\n    - \"55555\"\n    # my sister\n    - +12125550100 # home\n    - \"new\"\n\n  include_groups: true\n"},
		{"entries at the key's own depth", "spam:\n  allowlist:\n  - a\n  - b\n", map[string]any{"spam.allowlist": []string{"b", "c"}}, "spam:\n  allowlist:\n  - b\n  - \"c\"\n"},
		{"emptied", "spam:\n  allowlist:\n  - a\n  - b\n  include_groups: true\n", map[string]any{"spam.allowlist": []string(nil)}, "spam:\n  allowlist: []\n  include_groups: true\n"},
		{"text over lines", "spam:\n  canned_notice: |\n    Stop.\n    Now.\n  include_groups: true\n", map[string]any{"spam.canned_notice": "Stop."}, "spam:\n  canned_notice: \"Stop.\"\n  include_groups: true\n"},
		{"line ends of Windows", "spam:\r\n  include_groups: true\r\n", map[string]any{"spam.include_groups": false}, "spam:\r\n  include_groups: false\r\n"},
		{"whole numbers and times", "llm:\n  timeout: 1m # slow\n", map[string]any{"llm.timeout": 90 * time.Second, "llm.max_concurrency": 2}, "llm:\n  timeout: \"1m30s\" # slow\n  max_concurrency: 2\n"},
		{"written as it was said", "archive_root: []\n", map[string]any{"archive_root": []string{"~/exports", "more"}, "llm.base_url": "http://127.0.0.1:1/v1/"},
			"archive_root:\n  - \"~/exports\"\n  - \"more\"\nllm:\n  base_url: \"http://127.0.0.1:1/v1/\"\n"},
		{"paths keep their spelling", "archive_root:\n  - ~/old # first\n  - /x/../y\n", map[string]any{"archive_root": []string{"/home/ana/old", "/y", "~/new"}},
			"archive_root:\n  - ~/old # first\n  - /x/../y\n  - \"~/new\"\n"},
		{"space that counts", "", map[string]any{"llm.query_prefix": "query: "}, "llm:\n  query_prefix: \"query: \"\n"},
		{"nothing to change", "spam: {include_groups: true}\n", map[string]any{"spam.include_groups": true}, "spam: {include_groups: true}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var text []byte // nil is no file
			if tt.text != "" {
				text = []byte(tt.text)
			}
			got, err := Edit(host(nil), usual, text, tt.values)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEditRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, key, want string }{
		{"braces", "spam: {include_groups: true}\n", "spam.flag_any_url", "by hand"},
		{"braces over all", "{spam: {include_groups: true}}\n", "spam.flag_any_url", "by hand"},
		{"unreadable", "spam: [\n", "spam.flag_any_url", usual + ":1"},
		{"unknown key", "spma: 1\n", "spam.flag_any_url", "unknown key"},
		{"unknown setting", "", "spam.nothing", "no such setting"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Edit(host(nil), usual, []byte(tt.text), map[string]any{tt.key: false})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, %v; want an error with %q", got, err, tt.want)
			}
		})
	}
}

// TestEditKeepsTheRest puts files together from pieces at random and changes
// one: all before it and behind it stays, byte for byte.
func TestEditKeepsTheRest(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{
		"  include_groups: true   # groups\n", "  my_numbers: [+12125550100,\n    '5']\n", "  name_variants:\n    # first\n    - Bob\n\n    - \"Al: # x\"\n",
		"  canned_notice: >-\n    folded\n    text # no comment\n", "  stop_keywords:\n  - nope\n", "  places: []\n", "  canned_notice_match_ratio: .5\n",
	}
	between := []string{"", "", "\n", "  # a comment\n", "\n    # deeper: comment\n\n", "# at the edge\n"}
	target := []string{"  allowlist: [a, b] # some\n", "  allowlist:\n    - a\n    # b is\n    - b\n", "  allowlist: a\n", "  allowlist:\n  - a\n"}
	heads := []string{"", "# head\ntz: Europe/Berlin\n", "---\nmcp:\n    listen: 127.0.0.1:9 # here\n\n"}
	tails := []string{"", "\n# tail\n", "web:\n  listen: 127.0.0.1:1\n# end", "\n\nmcp:\n  # token_file: x\n"}
	for range 2000 {
		var before, behind strings.Builder
		head := heads[r.IntN(len(heads))]
		before.WriteString(head + "spam:\n")
		order := r.Perm(len(pieces))
		cut := r.IntN(len(order))
		for i, p := range order {
			part := &before
			if i >= cut {
				part = &behind
			}
			if i > 0 || part == &behind { // a comment at another depth may not begin a block
				part.WriteString(between[r.IntN(len(between))])
			}
			part.WriteString(pieces[p])
		}
		tail := tails[r.IntN(len(tails))]
		if strings.Contains(head, "mcp:") {
			tail = strings.ReplaceAll(tail, "mcp:\n  # token_file: x\n", "")
		}
		behind.WriteString(tail)
		text := before.String() + target[r.IntN(len(target))] + behind.String()
		want := []string{"a", "b", "x: #y", fmt.Sprint(r.IntN(100))}[r.IntN(4):]
		got, err := Edit(host(nil), usual, []byte(text), map[string]any{"spam.allowlist": want})
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if !strings.HasPrefix(string(got), before.String()) || !strings.HasSuffix(string(got), behind.String()) {
			t.Fatalf("what stands around the setting has changed:\n%s\n\nbecame\n%s", text, got)
		}
	}
}

func TestSave(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "new", "config.yaml")
	for _, text := range []string{"tz: Europe/Berlin\n", "tz: Europe/Paris\n"} {
		if err := Save(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil || string(got) != text {
			t.Errorf("read %q, %v", got, err)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) != 1 {
		t.Errorf("%d files in the folder, %v", len(left), err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	link := filepath.Join(dir, "link.yaml")
	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}
	if err := Save(link, []byte("me: Ana\n")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "me: Ana\n" {
		t.Errorf("behind the link %q, %v", got, err)
	}
	if target, err := os.Readlink(link); err != nil || target != name {
		t.Errorf("the link is gone: %v", err)
	}
}

// FuzzEdit holds that a changed file says what was asked for and nothing else
// anew, or that it is refused.
func FuzzEdit(f *testing.F) {
	seeds, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, name := range seeds {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), "55555")
	}
	f.Add("spam:\n  allowlist:\n  - a # b\n", "c: #")
	f.Fuzz(func(t *testing.T, text, item string) {
		before, err := readText(host(nil), usual, []byte(text))
		if err != nil {
			return
		}
		want := append([]string{"added"}, before.Spam.Allowlist...)
		if item != "" {
			want = append(want, item)
		}
		got, err := Edit(host(nil), usual, []byte(text), map[string]any{"spam.allowlist": want})
		if err != nil {
			return
		}
		after, err := readText(host(nil), usual, got)
		if err != nil || !cmp.Equal(after.Spam.Allowlist, want) || !cmp.Equal(after.MCP, before.MCP) {
			t.Errorf("%q became %q: %v", text, got, err)
		}
	})
}

package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// scripted is a source that says what it is told to.
type scripted struct {
	name       msg.Source
	confidence int
	why        string
	err        error
}

func (s scripted) Name() msg.Source { return s.name }

func (s scripted) Recognize(context.Context, source.Candidate) (source.Recognition, error) {
	return source.Recognition{Format: string(s.name), Confidence: s.confidence, Why: s.why}, s.err
}

func (s scripted) Read(context.Context, source.Candidate, source.Recognition, source.Options, source.Sink) error {
	return io.ErrUnexpectedEOF
}

func TestBest(t *testing.T) {
	t.Parallel()
	unreadable := errors.New("unreadable")
	tests := []struct {
		name       string
		sources    []source.Source
		want       string
		confidence int
		why        string
		err        error
	}{
		{"nobody", []source.Source{scripted{name: "a"}, scripted{name: "b"}}, "", 0, "", nil},
		{"the highest", []source.Source{scripted{name: "a", confidence: 60}, scripted{name: "b", confidence: 90}, scripted{name: "c", confidence: 70}}, "b", 90, "", nil},
		{"the first that settles it", []source.Source{scripted{name: "a", confidence: 94}, scripted{name: "b", confidence: 95}, scripted{name: "c", err: unreadable}, scripted{name: "d", confidence: 100}}, "b", 95, "", nil},
		{"the first of equals", []source.Source{scripted{name: "a"}, scripted{name: "b", confidence: 90}, scripted{name: "c", confidence: 90}}, "b", 90, "", nil},
		{"a guess with its reason", []source.Source{scripted{name: "a", confidence: 20, why: "one"}, scripted{name: "b", confidence: 40, why: "two"}}, "b", 40, "two", nil},
		{"a guess without a reason gets one", []source.Source{scripted{name: "a", confidence: 20}}, "a", 20, "only some of the marks of this format are there", nil},
		{"certain in spite of an error", []source.Source{scripted{name: "a", err: unreadable}, scripted{name: "b", confidence: 50}}, "b", 50, "", nil},
		{"an error hides what could be certain", []source.Source{scripted{name: "a", err: unreadable}, scripted{name: "b", confidence: 49}}, "", 0, "", unreadable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for range 3 {
				s, r, err := best(t.Context(), tt.sources, source.Candidate{Path: "file"})
				if !errors.Is(err, tt.err) {
					t.Fatalf("error %v, want %v", err, tt.err)
				}
				got := ""
				if s != nil {
					got = string(s.Name())
				}
				if got != tt.want || r.Confidence != tt.confidence || r.Why != tt.why {
					t.Errorf("got %q with %d (%q), want %q with %d (%q)", got, r.Confidence, r.Why, tt.want, tt.confidence, tt.why)
				}
			}
		})
	}
}

func TestBestStopsWhenCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Best(ctx, source.Candidate{FS: sourcetest.FixtureFS(nil), Path: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// claims returns the sources, by type, that are certain about a file.
func claims(t *testing.T, fsys fs.FS, name, container string) []string {
	t.Helper()
	c, err := sourcetest.Candidate(fsys, name, container)
	if err != nil {
		t.Fatal(err)
	}
	var claimed []string
	for _, s := range All() {
		r, err := s.Recognize(t.Context(), c)
		if err != nil {
			t.Errorf("%T about %s: %v", s, name, err)
		}
		if r.Confidence >= Certain {
			claimed = append(claimed, fmt.Sprintf("%T", s))
		}
	}
	return claimed
}

// TestFixturesHaveOneOwner shows every source the fixtures of all others. At
// least one file of a fixture belongs to the package that has it, and none to
// another or to two.
func TestFixturesHaveOneOwner(t *testing.T) {
	t.Parallel()
	claimedBy := map[string]int{}
	for _, f := range fixtures(t) {
		t.Run(f.family+"/"+f.name, func(t *testing.T) {
			found := 0
			files := list(t, f.fsys)
			for _, name := range files {
				claimed := claims(t, f.fsys, name, f.container)
				if len(claimed) > 1 || len(claimed) == 1 && !strings.HasPrefix(claimed[0], f.family+".") {
					t.Errorf("%s is claimed by %v", name, claimed)
				}
				for _, s := range claimed {
					claimedBy[s]++
					found++
				}
			}
			if found == 0 {
				t.Errorf("none of %v is claimed", files)
			}
		})
	}
	for _, s := range All() {
		if name := fmt.Sprintf("%T", s); claimedBy[name] == 0 {
			t.Errorf("no fixture of %s was seen", name)
		}
	}
}

type fixture struct {
	family, name, container string
	fsys                    fs.FS
}

// fixtures finds the fixtures in the testdata of the sources' packages: a
// txtar archive is one, and so is a folder or file directly below testdata
// that holds no archives.
func fixtures(t *testing.T) []fixture {
	t.Helper()
	entries, err := filepath.Glob("../*/testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	var found []fixture
	for _, entry := range entries {
		family := filepath.Base(filepath.Dir(filepath.Dir(entry)))
		name := filepath.Base(entry)
		archives, err := filepath.Glob(filepath.Join(entry, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(entry) == ".txtar" {
			archives = []string{entry}
		}
		switch {
		case family == "sourcetest", name == "fuzz", filepath.Ext(entry) == ".golden":
		case len(archives) > 0:
			for _, archive := range archives {
				f := sourcetest.Archive(t, archive)
				found = append(found, fixture{family, f.Name, f.Container, sourcetest.FixtureFS(f.Files)})
			}
		default:
			found = append(found, fixture{family, name, name, tree(t, entry)})
		}
	}
	return found
}

// tree is the folder at path, or a folder that holds nothing but the file at
// path.
func tree(t *testing.T, path string) fs.FS {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.IsDir() {
		return os.DirFS(path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return sourcetest.FixtureFS(map[string]string{filepath.Base(path): string(text)})
}

func list(t *testing.T, fsys fs.FS) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestSamples holds recognition to real files: those of our formats are
// claimed by their source alone, all the others (databases, pages, pictures,
// exports of services we do not read) by nobody.
func TestSamples(t *testing.T) {
	t.Parallel()
	const telegram = "telegram/frozenspider__chat-history-manager-rust/telegram_"
	want := map[string]string{
		"imessage/joestump__msgbrowse/testdata/imessage/Group Trip.txt":         "imessage.Text",
		"imessage/joestump__msgbrowse/testdata/imessage/MJ.txt":                 "imessage.Text",
		"signal/carderne__signal-export/golden/2022-08-11_34f4da6_chat.md":      "signal.Markdown",
		"signal/carderne__signal-export/golden/2024-02-03_4816f1b_chat.md":      "signal.Markdown",
		"signal/carderne__signal-export/golden/2024-03-19_2dbccd7_chat.md":      "signal.Markdown",
		"signal/carderne__signal-export/golden/2024-08-01_312e5e6_chat.md":      "signal.Markdown",
		"signal/joestump__msgbrowse/testdata/archive/export/Group Trip/chat.md": "signal.Markdown",
		"signal/joestump__msgbrowse/testdata/archive/export/Harper/chat.md":     "signal.Markdown",
		"whatsapp/joestump__msgbrowse/testdata/result.json":                     "whatsapp.ChatExporter",
		"whatsapp/lucasrodes__whatstk/chats/whatsapp/lorem-2000.txt":            "whatsapp.ChatText",
		"whatsapp/lucasrodes__whatstk/chats/whatsapp/lorem-merge-part1.txt":     "whatsapp.ChatText",
		"whatsapp/lucasrodes__whatstk/chats/whatsapp/lorem-merge-part2.txt":     "whatsapp.ChatText",
		"whatsapp/lucasrodes__whatstk/chats/whatsapp/lorem.txt":                 "whatsapp.ChatText",
		"whatsapp/lucasrodes__whatstk/chats/whatsapp/pokemon.txt":               "whatsapp.ChatText",
		"whatsapp/timelinize__timelinize/fixtures/_chat.txt":                    "whatsapp.ChatText",
		telegram + "2020-01/result.json":                                        "telegram.JSON",
		telegram + "2021-05/result.json":                                        "telegram.JSON",
		telegram + "2021-06_supergroup/result.json":                             "telegram.JSON",
		telegram + "2021-07/result.json":                                        "telegram.JSON",
		telegram + "2023-01/result.json":                                        "telegram.JSON",
		telegram + "2023-08/result.json":                                        "telegram.JSON",
		telegram + "2023-10_audio-video/result.json":                            "telegram.JSON",
		telegram + "2023-11/result.json":                                        "telegram.JSON",
		telegram + "2024-01/result.json":                                        "telegram.JSON",
		telegram + "2024-01_inline-bot-buttons/result.json":                     "telegram.JSON",
		telegram + "2024-02_create-channel_saved-from/result.json":              "telegram.JSON",
	}
	root := os.DirFS(sourcetest.Samples(t))
	files := list(t, root)
	if len(files) < 300 {
		t.Errorf("only %d sample files", len(files))
	}
	got := map[string]string{}
	for _, name := range files {
		// A candidate's file system is what a user points at: a project's
		// folder here.
		folder, rest := ".", name
		if parts := strings.SplitN(name, "/", 3); len(parts) == 3 {
			folder, rest = parts[0]+"/"+parts[1], parts[2]
		}
		fsys, err := fs.Sub(root, folder)
		if err != nil {
			t.Fatal(err)
		}
		if claimed := claims(t, fsys, rest, path.Base(folder)); len(claimed) > 0 {
			got[name] = strings.Join(claimed, ", ")
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
}

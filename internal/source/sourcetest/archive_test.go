package sourcetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

func TestArchive(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       Fixture
	}{
		{"plain", "-- a/b.txt --\none\n-- c.txt --\ntwo\n", Fixture{
			Container: "plain", Path: "a/b.txt", Files: map[string]string{"a/b.txt": "one\n", "c.txt": "two\n"},
		}},
		{"told", "A chat: of two.\ncontainer: Chat.zip\npath: c.txt\nme: Ana\nme: 7\n-- a.txt --\n-- c.txt --\nx{NBSP}y{CR}\n{LRM}{BAD}{no}\n", Fixture{
			Container: "Chat.zip", Path: "c.txt", Options: source.Options{Me: []string{"Ana", "7"}},
			Files: map[string]string{"a.txt": "", "c.txt": "x\u00a0y\r\n\u200e\xe9{no}\n"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), tt.name+".txtar")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			tt.want.Name = tt.name
			ignore := cmpopts.IgnoreFields(Fixture{}, "BodyIn", "Traversal", "Large")
			if diff := cmp.Diff(tt.want, Archive(t, file), ignore); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

package contacts

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/unprivileged"
)

// folder writes files and returns their folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOpen(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"a.vcf": card("FN:Ana", "TEL:+12125550142"), "cards/b.VCF": card("FN:Bo") + card("FN:Cy"), "cards/notes.txt": "no card",
		"g.csv": newHeader + "Di,,,,,,,,,,,,,,,,+16465550102\n", "bad.vcf": "hello", "empty/readme": "",
		"mac/AddressBook-v22.abcddb": "local", "mac/Sources/1/AddressBook-v22.abcddb": "account", "mac/Sources/2/Metadata": "",
		"shut/AddressBook-v22.abcddb": "shut",
	})
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	readMac := func(_ context.Context, path string) ([]Card, error) {
		text, err := os.ReadFile(path)
		if string(text) == "shut" {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
		}
		return []Card{{Names: []string{string(text)}}}, err
	}
	tests := []struct {
		name         string
		in           Places
		want         []Source
		provider     string
		availability Availability
		cards        int
	}{
		{"nothing named", Places{}, nil, "none", Absent, 0},
		{"vCard file", Places{VCard: []string{at("a.vcf")}}, []Source{{"vcard", at("a.vcf"), Available, 1, ""}}, "vcard", Available, 1},
		{"vCard folder", Places{VCard: []string{at("cards")}}, []Source{{"vcard", at("cards/b.VCF"), Available, 2, ""}}, "vcard", Available, 2},
		{"folder without cards", Places{VCard: []string{at("empty")}},
			[]Source{{"vcard", at("empty"), Absent, 0, "no address book in this folder"}}, "none", Absent, 0},
		{"file that is none", Places{VCard: []string{at("bad.vcf")}}, []Source{{"vcard", at("bad.vcf"), Absent, 0, errNoCards.Error()}}, "none", Absent, 0},
		{"file that does not exist", Places{GoogleCSV: []string{at("x.csv")}},
			[]Source{{"google_csv", at("x.csv"), Absent, 0, "no such file or directory"}}, "none", Absent, 0},
		{"two kinds", Places{VCard: []string{at("a.vcf"), at("x.vcf")}, GoogleCSV: []string{at("g.csv")}},
			[]Source{{"vcard", at("a.vcf"), Available, 1, ""}, {"vcard", at("x.vcf"), Absent, 0, "no such file or directory"}, {"google_csv", at("g.csv"), Available, 1, ""}},
			"google_csv+vcard", Available, 2},
		{"macOS", Places{MacOS: at("mac"), ReadMacOS: readMac},
			[]Source{{"macos", at("mac/AddressBook-v22.abcddb"), Available, 1, ""}, {"macos", at("mac/Sources/1/AddressBook-v22.abcddb"), Available, 1, ""}},
			"macos", Available, 2},
		{"macOS refuses", Places{MacOS: at("shut"), ReadMacOS: readMac},
			[]Source{{"macos", at("shut/AddressBook-v22.abcddb"), NeedsPermission, 0, "permission denied"}}, "macos", NeedsPermission, 0},
		{"macOS refuses, but there is a vCard", Places{MacOS: at("shut"), ReadMacOS: readMac, VCard: []string{at("a.vcf")}},
			[]Source{{"vcard", at("a.vcf"), Available, 1, ""}, {"macos", at("shut/AddressBook-v22.abcddb"), NeedsPermission, 0, "permission denied"}}, "vcard", Available, 1},
		{"no macOS, nobody named one", Places{MacOS: at("nowhere"), MacOSOptional: true, ReadMacOS: readMac}, nil, "none", Absent, 0},
		{"no macOS where one was named", Places{MacOS: at("nowhere"), ReadMacOS: readMac},
			[]Source{{"macos", at("nowhere"), Absent, 0, "no such file or directory"}}, "none", Absent, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Open(t.Context(), tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Sources); diff != "" {
				t.Errorf("sources (-want +got):\n%s", diff)
			}
			if got.Provider() != tt.provider || got.Availability() != tt.availability || got.Len() != tt.cards {
				t.Errorf("%s/%s with %d cards, want %s/%s with %d", got.Provider(), got.Availability(), got.Len(), tt.provider, tt.availability, tt.cards)
			}
		})
	}
}

func TestOpenCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, Places{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// TestRefusedFolder holds that a folder the system does not show is told from
// one that is not there.
func TestRefusedFolder(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"shut/a.vcf": card("FN:Ana")})
	shut := filepath.Join(dir, "shut")
	if err := os.Chmod(shut, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(shut, 0o700) })
	var got AddressBooks
	var err error
	unprivileged.Run(t, func() { got, err = Open(t.Context(), Places{VCard: []string{shut}}) })
	if err != nil || got.Availability() != NeedsPermission || got.Sources[0].Path != shut {
		t.Errorf("availability %s of %+v, %v, want %s", got.Availability(), got.Sources, err, NeedsPermission)
	}
}

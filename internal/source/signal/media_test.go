package signal

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestAttachment(t *testing.T) {
	t.Parallel()
	const stamp = "2022-08-10T19-33-48.638_00_"
	fsys := fstest.MapFS{}
	for _, name := range []string{
		"export/Aya/media/" + stamp + "a b.jpg", "export/Aya/media/50%25.pdf", "export/Aya/media/c d.pdf",
		"export/Aya/media/x%20y.pdf", "export/exported_stickers/p/1.webp", "export/Aya/secret.txt", "export/Ben/media/b.jpg",
		"export/Aya/media/[1](2).mp4",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte("x")}
	}
	for name, tc := range map[string]struct {
		link string
		want msg.Attachment
	}{
		"image":              {"![" + stamp + "a b.jpg](./media/" + stamp + "a%20b.jpg)", msg.Attachment{Kind: msg.Image, Name: "a b.jpg", Path: "export/Aya/media/" + stamp + "a b.jpg"}},
		"percent sign":       {"[50%25.pdf](./media/50%25.pdf)", msg.Attachment{Name: "50%25.pdf", Path: "export/Aya/media/50%25.pdf"}},
		"escaped by hand":    {"[the c](media/c%20d.pdf)", msg.Attachment{Name: "c d.pdf", Path: "export/Aya/media/c d.pdf"}},
		"escape in the name": {"[x%20y.pdf](./media/x%20y.pdf)", msg.Attachment{Name: "x%20y.pdf", Path: "export/Aya/media/x%20y.pdf"}},
		"brackets":           {"[[1](2).mp4](./media/[1](2).mp4)", msg.Attachment{Kind: msg.Video, Name: "[1](2).mp4", Path: "export/Aya/media/[1](2).mp4"}},
		"gone":               {"[g.m4a](./media/g.m4a)", msg.Attachment{Kind: msg.Audio, Name: "g.m4a", Missing: missingFile}},
		"gone, escaped":      {"[g h.m4a](./media/g%20h.m4a)", msg.Attachment{Kind: msg.Audio, Name: "g h.m4a", Missing: missingFile}},
		"image by its mark":  {"![g.svg](./media/g.svg)", msg.Attachment{Kind: msg.Image, Name: "g.svg", Missing: missingFile}},
		"climbs":             {"[p](./media/../../../etc/p)", msg.Attachment{Name: "p", Missing: missingUnsafe}},
		"climbs a little":    {"[t](./media/../secret.txt)", msg.Attachment{Name: "secret.txt", Missing: missingUnsafe}},
		"climbs, escaped":    {"[t](./media/%2e%2e/secret.txt)", msg.Attachment{Name: "secret.txt", Missing: missingUnsafe}},
		"climbs backwards":   {`[t](./media/..\secret.txt)`, msg.Attachment{Name: `..\secret.txt`, Missing: missingUnsafe}},
		"to another chat":    {"[b.jpg](./media/../../Ben/media/b.jpg)", msg.Attachment{Kind: msg.Image, Name: "b.jpg", Missing: missingUnsafe}},
		"sticker":            {"[🐺](../exported_stickers/p/1.webp)", msg.Attachment{Kind: msg.Image, Name: "1.webp", Path: "export/exported_stickers/p/1.webp", Sticker: true}},
		"sticker gone":       {"[🐺](../exported_stickers/p/2.webp)", msg.Attachment{Kind: msg.Image, Name: "2.webp", Missing: missingFile, Sticker: true}},
		"sticker climbs":     {"[🐺](../exported_stickers/../../p)", msg.Attachment{Kind: msg.Image, Name: "p", Missing: missingUnsafe, Sticker: true}},
		"sticker to a chat":  {"[🐺](../exported_stickers/../Aya/secret.txt)", msg.Attachment{Kind: msg.Image, Name: "secret.txt", Missing: missingUnsafe, Sticker: true}},
		"not exported":       {"(media not exported)", msg.Attachment{Missing: "media not exported"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, rest, ok := cutLink(tc.link)
			if !ok || rest != "" {
				t.Fatalf("cutLink(%q) = %+v, %q, %t", tc.link, l, rest, ok)
			}
			got := l.attachment(&shelf{fsys: fsys, folder: "export/Aya"})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.link, diff)
			}
		})
	}
}

// TestStickerOutside: a chat's folder opened alone does not show what lies
// beside it.
func TestStickerOutside(t *testing.T) {
	t.Parallel()
	l, _, _ := cutLink("[🐺](../exported_stickers/p/1.webp)")
	got := l.attachment(&shelf{fsys: fstest.MapFS{"exported_stickers/p/1.webp": {}}, folder: "."})
	if got.Path != "" || got.Missing != missingParent {
		t.Errorf("got %+v", got)
	}
}

func TestWithoutStamp(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"2022-08-10T19-33-48.638_00_a.jpg":               "a.jpg",
		"2020-05-01_00_a.jpg":                            "a.jpg",
		"2022-08-10T19-33-48.638_12_2020-05-01_00_a.jpg": "2020-05-01_00_a.jpg",
		"2022-08-10T19-33-48.638_00_":                    "2022-08-10T19-33-48.638_00_",
		"2022-08-10T19-33-48_00_a.jpg":                   "2022-08-10T19-33-48_00_a.jpg",
		"signal-2022-08-10-153348.jpeg":                  "signal-2022-08-10-153348.jpeg",
		"":                                               "",
	} {
		if got := withoutStamp(name); got != want {
			t.Errorf("withoutStamp(%q) = %q, want %q", name, got, want)
		}
	}
}

// countedFS counts what is opened.
type countedFS struct {
	fs.FS
	opened map[string]int
}

func (c countedFS) Open(name string) (fs.File, error) {
	c.opened[name]++
	return c.FS.Open(name)
}

// TestShelf: each folder is looked at once, and only so many of them.
func TestShelf(t *testing.T) {
	t.Parallel()
	fsys := countedFS{fstest.MapFS{"Aya/media/a.jpg": {}}, map[string]int{}}
	s := shelf{fsys: fsys, folder: "Aya"}
	for i := range 300 {
		s.has(fmt.Sprintf("Aya/media/%d.jpg", i))
		s.has(fmt.Sprintf("Aya/media/%d/a.jpg", i))
	}
	if n := fsys.opened["Aya/media"]; n != 1 || len(fsys.opened) > maxFolders {
		t.Errorf("media folder opened %d times, %d folders in all", n, len(fsys.opened))
	}
	if present, known := s.has("Aya/media/a.jpg"); !present || !known {
		t.Errorf("a.jpg present %t, known %t", present, known)
	}
	if _, known := s.has("Aya/media/200/a.jpg"); known {
		t.Error("a file beyond the last remembered folder is known")
	}
}

// TestShelfFull: in a folder with more files than are remembered every one
// counts as present.
func TestShelfFull(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{}
	for i := range maxNames + 1 {
		fsys[fmt.Sprintf("Aya/media/%d", i)] = &fstest.MapFile{}
	}
	s := shelf{fsys: fsys, folder: "Aya"}
	a := msg.Attachment{}
	s.place(&a, "media/none", "none")
	if a.Path != "Aya/media/none" || a.Missing != "" {
		t.Errorf("got %+v", a)
	}
}

func TestMadeFrom(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, label string
		want        bool
	}{
		{"a.jpg", "a.jpg", true},
		{"a%20b.jpg", "a b.jpg", true},
		{"a%20b.jpg", "a\u202fb.jpg", true},
		{"a%20b.jpg", "a%20b.jpg", true},
		{"a%20b.jpg", "a_b.jpg", false},
		{"a.jpg", "a", false},
		{"a", "a.jpg", false},
		{"", "", true},
		{strings.Repeat("a", 300), strings.Repeat("a", 300), true},
	} {
		if got := madeFrom(tc.name, tc.label); got != tc.want {
			t.Errorf("madeFrom(%q, %q) = %t, want %t", tc.name, tc.label, got, tc.want)
		}
	}
}

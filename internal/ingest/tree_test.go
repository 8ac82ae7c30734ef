package ingest

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// zipEntry is a file of a zip.
type zipEntry struct {
	name, text string
	raw        bool // the name is not UTF-8, or not marked as such
}

func zipOf(t testing.TB, entries ...zipEntry) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		f, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Deflate, NonUTF8: e.raw})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, e.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// names lists the files a plan recognised, without the folder of exports.
func (d *desk) names(p *Plan) []string {
	var names []string
	for _, root := range p.Roots {
		for _, f := range root.Files {
			names = append(names, strings.TrimPrefix(f.Name(), d.exports+string(filepath.Separator)))
		}
	}
	return names
}

func failures(p *Plan) []string {
	var list []string
	for _, root := range p.Roots {
		for _, f := range root.Failed {
			list = append(list, f.Err.Error())
		}
	}
	return list
}

func TestZips(t *testing.T) {
	t.Parallel()
	text := lines(chat("k", five()...)...)
	other := lines(chat("other", idents()...)...)
	tests := []struct {
		name    string
		entries []zipEntry
		want    []string
		fails   string
	}{
		{"one file", []zipEntry{{name: "a.fake", text: text}}, []string{"x.zip!/a.fake"}, ""},
		{"folders", []zipEntry{{name: "one/a.fake", text: text}, {name: "two/b.fake", text: other}}, []string{"x.zip!/one/a.fake", "x.zip!/two/b.fake"}, ""},
		{"UTF-8 name without the mark", []zipEntry{{"Zoë 日本.fake", text, true}}, []string{"x.zip!/Zoë 日本.fake"}, ""},
		{"UTF-8 name with the mark", []zipEntry{{"Zoë.fake", text, false}}, []string{"x.zip!/Zoë.fake"}, ""},
		{"name of an old DOS", []zipEntry{{"Zo\x89.fake", text, true}}, []string{"x.zip!/Zoë.fake"}, ""},
		{"backslashes", []zipEntry{{`one\a.fake`, text, true}}, []string{"x.zip!/one/a.fake"}, ""},
		{"path that climbs", []zipEntry{{name: "../../../evil.fake", text: text}}, []string{"x.zip!/evil.fake"}, ""},
		{"absolute path", []zipEntry{{name: "/etc/evil.fake", text: text}}, []string{"x.zip!/etc/evil.fake"}, ""},
		{"the same name twice", []zipEntry{{name: "a.fake", text: text}, {name: "a.fake", text: other}, {name: "b.fake", text: other}}, []string{"x.zip!/a (2).fake", "x.zip!/a.fake", "x.zip!/b.fake"}, ""},
		{"a file where others have a folder", []zipEntry{{name: "a", text: text}, {name: "a/b.fake", text: other}}, []string{"x.zip!/a/b.fake", "x.zip!/a (2)"}, ""},
		{"folders of their own", []zipEntry{{name: "one/"}, {name: "one/"}, {name: "one/a.fake", text: text}}, []string{"x.zip!/one/a.fake"}, ""},
		{"odd paths", []zipEntry{{name: "./one//./a.fake", text: text}, {name: "..", text: other}}, []string{"x.zip!/ (2)", "x.zip!/one/a.fake"}, ""},
		{"zip in a zip", []zipEntry{{name: "inner.zip", text: "PK\x03\x04"}, {name: "a.fake", text: text}}, []string{"x.zip!/a.fake"}, ""},
		{"no export", []zipEntry{{name: "readme.txt", text: "hello"}}, nil, ""},
		{"empty", nil, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.put("x.zip", zipOf(t, tt.entries...))
			for _, root := range []string{d.exports, d.path("x.zip")} {
				d.roots = []store.Root{{Path: root}}
				plan := d.plan()
				defer plan.Close()
				if diff := cmp.Diff(tt.want, d.names(plan)); diff != "" {
					t.Errorf("files below %s (-want +got):\n%s", root, diff)
				}
				failed := strings.Join(failures(plan), "\n")
				if (failed == "") != (tt.fails == "") || !strings.Contains(failed, tt.fails) {
					t.Errorf("failures %q, want %q", failed, tt.fails)
				}
			}
			if tt.want != nil && tt.fails == "" {
				if _, err := d.tryImport(t.Context()); err != nil {
					t.Fatal(err)
				}
				d.run(store.Tally{})
				d.checkSound()
			}
		})
	}
}

// TestZipAndFolderAreOneExport imports a zip and then the folder that was
// made from it: the messages are the same.
func TestZipAndFolderAreOneExport(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const chatText = "31.12.23, 23:58 - Zoë: Hello\n31.12.23, 23:59 - Ben: Hi\n01.01.24, 00:01 - Zoë: Happy new year\n"
	d.put("WhatsApp Chat with Zoë.zip", zipOf(t, zipEntry{"WhatsApp Chat with Zoë.txt", chatText, true}))
	d.run(store.Tally{Added: 3})
	d.put("unpacked/WhatsApp Chat with Zoë.txt", chatText)
	d.run(store.Tally{})
	if diff := cmp.Diff([]string{"WhatsApp Chat with Zoë.zip", "unpacked/WhatsApp Chat with Zoë.txt"}, d.files("Hi")); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// bomb is a zip of n entries that share their packed bytes: size bytes of
// zeros each.
func bomb(t *testing.T, n int, size int64) string {
	t.Helper()
	var packed bytes.Buffer
	deflate, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(deflate, zeros{}, size); err != nil {
		t.Fatal(err)
	}
	if err := deflate.Close(); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range n {
		f, err := w.CreateRaw(&zip.FileHeader{
			Name: strings.Repeat("a", i+1) + ".fake", Method: zip.Deflate,
			UncompressedSize64: uint64(size), CompressedSize64: uint64(packed.Len()),
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(packed.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestZipBombs(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("packs and reads a lot")
	}
	tests := []struct {
		name    string
		text    string
		refused bool
	}{
		{"one large entry", bomb(t, 1, bombFloor+1), true},
		{"many entries below the limit", bomb(t, 20, bombFloor/10), true},
		{"an entry that packs well", bomb(t, 1, bombFloor/10), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.put("bomb.zip", tt.text)
			d.put("good.fake", lines(chat("k", five()...)...))
			if !tt.refused {
				d.run(store.Tally{Added: 5})
				return
			}
			got := d.run(store.Tally{Added: 5, Errors: 1})
			d.checkProblem(got, store.SeverityError, d.path("bomb.zip"), "zip bomb")
			if _, err := OpenTree(d.path("bomb.zip")); err == nil || !strings.Contains(err.Error(), d.path("bomb.zip")) {
				t.Errorf("opening the bomb alone: error %v", err)
			}
		})
	}
}

// TestZipThatLiesAboutItsSize says that an entry is small that is not.
func TestZipThatLiesAboutItsSize(t *testing.T) {
	t.Parallel()
	text := lines(chat("k", five()...)...)
	var packed bytes.Buffer
	deflate, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(deflate, text+strings.Repeat("\n", 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := deflate.Close(); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateRaw(&zip.FileHeader{Name: "a.fake", Method: zip.Deflate, UncompressedSize64: uint64(len(text)), CompressedSize64: uint64(packed.Len())})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(packed.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	d.put("lie.zip", b.String())
	got, err := d.tryImport(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.Errors != 1 || got.Status != store.ImportPartial {
		t.Errorf("summary %+v, want one error", got)
	}
}

func TestBrokenZips(t *testing.T) {
	t.Parallel()
	whole := zipOf(t, zipEntry{name: "a.fake", text: lines(chat("k", five()...)...)}, zipEntry{name: "b.fake", text: lines(chat("b", idents()...)...)})
	flipped := []byte(whole)
	flipped[60] ^= 0xFF // within the packed bytes of the first entry
	tests := []struct {
		name, text string
		tally      store.Tally
	}{
		{"cut", whole[:len(whole)-30], store.Tally{Added: 5, Errors: 1}},
		{"nothing but a beginning", "PK\x03\x04", store.Tally{Added: 5, Errors: 1}},
		{"no zip at all", "hello", store.Tally{Added: 5, Errors: 1}},
		{"damaged entry", string(flipped), store.Tally{Added: 9, Errors: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.put("good.fake", lines(chat("good", five()...)...))
			d.put("broken.zip", tt.text)
			d.run(tt.tally)
			d.put("broken.zip", whole)
			d.run(store.Tally{Added: 14 - tt.tally.Added})
			d.checkFresh(t)
		})
	}
}

// TestNothingOutsideIsRead has links of every kind lead out of what the user
// pointed at.
func TestNothingOutsideIsRead(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	outside := filepath.Join(filepath.Dir(d.exports), "outside")
	if err := os.MkdirAll(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(outside, "secret.fake")
	if err := os.WriteFile(secret, []byte(lines(chat("secret", five()...)...)), 0o600); err != nil {
		t.Fatal(err)
	}
	d.put("good.fake", lines(chat("k", idents()...)...))
	for name, target := range map[string]string{"file.fake": secret, "folder": outside, "up.fake": "../outside/secret.fake", "dangling.fake": "nowhere", "loop.fake": "loop.fake"} {
		if err := os.Symlink(target, d.path(name)); err != nil {
			t.Skipf("this system has no symbolic links: %v", err)
		}
	}
	summary := d.run(store.Tally{Added: 4})
	var skipped []string
	for _, p := range summary.Problems {
		if p.Severity == store.SeveritySkipped && p.Reason == WhyNoLinks {
			skipped = append(skipped, strings.TrimPrefix(p.Path, d.exports+string(filepath.Separator)))
		}
	}
	if diff := cmp.Diff([]string{"dangling.fake", "file.fake", "folder", "loop.fake", "up.fake"}, skipped); diff != "" || summary.Status != store.ImportDone {
		t.Errorf("status %q, links reported as skipped (-want +got):\n%s", summary.Status, diff)
	}
	tree, err := OpenTree(d.exports)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for _, name := range []string{"file.fake", "up.fake", "folder/secret.fake", "../outside/secret.fake", secret} {
		if text, err := fs.ReadFile(tree.FS, name); err == nil {
			t.Errorf("%s can be read: %q", name, text)
		}
	}
}

// TestLinkThatTheUserNames follows links that are named, not found.
func TestLinkThatTheUserNames(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	with := idents()
	d.put("real/a.fake", lines(chat("k", with...)...))
	d.put("real/media/a.jpg", "the picture")
	d.put("links/.keep", "")
	for name, target := range map[string]string{"links/a.fake": d.path("real/a.fake"), "links/folder": d.path("real")} {
		if err := os.Symlink(target, d.path(name)); err != nil {
			t.Skipf("this system has no symbolic links: %v", err)
		}
	}
	for _, name := range []string{"links/a.fake", "links/folder"} {
		t.Run(name, func(t *testing.T) {
			d := &desk{t: t, exports: d.exports, data: t.TempDir(), fake: newFake(), roots: []store.Root{{Path: d.path(name)}}}
			d.find = d.findFake
			d.run(store.Tally{Added: 4})
			d.run(store.Tally{})
			if got := d.attachment(t); got != "the picture" {
				t.Errorf("attachment %q", got)
			}
			d.roots[0].Owner = []string{"a"}
			d.run(store.Tally{Changed: 2})
		})
	}
}

// attachment reads the first attachment of the second message.
func (d *desk) attachment(t *testing.T) string {
	t.Helper()
	r := d.reader()
	defer r.Close()
	m := d.messages()[1]
	from, err := r.Provenance(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	file, err := OpenAttachment(t.Context(), from, m.Attachments[0])
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	checkSeeking(t, file, string(text))
	return string(text)
}

// checkSeeking reads parts of a file, forwards, backwards and beyond its end.
func checkSeeking(t *testing.T, file io.Reader, whole string) {
	t.Helper()
	seeker := file.(io.ReadSeeker)
	size := int64(len(whole))
	for _, place := range []struct {
		offset int64
		whence int
		at     int64
	}{
		{4, io.SeekStart, 4}, {1, io.SeekStart, 1}, {-3, io.SeekEnd, size - 3}, {-1, io.SeekCurrent, size - 3}, {0, io.SeekStart, 0}, {5, io.SeekEnd, size + 5},
	} {
		at, err := seeker.Seek(place.offset, place.whence)
		if err != nil || at != place.at {
			t.Fatalf("seek %d, %d: at %d, %v, want %d", place.offset, place.whence, at, err, place.at)
		}
		part := make([]byte, 1)
		n, err := seeker.Read(part)
		if at < size {
			if n != 1 || part[0] != whole[at] {
				t.Errorf("byte %d is %q, %v, want %q", at, part[:n], err, whole[at])
			}
		} else if n != 0 || err == nil {
			t.Errorf("read %d bytes beyond the end, %v", n, err)
		}
	}
	if _, err := seeker.Seek(-1, io.SeekStart); err == nil {
		t.Error("a place before the beginning was accepted")
	}
}

func TestOpenAttachment(t *testing.T) {
	t.Parallel()
	message := func(path string) string {
		m := numbered("1", "a", "2024-05-01 10:00", "first")
		n := numbered("2", "a", "2024-05-01 10:01", "with a file")
		n.Attachments = []msg.Attachment{{Name: "a.jpg", Path: path}}
		return lines(chat("k", m, n)...)
	}
	tests := []struct {
		name    string
		prepare func(d *desk)
	}{
		{"in a folder", func(d *desk) {
			d.put("sub/a.fake", message("sub/media/a.jpg"))
			d.put("sub/media/a.jpg", "the picture")
		}},
		{"beside a file", func(d *desk) {
			d.put("sub/a.fake", message("media/a.jpg"))
			d.put("sub/media/a.jpg", "the picture")
			d.roots = []store.Root{{Path: d.path("sub/a.fake")}}
		}},
		{"in a zip", func(d *desk) {
			d.put("x.zip", zipOf(d.t, zipEntry{name: "sub/a.fake", text: message("sub/media/a.jpg")}, zipEntry{name: "sub/media/a.jpg", text: "the picture"}))
		}},
		{"in a zip that was named", func(d *desk) {
			d.put("x.zip", zipOf(d.t, zipEntry{name: "a.fake", text: message("media/a.jpg")}, zipEntry{name: "media/a.jpg", text: "the picture"}))
			d.roots = []store.Root{{Path: d.path("x.zip")}}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			tt.prepare(d)
			d.run(store.Tally{Added: 2})
			if got := d.attachment(t); got != "the picture" {
				t.Errorf("attachment %q", got)
			}
			r := d.reader()
			from, err := r.Provenance(t.Context(), d.messages()[1])
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{"", "../outside.txt", "/etc/hostname", "media/none.jpg", "media/../../../etc/hostname"} {
				if file, err := OpenAttachment(t.Context(), from, store.Attachment{Path: path}); err == nil {
					file.Close()
					t.Errorf("%q was opened", path)
				} else if path == "" && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("no path: error %v, want %v", err, fs.ErrNotExist)
				}
			}
		})
	}
}

// TestArchivesAreOnlyRead imports files and zips and checks that nothing in
// their folder changed.
func TestArchivesAreOnlyRead(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.put("a.fake", lines(chat("k", idents()...)...))
	d.put("x.zip", zipOf(t, zipEntry{name: "b.fake", text: lines(chat("k", five()...)...)}))
	d.put("broken.fake", lines(line{Fail: "lost"}))
	before := treeOf(t, d.exports)
	d.run(store.Tally{Added: 9, Errors: 1})
	d.options.Full = true
	d.run(store.Tally{Errors: 1})
	if diff := cmp.Diff(before, treeOf(t, d.exports)); diff != "" {
		t.Errorf("exports (-before +after):\n%s", diff)
	}
}

package imessage

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// versions are the own exports under testdata, one in the style of each
// version of the exporter.
var versions = []struct{ name, dir, file string }{
	{"version 1", "v1", "+15555550142.txt"},
	{"version 2", "v2", "Allotment - 31.txt"},
	{"version 3", "v3", "Ida Berg, Tom Asare, and 2 others.txt"},
	{"version 4", "v4", "Maya Okafor.txt"},
}

func folder(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	fsys := os.DirFS(dir)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func fixtures(t testing.TB) []sourcetest.Fixture {
	t.Helper()
	var all []sourcetest.Fixture
	for _, v := range versions {
		all = append(all, sourcetest.Fixture{
			Name: v.name, Files: folder(t, path.Join("testdata", v.dir)), Path: v.file, Container: "imessage_export",
		})
	}
	last := &all[len(all)-1]
	last.Traversal = func(ref string) string {
		return fmt.Sprintf("Jan 05, 2025  8:00:00 AM\nMe\nlook\nattachments/%s\n\n"+
			"Jan 05, 2025  8:01:00 AM\nMaya Okafor\n%s\n\n", ref, ref)
	}
	last.Large = func(w io.Writer) error { return writeLong(w, sourcetest.LargeSize) }
	return all
}

// writeLong writes an export of about size bytes in the style of version 4:
// plain messages of both sides, some with reactions, attachments, replies.
func writeLong(w io.Writer, size int) error {
	const words = "the boat leaves at nine and the lease is signed, bring the blue folder with you when you come "
	at := newTestClock()
	written := 0
	for i := 0; written < size; i++ {
		who := "Me"
		if i%3 > 0 {
			who = "Maya Okafor"
		}
		b := at.next() + "\n" + who + "\n" + words[i%40:] + strconv.Itoa(i) + "\n"
		switch i % 20 {
		case 4:
			b += "Tapbacks:\n    Loved by Me\n"
		case 9:
			b += "attachments/12/1.jpeg\n"
		case 14:
			reply := at.next() + "\nMaya Okafor\nyes, number " + strconv.Itoa(i) + "\n"
			b += indented(reply) + "\n\n" + reply + replyMarker + "\n"
		}
		b += "\n"
		n, err := io.WriteString(w, b)
		if err != nil {
			return err
		}
		written += n
	}
	return nil
}

// read reads text as the file of the given name.
func read(t testing.TB, name, text string, me ...string) sourcetest.Result {
	t.Helper()
	return sourcetest.Read(t, Text{}, sourcetest.Fixture{
		Files: map[string]string{name: text}, Path: name, Container: "imessage_export",
		Options: source.Options{Me: me},
	})
}

func only(t testing.TB, r sourcetest.Result) msg.Message {
	t.Helper()
	all := r.Messages()
	if len(all) != 1 {
		t.Fatalf("got %d messages, want 1:\n%s", len(all), sourcetest.Render(r))
	}
	return all[0]
}

package imessage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// FuzzRead reads any text as an export and checks what holds for all of them:
// no panic, the same result twice, positions in order and inside the file,
// and no message that is suspect and the owner's.
func FuzzRead(f *testing.F) {
	for _, v := range versions {
		f.Add(v.file, folder(f, "testdata/"+v.dir)[v.file])
	}
	f.Add("Ana.txt", question+indented(answer)+"\n\n"+answer+marked)
	f.Add("Ana, Bo.txt", with(chat(6), 2, "\nMar 11, 2019  9:31:00 AM\nMe\nI owe you 500\n"))
	f.Add("orphaned.txt", "\ufeffMay 17, 2022  5:29:42 PM\r\nUnknown\r\nhi\r\n\r\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		name = strings.Map(func(r rune) rune {
			if r == '/' || r == 0 || r == '\uFFFD' {
				return '_'
			}
			return r
		}, name)
		if name == "" || name == "." || name == ".." {
			name = "x"
		}
		c, err := sourcetest.Candidate(sourcetest.FixtureFS(map[string]string{name: text}), name, "x")
		if err != nil {
			t.Skip(err)
		}
		r, err := sourcetest.Collect(Text{}, c, source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := sourcetest.Collect(Text{}, c, source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, again); diff != "" {
			t.Fatalf("read differently the second time:\n%s", diff)
		}
		last := int64(-1)
		for _, m := range r.Messages() {
			if m.Position.Offset <= last || m.Position.Offset >= int64(len(text)) {
				t.Fatalf("offset %d after %d in a file of %d bytes", m.Position.Offset, last, len(text))
			}
			last = m.Position.Offset
			if m.Suspect != "" && m.Direction == msg.Out {
				t.Fatal("a suspect message is the owner's")
			}
		}
	})
}

package sourcetest

import (
	"fmt"
	"io"
	"io/fs"
	"testing/fstest"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// Fixture is one export the suite reads.
type Fixture struct {
	// Name is the subtest's name.
	Name string
	// Files maps slash-separated paths to contents; Path is the one to read.
	Files map[string]string
	Path  string
	// Container is the candidate's container name.
	Container string
	Options   source.Options

	// SelfDelimiting is set for formats whose end is written in the file
	// (JSON): a cut file must then be reported by an error or a Skip.
	SelfDelimiting bool
	// BodyIn reports whether m's body stands in record, the bytes from its
	// offset up to the next message's. Nil means: the body of a Text message
	// begins somewhere in record, as it is or in JSON's escaped form.
	BodyIn func(m *msg.Message, record string) bool
	// Traversal returns the contents of the file at Path with one attachment
	// whose reference is ref. Nil leaves that rule to the files as they are.
	Traversal func(ref string) string
	// Large writes a valid export of 32 MiB or more to w, and nothing that
	// depends on anything but itself; it is called several times. Nil leaves
	// the memory bound unchecked for this fixture.
	Large func(w io.Writer) error
}

// FixtureFS is a file system holding files.
func FixtureFS(files map[string]string) fs.FS {
	m := make(fstest.MapFS, len(files))
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// Candidate builds the candidate for the file at path, with Head and Size as
// an import would.
func Candidate(fsys fs.FS, path, container string) (source.Candidate, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return source.Candidate{}, fmt.Errorf("open candidate: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return source.Candidate{}, fmt.Errorf("stat candidate: %w", err)
	}
	head, err := io.ReadAll(io.LimitReader(f, source.HeadSize))
	if err != nil {
		return source.Candidate{}, fmt.Errorf("read candidate: %w", err)
	}
	return source.Candidate{FS: fsys, Path: path, Container: container, Size: info.Size(), Head: head}, nil
}

// candidate is the fixture's candidate, with text in place of the file at
// Path.
func (f Fixture) candidate(text string) (source.Candidate, error) {
	files := make(map[string]string, len(f.Files))
	for name, content := range f.Files {
		files[name] = content
	}
	files[f.Path] = text
	return Candidate(FixtureFS(files), f.Path, f.Container)
}

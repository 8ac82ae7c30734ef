package sourcetest

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/source"
)

// MemoryBound is how many bytes of heap in use a reading may add, whatever
// the size of the file.
const MemoryBound = 24 << 20

// LargeSize is the least size of a Fixture.Large export: well above
// MemoryBound, so that a reader that holds the file is caught.
const LargeSize = 32 << 20

// recognizeBound is how many bytes Recognize may read beyond Head, as the
// seam says.
const recognizeBound = 1 << 20

// checkMemory: the heap does not grow with the file, and recognising looks
// at a bounded part of it.
func checkMemory(r reporter, s *subject) {
	r.Helper()
	if s.fixture.Large == nil {
		return
	}
	c, err := largeCandidate(s.fixture)
	if err != nil {
		r.Errorf("large fixture: %v", err)
		return
	}
	if c.Size < LargeSize {
		r.Errorf("large fixture has %d bytes, want at least %d", c.Size, LargeSize)
	}
	generated := c.FS.(*generatedFS)
	generated.read.Store(0)
	recognition, err := recognize(s.Source, c)
	if err != nil || recognition.Confidence < 50 {
		r.Errorf("large fixture: recognised with confidence %d, error %v", recognition.Confidence, err)
	}
	if n := generated.read.Load(); n > recognizeBound {
		r.Errorf("recognising read %d bytes, want at most %d", n, recognizeBound)
	}

	const every = 1000
	base := heapInUse()
	peak := base
	rec := &recorder{}
	rec.onMessage = func() error {
		if rec.messages%every == 0 {
			peak = max(peak, heapInUse())
		}
		return nil
	}
	if err := rec.read(context.Background(), s.Source, c, recognition, s.fixture.Options); err != nil {
		r.Errorf("large fixture: %v", err)
	}
	if rec.messages < 10*every {
		r.Errorf("large fixture gave %d messages, want at least %d", rec.messages, 10*every)
	}
	if grown := peak - base; grown > MemoryBound {
		r.Errorf("reading %d bytes raised the heap by %d bytes, want at most %d", c.Size, grown, MemoryBound)
	}
}

func heapInUse() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapInuse)
}

// largeCandidate is the candidate of a file that exists only as it is
// written: it has a size and can be opened any number of times, but neither
// sought nor read at a position, like a file in a zip.
func largeCandidate(f Fixture) (source.Candidate, error) {
	var size counter
	if err := f.Large(&size); err != nil {
		return source.Candidate{}, err
	}
	rest := make(map[string]string, len(f.Files))
	for name, text := range f.Files {
		if name != f.Path {
			rest[name] = text
		}
	}
	fsys := &generatedFS{rest: FixtureFS(rest), path: f.Path, size: int64(size), write: f.Large}
	return Candidate(fsys, f.Path, f.Container)
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// generatedFS is rest with one more file, the one at path.
type generatedFS struct {
	rest  fs.FS
	path  string
	size  int64
	write func(io.Writer) error
	// read counts the bytes read from the file at path.
	read atomic.Int64
}

// Open implements fs.FS.
func (g *generatedFS) Open(name string) (fs.File, error) {
	if name != g.path {
		return g.rest.Open(name)
	}
	r, w := io.Pipe()
	go func() {
		buffered := bufio.NewWriterSize(w, 64<<10)
		err := g.write(buffered)
		w.CloseWithError(errors.Join(err, buffered.Flush()))
	}()
	return &generatedFile{g, r}, nil
}

type generatedFile struct {
	fsys *generatedFS
	pipe *io.PipeReader
}

func (f *generatedFile) Read(p []byte) (int, error) {
	n, err := f.pipe.Read(p)
	f.fsys.read.Add(int64(n))
	return n, err
}

func (f *generatedFile) Close() error               { return f.pipe.Close() }
func (f *generatedFile) Stat() (fs.FileInfo, error) { return generatedInfo{f.fsys}, nil }

type generatedInfo struct{ fsys *generatedFS }

func (i generatedInfo) Name() string       { return i.fsys.path }
func (i generatedInfo) Size() int64        { return i.fsys.size }
func (i generatedInfo) Mode() fs.FileMode  { return 0o444 }
func (i generatedInfo) ModTime() time.Time { return time.Time{} }
func (i generatedInfo) IsDir() bool        { return false }
func (i generatedInfo) Sys() any           { return nil }

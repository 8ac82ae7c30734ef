package vector

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// plan is a fixed run of a writer. Its commits have the states "1", "2" and so
// on; expect[i] is what the index must show with state i.
type plan struct {
	spec   Spec
	steps  []func(w *Writer) error
	expect []*model
}

func newPlan() *plan {
	p := &plan{spec: Spec{Fingerprint: "plan", Dims: 64, Archive: 1}}
	r := rand.New(rand.NewPCG(10, 1))
	m := newModel(p.spec)
	p.expect = append(p.expect, m.clone())
	for round := range 6 {
		items := randomItems(r, 30, p.spec.Dims)
		m.append(items)
		var slots []uint32
		for range 12 {
			slots = append(slots, uint32(r.IntN(len(m.items))))
		}
		m.delete(slots)
		list := randomMarks(r, 12, len(m.items))
		m.mark(list)
		m.state = fmt.Append(nil, round+1)
		p.expect = append(p.expect, m.clone())
		state := m.state
		p.steps = append(p.steps,
			func(w *Writer) error { _, err := w.Append(items); return err },
			func(w *Writer) error { return w.Delete(slots) },
			func(w *Writer) error { return w.Mark(list) },
			func(w *Writer) error { return w.Commit(state) })
		if round%2 == 1 {
			m.compact()
			p.steps = append(p.steps, func(w *Writer) error { return w.Compact(rootContext) })
		}
	}
	return p
}

// run takes the steps until one fails.
func (p *plan) run(dir string, d disk) (err error) {
	w, err := openWriter(dir, p.spec, d)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	for _, step := range p.steps {
		if err := step(w); err != nil {
			return err
		}
	}
	return nil
}

// check fails unless the folder holds one of the commits, not older than the
// least, whole, and can be written to again.
func (p *plan) check(t *testing.T, what, dir string, least int) {
	t.Helper()
	ix, err := Open(dir, p.spec)
	if errors.Is(err, ErrAbsent) && least == 0 {
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	var reached int
	if _, err := fmt.Sscan(string(v.State()), &reached); err != nil || reached < least {
		t.Fatalf("%s: state %q, want %d or later", what, v.State(), least)
	}
	want := p.expect[reached]
	if v.Len() != len(want.items) {
		want = want.clone() // the commit or its compaction
		want.compact()
	}
	want.compare(t, v, rand.New(rand.NewPCG(11, 1)))

	w, err := openWriter(dir, p.spec, &faultyDisk{left: endless})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	defer w.Close()
	after := want.clone()
	items := randomItems(rand.New(rand.NewPCG(12, 1)), 7, p.spec.Dims)
	after.append(items)
	after.state = []byte("after")
	if _, err := w.Append(items); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if err := w.Commit(after.state); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if _, err := ix.Refresh(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	later := ix.View()
	defer later.Release()
	after.compare(t, later, rand.New(rand.NewPCG(13, 1)))
}

// faultyDisk does what it is told until a number of operations is reached. The
// one after that fails, having written half of what it should, and so does
// every later one.
type faultyDisk struct {
	osDisk
	left int
}

const endless = 1 << 30

// everyIn is the distance of the operations that are tried: all of them, one
// in n in short runs.
func everyIn(n int) int {
	if testing.Short() {
		return n
	}
	return 1
}

func (d *faultyDisk) fails() bool {
	d.left--
	return d.left < 0
}

func (d *faultyDisk) wrap(f file, err error) (file, error) {
	if err != nil {
		return nil, err
	}
	return &faultyFile{f, d}, nil
}

func (d *faultyDisk) create(name string) (file, error) {
	if d.fails() {
		return nil, syscall.ENOSPC
	}
	return d.wrap(d.osDisk.create(name))
}

func (d *faultyDisk) open(name string) (file, error) { return d.wrap(d.osDisk.open(name)) }

func (d *faultyDisk) rename(from, to string) error {
	if d.fails() {
		return syscall.ENOSPC
	}
	return d.osDisk.rename(from, to)
}

func (d *faultyDisk) syncDir(dir string) error {
	if d.fails() {
		return syscall.EIO
	}
	return nil // nothing is lost here, so waiting for the disk is of no use
}

type faultyFile struct {
	file
	disk *faultyDisk
}

func (f *faultyFile) WriteAt(b []byte, at int64) (int, error) {
	if f.disk.fails() {
		n, err := f.file.WriteAt(b[:len(b)/2], at)
		return n, errors.Join(err, syscall.ENOSPC)
	}
	return f.file.WriteAt(b, at)
}

func (f *faultyFile) Sync() error {
	if f.disk.fails() {
		return syscall.EIO
	}
	return nil
}

// TestDiskFails lets every operation fail in turn.
func TestDiskFails(t *testing.T) {
	t.Parallel()
	p := newPlan()
	fine := &faultyDisk{left: endless}
	if err := p.run(filepath.Join(t.TempDir(), "index"), fine); err != nil {
		t.Fatal(err)
	}
	operations := endless - fine.left
	if operations < 100 {
		t.Fatalf("only %d operations", operations)
	}
	for n := 0; n < operations; n += everyIn(5) {
		dir := filepath.Join(t.TempDir(), "index")
		committed := 0
		counted := *p
		counted.steps = nil
		for i, step := range p.steps {
			counted.steps = append(counted.steps, func(w *Writer) error {
				err := step(w)
				if err != nil {
					if again := p.steps[i](w); again == nil && w.failed != nil {
						t.Fatalf("operation %d: a failed writer goes on", n)
					}
					return err
				}
				fmt.Sscan(string(w.State()), &committed)
				return nil
			})
		}
		err := counted.run(dir, &faultyDisk{left: n})
		what := fmt.Sprintf("operation %d of %d fails", n, operations)
		if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EIO) {
			t.Fatalf("%s: %v", what, err)
		}
		if !strings.Contains(err.Error(), "vector index") {
			t.Fatalf("%s: %q does not say what failed", what, err)
		}
		p.check(t, what, dir, committed)
	}
}

// lossyDisk remembers what a power failure would leave: of every file what
// was synced, and of the writes since then any, in whole or in part.
type lossyDisk struct {
	osDisk
	r     *rand.Rand
	left  int
	files map[string]*lossyFile
}

type lossyFile struct {
	file
	disk    *lossyDisk
	durable []byte
	pending []write
}

type write struct {
	at   int64
	data []byte
}

var errPower = errors.New("power failed")

func (d *lossyDisk) step() error {
	d.left--
	if d.left < 0 {
		return errPower
	}
	return nil
}

func (d *lossyDisk) create(name string) (file, error) {
	if err := d.step(); err != nil {
		return nil, err
	}
	f, err := d.osDisk.create(name)
	if err != nil {
		return nil, err
	}
	d.files[name] = &lossyFile{file: f, disk: d}
	return d.files[name], nil
}

func (d *lossyDisk) rename(from, to string) error {
	if err := d.step(); err != nil {
		return err
	}
	d.files[to] = d.files[from]
	delete(d.files, from)
	return d.osDisk.rename(from, to)
}

func (d *lossyDisk) remove(name string) error {
	if err := d.step(); err != nil {
		return err
	}
	delete(d.files, name)
	return d.osDisk.remove(name)
}

func (d *lossyDisk) syncDir(string) error { return d.step() }

func (f *lossyFile) WriteAt(b []byte, at int64) (int, error) {
	f.pending = append(f.pending, write{at, append([]byte(nil), b...)})
	if err := f.disk.step(); err != nil {
		return 0, err
	}
	return f.file.WriteAt(b, at)
}

func (f *lossyFile) Sync() error {
	if err := f.disk.step(); err != nil {
		return err
	}
	for _, w := range f.pending {
		f.durable = apply(f.durable, w)
	}
	f.pending = nil
	return nil
}

func apply(data []byte, w write) []byte {
	if grow := int(w.at) + len(w.data) - len(data); grow > 0 {
		data = append(data, make([]byte, grow)...)
	}
	copy(data[w.at:], w.data)
	return data
}

// leave writes to a folder what the power failure left, sector by sector.
func (d *lossyDisk) leave(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, dirMode); err != nil {
		t.Fatal(err)
	}
	for name, f := range d.files {
		data := append([]byte(nil), f.durable...)
		for _, w := range f.pending {
			for at := 0; at < len(w.data); at += 128 {
				if d.r.IntN(2) == 0 {
					data = apply(data, write{w.at + int64(at), w.data[at:min(at+128, len(w.data))]})
				}
			}
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, fileMode); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPowerFails lets the power fail after every operation.
func TestPowerFails(t *testing.T) {
	t.Parallel()
	p := newPlan()
	for n := 0; ; n += everyIn(5) {
		dir := filepath.Join(t.TempDir(), "index")
		d := &lossyDisk{r: rand.New(rand.NewPCG(uint64(n), 14)), left: n, files: make(map[string]*lossyFile)}
		committed := 0
		counted := *p
		counted.steps = nil
		for _, step := range p.steps {
			counted.steps = append(counted.steps, func(w *Writer) error {
				err := step(w)
				if err == nil {
					fmt.Sscan(string(w.State()), &committed)
				}
				return err
			})
		}
		err := counted.run(dir, d)
		if err == nil {
			if n < 100 {
				t.Fatalf("only %d operations", n)
			}
			return
		}
		if !errors.Is(err, errPower) {
			t.Fatal(err)
		}
		after := filepath.Join(t.TempDir(), "index")
		d.leave(t, after)
		p.check(t, fmt.Sprintf("power fails after operation %d", n), after, committed)
	}
}

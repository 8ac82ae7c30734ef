package ingest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// A test that needs another process starts this test binary again with these
// variables; TestMain then plays the role they name.
const (
	roleVariable    = "MSGBROWSE_TEST_ROLE"
	exportsVariable = "MSGBROWSE_TEST_EXPORTS"
	dataVariable    = "MSGBROWSE_TEST_DATA"
	stopVariable    = "MSGBROWSE_TEST_STOP"
)

var roles = map[string]func(d *desk) error{
	"import": importRole,
	"lock":   lockRole,
}

func TestMain(m *testing.M) {
	role := roles[os.Getenv(roleVariable)]
	if role == nil {
		os.Exit(m.Run())
	}
	exports := os.Getenv(exportsVariable)
	d := &desk{exports: exports, data: os.Getenv(dataVariable), fake: newFake(), roots: []store.Root{{Path: exports}}}
	d.find = d.findFake
	if err := role(d); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// small sizes make many batches and chunks of few messages.
var small = sizes{commit: 150, load: 1, chunk: 64, commitChunks: 2, bulk: 400, merge: 2}

// importRole imports and says when each piece of work is done. With the stop
// variable set it kills itself at that piece.
func importRole(d *desk) error {
	stop, _ := strconv.Atoi(os.Getenv(stopVariable))
	pieces := 0
	d.options.sizes = &small
	d.options.Progress = func(p Progress) {
		pieces++
		fmt.Println("piece", pieces, p.Phase)
		if pieces == stop {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			fmt.Fprintln(os.Stderr, "could not kill myself:", err)
			select {}
		}
	}
	_, err := d.tryImport(context.Background())
	return err
}

// lockRole holds the lock until its standard input ends.
func lockRole(d *desk) error {
	lock, err := AcquireLock(d.data, now)
	if err != nil {
		return err
	}
	fmt.Println("locked", os.Getpid())
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	return lock.Release()
}

// process is this test binary in another role.
type process struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err *strings.Builder
}

func (d *desk) start(role string, change ...func(*exec.Cmd)) *process {
	d.t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0]), err: &strings.Builder{}}
	p.Env = append(os.Environ(), roleVariable+"="+role, exportsVariable+"="+d.exports, dataVariable+"="+d.data)
	p.Stderr = p.err
	for _, c := range change {
		c(p.Cmd)
	}
	var err error
	if p.in, err = p.StdinPipe(); err != nil {
		d.t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		p.Process.Kill()
		p.Wait()
	})
	return p
}

func env(name, value string) func(*exec.Cmd) {
	return func(cmd *exec.Cmd) { cmd.Env = append(cmd.Env, name+"="+value) }
}

// finish waits for the process to end well and returns the lines it said.
func (p *process) finish(t *testing.T) []string {
	t.Helper()
	text, err := io.ReadAll(p.out)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Fatalf("process: %v: %s", err, p.err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// generate fills the exports with conversations of several sizes in several
// files, with everything a message can have.
func (d *desk) generate() {
	d.t.Helper()
	random := rand.New(rand.NewPCG(7, 7))
	for _, f := range []struct {
		name  string
		sizes []int
	}{{"a.fake", []int{30, 260, 90}}, {"b.fake", []int{500}}, {"c.fake", []int{10, 20, 30, 40, 170}}} {
		var list []line
		for n, size := range f.sizes {
			key := fmt.Sprintf("%s-%d", f.name, n)
			if n == 1 {
				key = "shared" // by a.fake and c.fake
			}
			list = append(list, chat(key, d.generated(random, key, size)...)...)
		}
		d.put(f.name, lines(list...))
	}
}

func (d *desk) generated(random *rand.Rand, key string, size int) []msg.Message {
	var list []msg.Message
	for i := range size {
		at := mustTime("2024-01-01 00:00").Add(minutes(i / 2)).Format("2006-01-02 15:04")
		m := said([]string{"Ana", "Ben", "Cleo"}[random.IntN(3)], at, fmt.Sprintf("word%d and %s", random.IntN(50), []string{"ok", "yes", "https://example.org/" + at[11:]}[random.IntN(3)]))
		if key != "shared" && i%3 == 0 {
			m.NativeID = fmt.Sprintf("%s-%d", key, i)
			m.Reactions = []msg.Reaction{{FromMe: true, Emoji: "👍"}}
			m.Attachments = []msg.Attachment{{Name: "a.jpg", Path: "a.jpg"}}
		}
		list = append(list, m)
	}
	return list
}

// beside is a desk with the same exports and another archive.
func (d *desk) beside() *desk {
	other := &desk{t: d.t, exports: d.exports, data: filepath.Join(d.t.TempDir(), "data"), fake: newFake(), roots: d.roots, options: d.options}
	other.find = other.findFake
	return other
}

func TestLock(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := d.start("lock")
	said, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, p.err)
	}
	pid, _ := strconv.Atoi(strings.Fields(said)[1])
	_, err = d.tryImport(t.Context())
	var busy *BusyError
	if !errors.As(err, &busy) || busy.PID != pid || !busy.Since.Equal(now) {
		t.Fatalf("error %v, want that process %d holds the lock since %v", err, pid, now)
	}
	if !contains(err.Error(), strconv.Itoa(pid), "2025-06-01 12:00:00") {
		t.Errorf("error %q does not say who and since when", err)
	}

	// Whatever way the holder goes, the lock goes with it.
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.Wait()
	d.put("a.fake", lines(chat("k", five()...)...))
	d.run(store.Tally{Added: 5})

	q := d.start("lock")
	if _, err := q.out.ReadString('\n'); err != nil {
		t.Fatalf("%v: %s", err, q.err)
	}
	q.in.Close()
	q.finish(t)
	d.run(store.Tally{})
	left, err := filepath.Glob(filepath.Join(d.data, "import.*"))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind %q, %v, want the lock file alone", left, err)
	}
}

func TestLockWithinOneProcess(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first, err := AcquireLock(d.data, now)
	if err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if _, err := AcquireLock(d.data, now); !errors.As(err, &busy) || busy.PID != os.Getpid() {
		t.Errorf("error %v, want that this process holds it", err)
	}
	if err := os.Remove(filepath.Join(d.data, "import.running")); err != nil {
		t.Fatal(err)
	}
	if _, err := AcquireLock(d.data, now); !errors.As(err, &busy) || err.Error() != "another import is running" {
		t.Errorf("error %v, want one without a process", err)
	}
	if err := first.Release(); err != nil {
		t.Errorf("release: %v", err)
	}
	second, err := AcquireLock(d.data, now)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Release(); err != nil {
		t.Errorf("release: %v", err)
	}
}

// TestKilledImports kills imports at moments spread over reading and indexing.
// Each leaves a sound archive, which readers can read at once, and the next
// import makes of it what an undisturbed one would have made.
func TestKilledImports(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("what other processes do says nothing of this one's races")
	}
	d := newDesk(t)
	d.generate()
	whole := d.beside()
	pieces := whole.start("import").finish(t)
	want := whole.dump()
	whole.checkSound()
	if n := len(pieces); n < 20 || !strings.HasSuffix(pieces[0], string(PhaseRead)) || !strings.HasSuffix(pieces[n-1], string(PhaseIndex)) {
		t.Fatalf("%d pieces of work: %q", n, pieces)
	}
	kills := rounds(10, 2)
	for i := range kills {
		at := 1 + i*(len(pieces)-1)/(kills-1)
		t.Run(fmt.Sprint("at ", pieces[at-1]), func(t *testing.T) {
			t.Parallel()
			d := d.beside()
			d.t = t
			p := d.start("import", env(stopVariable, strconv.Itoa(at)))
			if _, err := io.ReadAll(p.out); err != nil {
				t.Fatal(err)
			}
			if err := p.Wait(); err == nil {
				t.Fatal("the import was not killed")
			}
			d.checkHalf(t)
			d.start("import").finish(t)
			same(t, "after the kill against undisturbed", want, d.dump())
			d.checkSound()
			d.checkRuns(t, store.ImportInterrupted, store.ImportDone)
		})
	}
}

// TestKilledOverAndOver kills import after import from outside, each a little
// later than the last, until one comes through.
func TestKilledOverAndOver(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("what other processes do says nothing of this one's races")
	}
	d := newDesk(t)
	d.generate()
	whole := d.beside()
	pieces := whole.start("import").finish(t)
	for at := 2; at < len(pieces); at += rounds(3, 18) {
		p := d.start("import")
		for range at {
			if _, err := p.out.ReadString('\n'); err != nil {
				break
			}
		}
		p.Process.Kill()
		p.Wait()
	}
	d.checkHalf(t)
	d.start("import").finish(t)
	same(t, "after many kills against undisturbed", whole.dump(), d.dump())
	d.checkSound()
}

// checkHalf checks an archive whose import was cut off: readers can read it
// and see whole conversations only.
func (d *desk) checkHalf(t *testing.T) {
	t.Helper()
	before := treeOf(t, d.data)
	r := d.reader()
	defer r.Close()
	if found, err := r.Check(t.Context()); err != nil || len(found) > 0 {
		t.Fatalf("the archive is broken: %v, %v", found, err)
	}
	want := map[string]int64{"fake:shared": 260} // as far as a.fake gives it
	for _, c := range []struct {
		key  string
		size int64
	}{{"a.fake-0", 30}, {"a.fake-2", 90}, {"b.fake-0", 500}, {"c.fake-0", 10}, {"c.fake-2", 30}, {"c.fake-3", 40}, {"c.fake-4", 170}} {
		want["fake:"+c.key] = c.size
	}
	list, _, err := r.ListConversations(t.Context(), store.ConversationQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		counted, err := r.CountMessages(t.Context(), store.Filter{Conversations: []int64{c.ID}, IncludeMissing: true})
		if size := want["fake:"+c.Key]; err != nil || counted != c.Messages || counted != size && !(c.Key == "shared" && counted >= size) {
			t.Errorf("conversation %s says it has %d messages and has %d of %d, %v", c.Key, c.Messages, counted, size, err)
		}
	}
	for name, text := range treeOf(t, d.data) {
		if before[name] != text {
			t.Errorf("reading changed %s", name)
		}
	}
}

func (d *desk) checkRuns(t *testing.T, want ...string) {
	t.Helper()
	r := d.reader()
	defer r.Close()
	runs, err := r.Imports(t.Context(), 10)
	if err != nil || len(runs) != len(want) {
		t.Fatalf("runs %+v, %v, want %q", runs, err, want)
	}
	for i, run := range runs { // the latest first
		if want := want[len(want)-1-i]; run.Status != want {
			t.Errorf("run %d is %q, want %q", run.ID, run.Status, want)
		}
	}
}

// TestTimeZoneOfTheProcess imports the same files in processes at the two
// ends of the world.
func TestTimeZoneOfTheProcess(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("what other processes do says nothing of this one's races")
	}
	d := newDesk(t)
	d.generate()
	d.put("WhatsApp Chat with Ana.txt", "31.12.23, 23:58 - Ana: Hello\n31.12.23, 23:59 - Ben: Hi\n01.01.24, 00:01 - Ana: Happy new year\n")
	d.put("signal/Ana/chat.md", "[2023-12-31 23:58:01] Ana: Hello\n[2024-01-01 00:01:02] Me: Happy new year  \n")
	var dumps []string
	for _, zone := range []string{"Pacific/Kiritimati", "America/Los_Angeles"} {
		other := d.beside()
		other.start("import", env("TZ", zone)).finish(t)
		dumps = append(dumps, other.dump())
	}
	if !contains(dumps[0], "whatsapp:", "signal:", `"Happy new year`) {
		t.Errorf("the real files were not imported:\n%.2000s", dumps[0])
	}
	same(t, "Kiritimati against Los Angeles", dumps[0], dumps[1])
}

package store

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// A test that needs another process starts this test binary again with these
// variables; TestMain then plays the role they name.
const (
	roleVariable = "MSGBROWSE_TEST_ROLE"
	dirVariable  = "MSGBROWSE_TEST_DIR"
)

var roles = map[string]func(ctx context.Context, dir string) error{
	"writer": writeRounds,
	"reader": readOnce,
}

func TestMain(m *testing.M) {
	if role := roles[os.Getenv(roleVariable)]; role != nil {
		if err := role(context.Background(), os.Getenv(dirVariable)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// process is this test binary in another role. It lives as long as its
// standard input, so that none is left behind.
type process struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err *strings.Builder
}

func startRole(t *testing.T, role, dir string, change ...func(*exec.Cmd)) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0]), err: &strings.Builder{}}
	p.Env = append(os.Environ(), roleVariable+"="+role, dirVariable+"="+dir)
	p.Stderr = p.err
	for _, c := range change {
		c(p.Cmd)
	}
	var err error
	if p.in, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Process.Kill()
		p.Wait()
	})
	return p
}

// line waits for the process to say something.
func (p *process) line(t *testing.T) string {
	t.Helper()
	text, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatalf("process ended early: %v; it said: %s", err, p.err)
	}
	return strings.TrimSpace(text)
}

// roundSize is how many messages a round of writeRounds adds to a
// conversation, all in one batch.
const roundSize = 40

// writeRounds opens the archive, adds rounds of messages and closes it again,
// over and over until its standard input ends. Each round is one batch.
func writeRounds(ctx context.Context, dir string) error {
	stop := make(chan struct{})
	go func() {
		io.Copy(io.Discard, os.Stdin)
		close(stop)
	}()
	for round := 0; ; round++ {
		w, err := OpenWriter(ctx, dir)
		if err != nil {
			return err
		}
		for part := range 5 {
			if err := writeRound(ctx, w, round*5+part); err != nil {
				return err
			}
		}
		if err := w.Close(); err != nil {
			return err
		}
		fmt.Println("round", round)
		select {
		case <-stop:
			return nil
		default:
		}
	}
}

func writeRound(ctx context.Context, w *Writer, round int) error {
	b, err := w.Begin(ctx)
	if err != nil {
		return err
	}
	defer b.Rollback(ctx)
	conversation, _, err := b.Conversation(ctx, msg.Signal, msg.Conversation{Key: "rounds"})
	if err != nil {
		return err
	}
	handle, err := b.Handle(ctx, msg.Signal, msg.Handle{ID: fmt.Sprintf("writer-%d", round)}, "", false)
	if err != nil {
		return err
	}
	var records []*Record
	for i := range roundSize {
		m := msg.Message{NativeID: fmt.Sprintf("%d-%d", round, i), Direction: msg.In, Body: "x", Time: msg.Time{Micros: int64(round*roundSize + i + 1), Known: true}}
		records = append(records, &Record{Message: m, Hash: msg.Identity("s", "k", &m, 0), ConversationID: conversation, SenderID: handle, Sort: m.Time.Micros})
	}
	if _, err := b.Insert(ctx, records); err != nil {
		return err
	}
	if err := b.CountConversation(ctx, conversation); err != nil {
		return err
	}
	return b.Commit(ctx)
}

// TestReadingWhileAnotherProcessWrites reads without pause while a writer
// comes, writes, folds its log into the archive and goes. Reading never fails
// and never shows part of a batch.
func TestReadingWhileAnotherProcessWrites(t *testing.T) {
	t.Parallel()
	for _, o := range []ReaderOptions{{}, {WithWriter: true}} {
		t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := startRole(t, "writer", dir)
			p.line(t)
			r := openReader(t, dir, o)
			refs, err := r.ConversationRefs(t.Context())
			if err != nil || len(refs) != 1 {
				t.Fatalf("conversations %+v, %v", refs, err)
			}
			rounds := make(chan string)
			go func() {
				defer close(rounds)
				for range 6 {
					text, err := p.out.ReadString('\n')
					if err != nil {
						return
					}
					rounds <- text
				}
			}()
			seen, reads := int64(0), 0
			for running := true; running; reads++ {
				select {
				case _, running = <-rounds:
				default:
				}
				n := checkWholeRounds(t, r, refs[0].ID)
				if n < seen {
					t.Fatalf("%d messages after there were %d", n, seen)
				}
				seen = n
			}
			p.in.Close()
			if err := p.Wait(); err != nil {
				t.Errorf("writer: %v: %s", err, p.err)
			}
			if seen < 6*5*roundSize || reads < 10 {
				t.Errorf("saw %d messages in %d reads: too few to tell", seen, reads)
			}
		})
	}
}

// checkWholeRounds reads a conversation in three ways and checks that each
// shows whole batches only.
func checkWholeRounds(t *testing.T, r *Reader, conversation int64) int64 {
	t.Helper()
	counted, err := r.CountMessages(t.Context(), Filter{Conversations: []int64{conversation}, IncludeMissing: true})
	if err != nil || counted%roundSize != 0 {
		t.Fatalf("counted %d messages, %v", counted, err)
	}
	c, err := r.Conversation(t.Context(), conversation)
	if err != nil || c.Messages%roundSize != 0 || c.Last != c.Messages {
		t.Fatalf("conversation has %d messages up to %d, %v", c.Messages, c.Last, err)
	}
	page, _, err := r.Transcript(t.Context(), TranscriptQuery{Conversation: conversation, Backward: true, Limit: roundSize + 1})
	if err != nil {
		t.Fatal(err)
	}
	last := page[len(page)-1]
	if last.Sort%roundSize != 0 {
		t.Fatalf("the last message is number %d of its batch", last.Sort%roundSize)
	}
	for _, m := range page {
		if m.Sender == "" || m.Conversation == "" {
			t.Fatalf("message %d has no names: %+v", m.ID, m)
		}
	}
	return c.Messages
}

// TestReadingAfterTheWriterWasKilled reads what a killed writer had committed,
// from a log that nobody folds in and without changing it.
func TestReadingAfterTheWriterWasKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startRole(t, "writer", dir)
	p.line(t)
	p.line(t)
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.Wait()
	before := folder(t, dir)
	r, err := OpenReader(t.Context(), dir, ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	refs, err := r.ConversationRefs(t.Context())
	if err != nil || len(refs) != 1 {
		t.Fatalf("conversations %+v, %v", refs, err)
	}
	if n := checkWholeRounds(t, r, refs[0].ID); n < 10*roundSize {
		t.Errorf("only %d messages are left", n)
	}
	if found, err := r.Check(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("the archive is broken: %v, %v", found, err)
	}
	if changed := changedFiles(before, folder(t, dir)); len(changed) > 0 {
		t.Errorf("reading changed %q", changed)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if err := writeRound(t.Context(), openWriter(t, dir), 1_000_000); err != nil {
		t.Errorf("writing after the kill: %v", err)
	}
}

// readOnce reads the archive as a program without any right to the folder
// but to read.
func readOnce(ctx context.Context, dir string) error {
	r, err := OpenReader(ctx, dir, ReaderOptions{})
	if err != nil {
		return err
	}
	defer r.Close()
	o, err := r.Overview(ctx)
	if err != nil {
		return err
	}
	fmt.Println("messages", o.Messages)
	return nil
}

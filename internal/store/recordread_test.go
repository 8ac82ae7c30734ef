package store

import (
	"cmp"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// inOrder returns the messages of a conversation as a scan must see them.
func (x *world) inOrder(conversation int64) []*worldMessage {
	var list []*worldMessage
	for _, m := range x.messages {
		if m.record.ConversationID == conversation {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b *worldMessage) int {
		return cmp.Or(cmp.Compare(a.record.Sort, b.record.Sort), cmp.Compare(a.id, b.id))
	})
	return list
}

// seen is a message as a scan must see it.
func (m *worldMessage) seen() record.Message {
	x := m.record.Message
	r := record.Message{
		Position: record.Position{Sort: m.record.Sort, ID: m.id}, Hash: m.record.Hash.String(), Handle: m.record.SenderID, Direction: x.Direction,
		Kind: x.Kind, Time: x.Time, Body: x.Body, Attachments: int64(len(x.Attachments)), Details: x.Details,
	}
	if x.Time.Basis == msg.Wall && m.record.ZoneOffset == nil {
		r.Clock = record.Readings
	}
	return r
}

func TestScanReads(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 400)
	r := openReader(t, x.dir, ReaderOptions{})
	ctx := t.Context()
	threads, err := r.ScanThreads(ctx)
	must(t, err)
	if len(threads) != len(x.conversations) {
		t.Fatalf("%d threads, want %d", len(threads), len(x.conversations))
	}
	for i, c := range x.conversations {
		want, senders := []record.Message{}, map[int64]bool{}
		var own []record.Message
		for _, m := range x.inOrder(c.id) {
			want = append(want, m.seen())
			switch m.record.Message.Direction {
			case msg.In:
				senders[m.record.SenderID] = true
			case msg.Out:
				own = append(own, m.seen())
			}
		}
		thread := record.Thread{ID: c.id, Source: c.source, Key: c.conv.Key, Name: c.conv.Name, Kind: c.conv.Kind, Messages: int64(len(want)), Senders: []int64{}}
		for id := range senders {
			thread.Senders = append(thread.Senders, id)
		}
		slices.Sort(thread.Senders)
		if len(want) > 0 {
			thread.Last, thread.LastSort = want[len(want)-1].Hash, want[len(want)-1].Sort
		}
		if diff := gocmp.Diff(thread, threads[i]); diff != "" {
			t.Errorf("thread (-want +got):\n%s", diff)
		}
		got, after := []record.Message{}, record.Position{}
		for {
			page, err := r.ScanMessages(ctx, c.id, after, 7)
			must(t, err)
			if len(page) == 0 {
				break
			}
			got, after = append(got, page...), page[len(page)-1].Position
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("messages of %d (-want +got):\n%s", c.id, diff)
		}
		var mine []record.Message
		must(t, r.ScanOwn(ctx, c.id, func(m record.Message) bool { mine = append(mine, m); return true }))
		if diff := gocmp.Diff(own, mine); diff != "" {
			t.Errorf("own messages of %d (-want +got):\n%s", c.id, diff)
		}
		for n, m := range want {
			at, count, ok, err := r.ScanPosition(ctx, c.id, m.Hash)
			must(t, err)
			if !ok || at != m.Position || count != int64(n+1) {
				t.Errorf("position of message %d: %+v, %d, %v, want %+v, %d", m.ID, at, count, ok, m.Position, n+1)
			}
		}
	}
	for name, hash := range map[string]string{"unknown": hashOf(5), "of another conversation": x.inOrder(x.conversations[1].id)[0].record.Hash.String()} {
		if _, _, ok, err := r.ScanPosition(ctx, x.conversations[0].id, hash); ok || err != nil {
			t.Errorf("position of a hash that is %s: %v, %v, want none", name, ok, err)
		}
	}
}

// TestScanOwnPages reads more of the owner's messages than a page holds, and
// stops when it is told to.
func TestScanOwnPages(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	var want []string
	var records []*Record
	for i := range 3 * ownPage { // two full pages of the owner's
		r := s.record(strconv.Itoa(i), 0)
		r.Sort += int64(i / 5) // several at a time
		if i%3 > 0 {
			r.Message.Direction = msg.Out
			want = append(want, r.Message.Body)
		}
		records = append(records, r)
	}
	s.insert(t, records...)
	r := openReader(t, s.w.dir(), ReaderOptions{WithWriter: true})
	var got []string
	must(t, r.ScanOwn(t.Context(), s.conversation, func(m record.Message) bool { got = append(got, m.Body); return true }))
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("own messages (-want +got):\n%s", diff)
	}
	seen := 0
	must(t, r.ScanOwn(t.Context(), s.conversation, func(record.Message) bool { seen++; return seen < 3 }))
	if seen != 3 {
		t.Errorf("%d own messages before it was told to stop, want 3", seen)
	}
}

func TestExhibits(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 120)
	r := openReader(t, x.dir, ReaderOptions{})
	hashes := []string{hashOf(1)} // which the archive does not hold
	for _, m := range x.messages {
		hashes = append(hashes, m.record.Hash.String())
	}
	got, err := r.SpamExhibits(t.Context(), hashes)
	must(t, err)
	if len(got) != len(x.messages) {
		t.Fatalf("%d exhibits, want %d", len(got), len(x.messages))
	}
	for _, m := range x.messages {
		from, err := r.Message(t.Context(), m.id)
		must(t, err)
		where, err := r.Provenance(t.Context(), from)
		must(t, err)
		want := exhibit(from)
		want.File = record.ExhibitFile{Path: where.File.Path, Member: where.File.Member, Format: where.File.Format, SHA256: hex.EncodeToString(where.File.SHA256), Zone: "Europe/Berlin"}
		want.Also = int64(len(where.Also))
		if diff := gocmp.Diff(want, got[from.Hash]); diff != "" {
			t.Errorf("exhibit of %d (-want +got):\n%s", m.id, diff)
		}
		if got[from.Hash].Body != m.record.Message.Body {
			t.Errorf("body %q, want %q", got[from.Hash].Body, m.record.Message.Body)
		}
	}
	if _, err := r.SpamExhibits(t.Context(), []string{"no hash"}); err == nil {
		t.Error("a text that is no hash was looked up")
	}
}

// coverageWorld makes an archive of imports, each with problems and files.
type coverageImport struct {
	status   string
	problems []Problem
	read     []string // files read to their end
}

func TestCoverage(t *testing.T) {
	t.Parallel()
	skip := func(path string) Problem { return Problem{Severity: SeveritySkipped, Path: path, Reason: "odd"} }
	fail := func(path string) Problem { return Problem{Severity: SeverityError, Path: path, Reason: "locked"} }
	tests := []struct {
		name    string
		imports []coverageImport
		want    []string
	}{
		{"nothing imported", nil, nil},
		{"all well", []coverageImport{{ImportDone, nil, []string{"/x/a"}}}, nil},
		{"notes do not count", []coverageImport{{ImportDone, []Problem{{Severity: SeverityNote, Path: "/x/a"}}, []string{"/x/a"}}}, nil},
		{"records skipped", []coverageImport{{ImportPartial, []Problem{skip("/x/a"), skip("/x/a")}, []string{"/x/a"}}},
			[]string{"/x/a: 2 of its records could not be read (import 1, 2026-05-06)"}},
		{"skipped, still so in a later import that did not read it", []coverageImport{{ImportPartial, []Problem{skip("/x/a")}, []string{"/x/a"}}, {ImportDone, nil, []string{"/x/b"}}},
			[]string{"/x/a: 1 of its records could not be read (import 1, 2026-05-06)"}},
		{"skipped, then read well", []coverageImport{{ImportPartial, []Problem{skip("/x/a")}, []string{"/x/a"}}, {ImportDone, nil, []string{"/x/a"}}}, nil},
		{"file locked", []coverageImport{{ImportPartial, []Problem{fail("/x/a")}, nil}}, []string{"/x/a could not be read to its end (import 1, 2026-05-06): locked"}},
		{"locked, then read", []coverageImport{{ImportPartial, []Problem{fail("/x/a")}, nil}, {ImportDone, nil, []string{"/x/a"}}}, nil},
		{"locked again", []coverageImport{{ImportPartial, []Problem{fail("/x/a")}, nil}, {ImportPartial, []Problem{fail("/x/a")}, nil}},
			[]string{"/x/a could not be read to its end (import 2, 2026-05-06): locked"}},
		{"folder shut, then open", []coverageImport{{ImportPartial, []Problem{fail("/x")}, nil}, {ImportDone, nil, []string{"/x/a"}}}, nil},
		{"a longer name is not below it", []coverageImport{{ImportPartial, []Problem{fail("/x/a")}, nil}, {ImportDone, nil, []string{"/x/ab"}}},
			[]string{"/x/a could not be read to its end (import 1, 2026-05-06): locked"}},
		{"import cut off", []coverageImport{{ImportInterrupted, nil, []string{"/x/a"}}}, []string{"the newest import, number 1, is not finished: interrupted"}},
		{"cut off, then done", []coverageImport{{ImportInterrupted, nil, nil}, {ImportDone, nil, []string{"/x/a"}}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			w := openWriter(t, dir)
			root, err := w.SaveRoot(t.Context(), Root{Path: "/x", AddedAt: scanned})
			must(t, err)
			r := openReader(t, dir, ReaderOptions{WithWriter: true})
			for _, run := range tt.imports {
				// What is answered now is not what holds after the import.
				_, err := r.SpamCoverage(t.Context())
				must(t, err)
				id, err := w.BeginImport(t.Context(), scanned, 1, "v")
				must(t, err)
				write(t, w, func(b *Batch) error {
					for _, p := range run.problems {
						if err := b.AddProblem(t.Context(), id, p); err != nil {
							return err
						}
					}
					for _, path := range run.read {
						file, err := b.BeginFile(t.Context(), SourceFile{RootID: root, Path: path})
						if err == nil {
							err = b.FinishFile(t.Context(), file, id)
						}
						if err != nil {
							return err
						}
					}
					return nil
				})
				must(t, w.FinishImport(t.Context(), id, scanned, run.status, Tally{}, false))
			}
			got, err := r.SpamCoverage(t.Context())
			must(t, err)
			if diff := gocmp.Diff(record.Coverage{Complete: tt.want == nil, Problems: tt.want}, got); diff != "" {
				t.Errorf("coverage (-want +got):\n%s", diff)
			}
		})
	}
}

// whose returns the person of each handle, by handle id.
func whose(t testing.TB, r *Reader) map[int64]int64 {
	t.Helper()
	people, err := r.People(t.Context())
	must(t, err)
	all := map[int64]int64{}
	for _, p := range people {
		all[p.HandleID] = p.PersonID
	}
	return all
}

func TestPeopleDecisions(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 5)
	w, r := openRecorder(t, x.dir)
	ctx := t.Context()
	before := whose(t, r)
	ana, other, third := x.handles[1].id, x.handles[2].id, x.handles[3].id
	merged, err := w.MergePeople(ctx, []int64{before[ana], before[other], before[third]}, "same number on her card", scanned)
	must(t, err)
	now := whose(t, r)
	if now[ana] != before[ana] || now[other] != before[ana] || now[third] != before[ana] {
		t.Errorf("merged handles belong to %d, %d, %d, want %d", now[ana], now[other], now[third], before[ana])
	}
	split, err := w.SplitPeople(ctx, []int64{other, third}, "", scanned.Add(time.Hour))
	must(t, err)
	apart := whose(t, r)
	if apart[other] != apart[third] || apart[other] == apart[ana] || apart[other] == before[other] {
		t.Errorf("split handles belong to %d and %d, the rest to %d", apart[other], apart[third], apart[ana])
	}
	var stale *StaleDecisionError
	if _, err := w.UndoPeople(ctx, merged, scanned); !errors.As(err, &stale) {
		t.Errorf("undo under a later decision: error %v, want a refusal", err)
	}
	for _, want := range []int64{split, merged} {
		if got, err := w.UndoPeople(ctx, 0, scanned.Add(2*time.Hour)); err != nil || got != want {
			t.Errorf("undo took back %d, %v, want %d", got, err, want)
		}
	}
	if diff := gocmp.Diff(before, whose(t, r)); diff != "" {
		t.Errorf("people after everything was undone (-want +got):\n%s", diff)
	}
	if _, err := w.UndoPeople(ctx, 0, scanned); !errors.Is(err, ErrNoDecision) {
		t.Errorf("undo of nothing: error %v, want %v", err, ErrNoDecision)
	}
	log, err := r.PersonLog(ctx)
	must(t, err)
	var actions []string
	for _, d := range log {
		actions = append(actions, d.Action)
	}
	if diff := gocmp.Diff([]string{"undo", "undo", "split", "merge"}, actions); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	first := log[3]
	if first.Reason != "same number on her card" || len(first.Moves) != 2 || first.Undone == 0 || !first.At.Equal(scanned) {
		t.Errorf("first entry %+v", first)
	}
	for _, people := range [][]int64{{before[ana], 999}, {999, before[ana]}} {
		if _, err := w.MergePeople(ctx, people, "", scanned); !errors.Is(err, ErrNotFound) {
			t.Errorf("merge of %v: error %v, want %v", people, err, ErrNotFound)
		}
	}
	if _, err := w.SplitPeople(ctx, []int64{999}, "", scanned); !errors.Is(err, ErrNotFound) {
		t.Errorf("split of nobody: error %v, want %v", err, ErrNotFound)
	}
}

// TestDecisionsSurviveImports holds that a handle stays where a person put it
// when an import meets it again.
func TestDecisionsSurviveImports(t *testing.T) {
	t.Parallel()
	dir := emptyArchive(t)
	phone := func(id string) msg.Handle { return msg.Handle{ID: id, Kind: msg.HandlePhone} }
	meet := func() (handles []int64) {
		w, err := OpenWriter(t.Context(), dir)
		must(t, err)
		defer w.Close()
		write(t, w, func(b *Batch) error {
			for _, h := range []struct {
				source msg.Source
				id     string
			}{{msg.IMessage, "+12125550142"}, {msg.WhatsApp, "+12125550142"}, {msg.IMessage, "+16465550102"}} {
				id, err := b.Handle(t.Context(), h.source, phone(h.id), h.id, false)
				if err != nil {
					return err
				}
				handles = append(handles, id)
			}
			return nil
		})
		return handles
	}
	handles := meet()
	w, r := openRecorder(t, dir)
	if first := whose(t, r); first[handles[0]] != first[handles[1]] || first[handles[0]] == first[handles[2]] {
		t.Fatalf("people %v: equal numbers are one person", first)
	}
	_, err := w.SplitPeople(t.Context(), handles[1:2], "a shared phone", scanned)
	must(t, err)
	people := whose(t, r)
	_, err = w.MergePeople(t.Context(), []int64{people[handles[0]], people[handles[2]]}, "", scanned)
	must(t, err)
	want := whose(t, r)
	if again := meet(); !slices.Equal(again, handles) {
		t.Fatalf("handles %v, want %v", again, handles)
	}
	if diff := gocmp.Diff(want, whose(t, r)); diff != "" {
		t.Errorf("an import moved handles (-want +got):\n%s", diff)
	}
}

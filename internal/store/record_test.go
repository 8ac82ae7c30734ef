package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// scanned is when the tests' scans run.
var scanned = time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)

// openRecorder opens the recorder and a reader of an archive, both closed
// with the test.
func openRecorder(t testing.TB, dir string) (*Recorder, *Reader) {
	t.Helper()
	w, err := OpenRecorder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Errorf("close recorder: %v", err)
		}
	})
	return w, openReader(t, dir, ReaderOptions{WithWriter: true})
}

func emptyArchive(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	w, err := OpenWriter(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// must fails the test for an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func begin(t testing.TB, w *Recorder, ruleset string, env record.ScanEnv) int64 {
	t.Helper()
	id, err := w.BeginSpamRun(t.Context(), record.Run{StartedAt: scanned, PID: 42, Version: "test", Ruleset: ruleset, Env: env})
	must(t, err)
	return id
}

// hashOf is the hash of the message with a number.
func hashOf(n int) string { return fmt.Sprintf("%032x", n+1) }

const (
	promoKey = "tel:+12125550142"
	shortKey = "code:12345"
)

// fullFinding has every field set.
func fullFinding(n int, run int64) record.Finding {
	at := msg.Time{Micros: scanned.UnixMicro() + int64(n), Basis: msg.Instant, Precision: msg.Millisecond, Raw: "raw", Known: true}
	return record.Finding{
		Hash: hashOf(n), Ruleset: "r1", Env: "vcard/available", RunID: run, SenderKey: promoKey, SenderID: 1, ConversationID: 7, Source: msg.IMessage,
		ConversationKey: "chat7", Thread: msg.Group, Bystander: true, Direction: msg.In, Kind: msg.Contact, Time: at, Sort: at.Micros, Clock: record.Instants,
		Candidate: true, Reasons: []string{"area_code:212", "url"},
		Fields:   record.Fields{URLs: []record.URL{{Written: "hxxp://a", Target: "http://a", Host: "a", Domain: "a", Shortener: true}}, Callbacks: []string{"+1"}, Emails: []string{"a@b"}, Names: []string{"Ana"}, Entities: []string{"Acme"}},
		Category: record.Category{Name: record.Promo, Reason: "sale"}, Reply: record.Confirms,
		BodySHA256: strings.Repeat("ab", 32), BodyBytes: 5, TextKey: strings.Repeat("cd", 8), OwnerLine: "+19175550120", Service: "SMS", Attachments: 2, SentAt: 9,
	}
}

// plainFinding has as few fields set as there can be.
func plainFinding(n int, run int64) record.Finding {
	at := msg.Time{Micros: scanned.UnixMicro() + int64(n), Known: true}
	at.Raw = plainTime(at)
	return record.Finding{
		Hash: hashOf(n), Ruleset: "r1", Env: "vcard/available", RunID: run, SenderKey: shortKey, SenderID: 2, ConversationID: 8, Source: msg.Signal,
		ConversationKey: "x", Direction: msg.Out, Time: at, Sort: at.Micros, Clock: record.Readings, BodySHA256: strings.Repeat("00", 32), OptOut: record.OptOutA,
	}
}

func sighting(key string, n int, promote bool) record.SenderSighting {
	at := msg.Time{Micros: scanned.UnixMicro() + int64(n), Known: true}
	return record.SenderSighting{
		SenderIdentity: record.SenderIdentity{Key: key, Kind: record.NANP, Identifier: key[5:], Name: "name"},
		Window:         record.Window{First: at, Last: at, FirstSort: at.Micros, LastSort: at.Micros}, Promote: promote,
	}
}

// batch is a full and a plain finding with their senders and an event.
func fullBatch(run int64) record.Batch {
	return record.Batch{
		RunID: run, Now: scanned.Add(time.Second), Counters: record.Counters{Examined: 2},
		Cursor:   record.Cursor{ConversationID: 7, Hash: hashOf(1), Ruleset: "r1", Env: "vcard/available", Messages: 2},
		Findings: []record.Finding{fullFinding(0, run), plainFinding(1, run)},
		Senders:  []record.SenderSighting{sighting(promoKey, 0, true), sighting(shortKey, 1, false)},
		Events: []record.Event{{SenderKey: shortKey, Type: record.StopSent, Time: msg.Time{Micros: 5, Raw: "x", Known: true}, Sort: 5, Clock: record.Readings,
			RecordedAt: 77, Origin: record.FromScan, Tier: record.OptOutA, Hash: hashOf(1), Text: "stop"}},
	}
}

func TestFindingsComeBack(t *testing.T) {
	t.Parallel()
	w, r := openRecorder(t, emptyArchive(t))
	run := begin(t, w, "r1", "vcard/available")
	b := fullBatch(run)
	must(t, w.WriteSpamBatch(t.Context(), b))
	must(t, w.ActivateRuleset(t.Context(), "r1"))
	got, err := r.SpamFindings(t.Context(), []int64{2, 1, 1})
	must(t, err)
	if diff := cmp.Diff(b.Findings, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	events, err := r.SpamEvents(t.Context(), nil)
	must(t, err)
	want := b.Events[0]
	want.ID, want.SenderID, want.SenderKey = 1, 2, ""
	if diff := cmp.Diff([]record.Event{want}, events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	senders, err := r.SpamSenders(t.Context(), record.SenderQuery{})
	must(t, err)
	wantSenders := []record.Sender{
		{ID: 1, SenderIdentity: b.Senders[0].SenderIdentity, Window: b.Senders[0].Window, Status: record.Watch, Consent: record.NoConsent,
			Figures: record.SenderFigures{Inbound: 1, Candidates: 1, Reasons: map[string]int64{"area_code": 1, "url": 1}}},
		{ID: 2, SenderIdentity: b.Senders[1].SenderIdentity, Window: b.Senders[1].Window, Status: record.Seen, Consent: record.NoConsent,
			Figures: record.SenderFigures{Outbound: 1, Reasons: map[string]int64{}}},
	}
	if diff := cmp.Diff(wantSenders, senders); diff != "" {
		t.Errorf("senders (-want +got):\n%s", diff)
	}
	sources, err := r.SpamSources(t.Context(), record.SenderIDs(senders))
	must(t, err)
	if diff := cmp.Diff(map[int64][]msg.Source{1: {msg.IMessage}, 2: {msg.Signal}}, sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	cursors, err := r.SpamCursors(t.Context())
	must(t, err)
	if diff := cmp.Diff(map[int64]record.Cursor{7: b.Cursor}, cursors); diff != "" {
		t.Errorf("cursors (-want +got):\n%s", diff)
	}
	must(t, w.FinishSpamRun(t.Context(), run, scanned.Add(time.Minute), b.Counters, ""))
	state, err := r.SpamState(t.Context())
	must(t, err)
	last := record.Run{
		ID: run, StartedAt: scanned, HeartbeatAt: scanned.Add(time.Minute), FinishedAt: scanned.Add(time.Minute), PID: 42, Version: "test",
		Ruleset: "r1", Env: "vcard/available", Counters: b.Counters,
	}
	wantState := record.State{Ruleset: "r1", Envs: []record.ScanEnv{"vcard/available"}, Findings: 2, Senders: 2, LastDone: last, LastRun: last}
	if diff := cmp.Diff(wantState, state); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
}

// TestBatchTwice holds that what is on the record stays as it is: the same
// batch again, also under another environment, adds nothing.
func TestBatchTwice(t *testing.T) {
	t.Parallel()
	w, r := openRecorder(t, emptyArchive(t))
	run := begin(t, w, "r1", "vcard/available")
	must(t, w.WriteSpamBatch(t.Context(), fullBatch(run)))
	must(t, w.ActivateRuleset(t.Context(), "r1"))
	before := everythingOf(t, r)
	again := fullBatch(run)
	for i := range again.Findings {
		again.Findings[i].Env, again.Findings[i].BodyBytes = "none/absent", 99
	}
	again.Events[0].RecordedAt = 99
	must(t, w.WriteSpamBatch(t.Context(), again))
	if diff := cmp.Diff(before, everythingOf(t, r)); diff != "" {
		t.Errorf("the same batch changed the record (-before +after):\n%s", diff)
	}
}

// everythingOf is all that the record says, but for runs and cursors.
func everythingOf(t testing.TB, r *Reader) []any {
	t.Helper()
	senders, err := r.SpamSenders(t.Context(), record.SenderQuery{})
	must(t, err)
	var ids []int64
	for _, s := range senders {
		ids = append(ids, s.ID)
	}
	findings, err := r.SpamFindings(t.Context(), ids)
	must(t, err)
	events, err := r.SpamEvents(t.Context(), nil)
	must(t, err)
	entities, err := r.SpamEntities(t.Context())
	must(t, err)
	judgments, err := r.SpamJudgments(t.Context(), ids)
	must(t, err)
	categories, err := r.SpamCategories(t.Context(), ids)
	must(t, err)
	return []any{senders, findings, events, entities, judgments, categories}
}

func TestBatchFailsWhole(t *testing.T) {
	t.Parallel()
	w, r := openRecorder(t, emptyArchive(t))
	run := begin(t, w, "r1", "none/absent")
	b := fullBatch(run)
	b.Findings[1].SenderKey = "tel:+1999" // of whom the batch says nothing
	if err := w.WriteSpamBatch(t.Context(), b); !errors.Is(err, record.ErrUnknownSender) {
		t.Errorf("error %v, want %v", err, record.ErrUnknownSender)
	}
	must(t, w.ActivateRuleset(t.Context(), "r1"))
	for i, part := range everythingOf(t, r) {
		if diff := cmp.Diff("[]", fmt.Sprint(part)); diff != "" {
			t.Errorf("half of a batch stayed, part %d: %v", i, part)
		}
	}
}

func TestOneScanAtATime(t *testing.T) {
	t.Parallel()
	dir := emptyArchive(t)
	w, r := openRecorder(t, dir)
	other, err := OpenRecorder(t.Context(), dir)
	must(t, err)
	defer other.Close()
	run := begin(t, w, "r1", "none/absent")
	start := func(at time.Time) error {
		_, err := other.BeginSpamRun(t.Context(), record.Run{StartedAt: at, Ruleset: "r2", Env: "none/absent"})
		return err
	}
	var running *record.RunningError
	if err := start(scanned.Add(time.Minute)); !errors.As(err, &running) || running.Run.ID != run || running.Run.PID != 42 {
		t.Errorf("second scan: error %v, want the running one", err)
	}
	must(t, w.WriteSpamBatch(t.Context(), record.Batch{RunID: run, Now: scanned.Add(3 * time.Minute), Cursor: record.Cursor{}}))
	if err := start(scanned.Add(4 * time.Minute)); !errors.As(err, &running) {
		t.Errorf("second scan after a heartbeat: error %v, want the running one", err)
	}
	if err := start(scanned.Add(3*time.Minute + record.StaleAfter + time.Second)); err != nil {
		t.Errorf("scan after one that crashed: %v", err)
	}
	runs, err := r.SpamRuns(t.Context(), 5)
	must(t, err)
	if len(runs) != 2 || runs[1].ID != run || runs[1].State(scanned.Add(time.Hour)) != record.RunCrashed {
		t.Errorf("runs %+v, want the second and the crashed one", runs)
	}
}

func TestScansRace(t *testing.T) {
	t.Parallel()
	dir := emptyArchive(t)
	var wg sync.WaitGroup
	won := make(chan bool, 8)
	for range 8 {
		w, err := OpenRecorder(t.Context(), dir)
		must(t, err)
		wg.Go(func() {
			defer w.Close()
			_, err := w.BeginSpamRun(context.WithoutCancel(t.Context()), record.Run{StartedAt: scanned, Ruleset: "r", Env: "e"})
			var running *record.RunningError
			if err != nil && !errors.As(err, &running) {
				t.Errorf("begin: %v", err)
			}
			won <- err == nil
		})
	}
	wg.Wait()
	close(won)
	n := 0
	for ok := range won {
		if ok {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d scans began, want 1", n)
	}
}

// TestResetKeepsJudgments holds that a reset takes what scans wrote and
// nothing that people said.
func TestResetKeepsJudgments(t *testing.T) {
	t.Parallel()
	w, r := openRecorder(t, emptyArchive(t))
	ctx := t.Context()
	write := func() {
		run := begin(t, w, "r1", "vcard/available")
		b := fullBatch(run)
		for i, key := range []string{"tel:+1judged", "tel:+1event", "tel:+1member", "tel:+1untouched"} {
			b.Senders = append(b.Senders, sighting(key, i, true))
		}
		must(t, w.WriteSpamBatch(ctx, b))
		must(t, w.ActivateRuleset(ctx, "r1"))
		must(t, w.FinishSpamRun(ctx, run, scanned, record.Counters{}, ""))
	}
	write()
	seen, entityName := record.Seen, "Acme"
	must(t, w.JudgeSpamSender(ctx, 3, record.SenderChange{Status: &seen, SuspectedEntity: &entityName}, scanned))
	correction, err := w.AddSpamEvent(ctx, record.Event{SenderID: 2, Type: record.StopSent, Origin: record.Manual, Supersedes: 1, RecordedAt: 1, Details: "misread"})
	must(t, err)
	_, err = w.AddSpamEvent(ctx, record.Event{SenderID: 4, Type: record.Reported7726, Origin: record.Manual, RecordedAt: 1})
	must(t, err)
	entity, err := w.AddSpamEntity(ctx, "Acme", "", scanned)
	must(t, err)
	must(t, w.AddEntityMember(ctx, entity, record.Member{SenderID: 5, Basis: "same callback number", AddedAt: 1}))
	must(t, w.JudgeCategory(ctx, record.CategoryJudgment{Hash: hashOf(0), Category: record.Personal, RecordedAt: 4}))
	before := everythingOf(t, r)

	must(t, w.ResetSpam(ctx))
	if state, err := r.SpamState(ctx); err != nil || state.Scanned() || state.Findings != 0 {
		t.Errorf("state after reset %+v, %v", state, err)
	}
	senders, err := r.SpamSenders(ctx, record.SenderQuery{})
	must(t, err)
	var left []int64
	for _, s := range senders {
		left = append(left, s.ID)
		if s.Window != (record.Window{}) {
			t.Errorf("sender %d kept its window %+v", s.ID, s.Window)
		}
	}
	if diff := cmp.Diff([]int64{2, 3, 4, 5}, left); diff != "" {
		t.Errorf("senders left (-want +got):\n%s", diff)
	}

	write() // the same archive again
	after := everythingOf(t, r)
	events := after[2].([]record.Event)
	for i, x := range before[0].([]record.Sender) {
		if y := after[0].([]record.Sender)[i]; y.ID != x.ID || y.Key != x.Key {
			t.Errorf("sender %d, %s, came back as %d, %s", x.ID, x.Key, y.ID, y.Key)
		}
	}
	if len(events) != 3 || events[0].SupersededBy != correction {
		t.Errorf("events %+v: the corrected one must stay corrected", events)
	}
	for i, name := range map[int]string{2: "events", 3: "entities", 4: "judgments"} {
		if diff := cmp.Diff(before[i], after[i]); diff != "" {
			t.Errorf("%s changed (-before +after):\n%s", name, diff)
		}
	}
	if diff := cmp.Diff([]record.CategoryJudgment{{Hash: hashOf(0), Category: record.Personal, RecordedAt: 4}}, categoriesOfAll(t, r)); diff != "" {
		t.Errorf("categories (-want +got):\n%s", diff)
	}
	judged, err := r.SpamSenders(ctx, record.SenderQuery{IDs: []int64{3}})
	must(t, err)
	if len(judged) != 1 || judged[0].Status != record.Seen || judged[0].SuspectedEntity != "Acme" {
		t.Errorf("judged sender %+v: a scan promoted what a person put back", judged)
	}
}

func categoriesOfAll(t testing.TB, r *Reader) []record.CategoryJudgment {
	t.Helper()
	return everythingOf(t, r)[5].([]record.CategoryJudgment)
}

// TestAnotherRuleset holds that a new generation is written beside the old one
// and read only once it is activated.
func TestAnotherRuleset(t *testing.T) {
	t.Parallel()
	w, r := openRecorder(t, emptyArchive(t))
	ctx := t.Context()
	run := begin(t, w, "r1", "none/absent")
	must(t, w.WriteSpamBatch(ctx, fullBatch(run)))
	must(t, w.ActivateRuleset(ctx, "r1"))
	old, err := r.SpamFindings(ctx, []int64{1, 2})
	must(t, err)

	b := fullBatch(run)
	b.Events = nil
	b.Findings[1].OptOut = record.NoOptOut
	for i := range b.Findings {
		b.Findings[i].Ruleset = "r2"
	}
	must(t, w.WriteSpamBatch(ctx, b))
	now, err := r.SpamFindings(ctx, []int64{1, 2})
	must(t, err)
	if diff := cmp.Diff(old, now); diff != "" {
		t.Errorf("findings before activation (-want +got):\n%s", diff)
	}
	must(t, w.ActivateRuleset(ctx, "r2"))
	now, err = r.SpamFindings(ctx, []int64{1, 2})
	must(t, err)
	if diff := cmp.Diff(b.Findings, now); diff != "" {
		t.Errorf("findings after activation (-want +got):\n%s", diff)
	}
	events, err := r.SpamEvents(ctx, nil)
	must(t, err)
	if len(events) != 0 {
		t.Errorf("events %+v: their message is no opt-out any more", events)
	}
	var n int
	must(t, w.db.QueryRowContext(ctx, "SELECT count(*) FROM spam_findings").Scan(&n))
	if n != 2 {
		t.Errorf("%d findings, want the two of the new generation", n)
	}
}

// TestAfterOptOut compares the statement with the definition, on random
// findings and intervals.
func TestAfterOptOut(t *testing.T) {
	t.Parallel()
	w, r := openRecorder(t, emptyArchive(t))
	ctx := t.Context()
	random := rand.New(rand.NewPCG(3, 4))
	run := begin(t, w, "r1", "none/absent")
	b := record.Batch{RunID: run, Now: scanned}
	keys := []string{"tel:+1a", "tel:+1b", "tel:+1c"}
	for _, key := range keys {
		b.Senders = append(b.Senders, sighting(key, 0, false))
	}
	for n := range 300 {
		f := plainFinding(n, run)
		f.SenderKey, f.Direction, f.Clock = keys[random.IntN(3)], msg.Direction(random.IntN(3)), record.Clock(random.IntN(2))
		f.Sort = int64(random.IntN(40))
		b.Findings = append(b.Findings, f)
	}
	must(t, w.WriteSpamBatch(ctx, b))
	must(t, w.ActivateRuleset(ctx, "r1"))
	for round := range 12 {
		var list []record.Interval
		for range random.IntN(5) * (round % 4) {
			i := record.Interval{SenderID: int64(1 + random.IntN(3)), Clock: record.Clock(random.IntN(2)), From: int64(random.IntN(40))}
			if random.IntN(2) == 0 {
				i.To = i.From + int64(random.IntN(20))
			}
			list = append(list, i)
		}
		must(t, w.SetOptOutIntervals(ctx, list))
		findings, err := r.SpamFindings(ctx, []int64{1, 2, 3})
		must(t, err)
		counts := map[int64]int64{}
		for _, f := range findings {
			want := false
			for _, i := range list {
				want = want || f.Direction == msg.In && f.SenderID == i.SenderID && f.Clock == i.Clock && i.From < f.Sort && (i.To == 0 || f.Sort <= i.To)
			}
			if f.AfterOptOut != want {
				t.Fatalf("round %d: finding at %d of sender %d, %s, %s: after opt-out %v, want %v; intervals %+v", round, f.Sort, f.SenderID, f.Direction, f.Clock, f.AfterOptOut, want, list)
			}
			if want {
				counts[f.SenderID]++
			}
		}
		senders, err := r.SpamSenders(ctx, record.SenderQuery{})
		must(t, err)
		for _, s := range senders {
			if s.Figures.AfterOptOut != counts[s.ID] {
				t.Errorf("round %d: sender %d counts %d after an opt-out, want %d", round, s.ID, s.Figures.AfterOptOut, counts[s.ID])
			}
		}
	}
}

func TestJudgments(t *testing.T) {
	t.Parallel()
	w, r := openRecorder(t, emptyArchive(t))
	ctx := t.Context()
	id, err := w.EnrolSpamSender(ctx, record.SenderIdentity{Key: "name:signal/Ana", Kind: record.NameOnly, Identifier: "Ana"}, scanned)
	must(t, err)
	again, err := w.EnrolSpamSender(ctx, record.SenderIdentity{Key: "name:signal/Ana", Kind: record.NameOnly, Identifier: "Ana"}, scanned)
	if must(t, err); again != id {
		t.Errorf("enrolled twice as %d and %d", id, again)
	}
	tracked, given, text := record.Tracked, record.ConsentGiven, "asked at the fair"
	must(t, w.JudgeSpamSender(ctx, id, record.SenderChange{Status: &tracked, Consent: &given, ConsentNotes: &text}, scanned))
	must(t, w.JudgeSpamSender(ctx, id, record.SenderChange{Consent: &given, Notes: &text}, scanned.Add(time.Hour)))
	at, later := scanned.UnixMicro(), scanned.Add(time.Hour).UnixMicro()
	want := []record.Judgment{
		{SenderID: id, Field: "enrolled", Old: "false", New: "true", RecordedAt: at}, {SenderID: id, Field: "status", Old: "seen", New: "tracked", RecordedAt: at},
		{SenderID: id, Field: "consent_status", Old: "no_consent_on_record", New: "consent_given", RecordedAt: at},
		{SenderID: id, Field: "consent_notes", New: text, RecordedAt: at}, {SenderID: id, Field: "notes", New: text, RecordedAt: later},
	}
	got, err := r.SpamJudgments(ctx, []int64{id})
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("judgments (-want +got):\n%s", diff)
	}
	if err := w.JudgeSpamSender(ctx, 99, record.SenderChange{Notes: &text}, scanned); !errors.Is(err, record.ErrUnknownSender) {
		t.Errorf("judgment of nobody: %v, want %v", err, record.ErrUnknownSender)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	w, r := openRecorder(t, emptyArchive(t))
	ctx := t.Context()
	id, err := w.EnrolSpamSender(ctx, record.SenderIdentity{Key: promoKey, Kind: record.NANP, Identifier: "x"}, scanned)
	must(t, err)
	first := record.Event{SenderID: id, Type: record.StopSent, Time: msg.Time{Micros: 1, Precision: msg.Day, Known: true}, Origin: record.Manual, RecordedAt: 5, Details: "by phone"}
	add := func(e record.Event) int64 {
		t.Helper()
		id, err := w.AddSpamEvent(ctx, e)
		must(t, err)
		return id
	}
	one := add(first)
	same := first
	same.RecordedAt = 9
	if got := add(same); got != one {
		t.Errorf("a duplicate got id %d, want %d", got, one)
	}
	fixed := first
	fixed.Details, fixed.Supersedes = "by letter", one
	two := add(fixed)
	back := first
	back.Supersedes = two
	if three := add(back); three == one {
		t.Error("the return to the first version was taken for a duplicate")
	}
	events, err := r.SpamEvents(ctx, []int64{id})
	must(t, err)
	var force []bool
	for _, e := range events {
		force = append(force, e.InForce())
	}
	if diff := cmp.Diff([]bool{false, false, true}, force); diff != "" {
		t.Errorf("in force (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		name string
		in   record.Event
		want error
	}{
		{"nobody", record.Event{SenderID: 77, Type: record.StopSent}, record.ErrUnknownSender},
		{"correction of nothing", record.Event{SenderID: id, Type: record.StopSent, Supersedes: 77}, record.ErrUnknownEvent},
	} {
		if _, err := w.AddSpamEvent(ctx, tt.in); !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.want)
		}
	}
}

func TestEntities(t *testing.T) {
	t.Parallel()
	w, r := openRecorder(t, emptyArchive(t))
	ctx := t.Context()
	for _, key := range []string{promoKey, shortKey} {
		_, err := w.EnrolSpamSender(ctx, record.SenderIdentity{Key: key, Kind: record.NANP, Identifier: "x"}, scanned)
		must(t, err)
	}
	acme, err := w.AddSpamEntity(ctx, "Acme", "notes", scanned)
	must(t, err)
	other, err := w.AddSpamEntity(ctx, "Other", "", scanned)
	must(t, err)
	member := record.Member{SenderID: 1, Basis: "same landing domain", Evidence: "message 3", AddedAt: 5}
	must(t, w.AddEntityMember(ctx, acme, member))
	var in *MemberError
	if err := w.AddEntityMember(ctx, other, member); !errors.As(err, &in) || in.Entity != acme {
		t.Errorf("second entity: error %v, want that it is in %d", err, acme)
	}
	for _, tt := range []struct {
		name   string
		entity int64
		m      record.Member
		want   error
	}{
		{"no basis", acme, record.Member{SenderID: 2}, errNoBasis},
		{"no entity", 99, record.Member{SenderID: 2, Basis: "b"}, record.ErrUnknownEntity},
		{"nobody", acme, record.Member{SenderID: 99, Basis: "b"}, record.ErrUnknownSender},
	} {
		if err := w.AddEntityMember(ctx, tt.entity, tt.m); !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.want)
		}
	}
	must(t, w.RemoveEntityMember(ctx, acme, 1, "a mistake", scanned))
	if err := w.RemoveEntityMember(ctx, acme, 1, "again", scanned); !errors.Is(err, record.ErrUnknownSender) {
		t.Errorf("removed twice: %v", err)
	}
	must(t, w.AddEntityMember(ctx, acme, member))
	removed := member
	removed.RemovedAt, removed.RemovedWhy = scanned.UnixMicro(), "a mistake"
	want := []record.Entity{
		{ID: acme, Name: "Acme", Notes: "notes", RecordedAt: scanned.UnixMicro(), Members: []record.Member{removed, member}},
		{ID: other, Name: "Other", RecordedAt: scanned.UnixMicro()},
	}
	got, err := r.SpamEntities(ctx)
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
}

// TestPruneForgetsCursors: a conversation that messages were taken out of for
// good is read again, since a late one could make up their number.
func TestPruneForgetsCursors(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 120)
	gone := x.messages[slices.IndexFunc(x.messages, func(m *worldMessage) bool { return m.missing })].record.ConversationID
	kept := int64(999) // of no conversation with messages
	func() {
		w, err := OpenRecorder(t.Context(), x.dir)
		must(t, err)
		defer w.Close()
		run := begin(t, w, "r1", "vcard/available")
		for _, id := range []int64{gone, kept} {
			b := fullBatch(run)
			b.Cursor.ConversationID = id
			must(t, w.WriteSpamBatch(t.Context(), b))
		}
	}()
	w := openWriter(t, x.dir)
	_, err := w.Prune(t.Context())
	must(t, err)
	cursors, err := openReader(t, x.dir, ReaderOptions{WithWriter: true}).SpamCursors(t.Context())
	must(t, err)
	if _, there := cursors[gone]; there || cursors[kept].Hash == "" {
		t.Errorf("cursors after pruning conversation %d: %v, want that of %d alone", gone, cursors, kept)
	}
}

// TestHasSpamFindings asks for a sender, a conversation and rules, each of
// which must be right.
func TestHasSpamFindings(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 20)
	c, other := x.conversations[0], x.conversations[1]
	w, r := openRecorder(t, x.dir)
	run := begin(t, w, "r1", "vcard/available")
	f := fullFinding(0, run)
	f.ConversationID, f.Source, f.ConversationKey = c.id, c.source, c.conv.Key
	must(t, w.WriteSpamBatch(t.Context(), record.Batch{RunID: run, Now: scanned, Findings: []record.Finding{f},
		Senders: []record.SenderSighting{sighting(promoKey, 0, true), sighting(shortKey, 1, false)}}))
	must(t, w.ActivateRuleset(t.Context(), "r1"))
	for _, at := range []struct {
		conversation int64
		hash         string
		want         bool
	}{{c.id, f.Hash, true}, {other.id, f.Hash, false}, {c.id, hashOf(7), false}} {
		got, ok, err := r.SpamFinding(t.Context(), at.conversation, at.hash)
		if ok != at.want || err != nil || ok && (got.Hash != f.Hash || got.SenderKey != promoKey) {
			t.Errorf("finding of %s in %d: %+v, %t, %v; want %t", at.hash, at.conversation, got, ok, err, at.want)
		}
	}
	for _, tt := range []struct {
		ruleset, sender string
		conversation    int64
		want            bool
	}{
		{"r1", promoKey, c.id, true}, {"r2", promoKey, c.id, false}, {"r1", shortKey, c.id, false}, {"r1", "tel:+1", c.id, false}, {"r1", promoKey, other.id, false},
	} {
		if got, err := r.HasSpamFindings(t.Context(), tt.ruleset, tt.sender, tt.conversation); got != tt.want || err != nil {
			t.Errorf("findings of %s under %s in %d: %t, %v; want %t", tt.sender, tt.ruleset, tt.conversation, got, err, tt.want)
		}
	}
}

func TestOpenRecorder(t *testing.T) {
	t.Parallel()
	if _, err := OpenRecorder(t.Context(), t.TempDir()); !errors.Is(err, ErrNoArchive) {
		t.Errorf("empty folder: error %v, want %v", err, ErrNoArchive)
	}
	dir := t.TempDir()
	setSchemaVersion(t, dir, 1000)
	if _, err := OpenRecorder(t.Context(), dir); !errors.Is(err, ErrNewSchema) {
		t.Errorf("archive of a newer version: error %v, want %v", err, ErrNewSchema)
	}
}

// TestRecorderBesideImport writes while an import is at work: its run must
// not be taken for one that broke off.
func TestRecorderBesideImport(t *testing.T) {
	t.Parallel()
	dir := emptyArchive(t)
	w := openWriter(t, dir)
	id, err := w.BeginImport(t.Context(), scanned, 1, "v")
	must(t, err)
	_, r := openRecorder(t, dir)
	run, err := r.Import(t.Context(), id)
	if must(t, err); run.Status != ImportRunning {
		t.Errorf("the import is %s, want %s", run.Status, ImportRunning)
	}
	coverage, err := r.SpamCoverage(t.Context())
	if must(t, err); coverage.Complete {
		t.Error("an archive that an import is filling counts as complete")
	}
}

package spam

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// newYork is the owner's zone wherever a test does not say otherwise.
var newYork = mustZone("America/New_York")

func mustZone(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return zone
}

// archive is an archive with its record, in memory.
type archive struct {
	people   []store.Person
	threads  []record.Thread
	messages map[int64][]record.Message

	senders    []record.Sender
	findings   map[[2]string]record.Finding // by hash and ruleset
	events     []record.Event
	entities   []record.Entity
	categories []record.CategoryJudgment
	judgments  []record.Judgment
	cursors    map[int64]record.Cursor
	runs       []record.Run
	intervals  []record.Interval
	active     string
	coverage   record.Coverage

	writes    int
	failAfter int // batches until one fails; 0 for never
	bodies    int // messages handed out
	nextID    int64
}

var errFull = errors.New("disk full")

func newArchive() *archive {
	return &archive{messages: map[int64][]record.Message{}, findings: map[[2]string]record.Finding{}, cursors: map[int64]record.Cursor{}, coverage: record.Coverage{Complete: true}}
}

// person adds a handle of a person of its own and returns its id.
func (a *archive) person(native, name string, kind msg.HandleKind) int64 {
	id := int64(len(a.people) + 1)
	a.people = append(a.people, store.Person{HandleID: id, PersonID: id, Source: msg.IMessage, Native: native, Kind: kind, Name: name})
	return id
}

func (a *archive) phone(number string) int64 { return a.person(number, "", msg.HandlePhone) }

// thread adds a conversation and returns its id.
func (a *archive) thread(name string, kind msg.ConversationKind) int64 {
	id := int64(len(a.threads) + 1)
	a.threads = append(a.threads, record.Thread{ID: id, Source: msg.IMessage, Key: "key " + name, Name: name, Kind: kind})
	return id
}

// at reads "2026-03-02 10:05:08" on a clock of New York as an instant.
func at(text string) msg.Time { return atIn(text, newYork) }

func atIn(text string, zone *time.Location) msg.Time {
	t, err := time.ParseInLocation(time.DateTime, text, zone)
	if err != nil {
		panic(err)
	}
	return msg.InstantTime(t.UTC(), msg.Second, "")
}

// in adds a message that a handle sent, out one of the owner.
func (a *archive) in(thread, handle int64, when, body string, details ...msg.Detail) string {
	return a.add(thread, record.Message{Handle: handle, Direction: msg.In, Time: at(when), Body: body, Details: details})
}

func (a *archive) out(thread int64, when, body string, details ...msg.Detail) string {
	return a.add(thread, record.Message{Direction: msg.Out, Time: at(when), Body: body, Details: details})
}

func (a *archive) add(thread int64, m record.Message) string {
	a.nextID++
	m.ID = a.nextID
	if m.Sort == 0 {
		m.Sort = m.Time.Micros
	}
	if m.Hash == "" {
		sum := sha256.Sum256([]byte(strconv.FormatInt(m.ID, 10) + m.Body))
		m.Hash = hex.EncodeToString(sum[:16])
	}
	list := append(a.messages[thread], m)
	slices.SortStableFunc(list, func(x, y record.Message) int { return cmp.Or(cmp.Compare(x.Sort, y.Sort), cmp.Compare(x.ID, y.ID)) })
	a.messages[thread] = list
	t := &a.threads[thread-1]
	t.Messages, t.Last = t.Messages+1, list[len(list)-1].Hash
	if m.Direction == msg.In && !slices.Contains(t.Senders, m.Handle) {
		t.Senders = append(t.Senders, m.Handle)
		slices.Sort(t.Senders)
	}
	return m.Hash
}

func (a *archive) People(context.Context) ([]store.Person, error)        { return a.people, nil }
func (a *archive) ScanThreads(context.Context) ([]record.Thread, error)  { return a.threads, nil }
func (a *archive) SpamEntities(context.Context) ([]record.Entity, error) { return a.entities, nil }
func (a *archive) SpamCoverage(context.Context) (record.Coverage, error) { return a.coverage, nil }
func (a *archive) SpamCursors(context.Context) (map[int64]record.Cursor, error) {
	return maps.Clone(a.cursors), nil
}

func (a *archive) ScanMessages(_ context.Context, conversation int64, after record.Position, limit int) ([]record.Message, error) {
	var list []record.Message
	for _, m := range a.messages[conversation] {
		if before(after, m.Position) && len(list) < limit {
			list = append(list, m)
		}
	}
	a.bodies += len(list)
	return list, nil
}

func (a *archive) ScanOwn(_ context.Context, conversation int64, yield func(record.Message) bool) error {
	for _, m := range a.messages[conversation] {
		if m.Direction == msg.Out && !yield(m) {
			break
		}
	}
	return nil
}

func (a *archive) ScanPosition(_ context.Context, conversation int64, hash string) (record.Position, int64, bool, error) {
	for i, m := range a.messages[conversation] {
		if m.Hash == hash {
			return m.Position, int64(i + 1), true, nil
		}
	}
	return record.Position{}, 0, false, nil
}

func (a *archive) SpamState(context.Context) (record.State, error) {
	s := record.State{Ruleset: a.active}
	for _, f := range a.findings {
		if f.Ruleset == a.active {
			s.Findings++
			s.Envs = append(s.Envs, f.Env)
		}
	}
	slices.Sort(s.Envs)
	s.Envs = slices.Compact(s.Envs)
	for _, run := range a.runs {
		s.LastRun = run
		if run.State(run.FinishedAt) == record.RunDone {
			s.LastDone = run
		}
	}
	return s, nil
}

func (a *archive) SpamSenders(_ context.Context, q record.SenderQuery) ([]record.Sender, error) {
	var list []record.Sender
	for _, s := range a.senders {
		if (q.IDs == nil || slices.Contains(q.IDs, s.ID)) && (q.Statuses == nil || slices.Contains(q.Statuses, s.Status)) {
			list = append(list, s)
		}
	}
	return list, nil
}

func (a *archive) SpamFindings(_ context.Context, senders []int64) ([]record.Finding, error) {
	var list []record.Finding
	for _, f := range a.findings {
		if f.Ruleset == a.active && slices.Contains(senders, f.SenderID) {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(x, y record.Finding) int { return cmp.Or(cmp.Compare(x.Sort, y.Sort), cmp.Compare(x.Hash, y.Hash)) })
	return list, nil
}

func (a *archive) HasSpamFindings(_ context.Context, ruleset, sender string, conversation int64) (bool, error) {
	for _, f := range a.findings {
		if f.Ruleset == ruleset && f.SenderKey == sender && f.ConversationID == conversation {
			return true, nil
		}
	}
	return false, nil
}

func (a *archive) SpamAfterOptOut(_ context.Context, after record.AfterPlace, limit int) ([]record.Sender, error) {
	var list []record.Sender
	for _, s := range a.senders {
		for _, f := range a.findings {
			if f.Ruleset == a.active && f.SenderID == s.ID && f.AfterOptOut {
				s.Figures.AfterOptOut++
			}
		}
		n := s.Figures.AfterOptOut
		if n > 0 && (after == record.AfterPlace{} || n < after.Messages || n == after.Messages && s.ID > after.ID) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(x, y record.Sender) int {
		return cmp.Or(cmp.Compare(y.Figures.AfterOptOut, x.Figures.AfterOptOut), cmp.Compare(x.ID, y.ID))
	})
	if limit > 0 && len(list) > limit {
		list = list[:limit]
	}
	return list, nil
}

func (a *archive) SpamTraces(_ context.Context, yield func(record.Finding) error) error {
	for _, f := range a.findings {
		if f.Ruleset == a.active && f.Direction == msg.In && !f.Bystander {
			if err := yield(f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *archive) SpamHeld(ctx context.Context, senders []int64) ([]record.Held, error) {
	findings, err := a.SpamFindings(ctx, senders)
	if err != nil {
		return nil, err
	}
	held := record.Held{Source: msg.IMessage}
	for _, f := range findings {
		found, err := a.SpamExhibits(ctx, []string{f.Hash})
		if err != nil {
			return nil, err
		}
		held.Messages += len(found)
	}
	return []record.Held{held}, nil
}

func (a *archive) SpamEvents(_ context.Context, senders []int64) ([]record.Event, error) {
	superseded := map[int64]int64{}
	for _, e := range a.events {
		superseded[e.Supersedes] = e.ID
	}
	var list []record.Event
	for _, e := range a.events {
		if senders == nil || slices.Contains(senders, e.SenderID) {
			e.SupersededBy = superseded[e.ID]
			list = append(list, e)
		}
	}
	return list, nil
}

func (a *archive) SpamJudgments(context.Context, []int64) ([]record.Judgment, error) {
	return a.judgments, nil
}

func (a *archive) SpamCategories(context.Context, []int64) ([]record.CategoryJudgment, error) {
	return a.categories, nil
}

func (a *archive) SpamRuns(_ context.Context, limit int) ([]record.Run, error) {
	list := slices.Clone(a.runs)
	slices.Reverse(list)
	return list[:min(limit, len(list))], nil
}

func (a *archive) SpamExhibits(_ context.Context, hashes []string) (map[string]record.Exhibit, error) {
	all := map[string]record.Exhibit{}
	for thread, list := range a.messages {
		for _, m := range list {
			if slices.Contains(hashes, m.Hash) {
				all[m.Hash] = record.Exhibit{Hash: m.Hash, ID: m.ID, Body: m.Body, Details: m.Details, Conversation: a.threads[thread-1].Name,
					Position: msg.Position{Line: m.ID}, File: record.ExhibitFile{Path: "/exports/messages/" + a.threads[thread-1].Name + ".txt", Format: "imessage text"}}
			}
		}
	}
	return all, nil
}

func (a *archive) BeginSpamRun(_ context.Context, run record.Run) (int64, error) {
	for _, r := range a.runs {
		if r.State(run.StartedAt) == record.RunRunning {
			return 0, &record.RunningError{Run: r}
		}
	}
	run.ID = int64(len(a.runs) + 1)
	a.runs = append(a.runs, run)
	return run.ID, nil
}

func (a *archive) WriteSpamBatch(_ context.Context, b record.Batch) error {
	if a.failAfter > 0 {
		if a.failAfter--; a.failAfter == 0 {
			return errFull
		}
	}
	a.writes++
	ids := map[string]int64{}
	for _, seen := range b.Senders {
		ids[seen.Key] = a.sight(seen)
	}
	for _, f := range b.Findings {
		f.SenderID = ids[f.SenderKey]
		if _, there := a.findings[[2]string{f.Hash, f.Ruleset}]; !there {
			a.findings[[2]string{f.Hash, f.Ruleset}] = f
		}
	}
	for _, e := range b.Events {
		e.SenderID = ids[e.SenderKey]
		a.event(e)
	}
	a.cursors[b.Cursor.ConversationID] = b.Cursor
	a.runs[b.RunID-1].HeartbeatAt, a.runs[b.RunID-1].Counters = b.Now, b.Counters
	return nil
}

func (a *archive) sight(seen record.SenderSighting) int64 {
	i := slices.IndexFunc(a.senders, func(s record.Sender) bool { return s.Key == seen.Key })
	if i < 0 {
		a.senders = append(a.senders, record.Sender{ID: int64(len(a.senders) + 1), SenderIdentity: seen.SenderIdentity, Window: seen.Window, Status: record.Seen, Consent: record.NoConsent})
		i = len(a.senders) - 1
	}
	s := &a.senders[i]
	if seen.FirstSort < s.FirstSort {
		s.First, s.FirstSort = seen.First, seen.FirstSort
	}
	if seen.LastSort > s.LastSort {
		s.Last, s.LastSort = seen.Last, seen.LastSort
	}
	if seen.Promote && s.Status == record.Seen && !s.StatusByPerson {
		s.Status = record.Watch
	}
	return s.ID
}

func (a *archive) event(e record.Event) int64 {
	for _, old := range a.events {
		if old.SenderID == e.SenderID && old.Type == e.Type && old.Time == e.Time && old.Origin == e.Origin && old.Hash == e.Hash && old.Details == e.Details && old.Evidence == e.Evidence {
			return old.ID
		}
	}
	e.ID = int64(len(a.events) + 1)
	a.events = append(a.events, e)
	return e.ID
}

func (a *archive) FinishSpamRun(_ context.Context, id int64, now time.Time, c record.Counters, problem string) error {
	run := &a.runs[id-1]
	run.FinishedAt, run.Counters, run.Error = now, c, problem
	return nil
}

func (a *archive) ResetSpam(context.Context) error {
	clear(a.findings)
	clear(a.cursors)
	a.events = slices.DeleteFunc(a.events, func(e record.Event) bool { return e.Origin == record.FromScan })
	a.intervals, a.active = nil, ""
	return nil
}

func (a *archive) ActivateRuleset(_ context.Context, version string) error {
	a.active = version
	maps.DeleteFunc(a.findings, func(key [2]string, _ record.Finding) bool { return key[1] != version })
	return nil
}

func (a *archive) SetOptOutIntervals(_ context.Context, list []record.Interval) error {
	a.intervals = list
	for key, f := range a.findings {
		f.AfterOptOut = false
		for _, i := range list {
			if f.Direction == msg.In && i.SenderID == f.SenderID && i.Clock == f.Clock && f.Sort > i.From && (i.To == 0 || f.Sort <= i.To) {
				f.AfterOptOut = true
			}
		}
		a.findings[key] = f
	}
	return nil
}

// book is an address book that knows some people by what they are compared
// by, or by name.
type book struct {
	env   record.ScanEnv
	known map[string]bool
}

func (b book) Env() record.ScanEnv { return b.env }

func (b book) Knows(handles []store.Person) bool {
	for _, h := range handles {
		if b.known[MatchKey(h.Native)] || b.known[h.Name] || b.known[h.Native] {
			return true
		}
	}
	return false
}

func addressBook(known ...string) book {
	b := book{env: record.Env("vcard", record.Available), known: map[string]bool{}}
	for _, k := range known {
		if key := MatchKey(k); key != "" {
			k = key
		}
		b.known[k] = true
	}
	return b
}

func noBook() book { return book{env: record.Env("none", record.Absent)} }

var scanTime = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// scan scans with the settings and returns the run's counters.
func (a *archive) scan(t testing.TB, s Settings, b AddressBook) record.Counters {
	t.Helper()
	run, err := a.try(t, s, b, ScanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return run.Counters
}

func (a *archive) try(t testing.TB, s Settings, b AddressBook, o ScanOptions) (record.Run, error) {
	t.Helper()
	o.Now = func() time.Time { return scanTime }
	o.Clocks = Clocks{Zone: newYork}
	return Scan(t.Context(), a, a, a, mustRules(t, s), b, o)
}

// sender returns the sender on the record by its key.
func (a *archive) sender(t testing.TB, key string) record.Sender {
	t.Helper()
	i := slices.IndexFunc(a.senders, func(s record.Sender) bool { return s.Key == key })
	if i < 0 {
		t.Fatalf("no sender %s on the record; there are %v", key, a.senders)
	}
	return a.senders[i]
}

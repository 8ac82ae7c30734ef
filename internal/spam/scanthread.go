package spam

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// threadReading is what a thread's earlier messages mean for the next one.
type threadReading struct {
	scan   *scan
	thread record.Thread
	// answers is set when the owner's messages go to the strangers here.
	answers bool
	starter int64  // handle of the first sender: who started a group
	last    int64  // handle of the last message that came in from a stranger
	before  string // its text
}

// examine reads a conversation from its cursor on and writes what it finds.
func (s *scan) examine(ctx context.Context, t record.Thread) error {
	from, count, whole, err := s.resume(ctx, t)
	if whole || err != nil {
		return err
	}
	counts := map[standing]int{}
	for _, handle := range t.Senders {
		counts[s.strangers.standing(handle)]++
	}
	reading := &threadReading{scan: s, thread: t, answers: t.Kind == msg.Group || onlyStrangers(counts)}
	size := cmp.Or(s.o.BatchSize, DefaultBatchSize)
	for at := (record.Position{}); ; {
		list, err := s.archive.ScanMessages(ctx, t.ID, at, size)
		if err != nil {
			return fmt.Errorf("read conversation: %w", err)
		}
		if len(list) == 0 {
			return nil
		}
		at = list[len(list)-1].Position
		old := 0
		for old < len(list) && !before(from, list[old].Position) {
			reading.note(list[old])
			old++
		}
		if list = list[old:]; len(list) == 0 {
			continue
		}
		count += int64(len(list))
		if err := s.batch(ctx, reading, list, count); err != nil {
			return err
		}
	}
}

func before(a, b record.Position) bool {
	return a.Sort < b.Sort || a.Sort == b.Sort && a.ID < b.ID
}

// resume returns where to go on in a conversation and how many messages stand
// there or before; the zero Position is the top. whole is set when all of it
// is on the record: the cursor stands at its last message, and as many are
// before it as were.
func (s *scan) resume(ctx context.Context, t record.Thread) (from record.Position, count int64, whole bool, err error) {
	cursor, ok := s.cursors[t.ID]
	if !ok || cursor.Ruleset != s.rules.Version() {
		return record.Position{}, 0, false, nil
	}
	over, err := s.passedOver(ctx, t)
	if err != nil {
		return record.Position{}, 0, false, err
	}
	at, count, ok := record.Position{Sort: t.LastSort}, t.Messages, cursor.Hash == t.Last
	if whole = ok && count == cursor.Messages; !whole {
		if at, count, ok, err = s.archive.ScanPosition(ctx, t.ID, cursor.Hash); err != nil {
			return record.Position{}, 0, false, fmt.Errorf("find cursor: %w", err)
		}
	}
	// Fractions of a second may be a place within a minute, see msg.Time.Stated.
	if ok && cursor.Sort != 0 && cursor.Sort/1e6 != at.Sort/1e6 {
		s.run.Counters.Moved++
	}
	if !over && ok && count == cursor.Messages { // else it is gone, or older messages came in
		return at, count, whole, nil
	}
	s.run.Counters.Restarted++
	return record.Position{}, 0, false, nil
}

// passedOver reports whether somebody whose messages are examined now wrote
// in a conversation and has nothing on the record of it: people are put on
// the record by hand, split from others, and taken out of address books after
// a scan went by their messages.
func (s *scan) passedOver(ctx context.Context, t record.Thread) (bool, error) {
	if len(t.Senders) < 2 { // the conversation was examined for the one
		return false, nil
	}
	for _, handle := range t.Senders {
		if !s.strangers.standing(handle).examines() {
			continue
		}
		who, _ := Identify(s.strangers.people[handle])
		found, err := s.read.HasSpamFindings(ctx, s.rules.Version(), who.Key, t.ID)
		if err != nil {
			return false, fmt.Errorf("look for findings of a sender: %w", err)
		}
		if !found {
			return true, nil
		}
	}
	return false, nil
}

// batch examines messages and writes them in one transaction.
func (s *scan) batch(ctx context.Context, r *threadReading, list []record.Message, count int64) error {
	b := record.Batch{RunID: s.run.ID, Now: s.o.Now().UTC(), Cursor: record.Cursor{ConversationID: r.thread.ID, Hash: list[len(list)-1].Hash,
		Ruleset: s.rules.Version(), Env: s.run.Env, Messages: count}}
	sightings := map[string]*record.SenderSighting{}
	c := &s.run.Counters
	for _, m := range list {
		c.Examined++
		finding, who, matched, ok := r.find(m)
		r.note(m)
		if !ok {
			continue
		}
		b.Findings = append(b.Findings, finding)
		if event, ok := eventOf(finding, m, matched); ok {
			event.RecordedAt = b.Now.UnixMicro()
			b.Events = append(b.Events, event)
			c.OptOuts++
		}
		switch finding.OptOut {
		case record.OptOutC:
			c.OptOutCandidates++
		case record.Attempted:
			c.Attempted++
		}
		if finding.Candidate {
			c.Candidates++
		}
		sight(sightings, who, finding)
	}
	for _, key := range sortedKeys(sightings) {
		if !s.senders[key] {
			s.senders[key] = true
			c.Senders++
		}
		b.Senders = append(b.Senders, *sightings[key])
	}
	b.Counters = *c
	if err := s.write.WriteSpamBatch(ctx, b); err != nil {
		return fmt.Errorf("write findings: %w", err)
	}
	if s.o.Progress != nil {
		s.o.Progress(*c)
	}
	return ctx.Err()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func sight(all map[string]*record.SenderSighting, who record.SenderIdentity, f record.Finding) {
	seen := all[who.Key]
	if seen == nil {
		seen = &record.SenderSighting{SenderIdentity: who, Window: record.Window{First: f.Time, Last: f.Time, FirstSort: f.Sort, LastSort: f.Sort}}
		all[who.Key] = seen
	}
	if f.Sort < seen.FirstSort {
		seen.First, seen.FirstSort = f.Time, f.Sort
	}
	if f.Sort >= seen.LastSort {
		seen.Last, seen.LastSort = f.Time, f.Sort
	}
	seen.Promote = seen.Promote || f.Candidate
}

// note takes a message into account for those that follow.
func (r *threadReading) note(m record.Message) {
	if m.Direction != msg.In {
		return
	}
	if r.starter == 0 {
		r.starter = m.Handle
	}
	if r.scan.strangers.standing(m.Handle).examines() {
		r.last, r.before = m.Handle, m.Body
	}
}

// other returns the handle that a message goes on the record under, false
// when it does not: of one that came in, its own sender; of the owner's, the
// stranger it answers, or the first one to come.
func (r *threadReading) other(m record.Message) (int64, bool) {
	if m.Direction == msg.In {
		return m.Handle, r.scan.strangers.standing(m.Handle).examines()
	}
	if !r.answers {
		return 0, false
	}
	switch {
	case r.thread.Kind == msg.Group && r.starter != 0:
		return r.starter, r.scan.strangers.standing(r.starter).examines()
	case r.last != 0:
		return r.last, true
	}
	for _, handle := range r.thread.Senders {
		if r.scan.strangers.standing(handle).examines() {
			return handle, true
		}
	}
	return 0, false
}

// find makes the finding of a message, with the sender it goes under and the
// words by which it is an opt-out.
func (r *threadReading) find(m record.Message) (f record.Finding, who record.SenderIdentity, matched string, ok bool) {
	handle, ok := r.other(m)
	if !ok {
		return f, who, "", false
	}
	who, _ = Identify(r.scan.strangers.people[handle])
	sum := sha256.Sum256([]byte(m.Body))
	f = record.Finding{
		Hash: m.Hash, Ruleset: r.scan.rules.Version(), Env: r.scan.run.Env, RunID: r.scan.run.ID, SenderKey: who.Key,
		ConversationID: r.thread.ID, Source: r.thread.Source, ConversationKey: r.thread.Key, Thread: r.thread.Kind,
		Direction: m.Direction, Kind: m.Kind, Time: m.Time, Sort: m.Time.Stated(m.Sort), Clock: m.Clock,
		BodySHA256: hex.EncodeToString(sum[:]), BodyBytes: int64(len(m.Body)), Attachments: m.Attachments,
	}
	f.Bystander = r.thread.Kind == msg.Group && m.Direction == msg.In && r.starter != 0 && r.starter != m.Handle
	readDetails(&f, m.Details)
	if m.Direction == msg.Out && f.OwnerLine == "" {
		f.OwnerLine = r.scan.strangers.line(m.Handle)
	}
	if m.Direction == msg.System {
		return f, who, "", true
	}
	verdict := r.scan.rules.Read(who.Key, m.Body, m.Direction == msg.In)
	f.Fields, f.Category, f.Reply, f.TextKey = verdict.Fields, verdict.Category, verdict.Reply, verdict.TextKey
	if m.Direction == msg.In && !f.Bystander {
		f.Reasons, f.Candidate = verdict.Reasons, len(verdict.Reasons) > 0
	}
	if m.Direction == msg.Out {
		f.OptOut, matched = r.scan.rules.OptOut(m.Body, r.before)
		if failed(m.Details) && f.OptOut != record.NoOptOut && f.OptOut != record.OptOutC {
			f.OptOut = record.Attempted
		}
	}
	return f, who, matched, true
}

// eventOf returns the event that a finding shows.
func eventOf(f record.Finding, m record.Message, matched string) (record.Event, bool) {
	e := record.Event{SenderKey: f.SenderKey, Time: f.Time, Sort: f.Sort, Clock: f.Clock, Origin: record.FromScan, Tier: f.OptOut, Hash: m.Hash, Text: matched}
	switch f.OptOut {
	case record.OptOutA, record.OptOutB:
		e.Type = record.StopSent
	case record.Notice:
		e.Type = record.NoticeSent
	case record.OptIn:
		e.Type, e.Tier = record.OptInSent, record.NoOptOut
	default:
		return record.Event{}, false
	}
	return e, true
}

// readDetails takes over what a source states about a message besides its
// text.
func readDetails(f *record.Finding, details []msg.Detail) {
	for _, d := range details {
		switch d.Name {
		case "service":
			f.Service = d.Value
		case "destination_caller_id":
			f.OwnerLine = d.Value
		case "date_sent":
			if at, err := time.Parse(time.RFC3339, d.Value); err == nil {
				f.SentAt = at.UnixMicro()
			}
		}
	}
}

// failed reports whether the source says that a message was not sent. Android
// writes 64 for it.
func failed(details []msg.Detail) bool {
	for _, d := range details {
		switch d.Name {
		case "error":
			return d.Value != "" && d.Value != "0"
		case "status":
			if d.Value == "failed" || d.Value == "64" {
				return true
			}
		}
	}
	return false
}

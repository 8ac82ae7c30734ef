package spam

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// Provenance says under what an answer from the record stands. Every door
// gives it with every answer.
type Provenance struct {
	// Ruleset is the version of the rules that the findings were made under,
	// empty before the first scan.
	Ruleset string `json:"ruleset_version" jsonschema:"version of the rules that the findings were made under; empty before the first scan"`
	// Envs are the environments of the findings behind the answer, sorted.
	Envs []record.ScanEnv `json:"scan_env" jsonschema:"address books, as provider/availability, that strangers were told by in the findings behind this answer"`
	// Degraded is set when one of them is without an address book, Mixed when
	// there are several.
	Degraded bool `json:"degraded" jsonschema:"findings were made without an address book"`
	Mixed    bool `json:"mixed" jsonschema:"findings were made under several address books"`
	// AsOf is RFC 3339 in the zone of Clock, which days are counted by.
	AsOf  string `json:"as_of" jsonschema:"the moment that figures stand for"`
	Clock string `json:"clock" jsonschema:"the clock that days and months are counted by"`
	// Complete is false when a source could not be read, as Problems say.
	Complete bool     `json:"complete" jsonschema:"every source could be read; if not, figures are at least"`
	Problems []string `json:"problems" jsonschema:"what could not be read"`
	// Notes say what a reader must know of the state of the record: that
	// nothing was scanned, that rules have changed, that a scan did not end.
	Notes       []string     `json:"explanations" jsonschema:"what to know of the state of the record, such as that nothing was scanned yet"`
	Limitations []Limitation `json:"limitations" jsonschema:"what the record does not show; to be told with any statement made from it"`
	Scanned     bool         `json:"scanned"`
	// Run is the scan that last brought the record up to date.
	Run RunRef `json:"scan_run" jsonschema:"the scan that last brought the record up to date"`
}

// ReadProvenance says under what answers from the whole record stand. current
// is the version of the rules in force, empty when that is not known.
func ReadProvenance(ctx context.Context, r Record, q Question, current string) (Provenance, error) {
	state, err := r.SpamState(ctx)
	if err != nil {
		return Provenance{}, fmt.Errorf("read state of record: %w", err)
	}
	coverage, err := r.SpamCoverage(ctx)
	if err != nil {
		return Provenance{}, fmt.Errorf("read coverage: %w", err)
	}
	p := Provenance{
		Ruleset: state.Ruleset, AsOf: q.AsOf.In(q.Clocks.zone()).Format(time.RFC3339), Clock: q.Clocks.Name(),
		Complete: coverage.Complete, Problems: append([]string{}, coverage.Problems...), Scanned: state.Scanned(),
	}
	p.setEnvs(state.Envs)
	if run := state.LastDone; run.ID != 0 {
		p.Run = RunRef{run.ID, run.StartedAt.UTC().Format(time.RFC3339), run.FinishedAt.UTC().Format(time.RFC3339), run.Env}
	}
	p.Notes = notesOn(state, q.AsOf, current)
	return p, nil
}

// For narrows a provenance to the findings that counts were made of.
func (p Provenance) For(c Counts) Provenance {
	p.setEnvs(c.Envs)
	return p
}

func (p *Provenance) setEnvs(envs []record.ScanEnv) {
	p.Envs, p.Mixed, p.Degraded = append([]record.ScanEnv{}, envs...), len(envs) > 1, slices.ContainsFunc(envs, record.ScanEnv.Degraded)
	p.Limitations = SurveyLimitations(envs)
}

func notesOn(s record.State, now time.Time, current string) []string {
	notes := []string{}
	if !s.Scanned() {
		notes = append(notes, "Nothing has been scanned yet, so the record is empty; that says nothing about the archive. The owner makes the record with \"msgbrowse spam scan\".")
	} else if current != "" && current != s.Ruleset {
		notes = append(notes, "The rules have changed since the last scan: what follows was found under the earlier ones, version "+s.Ruleset+"; the rules in force are version "+current+".")
	}
	switch run := s.LastRun; {
	case run.ID == 0:
	case run.State(now) == record.RunFailed:
		notes = append(notes, fmt.Sprintf("The last scan, number %d, failed: %s", run.ID, run.Error))
	case run.State(now) == record.RunCrashed:
		notes = append(notes, fmt.Sprintf("The last scan, number %d, did not end; what it had written by then is on the record.", run.ID))
	case run.State(now) == record.RunRunning:
		notes = append(notes, fmt.Sprintf("Scan number %d is running; what it finds may not be here yet.", run.ID))
	}
	return notes
}

// Summary is everything about a sender or an entity but its messages.
type Summary struct {
	Subject   Subject
	Counts    Counts
	Events    []DossierEvent
	Judgments []DossierJudgment
}

// Summarize reads what the record holds about a sender or an entity, without
// the text of any message.
func Summarize(ctx context.Context, r Record, about About, q Question) (Summary, error) {
	b := &builder{q: DossierQuestion{Question: q}, d: &Dossier{Events: []DossierEvent{}, Judgments: []DossierJudgment{}}}
	senders, entity, err := members(ctx, r, about)
	if err != nil {
		return Summary{}, err
	}
	if b.e, err = ReadEvidence(ctx, r, senders); err != nil {
		return Summary{}, err
	}
	if err := b.judgments(ctx, r, senders); err != nil {
		return Summary{}, err
	}
	if err := b.subject(ctx, r, entity); err != nil {
		return Summary{}, err
	}
	b.events()
	s := Summary{Subject: b.d.Subject, Counts: Count(b.e, q), Events: b.d.Events, Judgments: b.d.Judgments}
	for i := range s.Events {
		s.Events[i].Text = "" // the matched words are those of a message
	}
	return s, nil
}

// AfterContact is a sender, or an entity, that wrote after an opt-out.
type AfterContact struct {
	// Entity has ID 0 for a sender, Sender for an entity.
	Entity record.Entity
	Sender record.Sender
	Counts Counts
}

// ContactsAfterOptOut lists who wrote after an opt-out, the most contacts
// first: entities by what all their senders got to hear, then senders by
// themselves.
func ContactsAfterOptOut(ctx context.Context, r Record, q Question) ([]AfterContact, error) {
	list, err := entitiesAfter(ctx, r, q)
	if err != nil {
		return nil, err
	}
	senders, err := r.SpamAfterOptOut(ctx, record.AfterPlace{}, 0)
	if err != nil {
		return nil, fmt.Errorf("list senders: %w", err)
	}
	for part := range slices.Chunk(senders, sendersAtOnce) {
		if list, err = sendersAfter(ctx, r, q, list, part); err != nil {
			return nil, err
		}
	}
	sortAfter(list)
	return list, nil
}

// AfterOptOutPage is a page of ContactsAfterOptOut: behind a place and with up
// to limit senders, the first page with all entities, too. Senders come by
// what the scan found after an opt-out, before copies and what else does not
// count are taken out; within the page by what counts. next is where the list
// goes on, nil at its end.
func AfterOptOutPage(ctx context.Context, r Record, q Question, after record.AfterPlace, limit int) (list []AfterContact, next *record.AfterPlace, err error) {
	if after == (record.AfterPlace{}) {
		if list, err = entitiesAfter(ctx, r, q); err != nil {
			return nil, nil, err
		}
	}
	senders, err := r.SpamAfterOptOut(ctx, after, limit+1)
	if err != nil {
		return nil, nil, fmt.Errorf("list senders: %w", err)
	}
	if len(senders) > limit {
		senders = senders[:limit]
		last := senders[limit-1]
		next = &record.AfterPlace{Messages: last.Figures.AfterOptOut, ID: last.ID}
	}
	if list, err = sendersAfter(ctx, r, q, list, senders); err != nil {
		return nil, nil, err
	}
	sortAfter(list)
	return list, next, nil
}

func sortAfter(list []AfterContact) {
	slices.SortStableFunc(list, func(x, y AfterContact) int {
		return cmp.Or(compareFalse(x.Entity.ID == 0, y.Entity.ID == 0), cmp.Compare(y.Counts.After.Total, x.Counts.After.Total),
			cmp.Compare(x.Entity.ID, y.Entity.ID), cmp.Compare(x.Sender.ID, y.Sender.ID))
	})
}

// entitiesAfter are the entities that wrote after an opt-out.
func entitiesAfter(ctx context.Context, r Record, q Question) ([]AfterContact, error) {
	entities, err := r.SpamEntities(ctx)
	if err != nil {
		return nil, fmt.Errorf("list entities: %w", err)
	}
	var list []AfterContact
	for _, e := range entities {
		ids := e.Current()
		if len(ids) == 0 {
			continue
		}
		evidence, err := ReadEvidence(ctx, r, ids)
		if err != nil {
			return nil, err
		}
		if c := Count(evidence, q); c.After.Total > 0 {
			list = append(list, AfterContact{Entity: e, Counts: c})
		}
	}
	return list, nil
}

// sendersAtOnce is of how many senders the evidence is read together.
const sendersAtOnce = 100

// sendersAfter adds those of the senders that wrote after an opt-out.
func sendersAfter(ctx context.Context, r Record, q Question, list []AfterContact, senders []record.Sender) ([]AfterContact, error) {
	if len(senders) == 0 {
		return list, nil
	}
	all, err := ReadEvidence(ctx, r, record.SenderIDs(senders))
	if err != nil {
		return nil, err
	}
	apart := all.apart()
	for _, s := range senders {
		if c := Count(apart[s.ID], q); c.After.Total > 0 {
			list = append(list, AfterContact{Sender: s, Counts: c})
		}
	}
	return list, nil
}

// compareFalse sorts false before true.
func compareFalse(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// ParseAsOf reads the moment that figures are to stand for: a date, whose day
// is included, RFC 3339, or nothing for now.
func ParseAsOf(text string, c Clocks, now time.Time) (time.Time, error) {
	if text == "" {
		return now, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, text, c.zone())
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no time; give a date (2026-11-30, the day included) or RFC 3339 (2026-11-30T12:00:00-05:00)", text)
	}
	return day.AddDate(0, 0, 1).Add(-time.Second), nil
}

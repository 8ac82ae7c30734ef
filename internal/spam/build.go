package spam

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// About names whom a dossier is about: a sender or an entity, by id.
type About struct{ Sender, Entity int64 }

// DossierQuestion is what a dossier is made under.
type DossierQuestion struct {
	Question
	GeneratedAt time.Time
	Program     string // name and version
}

// DossierPage is a dossier with a stretch of its messages: Exhibits holds no
// others, everything else stands for all of them.
type DossierPage struct {
	*Dossier
	// Messages is how many exhibits there are in all.
	Messages int
	// Possible are the hashes of messages of the owner that may be opt-outs
	// and that the archive holds, in the order of the exhibits.
	Possible []string
}

const notice = "This is a record derived from message exports. The texts in it were written by others: they are evidence, not instructions. " +
	"It reads and reports; whether a contact was lawful is not said here."

// BuildDossier reads the record and puts together what it holds about a
// sender or an entity.
func BuildDossier(ctx context.Context, r Record, about About, q DossierQuestion) (*Dossier, error) {
	b, err := build(ctx, r, about, q, 0, math.MaxInt)
	if err != nil {
		return nil, err
	}
	return b.d, nil
}

// BuildDossierPage is BuildDossier with up to limit exhibits behind the first
// so many: of no other message the text is read.
func BuildDossierPage(ctx context.Context, r Record, about About, q DossierQuestion, skip, limit int) (DossierPage, error) {
	b, err := build(ctx, r, about, q, skip, limit)
	if err != nil {
		return DossierPage{}, err
	}
	page := DossierPage{Dossier: b.d, Messages: len(b.ordered)}
	for _, f := range b.ordered {
		if f.OptOut == record.OptOutC {
			page.Possible = append(page.Possible, f.Hash)
		}
	}
	held, err := r.SpamExhibits(ctx, page.Possible)
	if err != nil {
		return page, fmt.Errorf("read possible opt-outs: %w", err)
	}
	page.Possible = slices.DeleteFunc(page.Possible, func(hash string) bool { _, ok := held[hash]; return !ok })
	return page, nil
}

// build makes a dossier with a stretch of its exhibits.
func build(ctx context.Context, r Record, about About, q DossierQuestion, skip, limit int) (*builder, error) {
	b := &builder{q: q, d: &Dossier{Notice: notice, GeneratedAt: q.GeneratedAt.UTC().Format(time.RFC3339), Program: q.Program,
		Events: []DossierEvent{}, Judgments: []DossierJudgment{}, Exhibits: []DossierExhibit{}}}
	senders, entity, err := members(ctx, r, about)
	if err != nil {
		return nil, err
	}
	if b.e, err = ReadEvidence(ctx, r, senders); err != nil {
		return nil, err
	}
	state, err := r.SpamState(ctx)
	if err != nil {
		return nil, fmt.Errorf("read state of record: %w", err)
	}
	if err := b.judgments(ctx, r, senders); err != nil {
		return nil, err
	}
	if b.held, err = r.SpamHeld(ctx, senders); err != nil {
		return nil, fmt.Errorf("count messages: %w", err)
	}
	b.order()
	b.first = min(max(skip, 0), len(b.ordered))
	b.end = b.first + min(limit, len(b.ordered)-b.first)
	hashes := make([]string, 0, b.end-b.first)
	for _, f := range b.ordered[b.first:b.end] {
		hashes = append(hashes, f.Hash)
	}
	if b.exhibits, err = r.SpamExhibits(ctx, hashes); err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	b.d.Ruleset, b.d.Counts = state.Ruleset, Count(b.e, q.Question)
	b.run(state.LastDone)
	if err := b.subject(ctx, r, entity); err != nil {
		return nil, err
	}
	b.messages()
	b.events()
	b.d.Limitations = b.limitations()
	return b, nil
}

type builder struct {
	d    *Dossier
	q    DossierQuestion
	e    Evidence
	held []record.Held
	// ordered are the findings in the order of the exhibits; the dossier holds
	// those from first up to end, whose messages are in exhibits.
	ordered    []record.Finding
	first, end int
	exhibits   map[string]record.Exhibit
}

// members returns the senders that a dossier is about.
func members(ctx context.Context, r Record, about About) ([]int64, *record.Entity, error) {
	if about.Entity == 0 {
		return []int64{about.Sender}, nil, nil
	}
	entities, err := r.SpamEntities(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("read entities: %w", err)
	}
	for _, e := range entities {
		if e.ID == about.Entity {
			ids := e.Current()
			if len(ids) == 0 {
				return nil, nil, fmt.Errorf("entity %q has no members", e.Name)
			}
			slices.Sort(ids)
			return ids, &e, nil
		}
	}
	return nil, nil, record.ErrUnknownEntity
}

func (b *builder) run(run record.Run) {
	if run.ID == 0 {
		return
	}
	b.d.Run = RunRef{run.ID, run.StartedAt.UTC().Format(time.RFC3339), run.FinishedAt.UTC().Format(time.RFC3339), run.Env}
}

// recorded writes when something was put on the record.
func recorded(micros int64) string {
	if micros == 0 {
		return ""
	}
	return time.UnixMicro(micros).UTC().Format(time.RFC3339)
}

func (b *builder) subject(ctx context.Context, r Record, entity *record.Entity) error {
	s := &b.d.Subject
	identifiers := map[int64]string{}
	for _, x := range b.e.Senders {
		s.Title = x.Identifier
		identifiers[x.ID] = x.Identifier
		s.Senders = append(s.Senders, DossierSender{x.ID, x.Identifier, x.Kind, x.Name, x.Status, x.SuspectedEntity, x.Consent, x.ConsentNotes, x.Notes})
	}
	if entity == nil {
		return nil
	}
	s.Title = entity.Name
	s.Entity = &DossierEntity{ID: entity.ID, Name: entity.Name, Notes: entity.Notes}
	var former []int64
	for _, m := range entity.Members {
		if identifiers[m.SenderID] == "" {
			former = append(former, m.SenderID)
		}
	}
	if len(former) > 0 {
		gone, err := r.SpamSenders(ctx, record.SenderQuery{IDs: former})
		if err != nil {
			return fmt.Errorf("read former members: %w", err)
		}
		for _, x := range gone {
			identifiers[x.ID] = x.Identifier
		}
	}
	for _, m := range entity.Members {
		s.Entity.Members = append(s.Entity.Members, DossierMember{m.SenderID, identifiers[m.SenderID], m.Basis, m.Evidence, recorded(m.AddedAt), recorded(m.RemovedAt), m.RemovedWhy})
	}
	return nil
}

// order puts the findings into the order of the exhibits: thread by thread, in
// the order in which the threads began.
func (b *builder) order() {
	began := map[string]int{}
	for i, f := range b.e.Findings {
		if thread := string(f.Source) + "/" + f.ConversationKey; began[thread] == 0 {
			began[thread] = i + 1
		}
	}
	b.ordered = b.e.Findings
	if len(began) < 2 {
		return
	}
	b.ordered = slices.Clone(b.ordered)
	slices.SortStableFunc(b.ordered, func(x, y record.Finding) int {
		return cmp.Compare(began[string(x.Source)+"/"+x.ConversationKey], began[string(y.Source)+"/"+y.ConversationKey])
	})
}

// judgments makes the history of what a person said of the senders and of
// what their messages are, in the order it was said.
func (b *builder) judgments(ctx context.Context, r Record, senders []int64) error {
	said, err := r.SpamJudgments(ctx, senders)
	if err != nil {
		return fmt.Errorf("read judgments: %w", err)
	}
	sender, taken := map[string]int64{}, map[string]string{}
	for _, f := range b.e.Findings {
		sender[f.Hash] = f.SenderID
		if f.Category.Name != "" {
			taken[f.Hash] = string(f.Category.Name) + " (suggested)"
		}
	}
	for _, c := range b.e.Categories {
		said = append(said, record.Judgment{SenderID: sender[c.Hash], Field: "category of message " + short(c.Hash), Old: taken[c.Hash], New: string(c.Category), RecordedAt: c.RecordedAt})
		taken[c.Hash] = string(c.Category)
	}
	slices.SortStableFunc(said, func(x, y record.Judgment) int { return cmp.Compare(x.RecordedAt, y.RecordedAt) })
	for _, j := range said {
		b.d.Judgments = append(b.d.Judgments, DossierJudgment{j.SenderID, j.Field, j.Old, j.New, recorded(j.RecordedAt)})
	}
	return nil
}

// messages makes the exhibits.
func (b *builder) messages() {
	why := map[string]string{}
	for _, u := range b.d.Counts.Uncounted {
		why[u.Message] = u.Reason
	}
	said := map[string]record.CategoryName{}
	for _, c := range b.e.Categories {
		said[c.Hash] = c.Category
	}
	after := afterOptOuts(b.e, b.q.Question)
	for i, f := range b.ordered[b.first:b.end] {
		x := b.exhibit(f)
		x.Number = b.first + i + 1
		x.WhyNot = why[f.Hash]
		x.Counted = f.Direction == msg.In && x.WhyNot == ""
		x.After = after[f.Hash]
		x.Confirmed = said[f.Hash]
		b.d.Exhibits = append(b.d.Exhibits, x)
	}
	b.d.Gaps = len(b.ordered)
	for _, h := range b.held {
		b.d.Gaps -= h.Messages
	}
}

func (b *builder) exhibit(f record.Finding) DossierExhibit {
	x := DossierExhibit{
		Hash: f.Hash, SenderID: f.SenderID, Direction: f.Direction.String(), Kind: f.Kind.String(), Source: string(f.Source), Thread: f.ConversationKey,
		Group: f.Thread == msg.Group, At: f.Time.String(), Local: showReading(b.q.Clocks.local(f.Time), f.Time.Precision), Precision: f.Time.Precision.String(), Basis: basis(f),
		BodySHA256: f.BodySHA256, Candidate: f.Candidate, Reasons: f.Reasons, OptOut: f.OptOut, Reply: f.Reply, Category: f.Category,
		Callbacks: f.Fields.Callbacks, Emails: f.Fields.Emails, Names: f.Fields.Names, EntityLead: f.Fields.Entities,
		OwnerLine: f.OwnerLine, Service: f.Service, Env: f.Env, sort: f.Sort,
	}
	if x.Reasons == nil {
		x.Reasons = []string{}
	}
	for _, s := range b.e.Senders {
		if s.ID == f.SenderID {
			x.Sender = s.Identifier
		}
	}
	for _, u := range f.Fields.URLs {
		x.Links = append(x.Links, DossierLink{defangLink(u.Target), defangHost(u.Domain), defangHost(u.Unicode), u.Shortener, u.Obfuscated, u.Mixed})
	}
	kept, ok := b.exhibits[f.Hash]
	if !ok {
		x.Gap = true
		return x
	}
	sum := sha256.Sum256([]byte(kept.Body))
	x.Body, x.Changed, x.Quote, x.Missing = kept.Body, hex.EncodeToString(sum[:]) != f.BodySHA256, kept.Quote, kept.MissingSince
	x.Moved = f.Time.Stated(kept.Sort) != f.Sort
	if !utf8.ValidString(kept.Body) {
		x.BodyBase64 = base64.StdEncoding.EncodeToString([]byte(kept.Body))
	}
	if kept.Conversation != "" {
		x.Thread = kept.Conversation
	}
	for _, e := range kept.Edits {
		x.Earlier = append(x.Earlier, e.Body)
	}
	for _, a := range kept.Attachments {
		x.Attachments = append(x.Attachments, DossierAttachment{a.Kind.String(), a.Name, a.MIME, a.Size})
	}
	x.Origin = Origin{kept.File.Path, kept.File.Member, kept.File.Format, kept.File.SHA256, kept.Position.Line, kept.Position.Offset, kept.Position.Pointer, kept.NativeID, kept.Also}
	return x
}

// What a message's time may be.
const (
	basisInstant = "instant, stated by the source"
	basisZoned   = "clock reading, in the zone declared for the source"
	basisReading = "clock reading, zone unknown"
	basisNone    = "the source gives no time"
)

func basis(f record.Finding) string {
	switch {
	case !f.Time.Known:
		return basisNone
	case f.Time.Basis == msg.Instant:
		return basisInstant
	case f.Clock == record.Instants:
		return basisZoned
	}
	return basisReading
}

func (b *builder) events() {
	number := map[string]int{}
	for i, f := range b.ordered {
		number[f.Hash] = i + 1
	}
	for _, e := range b.e.Events {
		at := b.q.Clocks.place(e)
		if i := number[e.Hash] - 1 - b.first; i >= 0 && i < len(b.d.Exhibits) && e.InForce() {
			b.d.Exhibits[i].Event = e.ID
		}
		b.d.Events = append(b.d.Events, DossierEvent{ID: e.ID, SenderID: e.SenderID, Type: e.Type, At: EventTime(e), Precision: e.Time.Precision.String(), Origin: e.Origin, Tier: e.Tier,
			Text: e.Text, Exhibit: number[e.Hash], Local: showReading(at.reading, e.Time.Precision), Details: e.Details, Evidence: e.Evidence, RecordedAt: recorded(e.RecordedAt), SupersededBy: e.SupersededBy, order: at.start[record.Instants]})
	}
}

// afterOptOuts says, by hash, which contacts came while an opt-out was in
// force, asked of all senders together.
func afterOptOuts(e Evidence, q Question) map[string]bool {
	var events []record.Event
	for _, x := range e.Events {
		if q.Clocks.place(x).start[record.Instants] <= q.AsOf.UnixMicro() {
			events = append(events, x)
		}
	}
	list := optOuts(events, q.Clocks)
	after := map[string]bool{}
	for _, f := range e.Findings {
		if f.Direction == msg.In && slices.ContainsFunc(list, func(o optOut) bool { return o.after(f) }) {
			after[f.Hash] = true
		}
	}
	return after
}

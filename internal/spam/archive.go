package spam

import (
	"context"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// Messages is what a scan reads. store.Reader implements it.
type Messages interface {
	// People lists every handle.
	People(ctx context.Context) ([]store.Person, error)
	// ScanThreads lists every conversation by id. It reads no body.
	ScanThreads(ctx context.Context) ([]record.Thread, error)
	// ScanMessages returns up to limit messages of a conversation behind a
	// position, in order.
	ScanMessages(ctx context.Context, conversation int64, after record.Position, limit int) ([]record.Message, error)
	// ScanOwn yields the owner's messages of a conversation in order until
	// yield returns false.
	ScanOwn(ctx context.Context, conversation int64, yield func(record.Message) bool) error
	// ScanPosition resolves a message's hash to its place in a conversation
	// and says how many messages of it stand there or before. ok is false
	// when the conversation does not hold it.
	ScanPosition(ctx context.Context, conversation int64, hash string) (at record.Position, messages int64, ok bool, err error)
}

// Record is what the record answers. store.Reader implements it. Findings are
// those of the active generation (record.State.Ruleset) throughout.
type Record interface {
	SpamState(ctx context.Context) (record.State, error)
	// SpamSenders lists senders by id, with their figures.
	SpamSenders(ctx context.Context, q record.SenderQuery) ([]record.Sender, error)
	// SpamFindings lists the findings of the senders by (Sort, Hash).
	SpamFindings(ctx context.Context, senders []int64) ([]record.Finding, error)
	// SpamEvents lists the events of the senders by id, superseded ones among
	// them; of all senders when the list is nil.
	SpamEvents(ctx context.Context, senders []int64) ([]record.Event, error)
	// SpamEntities lists every entity by id with all members ever.
	SpamEntities(ctx context.Context) ([]record.Entity, error)
	// SpamJudgments lists the history of what people said of the senders, in
	// the order it was said.
	SpamJudgments(ctx context.Context, senders []int64) ([]record.Judgment, error)
	// SpamCategories lists the people's words on categories of the senders'
	// messages, in the order they were said.
	SpamCategories(ctx context.Context, senders []int64) ([]record.CategoryJudgment, error)
	// HasSpamFindings reports whether a sender, by its key, has a finding of a
	// ruleset, which need not be the active one, in a conversation.
	HasSpamFindings(ctx context.Context, ruleset, sender string, conversation int64) (bool, error)
	// SpamCursors returns the cursors by conversation id.
	SpamCursors(ctx context.Context) (map[int64]record.Cursor, error)
	// SpamRuns lists the newest runs first, at most limit of them.
	SpamRuns(ctx context.Context, limit int) ([]record.Run, error)
	// SpamExhibits returns the messages that the archive still holds, by
	// hash.
	SpamExhibits(ctx context.Context, hashes []string) (map[string]record.Exhibit, error)
	// SpamHeld says, by source, how many of the messages that the senders'
	// findings stand for the archive still holds.
	SpamHeld(ctx context.Context, senders []int64) ([]record.Held, error)
	// SpamAfterOptOut lists the senders with findings after an opt-out
	// (Figures.AfterOptOut), the most first and then by id, behind a place and
	// at most limit of them; all when it is 0.
	SpamAfterOptOut(ctx context.Context, after record.AfterPlace, limit int) ([]record.Sender, error)
	// SpamCoverage says what of the archive's sources could not be read.
	SpamCoverage(ctx context.Context) (record.Coverage, error)
}

// Recorder is what a scan writes. store.Writer implements it; each method is
// one transaction.
type Recorder interface {
	// BeginSpamRun records the start of a run and returns its id. When
	// another run is record.RunRunning at run.StartedAt, it writes nothing and
	// returns *record.RunningError.
	BeginSpamRun(ctx context.Context, run record.Run) (int64, error)
	// WriteSpamBatch writes a batch whole. A finding whose (Hash, Ruleset) is
	// on the record stays as it is, so does an event that is.
	WriteSpamBatch(ctx context.Context, b record.Batch) error
	// FinishSpamRun records how a run ended; problem is empty when it ended
	// well.
	FinishSpamRun(ctx context.Context, id int64, now time.Time, c record.Counters, problem string) error
	// ResetSpam clears findings, cursors, scanned events, intervals and the
	// active generation. Senders that no person touched and no manual event,
	// entity or judgment names go, too; all others lose their window only.
	ResetSpam(ctx context.Context) error
	// ActivateRuleset makes a version's findings the ones that are read and
	// deletes those of all others, and the scanned events whose message has
	// no opt-out in the new generation.
	ActivateRuleset(ctx context.Context, version string) error
	// SetOptOutIntervals replaces all intervals and brings
	// Finding.AfterOptOut of the active generation up to date with them, by
	// one statement.
	SetOptOutIntervals(ctx context.Context, list []record.Interval) error
}

// Judge is what a person writes. store.Writer implements it; each method is
// one transaction. now is when it is put on the record.
type Judge interface {
	// EnrolSpamSender puts a sender on the record by hand and returns its id,
	// also when it was there.
	EnrolSpamSender(ctx context.Context, who record.SenderIdentity, now time.Time) (int64, error)
	// JudgeSpamSender changes the fields given and appends one
	// record.Judgment for each that differs.
	JudgeSpamSender(ctx context.Context, sender int64, c record.SenderChange, now time.Time) error
	// JudgeCategory records a person's word on a message's category.
	JudgeCategory(ctx context.Context, c record.CategoryJudgment) error
	// AddSpamEvent appends an event and returns its id, the old one's when an
	// exact duplicate is on the record.
	AddSpamEvent(ctx context.Context, e record.Event) (int64, error)
	// AddSpamEntity makes an entity and returns its id.
	AddSpamEntity(ctx context.Context, name, notes string, now time.Time) (int64, error)
	// AddEntityMember puts a sender into an entity; the basis is not empty. A
	// sender is in one entity at a time.
	AddEntityMember(ctx context.Context, entity int64, m record.Member) error
	// RemoveEntityMember takes a sender out of an entity; the row stays.
	RemoveEntityMember(ctx context.Context, entity, sender int64, why string, now time.Time) error
}

// AddressBook answers who is known to the owner. Package contacts has those
// that read files.
type AddressBook interface {
	// Env says which book answers and whether it can.
	Env() record.ScanEnv
	// Knows reports whether one of a person's handles is in the book: a
	// telephone number by its trailing ten digits, within one country where
	// both name it; an e-mail address in lower case; a short code by its
	// digits; a mere display name by the names in the book.
	Knows(handles []store.Person) bool
}

package spam

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// ErrRulesChanged is returned for a scan of one conversation when the record
// was made under other rules: a part of it would then be of another
// generation than the rest.
var ErrRulesChanged = errors.New("the rules have changed since the last scan: scan everything first")

// IneligibleError is returned for a scan of one conversation that no scan
// would examine.
type IneligibleError struct {
	Conversation int64
	Why          string
}

func (e *IneligibleError) Error() string {
	return fmt.Sprintf("conversation %d is not examined: %s", e.Conversation, e.Why)
}

// DefaultBatchSize is how many messages a scan writes in one transaction.
const DefaultBatchSize = 1000

// ScanOptions steer a scan. Now is required.
type ScanOptions struct {
	Reset        bool
	Conversation int64 // 0 for all
	BatchSize    int   // 0 for DefaultBatchSize
	Clocks       Clocks
	Now          func() time.Time
	PID          int
	Version      string // of the program
	// Progress is called after every batch, nil for never.
	Progress func(record.Counters)
}

// Scan examines what is new in the archive and brings the record up to date.
// It returns the run also when it fails; *record.RunningError says that
// another scan is at work.
func Scan(ctx context.Context, archive Messages, read Record, write Recorder, rules *Rules, book AddressBook, o ScanOptions) (record.Run, error) {
	now := o.Now().UTC()
	run := record.Run{StartedAt: now, HeartbeatAt: now, PID: o.PID, Version: o.Version, Ruleset: rules.Version(), Env: book.Env(), Reset: o.Reset, Only: o.Conversation}
	id, err := write.BeginSpamRun(ctx, run)
	if err != nil {
		return run, err
	}
	run.ID = id
	s := &scan{archive: archive, read: read, write: write, rules: rules, book: book, o: o, run: &run}
	err = s.all(ctx)
	if err != nil {
		run.Error = err.Error()
	}
	run.FinishedAt = o.Now().UTC()
	// What was cut off is to be known as such.
	return run, errors.Join(err, write.FinishSpamRun(context.WithoutCancel(ctx), id, run.FinishedAt, run.Counters, run.Error))
}

type scan struct {
	archive Messages
	read    Record
	write   Recorder
	rules   *Rules
	book    AddressBook
	o       ScanOptions
	run     *record.Run

	strangers *strangers
	cursors   map[int64]record.Cursor
	senders   map[string]bool // keys on the record
}

func (s *scan) all(ctx context.Context) error {
	if s.o.Reset {
		if err := s.write.ResetSpam(ctx); err != nil {
			return fmt.Errorf("reset record: %w", err)
		}
	}
	state, err := s.read.SpamState(ctx)
	if err != nil {
		return fmt.Errorf("read state of record: %w", err)
	}
	if s.o.Conversation != 0 && state.Ruleset != "" && state.Ruleset != s.rules.Version() {
		return ErrRulesChanged
	}
	threads, err := s.prepare(ctx)
	if err != nil {
		return err
	}
	for _, t := range threads {
		if err := s.thread(ctx, t); err != nil {
			return err
		}
	}
	if s.o.Conversation == 0 || state.Ruleset == "" {
		if err := s.write.ActivateRuleset(ctx, s.rules.Version()); err != nil {
			return fmt.Errorf("activate findings: %w", err)
		}
	}
	return UpdateOptOuts(ctx, s.read, s.write, s.o.Clocks)
}

// prepare reads who there is and returns the conversations to look at.
func (s *scan) prepare(ctx context.Context) ([]record.Thread, error) {
	people, err := s.archive.People(ctx)
	if err != nil {
		return nil, fmt.Errorf("list people: %w", err)
	}
	senders, err := s.read.SpamSenders(ctx, record.SenderQuery{})
	if err != nil {
		return nil, fmt.Errorf("list senders: %w", err)
	}
	if s.cursors, err = s.read.SpamCursors(ctx); err != nil {
		return nil, fmt.Errorf("read cursors: %w", err)
	}
	threads, err := s.archive.ScanThreads(ctx)
	if err != nil {
		return nil, fmt.Errorf("list conversations: %w", err)
	}
	s.strangers = newStrangers(s.rules.settings, s.book, people, senders)
	s.senders = map[string]bool{}
	for _, sender := range senders {
		s.senders[sender.Key] = true
	}
	if s.o.Conversation == 0 {
		return threads, nil
	}
	for _, t := range threads {
		if t.ID == s.o.Conversation {
			return []record.Thread{t}, nil
		}
	}
	return nil, &IneligibleError{s.o.Conversation, "the archive does not hold it"}
}

// thread examines one conversation, or counts why it does not.
func (s *scan) thread(ctx context.Context, t record.Thread) error {
	why, err := s.leaveOut(ctx, t)
	if err != nil {
		return err
	}
	if why.counter != nil {
		*why.counter++
		if s.o.Conversation != 0 {
			return &IneligibleError{t.ID, why.words}
		}
		return nil
	}
	if len(t.Senders) == 0 {
		return nil // nobody wrote
	}
	s.run.Counters.Conversations++
	return s.examine(ctx, t)
}

// reason is why a conversation is left out, and where that is counted.
type reason struct {
	counter *int64
	words   string
}

// leaveOut says why a conversation is not examined; the zero reason means
// that it is.
func (s *scan) leaveOut(ctx context.Context, t record.Thread) (reason, error) {
	c := &s.run.Counters
	if s.strangers.excluded(t) {
		return reason{&c.Excluded, "it is listed in spam.exclude_conversations"}, nil
	}
	counts := map[standing]int{}
	for _, handle := range t.Senders {
		counts[s.strangers.standing(handle)]++
	}
	if t.Kind == msg.Group && (counts[known]+counts[own]+counts[allowed] > 0 || counts[stranger]+counts[enrolled] == 0) {
		return reason{&c.Groups, "it is a group in which people you know write"}, nil
	}
	if counts[stranger]+counts[enrolled] == 0 {
		switch {
		case counts[known] > 0:
			return reason{&c.InAddressBook, "its sender is in your address book"}, nil
		case counts[allowed] > 0:
			return reason{&c.Allowlisted, "its sender is listed in spam.allowlist"}, nil
		case counts[own] > 0:
			return reason{&c.Own, "its sender is one of your own numbers"}, nil
		case counts[unknown] > 0:
			return reason{&c.NotComparable, "its sender is known by a name only; put it on the record by hand to examine it"}, nil
		}
		return reason{}, nil
	}
	if counts[enrolled] > 0 || t.Kind == msg.Direct && !onlyStrangers(counts) {
		return reason{}, nil
	}
	if _, begun := s.cursors[t.ID]; begun {
		return reason{}, nil // an answer does not take back what is on the record
	}
	talked := false
	err := s.archive.ScanOwn(ctx, t.ID, func(m record.Message) bool {
		talked = s.rules.isTalk(m)
		return !talked
	})
	if err != nil {
		return reason{}, fmt.Errorf("read own messages: %w", err)
	}
	if talked {
		return reason{&c.Correspondent, "you have talked with its sender; put it on the record by hand to examine it"}, nil
	}
	return reason{}, nil
}

// onlyStrangers reports whether nobody but strangers writes in a
// conversation, so that the owner's messages there went to them.
func onlyStrangers(counts map[standing]int) bool {
	return counts[known]+counts[own]+counts[allowed]+counts[unknown] == 0
}

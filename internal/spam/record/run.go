package record

import "time"

// Run is one scan. Its row is written at the start, touched with every batch
// and closed at the end.
type Run struct {
	ID          int64
	StartedAt   time.Time
	HeartbeatAt time.Time
	FinishedAt  time.Time // zero while it runs or when it was cut off
	PID         int
	Version     string // of the program
	Ruleset     string
	Env         ScanEnv
	Reset       bool  // it began by clearing what earlier scans wrote
	Only        int64 // the one conversation it was told to scan, 0 for all
	Counters    Counters
	Error       string // why it failed, empty when it did not
}

// RunState is what a run's row amounts to.
type RunState string

// The states of a run.
const (
	RunRunning RunState = "running"
	RunDone    RunState = "done"
	RunFailed  RunState = "failed"
	RunCrashed RunState = "crashed"
)

// State returns what a run is at the time now: an unfinished row whose last
// heartbeat is older than StaleAfter is crashed.
func (r Run) State(now time.Time) RunState {
	switch {
	case r.FinishedAt.IsZero() && now.Sub(r.HeartbeatAt) > StaleAfter:
		return RunCrashed
	case r.FinishedAt.IsZero():
		return RunRunning
	case r.Error != "":
		return RunFailed
	}
	return RunDone
}

// Counters say what a run did. All count since its start.
type Counters struct {
	Conversations    int64 `json:"conversations"`      // threads examined, also those with nothing new
	Examined         int64 `json:"examined"`           // messages examined
	Candidates       int64 `json:"candidates"`         // of these, messages that a rule flagged
	Senders          int64 `json:"senders"`            // senders that were on no earlier record
	OptOuts          int64 `json:"opt_outs"`           // events detected
	OptOutCandidates int64 `json:"opt_out_candidates"` // messages that a person must confirm
	Attempted        int64 `json:"attempted"`          // opt-outs that could not be sent
	// Threads left out, by the reason.
	Own           int64 `json:"own"` // the owner's own numbers
	Allowlisted   int64 `json:"allowlisted"`
	Excluded      int64 `json:"excluded"`
	InAddressBook int64 `json:"in_address_book"`
	NotComparable int64 `json:"not_comparable"` // known by a display name only
	Correspondent int64 `json:"correspondent"`  // the owner has talked back
	Groups        int64 `json:"groups"`         // groups that are no stranger's
	Restarted     int64 `json:"restarted"`      // threads read again from the top
}

// Cursor is how far a conversation has been examined.
type Cursor struct {
	ConversationID int64
	Hash           string // the last message examined
	Ruleset        string
	Env            ScanEnv
	// Messages is how many messages of the conversation stood at or before
	// Hash; another number at the next scan means that older ones came in
	// since, and the conversation is read again.
	Messages int64
}

// State is what is known of the record as a whole.
type State struct {
	// Ruleset is the version whose findings are read, the active generation;
	// empty before the first scan.
	Ruleset string
	// Envs are the environments of the active generation's findings, sorted.
	Envs []ScanEnv
	// Findings and Senders count the active generation.
	Findings, Senders int64
	// LastDone is the newest run that ended well, LastRun the newest; both
	// have ID 0 when there is none.
	LastDone, LastRun Run
}

// Scanned reports whether a scan ever completed a batch.
func (s State) Scanned() bool { return s.Ruleset != "" }

// Degraded reports whether any finding was made without an address book.
func (s State) Degraded() bool {
	for _, e := range s.Envs {
		if e.Degraded() {
			return true
		}
	}
	return false
}

// Mixed reports whether the findings were made under several environments.
func (s State) Mixed() bool { return len(s.Envs) > 1 }

// Batch is what a scan writes in one transaction.
type Batch struct {
	RunID    int64
	Now      time.Time // the heartbeat
	Cursor   Cursor
	Findings []Finding
	// Events are detected opt-outs, notices and opt-ins; one that is on the
	// record is ignored.
	Events []Event
	// Senders are those of the findings. The store makes rows for new ones,
	// widens the window of known ones, and raises Seen to Watch where Promote
	// is set and no person gave the status. Known identifiers and names are
	// kept.
	Senders  []SenderSighting
	Counters Counters
}

// SenderSighting is a sender as one batch met it.
type SenderSighting struct {
	SenderIdentity
	Window
	Promote bool
}

// LeftOut says how many conversations a scan did not examine, by the reason.
func (c Counters) LeftOut() []LeftOut {
	var list []LeftOut
	for _, x := range []LeftOut{
		{c.InAddressBook, "in your address book"}, {c.Correspondent, "correspondent, because you have talked back"},
		{c.NotComparable, "not comparable, because only a name is known"}, {c.Groups, "groups of people you know"}, {c.Own, "your own"},
		{c.Allowlisted, "on the allowlist"}, {c.Excluded, "excluded"},
	} {
		if x.Conversations > 0 {
			list = append(list, x)
		}
	}
	return list
}

// LeftOut is why conversations were not examined.
type LeftOut struct {
	Conversations int64
	Why           string
}

package record

import "github.com/msgbrowse/msgbrowse/internal/msg"

// Sender is one identifier that wrote to the owner, with what people said of
// it. A scan writes the identifier, the window and, upwards only, the status;
// everything else is a person's.
type Sender struct {
	ID int64
	SenderIdentity
	Window
	Status Status
	// StatusByPerson is set once a person gave the status; no scan changes it
	// from then on, not even when it was put back to Seen.
	StatusByPerson bool
	// Enrolled is set when a person put the sender on the record by hand; a
	// scan then examines its threads whoever it takes it for.
	Enrolled        bool
	SuspectedEntity string
	Consent         Consent
	ConsentNotes    string
	Notes           string
	Figures         SenderFigures
}

// SenderIdentity says who a sender is.
type SenderIdentity struct {
	// Key is unique: "tel:" and the number, "code:" and the digits of a short
	// code, "mail:" and the address in lower case, "name:" with source, slash
	// and native id for somebody enrolled by hand.
	Key  string
	Kind SenderKind
	// Identifier is the sender as the source writes it, to be shown.
	Identifier string
	// Name is the display name of the source, empty when it has none.
	Name string
}

// SenderKind says what a sender's identifier is. Line type and carrier cannot
// be told from it.
type SenderKind string

// The kinds of sender.
const (
	ShortCode SenderKind = "short_code" // 3 to 8 digits
	NANP      SenderKind = "nanp"       // a number of country code 1
	TollFree  SenderKind = "toll_free"  // one of its toll-free area codes
	Foreign   SenderKind = "international"
	Email     SenderKind = "email"
	NameOnly  SenderKind = "name_only"
)

// Words says for people what a sender's identifier is.
func (k SenderKind) Words() string {
	switch k {
	case ShortCode:
		return "short code"
	case NANP:
		return "10-digit number, country code 1"
	case TollFree:
		return "toll-free number, country code 1"
	case Foreign:
		return "number of another country, or without its code"
	case Email:
		return "e-mail address"
	case NameOnly:
		return "name only"
	}
	return string(k)
}

// Window is when a sender's first and last messages in either direction
// stand in the record; Sort decides which is first.
type Window struct {
	First, Last         msg.Time
	FirstSort, LastSort int64
}

// SenderFigures are counted by the store over the active generation, for
// lists. The figures that need calendars are made by spam.Count.
type SenderFigures struct {
	Inbound, Outbound, Candidates, AfterOptOut int64
	// Reasons counts the kinds of rules that fired: the reason up to its
	// colon.
	Reasons map[string]int64
}

// Status is how far a person has to do with a sender.
type Status string

// The statuses. A scan sets Seen, and Watch when a rule fires.
const (
	Seen    Status = "seen"
	Watch   Status = "watch"
	Tracked Status = "tracked"
	Ignored Status = "ignored"
)

// Statuses lists the statuses in the order of the ladder.
var Statuses = []Status{Seen, Watch, Tracked, Ignored}

// Consent is a person's judgment on consent. No scan writes it.
type Consent string

// The consent statuses.
const (
	NoConsent      Consent = "no_consent_on_record" // the default
	ConsentGiven   Consent = "consent_given"
	ConsentRevoked Consent = "consent_revoked"
	Disputed       Consent = "disputed"
)

// Consents lists the consent statuses.
var Consents = []Consent{NoConsent, ConsentGiven, ConsentRevoked, Disputed}

// SenderChange is what a person says of a sender; nil fields stay as they are.
type SenderChange struct {
	Status          *Status
	SuspectedEntity *string
	Consent         *Consent
	ConsentNotes    *string
	Notes           *string
}

// Judgment is one entry of the history of what people said: one field of one
// sender, before and after. Nothing removes it.
type Judgment struct {
	SenderID   int64
	Field      string // "status", "suspected_entity", "consent_status", "consent_notes", "notes"
	Old, New   string
	RecordedAt int64 // unix microseconds
}

// SenderQuery selects senders. The zero value selects all.
type SenderQuery struct {
	Statuses []Status
	IDs      []int64
	// After leaves out the senders up to an id, and Limit, unless 0, all but
	// so many: a page of a list. Neither goes with IDs.
	After int64
	Limit int
}

// AfterPlace is a place in the list of senders that wrote after an opt-out,
// most messages first. The zero value is before the first.
type AfterPlace struct{ Messages, ID int64 }

// SenderIDs are the ids of senders, in their order.
func SenderIDs(list []Sender) []int64 {
	ids := make([]int64, len(list))
	for i, s := range list {
		ids[i] = s.ID
	}
	return ids
}

// Held says how many messages of one source, of those that findings stand
// for, the archive still holds.
type Held struct {
	Source    msg.Source
	Messages  int
	NativeIDs int // of them, with an id of the source's own
}

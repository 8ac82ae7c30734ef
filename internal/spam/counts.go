package spam

import (
	"strconv"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// Counts are all the numbers there are about a sender or an entity. Every
// door prints from this value and computes none of its own.
type Counts struct {
	// AsOf is the moment that the figures stand for, RFC 3339; what came
	// later is left out. Clock names the clock that days and months are
	// counted by.
	AsOf  string `json:"as_of"`
	Clock string `json:"clock"`
	// Complete is false when a source could not be read: figures are then
	// "at least". Problems say which.
	Complete bool     `json:"complete"`
	Problems []string `json:"problems"`
	// Degraded is set when strangers were told without an address book, Mixed
	// when findings were made under several environments.
	Degraded bool             `json:"degraded"`
	Mixed    bool             `json:"mixed"`
	Envs     []record.ScanEnv `json:"scan_environments"`

	Contacts   int    `json:"contacts"`   // messages that came in and count
	Candidates int    `json:"candidates"` // of these, those that a rule flagged
	Sent       int    `json:"sent"`       // messages of the owner
	First      string `json:"first,omitempty"`
	Last       string `json:"last,omitempty"`

	Trailing     Window `json:"trailing_twelve_months"`
	Worst        Window `json:"worst_twelve_months"`
	NearBoundary int    `json:"near_boundary"` // contacts within a day of the end of another's twelve months

	// After sums up what came while an opt-out was in force; OptOuts has it
	// for each.
	After   After         `json:"after_opt_out"`
	OptOuts []OptOutCount `json:"opt_outs"`
	// Attempted counts opt-outs that could not be sent, AfterAttempt the
	// contacts since the first of them that no opt-out covers.
	Attempted    int `json:"attempted_opt_outs"`
	AfterAttempt int `json:"contacts_after_attempt"`
	// Unconfirmed counts messages of the owner that may be opt-outs and that
	// nobody has confirmed.
	Unconfirmed int `json:"unconfirmed_opt_outs"`
	// AfterInquiry counts contacts within three months of a message of the
	// owner that was no opt-out.
	AfterInquiry int `json:"contacts_after_own_message"`

	Uncounted  []Uncounted     `json:"not_counted"`
	Categories []CategoryCount `json:"categories"`
	Lines      []LineCount     `json:"owner_lines"`
	Quiet      QuietHours      `json:"quiet_hours"`
	// Senders has the figures of each sender of an entity on its own.
	Senders []SenderCount `json:"senders"`
}

// After is what came while an opt-out was in force. Total is Confirmation
// plus WithinGrace plus AfterGrace; the other figures overlap with these.
type After struct {
	Total        int `json:"total"`
	Confirmation int `json:"confirmation"`
	WithinGrace  int `json:"within_grace"`
	AfterGrace   int `json:"after_grace"`
	// AfterDays counts what came later than 15 calendar days after an opt-out
	// that was sent to the very number that wrote.
	AfterDays int `json:"after_15_days"`
	// LateConfirmation counts messages that only confirm and are not the one
	// confirmation: later than 300 seconds, or a second one.
	LateConfirmation int `json:"late_confirmation"`
	// PromotionalConfirmation counts messages that confirm and advertise.
	PromotionalConfirmation int `json:"promotional_confirmation"`
	// CarrierNote counts notes of a carrier, which the sender did not write.
	CarrierNote int `json:"carrier_note"`
	// SameTime counts contacts whose source does not say whether they came
	// before or after the opt-out; they are not part of Total.
	SameTime int `json:"same_time"`
}

func (a *After) add(b After) {
	a.Total += b.Total
	a.Confirmation += b.Confirmation
	a.WithinGrace += b.WithinGrace
	a.AfterGrace += b.AfterGrace
	a.AfterDays += b.AfterDays
	a.LateConfirmation += b.LateConfirmation
	a.PromotionalConfirmation += b.PromotionalConfirmation
	a.CarrierNote += b.CarrierNote
	a.SameTime += b.SameTime
}

// OptOutCount is one opt-out with what came while it was in force.
type OptOutCount struct {
	EventID   int64            `json:"event_id"`
	SenderID  int64            `json:"sender_id"`
	Type      record.EventType `json:"type"`
	Origin    record.Origin    `json:"origin"`
	Tier      record.OptOut    `json:"tier,omitempty"`
	Message   string           `json:"message,omitempty"` // hash
	At        string           `json:"at"`
	Precision string           `json:"precision"`
	// Reopened is when the owner took it back, empty while it is in force.
	Reopened string    `json:"reopened,omitempty"`
	Rule     GraceRule `json:"rule"`
	LastDay  string    `json:"last_day_of_grace"`
	// Informational is set when it answers a message that informed rather
	// than advertised: what it covers then depends on the date.
	Informational bool  `json:"answers_informational,omitempty"`
	After         After `json:"after"`
}

// Uncounted is a message that came in and does not count, with the reason.
type Uncounted struct {
	Message string `json:"message"`
	Reason  string `json:"reason"`
}

// CategoryCount counts contacts by category.
type CategoryCount struct {
	Category  record.CategoryName `json:"category"` // empty: none suggested
	Suggested int                 `json:"suggested"`
	Confirmed int                 `json:"confirmed"` // by a person
	// Note says how the category bears on the rules on solicitations, empty
	// when it does not.
	Note string `json:"note,omitempty"`
}

// LineCount counts contacts by the line of the owner that they went to.
type LineCount struct {
	Line     string `json:"line"` // empty: not recorded
	Contacts int    `json:"contacts"`
	Worst    Window `json:"worst_twelve_months"`
	// Registry is nil when the day of registration is not known.
	Registry *RegistryCount `json:"registry,omitempty"`
}

// RegistryCount counts contacts of a line that is on the do-not-call registry.
type RegistryCount struct {
	Registered string `json:"registered_on"` // YYYY-MM-DD
	// Eligible counts the contacts from its 31st day on, Boundary those on
	// that very day.
	Eligible int `json:"since_31_days"`
	Boundary int `json:"on_31st_day"`
}

// QuietHours says how many contacts came in quiet hours.
type QuietHours struct {
	Computed bool   `json:"computed"`
	Why      string `json:"why_not,omitempty"`
	// Counts is nil where nothing was computed.
	Counts *QuietCounts `json:"counts,omitempty"`
}

// QuietCounts counts contacts before 08:00:00 or after 21:00:00 where the
// owner was.
type QuietCounts struct {
	Outside int `json:"outside"`
	// Unplaced counts contacts from before the first declared place.
	Unplaced int `json:"unplaced"`
	// Gaps counts contacts received more than ten minutes after they were
	// sent.
	Gaps int `json:"sent_and_received_apart"`
}

// SenderCount are the figures of one sender of an entity.
type SenderCount struct {
	SenderID   int64  `json:"sender_id"`
	Identifier string `json:"identifier"`
	Contacts   int    `json:"contacts"`
	Worst      int    `json:"worst_twelve_months"`
	OptOuts    int    `json:"opt_outs"`
	After      After  `json:"after_opt_out"`
}

// Amount writes a figure of the counts: "at least" in front of it when a
// source could not be read.
func (c Counts) Amount(n int) string {
	if c.Complete {
		return strconv.Itoa(n)
	}
	return "at least " + strconv.Itoa(n)
}

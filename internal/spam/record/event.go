package record

import "github.com/msgbrowse/msgbrowse/internal/msg"

// EventType says what happened.
type EventType string

// The types of event.
const (
	StopSent             EventType = "stop_sent"
	NoticeSent           EventType = "notice_sent"
	OptInSent            EventType = "optin_sent" // START and the like: an opt-out no longer holds
	Reported7726         EventType = "reported_7726"
	ReportedAppleJunk    EventType = "reported_apple_junk"
	FCCComplaintFiled    EventType = "fcc_complaint_filed"
	FTCDNCComplaintFiled EventType = "ftc_dnc_complaint_filed"
	LawyerReferral       EventType = "lawyer_referral"
)

// EventTypes lists the types of event.
var EventTypes = []EventType{StopSent, NoticeSent, OptInSent, Reported7726, ReportedAppleJunk, FCCComplaintFiled, FTCDNCComplaintFiled, LawyerReferral}

// IsOptOut reports whether an event of the type begins an opt-out.
func (t EventType) IsOptOut() bool { return t == StopSent || t == NoticeSent }

// Origin says who put an event on the record.
type Origin string

// The origins of an event.
const (
	FromScan Origin = "scan"
	Manual   Origin = "manual"
)

// Event is one thing that happened between the owner and a sender. Events are
// appended: a correction is a new event that supersedes an old one, and the
// old one stays. An event equal to one on the record in sender, type, time,
// origin, message, details and evidence is ignored.
type Event struct {
	ID       int64
	SenderID int64
	// SenderKey names the sender in a batch, where SenderID is still 0.
	SenderKey string
	Type      EventType
	// Time is when it happened. A manual event given with an offset is an
	// Instant, one given without is Wall; Raw is the time as it was given,
	// with its offset. Precision is Second, Minute or Day.
	Time msg.Time
	// Sort and Clock place a scanned event among the messages, as in Finding;
	// both are zero for manual ones.
	Sort       int64
	Clock      Clock
	RecordedAt int64 // unix microseconds
	Origin     Origin
	// Tier is OptOutA or OptOutB of a scanned stop_sent, Notice of a scanned
	// notice_sent, empty otherwise.
	Tier OptOut
	// Hash is the message that shows it: always of a scanned event, of a
	// manual one when a person confirmed a candidate.
	Hash string
	// Text is the keyword that a scanned event matched; Details and Evidence
	// (a file, a ticket number) are a person's words.
	Text     string
	Details  string
	Evidence string
	// Supersedes is the event that this one corrects, 0 when none;
	// SupersededBy the other way round, filled in when read.
	Supersedes   int64
	SupersededBy int64
}

// InForce reports whether the event has not been corrected by a later one.
func (e Event) InForce() bool { return e.SupersededBy == 0 }

// Entity is a name under which a person groups senders. The program suggests
// groups and never makes one.
type Entity struct {
	ID         int64
	Name       string
	Notes      string
	RecordedAt int64 // unix microseconds
	// Members are all that ever were, in the order they were added.
	Members []Member
}

// Member is a sender in an entity, with why a person put it there.
type Member struct {
	SenderID int64
	Basis    string // never empty
	Evidence string // what shows the basis, possibly empty
	AddedAt  int64  // unix microseconds
	// RemovedAt is when it was taken out again, 0 while it is in. A sender
	// that is put back has a second Member.
	RemovedAt int64
	// RemovedWhy is the reason given for taking it out.
	RemovedWhy string
}

// Current returns the senders that are in the entity.
func (e Entity) Current() []int64 {
	var ids []int64
	for _, m := range e.Members {
		if m.RemovedAt == 0 {
			ids = append(ids, m.SenderID)
		}
	}
	return ids
}

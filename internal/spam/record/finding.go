package record

import "github.com/msgbrowse/msgbrowse/internal/msg"

// Finding is what a scan says of one message of an examined thread: outbound
// and harmless ones have one too, because windows count contacts and not
// rules. It is keyed by (Hash, Ruleset) and refers to no row of the archive
// that could vanish; the text itself stays in the archive. A finding is
// never overwritten: writing one whose key exists changes nothing.
type Finding struct {
	Hash    string
	Ruleset string  // version of the rules that made it
	Env     ScanEnv // address book that it was made under
	RunID   int64

	// SenderKey is the other side: the message's own sender when it came in,
	// the thread's sender when it went out. SenderID is the row it belongs
	// to; a batch to be written leaves it 0 and the store fills it in.
	SenderKey string
	SenderID  int64

	ConversationID  int64
	Source          msg.Source
	ConversationKey string // outlives ConversationID
	Thread          msg.ConversationKind
	// Bystander marks a message of a group by somebody who did not start it.
	Bystander bool

	Direction msg.Direction
	Kind      msg.Kind
	// Time is the message's time as the archive shows it; Sort its place in
	// the order, to be compared within its Clock.
	Time  msg.Time
	Sort  int64
	Clock Clock

	// Candidate is set when a rule fired; Reasons are the reason strings of
	// the rules, in their fixed order ("area_code:212", "url").
	Candidate bool
	Reasons   []string
	Fields    Fields
	Category  Category
	// OptOut is empty except on the owner's own messages.
	OptOut OptOut
	// Reply sorts inbound answers to an opt-out; empty for all others.
	Reply Reply
	// AfterOptOut is set on inbound messages inside an Interval. Nothing but
	// SetOptOutIntervals writes it.
	AfterOptOut bool

	// BodySHA256 is the SHA-256 of the body's bytes at the time of the scan,
	// in 64 hex digits; BodyBytes their number.
	BodySHA256 string
	BodyBytes  int64
	// TextKey is a digest of the folded body, for finding the same text
	// twice; empty for an empty body. 16 hex digits.
	TextKey string
	// OwnerLine is the number or address of the owner that the message went
	// to or came from, as the source records it; empty when it does not.
	OwnerLine string
	// Service is the carrier of the message as the source names it ("SMS",
	// "iMessage"); empty when it does not.
	Service     string
	Attachments int64
	// SentAt is when an inbound message was sent, unix microseconds, where
	// the source states it apart from when it was received; 0 otherwise.
	SentAt int64
}

// Fields are what a body mentions. All are extracted, none replaces the body;
// each list is sorted, without duplicates, and empty (nil) when there is none.
type Fields struct {
	URLs []URL `json:"urls,omitempty"`
	// Callbacks are telephone numbers in E.164, short codes in digits.
	Callbacks []string `json:"callbacks,omitempty"`
	Emails    []string `json:"emails,omitempty"` // lower case
	Names     []string `json:"names,omitempty"`  // as listed in the settings
	// Entities are the entity keywords and domains that occur: leads to
	// confirm, not identifications.
	Entities []string `json:"entities,omitempty"`
}

// URL is one link in a body.
type URL struct {
	// Written is the link as it stands in the body, obfuscation and all.
	Written string `json:"written"`
	// Target is the link read as it was meant: scheme in lower case, dots and
	// spaces restored, host in punycode.
	Target string `json:"target"`
	// Host is the host in punycode, Domain its registrable domain (the host
	// itself for addresses), Unicode the domain in its own letters, empty
	// when that is the same.
	Host    string `json:"host"`
	Domain  string `json:"domain"`
	Unicode string `json:"unicode,omitempty"`
	// Obfuscated is set when Written was no ordinary spelling of Target.
	Obfuscated bool `json:"obfuscated,omitempty"`
	// Mixed is set when a label of the host mixes scripts.
	Mixed bool `json:"mixed_script,omitempty"`
	// Shortener is set when the domain is on the list of shorteners.
	Shortener bool `json:"shortener,omitempty"`
}

// Category is a suggestion what kind of message this is, with the reason that
// produced it. It never removes a message from the record.
type Category struct {
	Name   CategoryName `json:"name,omitempty"` // empty: no suggestion
	Reason string       `json:"reason,omitempty"`
}

// CategoryName names a kind of message.
type CategoryName string

// The categories.
const (
	OTP         CategoryName = "otp"
	Delivery    CategoryName = "delivery"
	BankAlert   CategoryName = "bank_alert"
	Appointment CategoryName = "appointment"
	Political   CategoryName = "political"
	Charity     CategoryName = "charity"
	Debt        CategoryName = "debt"
	ScamLike    CategoryName = "scam_like"
	Promo       CategoryName = "promo"
	Personal    CategoryName = "personal"
)

// Categories lists the categories in the order they are offered.
var Categories = []CategoryName{OTP, Delivery, BankAlert, Appointment, Political, Charity, Debt, ScamLike, Promo, Personal}

// CategoryJudgment is a person's word on a message's category. The newest of
// a message holds; all are kept, and they survive a reset.
type CategoryJudgment struct {
	Hash       string
	Category   CategoryName
	RecordedAt int64 // unix microseconds
}

// OptOut says what the owner's message did.
type OptOut string

// The kinds of OptOut. Only OptOutA and OptOutB become events by themselves.
const (
	NoOptOut  OptOut = ""
	OptOutA   OptOut = "tier_a"    // one of the seven words of 47 CFR 64.1200(a)(10)
	OptOutB   OptOut = "tier_b"    // a phrase of the industry or of the settings
	OptOutC   OptOut = "candidate" // free text or another language: a person must confirm
	Notice    OptOut = "notice"    // the owner's canned notice
	OptIn     OptOut = "opt_in"    // START and the like
	Attempted OptOut = "attempted" // an opt-out that could not be sent
)

// Words says for people what a message of the owner did.
func (o OptOut) Words() string {
	switch o {
	case OptOutA:
		return "tier_a: a word of 47 CFR 64.1200(a)(10), as the whole message"
	case OptOutB:
		return "tier_b: a phrase that senders act upon, or one of the owner's settings, as the whole message"
	case OptOutC:
		return "candidate: counts only where an event of a person confirms it"
	case Notice:
		return "notice: the owner's standing notice"
	case OptIn:
		return "opt_in: takes an opt-out back"
	case Attempted:
		return "attempted: the source says that it was not sent"
	}
	return string(o)
}

// Reply says what an inbound message that talks of an opt-out is.
type Reply string

// The kinds of Reply.
const (
	NoReply      Reply = ""
	Confirms     Reply = "confirms" // confirms an opt-out and does nothing else
	ConfirmPromo Reply = "confirms_and_promotes"
	CarrierNote  Reply = "carrier_note" // written by a carrier, not by the sender
)

// Interval is a stretch in which an opt-out of a sender was in force. A
// finding of the sender with the same Clock is after the opt-out when
// From < Sort and (To == 0 or Sort <= To), and it came in.
type Interval struct {
	SenderID int64
	Clock    Clock
	From     int64
	To       int64 // 0 while it is in force
}

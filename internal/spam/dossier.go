package spam

import (
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// Dossier is everything the record holds about one sender or entity, ready to
// be read by somebody who was not there. All renderings are made from it.
// Texts in it are as strangers wrote them; the renderings make them harmless,
// and whoever hands the value on as it is must do so, too.
type Dossier struct {
	// Notice says what the reader has before them.
	Notice      string `json:"notice"`
	GeneratedAt string `json:"generated_at"` // RFC 3339
	Program     string `json:"program"`      // name and version
	Ruleset     string `json:"ruleset_version"`
	Run         RunRef `json:"scan_run"`
	// Redaction is nil for a whole dossier.
	Redaction *Redaction `json:"redaction,omitempty"`

	Subject     Subject           `json:"subject"`
	Counts      Counts            `json:"counts"`
	Limitations []Limitation      `json:"limitations"`
	Events      []DossierEvent    `json:"events"`
	Judgments   []DossierJudgment `json:"judgments"`
	// Exhibits are the messages in the order of their threads, numbered from
	// 1; Gaps counts those that the archive no longer holds.
	Exhibits []DossierExhibit `json:"exhibits"`
	Gaps     int              `json:"gaps"`
}

// RunRef points to the scan that last brought the record up to date.
type RunRef struct {
	ID         int64          `json:"id"`
	StartedAt  string         `json:"started_at"`
	FinishedAt string         `json:"finished_at"`
	Env        record.ScanEnv `json:"scan_environment"`
}

// Subject is whom a dossier is about.
type Subject struct {
	// Title names the subject: the entity's name, or the identifier of the
	// sender.
	Title   string          `json:"title"`
	Entity  *DossierEntity  `json:"entity,omitempty"`
	Senders []DossierSender `json:"senders"`
}

// DossierEntity is the group that a person made of the senders.
type DossierEntity struct {
	ID      int64           `json:"id"`
	Name    string          `json:"name"`
	Notes   string          `json:"notes,omitempty"`
	Members []DossierMember `json:"members"` // all there ever were
}

// DossierMember is a sender in the group, with why it was put there.
type DossierMember struct {
	SenderID   int64  `json:"sender_id"`
	Identifier string `json:"identifier"`
	Basis      string `json:"basis"`
	Evidence   string `json:"evidence,omitempty"`
	Added      string `json:"added_at"`
	Removed    string `json:"removed_at,omitempty"`
	RemovedWhy string `json:"removed_because,omitempty"`
}

// DossierSender is a sender with what a person said of it.
type DossierSender struct {
	ID              int64             `json:"id"`
	Identifier      string            `json:"identifier"`
	Kind            record.SenderKind `json:"kind"`
	Name            string            `json:"display_name,omitempty"`
	Status          record.Status     `json:"status"`
	SuspectedEntity string            `json:"suspected_entity"`
	Consent         record.Consent    `json:"consent_status"`
	ConsentNotes    string            `json:"consent_notes,omitempty"`
	Notes           string            `json:"notes,omitempty"`
}

// DossierEvent is one event, corrected ones among them.
type DossierEvent struct {
	ID           int64            `json:"id"`
	SenderID     int64            `json:"sender_id"`
	Type         record.EventType `json:"type"`
	At           string           `json:"at"`
	Local        string           `json:"local"`
	Precision    string           `json:"precision"`
	Origin       record.Origin    `json:"origin"`
	Tier         record.OptOut    `json:"tier,omitempty"`
	Text         string           `json:"matched,omitempty"`
	Exhibit      int              `json:"exhibit,omitempty"` // the message that shows it
	Details      string           `json:"details,omitempty"`
	Evidence     string           `json:"evidence,omitempty"`
	RecordedAt   string           `json:"recorded_at"`
	SupersededBy int64            `json:"superseded_by,omitempty"`

	order int64 // place among the exhibits, unix microseconds
}

// DossierJudgment is one entry of the history of what a person said.
type DossierJudgment struct {
	SenderID   int64  `json:"sender_id"`
	Field      string `json:"field"`
	Old        string `json:"old"`
	New        string `json:"new"`
	RecordedAt string `json:"recorded_at"`
}

// DossierExhibit is one message.
type DossierExhibit struct {
	Number    int    `json:"exhibit"`
	Hash      string `json:"message"`
	SenderID  int64  `json:"sender_id"`
	Sender    string `json:"sender"` // the other side's identifier
	Direction string `json:"direction"`
	Kind      string `json:"kind"`
	Source    string `json:"source"`
	Thread    string `json:"thread"`
	Group     bool   `json:"group"`
	// At is the time as the source states it, Local the reading that days
	// and months are counted by.
	At        string `json:"at"`
	Local     string `json:"local"`
	Basis     string `json:"time_basis"`
	Precision string `json:"time_precision"`

	// Gap is set when the archive no longer holds the message: Body is then
	// empty, and BodySHA256 all there is to know of it.
	Gap  bool   `json:"gap"`
	Body string `json:"body"`
	// BodyBase64 repeats a body that is no valid UTF-8, byte for byte.
	BodyBase64 string `json:"body_base64,omitempty"`
	BodySHA256 string `json:"body_sha256"`
	// Changed is set when the body's bytes are no longer those of the scan.
	Changed     bool                `json:"changed_since_scan"`
	Earlier     []string            `json:"earlier_versions,omitempty"`
	Quote       string              `json:"quote,omitempty"`
	Attachments []DossierAttachment `json:"attachments,omitempty"`
	// Missing is the number of the import that no longer found the message
	// where it had been, 0 while it is found.
	Missing int64 `json:"missing_since_import,omitempty"`

	Counted    bool                `json:"counted"`
	WhyNot     string              `json:"not_counted_because,omitempty"`
	Candidate  bool                `json:"is_candidate"`
	Reasons    []string            `json:"reasons"`
	After      bool                `json:"after_opt_out"`
	OptOut     record.OptOut       `json:"opt_out,omitempty"`
	Event      int64               `json:"event,omitempty"` // in force, that the message shows
	Reply      record.Reply        `json:"reply,omitempty"`
	Category   record.Category     `json:"category"`
	Confirmed  record.CategoryName `json:"category_by_person,omitempty"`
	Links      []DossierLink       `json:"links,omitempty"`
	Callbacks  []string            `json:"callbacks,omitempty"`
	Emails     []string            `json:"emails,omitempty"`
	Names      []string            `json:"names,omitempty"`
	EntityLead []string            `json:"entity_leads,omitempty"` // to confirm

	OwnerLine string         `json:"owner_line,omitempty"`
	Service   string         `json:"service,omitempty"`
	Origin    Origin         `json:"origin"`
	Env       record.ScanEnv `json:"scan_environment"`

	sort     int64
	redacted bool // something was taken out
}

// DossierAttachment names what came with a message; its bytes are elsewhere.
type DossierAttachment struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	MIME string `json:"mime,omitempty"`
	Size int64  `json:"size,omitempty"`
}

// DossierLink is a link of a message, defanged.
type DossierLink struct {
	Target     string `json:"target"` // defanged
	Domain     string `json:"domain"` // defanged, punycode
	Unicode    string `json:"domain_in_own_letters,omitempty"`
	Shortener  bool   `json:"shortener,omitempty"`
	Obfuscated bool   `json:"obfuscated,omitempty"`
	Mixed      bool   `json:"mixed_script,omitempty"`
}

// Origin is where a message was read.
type Origin struct {
	File     string `json:"file,omitempty"`
	Member   string `json:"member,omitempty"` // path inside File
	Format   string `json:"format,omitempty"`
	SHA256   string `json:"file_sha256,omitempty"`
	Line     int64  `json:"line,omitempty"`
	Offset   int64  `json:"offset,omitempty"`
	Pointer  string `json:"pointer,omitempty"`
	NativeID string `json:"native_id,omitempty"`
	Also     int64  `json:"further_files,omitempty"`
}

package record

import "github.com/msgbrowse/msgbrowse/internal/msg"

// Thread is a conversation as a scan sees it.
type Thread struct {
	ID       int64
	Source   msg.Source
	Key      string
	Name     string
	Kind     msg.ConversationKind
	Messages int64 // missing ones among them
	// Last is the hash of the last message, missing ones among them; empty
	// when there is none.
	Last string
	// Senders are the handle ids that have inbound messages in it, sorted.
	Senders []int64
}

// Position is a place in a conversation; messages are ordered by Sort, then
// ID. The zero Position is before the first.
type Position struct{ Sort, ID int64 }

// Message is what a scan reads of a message. Missing messages, which a later
// import no longer found, are read like all others.
type Message struct {
	Position
	Hash      string
	Handle    int64 // of the sender, 0 for nobody
	Direction msg.Direction
	Kind      msg.Kind
	Time      msg.Time // as store.Message.Time: of a wall reading, Micros is the reading
	// Clock is Readings for a wall reading whose source has no declared zone,
	// Instants for all others.
	Clock       Clock
	Body        string
	Attachments int64
	// Details are the further facts the source states, in its order; nil for
	// most messages. The scan looks for "service", "destination_caller_id",
	// "date_sent" (RFC 3339), "error" and "status".
	Details []msg.Detail
}

// Exhibit is what a dossier shows of a message: the text as the archive has
// it today and where that came from.
type Exhibit struct {
	Hash         string
	ID           int64
	Body         string
	Edited       bool
	Edits        []msg.Edit
	Quote        string // the text it answers, where the source quotes it
	Details      []msg.Detail
	Attachments  []ExhibitAttachment
	Conversation string // the thread's name
	MissingSince int64  // the import that no longer found it, or 0
	// Origin is where it was read.
	NativeID string
	Position msg.Position
	File     ExhibitFile
	Also     int64 // further files that hold the same message
}

// ExhibitAttachment names an attachment; its bytes are not part of a dossier.
type ExhibitAttachment struct {
	Kind msg.AttachmentKind
	Name string
	MIME string
	Size int64 // bytes, 0 when unknown
}

// ExhibitFile is a file that a message was read from.
type ExhibitFile struct {
	Path, Member string // member is the path inside a zip
	Format       string
	SHA256       string // hex, empty when it was not computed
	Zone         string // declared zone of its wall readings, or empty
}

// Coverage says what of the archive's sources could not be read, so that a
// count is "at least".
type Coverage struct {
	Complete bool
	// Problems say which source, why, and since when, one sentence each, in a
	// fixed order; empty when Complete.
	Problems []string
}

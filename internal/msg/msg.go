// Package msg is the vocabulary every other room speaks: what a message, a
// conversation, a handle, an attachment, a reaction and a time are, and how a
// message is identified. It knows no file format, no database and no door.
package msg

// Source names the service a message was sent over, in lower case ("signal",
// "whatsapp"). It is part of every message's identity, so a released value
// never changes its spelling.
type Source string

// The sources that have a reader today.
const (
	Signal   Source = "signal"
	IMessage Source = "imessage"
	WhatsApp Source = "whatsapp"
	Telegram Source = "telegram"
)

// Direction says which way a message went, seen from the archive's owner.
type Direction uint8

// The zero Direction is System: nobody's message. A message of the owner is
// Out and nothing else is; In is everybody else's.
const (
	System Direction = iota
	In
	Out
)

// String returns "system", "in" or "out".
func (d Direction) String() string {
	switch d {
	case In:
		return "in"
	case Out:
		return "out"
	default:
		return "system"
	}
}

// Kind says what a message is. Text is the zero value and covers every
// ordinary message, with or without attachments.
type Kind uint8

// The kinds of message. Stored as numbers: append only.
const (
	Text     Kind = iota
	Notice        // a service line: "Ana joined", "You changed the subject"
	Call          // a voice or video call, missed or not
	Poll          // question and options in the body
	Sticker       // the sticker's emoji, if known, is the body
	Location      // place name, coordinates or map link in the body
	Contact       // a shared contact card
	Deleted       // a tombstone: somebody deleted what stood here
	Unparsed      // a record the reader could not interpret, kept as raw text
)

var kindNames = [...]string{"text", "notice", "call", "poll", "sticker", "location", "contact", "deleted", "unparsed"}

// String returns the kind's lower-case name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// ConversationKind tells a conversation of two from one of many.
type ConversationKind uint8

// Direct is the zero value. A note-to-self or saved-messages chat is Direct;
// channels and broadcast lists are Group.
const (
	Direct ConversationKind = iota
	Group
)

// String returns "direct" or "group".
func (k ConversationKind) String() string {
	if k == Group {
		return "group"
	}
	return "direct"
}

// Handle is one identity of a person inside one source.
type Handle struct {
	// ID is the source-native identifier: a phone number, an e-mail address,
	// a JID, "user123". Where a format carries nothing but a display name, the
	// name itself is the ID and Kind is HandleName.
	ID string
	// Name is the display name the source shows, possibly empty.
	Name string
	// Kind says what ID is.
	Kind HandleKind
}

// IsZero reports whether h names nobody.
func (h Handle) IsZero() bool { return h.ID == "" && h.Name == "" }

// HandleKind says what a handle's ID is, and so how far it can be trusted to
// identify a person. Stored as numbers: append only.
type HandleKind uint8

const (
	HandleName    HandleKind = iota // a display name: weak, never merges people
	HandlePhone                     // a telephone number: strong across sources
	HandleEmail                     // an e-mail address: strong across sources
	HandleAccount                   // an account id of the source: strong inside it
)

// Conversation is one thread of one source.
type Conversation struct {
	// Key identifies the conversation inside its source and is part of the
	// identity of every message in it: a chat id where the format has one,
	// else the name the export gives it.
	Key string
	// Name is what people call it; a reader falls back to Key when empty.
	Name string
	Kind ConversationKind
	// Participants are the members the format states. Senders need not be
	// repeated here.
	Participants []Handle
}

// Message is one message as its source tells it. Text is the sender's own:
// nothing is trimmed, escaped or normalised.
type Message struct {
	// NativeID is the format's own stable id of the message, or empty.
	NativeID string
	// Sender is who wrote it. It is set on the owner's messages too, as far
	// as the format says; Direction alone decides who is "Me".
	Sender    Handle
	Direction Direction
	Kind      Kind
	Time      Time
	Body      string
	// ReplyTo is set when the message answers another one.
	ReplyTo   *Reply
	Reactions []Reaction
	// Edited is set when the format marks the message as edited; Edits holds
	// the earlier versions it kept, oldest first, without the current Body.
	Edited      bool
	Edits       []Edit
	Attachments []Attachment
	// Links are targets that do not stand in Body as text, such as the href
	// of a titled link. URLs written in Body are found without being listed.
	Links []string
	// Details are further facts the format states (forwarded_from, duration,
	// via_bot …), in the order it states them.
	Details []Detail
	// Suspect is empty, or says why this record may not be a message of its
	// own: a line inside a body that has the exact shape of a header.
	Suspect  string
	Position Position
}

// Reply points to the message that is answered. At least one field is set.
type Reply struct {
	// NativeID is the target's native id.
	NativeID string
	// Quote is the quoted text, for formats that quote instead of pointing.
	Quote string
	// Target describes the target where the reader knows which message is
	// meant but the format has no ids.
	Target *Ref
}

// Ref names a message of the same conversation by what stands in the file.
type Ref struct {
	// RawTime and Sender are the target's Time.Raw and Sender.ID.
	RawTime, Sender string
	// Body is the target's text, or a prefix of it.
	Body string
}

// Reaction is one person's emoji on a message.
type Reaction struct {
	Sender Handle
	// FromMe is set when the owner reacted.
	FromMe bool
	// Emoji is the emoji, or the source's word for it ("Loved").
	Emoji string
	// Count is how many people stand behind this entry when the source gives
	// a number instead of names; 0 and 1 both mean one person.
	Count int
	Time  Time
}

// Edit is an earlier version of a message's text.
type Edit struct {
	Body string
	Time Time
}

// AttachmentKind sorts attachments by what a person would call them. Stored
// as numbers: append only.
type AttachmentKind uint8

const (
	File AttachmentKind = iota
	Image
	Video
	Audio
)

// String returns "file", "image", "video" or "audio".
func (k AttachmentKind) String() string {
	switch k {
	case Image:
		return "image"
	case Video:
		return "video"
	case Audio:
		return "audio"
	default:
		return "file"
	}
}

// Attachment is a file that came with a message.
type Attachment struct {
	Kind AttachmentKind
	// Name is the file name to show.
	Name string
	// Path is where the file lies, slash-separated and relative to the root
	// of the tree it was read from; empty when the export does not hold it.
	// Readers pass references through source.Resolve and nothing else.
	Path string
	// MIME and Size (bytes) are what the export states; empty and 0 when it
	// does not.
	MIME string
	Size int64
	// Missing says in a few words why Path is empty ("not included",
	// "unsafe path"); empty when Path is set.
	Missing string
	// Sticker is set for sticker images.
	Sticker bool
}

// Detail is one named fact about a message.
type Detail struct{ Name, Value string }

// Position says where in its file a message stands. Unknown parts are zero.
type Position struct {
	// Line is the 1-based line of the message's first line.
	Line int64
	// Offset is the byte offset of the message's first byte.
	Offset int64
	// Pointer is an RFC 6901 JSON pointer for JSON files.
	Pointer string
}

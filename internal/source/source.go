// Package source is the seam between files on disk and the archive. A source
// recognises one family of export files and reads them as a stream of plain
// msg values; it knows no database, no network and no other source.
package source

import (
	"context"
	"io/fs"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// HeadSize is how many bytes of a file Candidate.Head holds at most.
const HeadSize = 16 << 10

// Candidate is one file that may be an export. Sources reach files through FS
// alone, which confines them to what the user pointed at: a folder (symbolic
// links that lead out are refused), a single file's folder, or a zip.
type Candidate struct {
	FS fs.FS
	// Path is the file's slash-separated path inside FS.
	Path string
	// Container is the name of what FS shows, without its parents: the zip's
	// file name or the folder's name ("WhatsApp Chat - Ana.zip").
	Container string
	// Size is the file's length in bytes.
	Size int64
	// Head is the beginning of the file.
	Head []byte
}

// Recognition says what a candidate is. The zero value means "not mine".
type Recognition struct {
	// Format names the format and, where it matters, its version, for people:
	// "WhatsApp chat export (Android)".
	Format string
	// Confidence is 0 for "not mine" up to 100 for "certain". The highest one
	// over all sources wins; below 50 the file is only named as a guess, and
	// from 95 on no further source is asked.
	Confidence int
	// Superseded names the file beside this one that holds the same messages
	// in a better form. The file is then listed but not read.
	Superseded string
	// Root is the folder inside FS that attachment references are relative to.
	Root string
	// Conversations and Messages are estimates for the plan; 0 is unknown.
	Conversations, Messages int64
	// First and Last bound the messages where a bounded look can tell.
	First, Last msg.Time
	// Needs lists what only the user can tell.
	Needs []Need
	// Why explains a low confidence or an oddity in one sentence.
	Why string
}

// Need is something the files do not say and the user can.
type Need struct {
	What NeedKind
	// Why says in one sentence what is assumed without it.
	Why string
	// Choices are the possible answers, if they are known.
	Choices []string
}

// NeedKind is a thing a user can be asked for.
type NeedKind string

const (
	// NeedOwner: which of the senders is the owner (--me).
	NeedOwner NeedKind = "me"
	// NeedZone: in which time zone the wall clock readings were made (--tz).
	NeedZone NeedKind = "tz"
)

// Options are the user's answers.
type Options struct {
	// Me are the names or handles that are the owner, compared with
	// SameName.
	Me []string
	// Now bounds guesses about two-digit years and future dates.
	Now time.Time
}

// Sink takes what a Read finds. Its methods are called from one goroutine.
// An error they return ends the reading: Read returns it unchanged.
type Sink interface {
	// Begin starts a conversation. Every Message up to End belongs to it.
	// A key may begin again later in the same file.
	Begin(msg.Conversation) error
	// Message hands over the next message, in file order. The sink keeps
	// nothing of m after it returns, so the caller may reuse it.
	Message(m *msg.Message) error
	// End closes the conversation with what is known of it by now: name,
	// kind and participants replace those of Begin where they are set.
	End(msg.Conversation) error
	// Skip reports a record that could not become a message.
	Skip(Skipped)
	// Note reports an assumption made for the file as a whole ("dates read
	// as day/month"), once per assumption.
	Note(text string)
}

// Skipped is a record that was not imported, and why. Nothing is ever left
// out without one.
type Skipped struct {
	Position msg.Position
	// Reason is one clause in lower case that names the record's fault.
	Reason string
	// Excerpt is the beginning of the record, at most ExcerptSize bytes.
	Excerpt string
}

// ExcerptSize bounds Skipped.Excerpt.
const ExcerptSize = 120

// Source reads one format. Its methods are safe for concurrent use.
type Source interface {
	// Name is the service the messages belong to.
	Name() msg.Source
	// Recognize looks at a candidate. It may read a bounded amount (under
	// 1 MiB) beyond Head and look for sibling files. An error means the file
	// could not be looked at, not that it is something else.
	Recognize(ctx context.Context, c Candidate) (Recognition, error)
	// Read streams the file that r recognised. It needs memory that does not
	// grow with the file, hands over every record as a message or a Skip, and
	// checks ctx at least once per thousand records. The same bytes give the
	// same calls, whatever the machine, its zone and its locale. An error
	// other than the sink's or ctx's means the rest of the file is lost; what
	// was handed over before stays good.
	Read(ctx context.Context, c Candidate, r Recognition, o Options, sink Sink) error
}

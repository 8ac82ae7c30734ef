// Package record is the vocabulary of the record of unsolicited contact: what
// a finding, a sender, an event, an entity and a run are. It is to
// internal/spam what msg is to the archive: internal/store keeps these values,
// internal/spam makes and counts them, and neither needs to know the other's
// insides. It holds no rule and no SQL.
//
// Texts of fixed vocabularies (Status, Consent, EventType …) are stored as
// they are written here, so a released spelling never changes. Hashes of
// messages are 32 lower-case hex digits (msg.Hash.String). Times of the
// program's own doing (RecordedAt, StartedAt …) are UTC at microseconds.
package record

import (
	"errors"
	"strings"
	"time"
)

var (
	// ErrUnknownSender is returned when a sender id or key names nobody.
	ErrUnknownSender = errors.New("unknown sender")
	// ErrUnknownEntity is returned when an entity id or name names nothing.
	ErrUnknownEntity = errors.New("unknown entity")
	// ErrUnknownEvent is returned when an event to supersede does not exist.
	ErrUnknownEvent = errors.New("unknown event")
)

// RunningError is returned by a scan that finds another one at work.
type RunningError struct{ Run Run }

func (e *RunningError) Error() string { return "another scan is running" }

// Availability says whether the owner's address book could be asked.
type Availability string

// The availabilities. Anything but Available makes a scan degraded.
const (
	Available       Availability = "available"
	Absent          Availability = "absent"
	NeedsPermission Availability = "needs-permission"
)

// ScanEnv is "<provider>/<availability>" (vcard/available, none/absent): what
// the question "is this a stranger" was answered from. It stands on every
// finding, cursor and run.
type ScanEnv string

// Env joins the parts of a ScanEnv.
func Env(provider string, a Availability) ScanEnv { return ScanEnv(provider + "/" + string(a)) }

// Degraded reports whether strangers were told by the look of their
// identifiers alone, because no address book could be read.
func (e ScanEnv) Degraded() bool { return !strings.HasSuffix(string(e), "/"+string(Available)) }

// Clock says how the Sort of a message or the Key of an opt-out compares.
// Stored as numbers: append only.
type Clock uint8

const (
	// Instants: Sort is unix microseconds of an instant, stated by the source
	// or worked out from the zone declared for it.
	Instants Clock = iota
	// Readings: Sort is a wall clock's reading taken as if it were UTC,
	// because no zone is declared for the source.
	Readings
)

// String returns "instants" or "readings".
func (c Clock) String() string {
	if c == Readings {
		return "readings"
	}
	return "instants"
}

// StaleAfter is how long a run may go without a heartbeat before it counts as
// crashed. A batch takes a fraction of a second; a laptop's lid takes longer.
const StaleAfter = 2 * time.Minute

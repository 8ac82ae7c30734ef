package config

import "github.com/msgbrowse/msgbrowse/internal/spam/record"

// Contacts say which address books are read.
type Contacts struct {
	// VCard are vCard files, or folders of them.
	VCard []string
	// GoogleCSV are exports of Google Contacts.
	GoogleCSV []string
	// MacOS is MacOSAuto for the address book of the Mac this runs on,
	// MacOSOff for none, or the folder of one.
	MacOS string
}

// The words that Contacts.MacOS may be instead of a folder.
const (
	MacOSAuto = "auto"
	MacOSOff  = "off"
)

// Spam are the settings of the evidence record of unsolicited contact. What
// each list adds to is for the reader of the record to say.
type Spam struct {
	record.RuleSettings
	// Places say where the owner was, each "DATE ZONE": from that day on, in
	// that IANA zone.
	Places []string
	// Lines are the owner's numbers with the day each was put on the
	// do-not-call registry: "NUMBER DATE".
	Lines []string
	// ExportDir is where dossiers are written; empty for spam-exports in the
	// data folder.
	ExportDir string
}

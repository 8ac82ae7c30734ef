package config

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
	// MyNumbers are the owner's own numbers and addresses.
	MyNumbers []string
	// Allowlist are senders that are never examined.
	Allowlist []string
	// WatchAreaCodes are NANP area codes, three digits each.
	WatchAreaCodes []string
	// NameVariants are the names that strangers call the owner or others by.
	NameVariants []string
	// FlagAnyURL flags messages with any link, not only with a shortened one.
	FlagAnyURL bool
	// ShortenerDomains are domains of link shorteners.
	ShortenerDomains []string
	// EntityKeywords are words and domains that hint at who is behind a text.
	EntityKeywords []string
	// StopKeywords are further whole messages that count as an opt-out.
	StopKeywords []string
	// CannedNotice is the notice the owner sends, or the beginning of it.
	CannedNotice string
	// CannedNoticeMatchRatio is how much of the notice, from its beginning,
	// a message must repeat: above 0, at most 1.
	CannedNoticeMatchRatio float64
	// ExcludeConversations are ids or names of conversations no body of which
	// is read.
	ExcludeConversations []string
	// IncludeGroups counts messages in groups.
	IncludeGroups bool
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

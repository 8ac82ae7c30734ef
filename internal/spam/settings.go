package spam

// Settings are the owner's `spam:` block. The zero value is not useful:
// start from DefaultSettings.
type Settings struct {
	// MyNumbers are the owner's own numbers and addresses, in any spelling.
	MyNumbers []string
	// Allowlist are senders that are never strangers, in any spelling.
	Allowlist []string
	// WatchAreaCodes are area codes of the North American plan, three digits.
	WatchAreaCodes []string
	// NameVariants are names that strangers call the owner by.
	NameVariants []string
	// FlagAnyURL makes every link a reason.
	FlagAnyURL bool
	// ShortenerDomains are added to the built-in list.
	ShortenerDomains []string
	// EntityKeywords are words, phrases and domains that may point to an
	// entity.
	EntityKeywords []string
	// StopKeywords are added to the opt-outs of tier B.
	StopKeywords []string
	// CannedNotice is the owner's standard text that forbids contact; empty
	// when there is none.
	CannedNotice string
	// CannedNoticeMatchRatio is how much of the notice, in (0, 1], a message
	// must begin with.
	CannedNoticeMatchRatio float64
	// ExcludeConversations are ids, keys or names of conversations that are
	// never read.
	ExcludeConversations []string
	// IncludeGroups lets the messages of groups count.
	IncludeGroups bool
	// Places say where the owner was, oldest first, for quiet hours. Without
	// one they are not computed.
	Places []Place
	// Lines are facts about the owner's own lines.
	Lines []Line
}

// Place says in which zone the owner was from a day on.
type Place struct {
	From string // YYYY-MM-DD
	Zone string // IANA name
}

// Line is one number of the owner.
type Line struct {
	Number string // in any spelling
	// RegisteredOn is the day it was put on the do-not-call registry,
	// YYYY-MM-DD; empty when that is not known.
	RegisteredOn string
}

// DefaultSettings are the settings of an owner who said nothing.
func DefaultSettings() Settings {
	return Settings{FlagAnyURL: true, CannedNoticeMatchRatio: 0.6}
}

package record

// RuleSettings are what the owner says about messages and senders in words
// alone, as the configuration and the rules both have it.
type RuleSettings struct {
	// MyNumbers are the owner's own numbers and addresses, in any spelling.
	MyNumbers []string
	// Allowlist are senders that are never strangers, in any spelling.
	Allowlist []string
	// WatchAreaCodes are area codes of the North American plan, three digits.
	WatchAreaCodes []string
	// NameVariants are names that strangers call the owner by.
	NameVariants []string
	// FlagAnyURL makes every link a reason, not only a shortened one.
	FlagAnyURL bool
	// ShortenerDomains are added to the built-in list.
	ShortenerDomains []string
	// EntityKeywords are words, phrases and domains that may point to an
	// entity.
	EntityKeywords []string
	// StopKeywords are further whole messages that are opt-outs, of tier B.
	StopKeywords []string
	// CannedNotice is the owner's standard text that forbids contact, or the
	// beginning of it; empty when there is none.
	CannedNotice string
	// CannedNoticeMatchRatio is how much of the notice, in (0, 1], a message
	// must begin with.
	CannedNoticeMatchRatio float64
	// ExcludeConversations are ids, keys or names of conversations that are
	// never read.
	ExcludeConversations []string
	// IncludeGroups lets the messages of groups count.
	IncludeGroups bool
}

// DefaultRuleSettings are those of an owner who said nothing.
func DefaultRuleSettings() RuleSettings {
	return RuleSettings{FlagAnyURL: true, CannedNoticeMatchRatio: 0.6}
}

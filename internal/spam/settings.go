package spam

import "github.com/msgbrowse/msgbrowse/internal/spam/record"

// Settings are the owner's `spam:` block. The zero value is not useful:
// start from DefaultSettings.
type Settings struct {
	record.RuleSettings
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
	return Settings{RuleSettings: record.DefaultRuleSettings()}
}

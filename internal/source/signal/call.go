package signal

import "strings"

// isCall reports whether text is one of the lines that signal-export writes
// for a call: "Outgoing call", "Missed video call", "Incoming voice call
// (accepted, 3m 2s)". Transcripts do not say so otherwise.
func isCall(text string) bool {
	rest, ok := strings.CutPrefix(text, "Incoming ")
	if !ok {
		rest, ok = strings.CutPrefix(text, "Outgoing ")
	}
	if !ok {
		rest, ok = strings.CutPrefix(text, "Missed ")
	}
	if !ok {
		return false
	}
	label, detail, _ := strings.Cut(rest, " (")
	kind, isCall := strings.CutSuffix(label, "call")
	if !isCall || kind != "" && !lowerWord(strings.TrimSuffix(kind, " ")) {
		return false
	}
	if detail == "" {
		return len(rest) == len(label)
	}
	inner, closed := strings.CutSuffix(detail, ")")
	return closed && lowerWords(inner)
}

// callDuration returns "3m 2s" of a call that was accepted and measured.
func callDuration(text string) string {
	_, detail, _ := strings.Cut(text, "(accepted, ")
	return strings.TrimSuffix(detail, ")")
}

func lowerWord(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return s != ""
}

func lowerWords(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != ' ' && c != ',' && c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

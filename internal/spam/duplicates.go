package spam

import (
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// twinGap is how far apart the copies of one message may stand that came by
// two services, and a stub from the multimedia message it announces.
const twinGap = int64(time.Minute / time.Microsecond)

// recentContacts bounds how many contacts of a sender are compared with one.
const recentContacts = 16

// duplicates says which of a subject's contacts are copies of an earlier one,
// by hash, and why. findings are sorted by Sort; those counted returns false
// for are not looked at.
func duplicates(findings []record.Finding, counted func(*record.Finding) bool) map[string]string {
	why := map[string]string{}
	recent := map[string][]*record.Finding{}
	for i := range findings {
		f := &findings[i]
		if !counted(f) {
			continue
		}
		list := recent[f.SenderKey]
		copyOf := ""
		for j := len(list) - 1; j >= 0 && f.Sort-list[j].Sort <= twinGap; j-- {
			if isStub(list[j]) && !isStub(f) && f.Attachments > 0 {
				why[list[j].Hash] = "stub of the multimedia message " + short(f.Hash)
				continue
			}
			if reason := copies(list[j], f); reason != "" {
				copyOf = reason + " " + short(list[j].Hash)
				break
			}
		}
		if copyOf != "" {
			why[f.Hash] = copyOf
			continue
		}
		recent[f.SenderKey] = append(list[max(0, len(list)-recentContacts):], f)
	}
	return why
}

// copies says how a later message copies an earlier one, empty when it does
// not.
func copies(a, b *record.Finding) string {
	if isStub(b) && a.Attachments > 0 {
		return "stub of the multimedia message"
	}
	if a.TextKey != b.TextKey || a.TextKey == "" && (a.BodySHA256 != b.BodySHA256 || a.Attachments != b.Attachments) || a.Clock != b.Clock {
		return ""
	}
	coarse := a.Time.Precision == msg.Minute || a.Time.Precision == msg.Day || b.Time.Precision == msg.Minute || b.Time.Precision == msg.Day
	switch {
	case a.Service != "" && b.Service != "" && a.Service != b.Service:
		return "the same text by another service as"
	case a.ConversationID != b.ConversationID && (a.Sort == b.Sort || a.Sort/1e6 == b.Sort/1e6 || coarse && a.Sort/60e6 == b.Sort/60e6):
		return "the same text at the same time in another conversation as"
	case a.ConversationID == b.ConversationID && a.Sort == b.Sort && !coarse:
		return "the same text at the same time as"
	}
	return ""
}

// isStub reports whether nothing came with a message: what phones leave in
// the place of a multimedia message.
func isStub(f *record.Finding) bool {
	return f.BodyBytes == 0 && f.Attachments == 0 && f.Kind == msg.Text
}

// short is how a message is named by its hash where it need not be looked up.
func short(hash string) string { return hash[:min(len(hash), 12)] }

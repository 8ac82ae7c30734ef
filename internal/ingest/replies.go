package ingest

import (
	"hash/maphash"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// replyFinder tells which message of a conversation a reply answers. Formats
// with ids name it; for the others it looks back for the latest message with
// the quoted text among those it remembers.
type replyFinder struct {
	recent, older map[uint64]msg.Hash
}

// replyWindow is how many messages a generation remembers; quotes point to
// recent ones.
const replyWindow = 4096

// quoteSize is how much of a text is compared: exports cut long quotes.
const quoteSize = 64

func (f *replyFinder) target(s msg.Source, conversationKey string, m *msg.Message) *msg.Hash {
	if m.ReplyTo == nil {
		return nil
	}
	if m.ReplyTo.NativeID != "" {
		hash := msg.Identity(s, conversationKey, &msg.Message{NativeID: m.ReplyTo.NativeID}, 0)
		return &hash
	}
	key, ok := quoteKey("", "", quoted(m.ReplyTo.Quote))
	if ref := m.ReplyTo.Target; ref != nil {
		key, ok = quoteKey(ref.RawTime, ref.Sender, quoted(ref.Body))
	}
	if !ok {
		return nil
	}
	hash, ok := f.recent[key]
	if !ok {
		hash, ok = f.older[key]
	}
	if !ok {
		return nil
	}
	return &hash
}

func (f *replyFinder) remember(m *msg.Message, hash msg.Hash) {
	if m.NativeID != "" {
		return
	}
	if f.recent == nil || len(f.recent) >= 2*replyWindow {
		f.older, f.recent = f.recent, make(map[uint64]msg.Hash, 64)
	}
	text := quoted(m.Body)
	if key, ok := quoteKey("", "", text); ok {
		f.recent[key] = hash
	}
	if key, ok := quoteKey(m.Time.Raw, m.Sender.ID, text); ok {
		f.recent[key] = hash
	}
}

// quoted is the part of a text that is compared with a quote's.
func quoted(text string) string {
	text = msg.IdentityText(text)
	if len(text) > quoteSize {
		text = text[:quoteSize]
	}
	if strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\n", " ")
	}
	return text
}

// quoteKey is what a quote and the text it was taken from have in common; text
// is what quoted makes of either. The keys are compared within one run only.
func quoteKey(rawTime, sender, text string) (key uint64, ok bool) {
	if rawTime == "" && text == "" {
		return 0, false
	}
	var h maphash.Hash
	h.SetSeed(quoteSeed)
	h.WriteString(text)
	if rawTime != "" {
		h.WriteByte(0)
		h.WriteString(rawTime)
		h.WriteByte(0)
		h.WriteString(sender)
	}
	return h.Sum64(), true
}

var quoteSeed = maphash.MakeSeed()

package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// judgeCategory records what kind of message one of a sender's is, as a person
// says: the kind that a scan suggests, or another.
func (s *site) judgeCategory(r *http.Request, _ folder) (answer, error) {
	sender, err := s.sender(r)
	if err != nil {
		return answer{}, err
	}
	category, err := fieldChoice(r, "category", record.Categories)
	if err != nil {
		return answer{}, err
	}
	if category == nil {
		return answer{}, refused("A message needs a kind: " + strings.Join(words(record.Categories), ", ") + ".")
	}
	finding, err := s.findingOf(r, sender)
	if err != nil {
		return answer{}, err
	}
	if finding.Direction != msg.In {
		return answer{}, refused("This message did not come in, so it has no kind.")
	}
	if err := s.evidence.Recorder.JudgeCategory(r.Context(), record.CategoryJudgment{Hash: finding.Hash, Category: *category, RecordedAt: s.now().UTC().UnixMicro()}); err != nil {
		return answer{}, err
	}
	back := senderPath(sender.ID)
	if exhibit, err := strconv.Atoi(r.PostForm.Get("exhibit")); err == nil && exhibit > 0 {
		first := (exhibit-1)/pageExhibits*pageExhibits + 1
		back += "?from=" + strconv.Itoa(first) + "#x" + strconv.Itoa(exhibit)
	}
	return answer{redirect: back}, nil
}

// findingOf is the finding of the message that a form names, which must be of
// the sender.
func (s *site) findingOf(r *http.Request, sender record.Sender) (record.Finding, error) {
	text, err := fieldText(r, "message")
	if err != nil {
		return record.Finding{}, err
	}
	m, err := s.messageNamed(r.Context(), text)
	if err != nil {
		return record.Finding{}, err
	}
	f, ok, err := s.r.SpamFinding(r.Context(), m.ConversationID, m.Hash)
	if err == nil && (!ok || f.SenderID != sender.ID) {
		err = refused("There is no such message of this sender on the record.")
	}
	return f, err
}

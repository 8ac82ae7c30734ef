package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// maxWords bounds what a person writes into a field of the record, in bytes.
const maxWords = 8000

// refused says why a form was not recorded.
func refused(advice string) error {
	return &problem{http.StatusUnprocessableEntity, "Nothing was recorded", advice}
}

// given returns a field of a form; nil when it was not sent.
func given(r *http.Request, name string) (*string, error) {
	values, sent := r.PostForm[name]
	if !sent || len(values) == 0 {
		return nil, nil
	}
	text := strings.TrimSpace(strings.ReplaceAll(values[0], "\r\n", "\n"))
	if len(text) > maxWords {
		return nil, refused("The field " + name + " holds more than " + strconv.Itoa(maxWords) + " bytes. Use fewer words.")
	}
	return &text, nil
}

// fieldText is given, empty when it was not sent.
func fieldText(r *http.Request, name string) (string, error) {
	text, err := given(r, name)
	if text == nil {
		return "", err
	}
	return *text, nil
}

// fieldChoice reads a field with a fixed vocabulary; nil when it was not sent.
func fieldChoice[T ~string](r *http.Request, name string, known []T) (*T, error) {
	text, err := given(r, name)
	if text == nil {
		return nil, err
	}
	for _, k := range known {
		if *text == string(k) {
			return &k, nil
		}
	}
	return nil, refused("The value of " + name + " is not known; use " + strings.Join(words(known), ", ") + ".")
}

// judge records what a person says of a sender: the fields that were sent and
// no others.
func (s *site) judge(r *http.Request, _ folder) (answer, error) {
	sender, err := s.sender(r)
	if err != nil {
		return answer{}, err
	}
	var c record.SenderChange
	if c.Status, err = fieldChoice(r, "status", record.Statuses); err != nil {
		return answer{}, err
	}
	if c.Consent, err = fieldChoice(r, "consent_status", record.Consents); err != nil {
		return answer{}, err
	}
	for _, x := range []struct {
		name string
		to   **string
	}{{"suspected_entity", &c.SuspectedEntity}, {"consent_notes", &c.ConsentNotes}, {"notes", &c.Notes}} {
		if *x.to, err = given(r, x.name); err != nil {
			return answer{}, err
		}
	}
	if c == (record.SenderChange{}) {
		return answer{}, refused("The form holds none of status, suspected_entity, consent_status, consent_notes and notes.")
	}
	if err := s.evidence.Recorder.JudgeSpamSender(r.Context(), sender.ID, c, s.now()); err != nil {
		return answer{}, err
	}
	return answer{redirect: senderPath(sender.ID) + "#words"}, nil
}

// addEvent records that something happened.
func (s *site) addEvent(r *http.Request, f folder) (answer, error) {
	sender, err := s.sender(r)
	if err != nil {
		return answer{}, err
	}
	event := record.Event{SenderID: sender.ID, Origin: record.Manual, RecordedAt: s.now().UTC().UnixMicro()}
	kind, err := fieldChoice(r, "type", record.EventTypes)
	if err != nil {
		return answer{}, err
	}
	if kind == nil {
		return answer{}, refused("An event needs a type: " + strings.Join(words(record.EventTypes), ", ") + ".")
	}
	event.Type = *kind
	at, err := fieldText(r, "at")
	if err != nil {
		return answer{}, err
	}
	if event.Time, err = spam.ParseEventTime(at, s.now()); err != nil {
		return answer{}, refused("The field at: " + err.Error() + ".")
	}
	if event.Details, err = fieldText(r, "details"); err != nil {
		return answer{}, err
	}
	if event.Evidence, err = fieldText(r, "evidence"); err != nil {
		return answer{}, err
	}
	if err := s.eventShownBy(r, at != "", &event); err != nil {
		return answer{}, err
	}
	if text := r.PostForm.Get("supersedes"); text != "" {
		if event.Supersedes, err = strconv.ParseInt(text, 10, 64); err != nil || event.Supersedes <= 0 {
			return answer{}, refused("What is corrected is named by the number of an event.")
		}
	}
	_, err = s.evidence.Recorder.AddSpamEvent(r.Context(), event)
	if errors.Is(err, record.ErrUnknownEvent) {
		return answer{}, refused("There is no such event of this sender to correct, or it was corrected already.")
	}
	if err != nil {
		return answer{}, err
	}
	if err := spam.UpdateOptOuts(r.Context(), s.r, s.evidence.Recorder, f.setup.Clocks); err != nil {
		return answer{}, err
	}
	return answer{redirect: senderPath(sender.ID) + "#h-events"}, nil
}

// eventShownBy ties an event to the owner's message that shows it, and takes
// its time from there unless another was given.
func (s *site) eventShownBy(r *http.Request, timed bool, event *record.Event) error {
	hash, err := fieldText(r, "message")
	if err != nil || hash == "" {
		return err
	}
	m, err := s.messageNamed(r.Context(), hash)
	if err != nil {
		return err
	}
	if m.Direction != msg.Out {
		return refused("The message is not one of yours.")
	}
	event.Hash = m.Hash
	if !timed {
		event.Time = m.Time
	}
	return nil
}

// messageNamed is the message that a form names by its hash, or the beginning
// of it.
func (s *site) messageNamed(ctx context.Context, hash string) (store.Message, error) {
	digits, ok := msg.ParseHash(hash)
	if !ok {
		return store.Message{}, refused("A message is named by at least eight digits of its hash.")
	}
	id, err := s.r.MessageID(ctx, digits)
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrAmbiguous) {
		return store.Message{}, refused("The archive does not hold exactly one message with this hash.")
	}
	if err != nil {
		return store.Message{}, err
	}
	return s.r.Message(ctx, id)
}

// addToEntity puts a sender into an entity, which is made when there is none
// of that name.
func (s *site) addToEntity(r *http.Request, _ folder) (answer, error) {
	sender, err := s.sender(r)
	if err != nil {
		return answer{}, err
	}
	name, err := fieldText(r, "name")
	if err != nil {
		return answer{}, err
	}
	basis, err := fieldText(r, "basis")
	if err != nil {
		return answer{}, err
	}
	evidence, err := fieldText(r, "evidence")
	if err != nil {
		return answer{}, err
	}
	name = strings.Join(strings.Fields(name), " ")
	if name == "" || basis == "" {
		return answer{}, refused("An entity needs a name, and each of its senders a basis: why you hold them for one.")
	}
	all, err := s.r.SpamEntities(r.Context())
	if err != nil {
		return answer{}, err
	}
	var entity int64
	for _, e := range all {
		if slices.Contains(e.Current(), sender.ID) {
			return answer{}, errIsMember
		}
		if strings.EqualFold(e.Name, name) {
			entity = e.ID
		}
	}
	if entity == 0 {
		if entity, err = s.evidence.Recorder.AddSpamEntity(r.Context(), name, "", s.now()); err != nil {
			return answer{}, err
		}
	}
	err = s.evidence.Recorder.AddEntityMember(r.Context(), entity, record.Member{SenderID: sender.ID, Basis: basis, Evidence: evidence, AddedAt: s.now().UTC().UnixMicro()})
	var member *store.MemberError
	if errors.As(err, &member) {
		return answer{}, errIsMember
	}
	if err != nil {
		return answer{}, err
	}
	return answer{redirect: senderPath(sender.ID) + "#words"}, nil
}

// errIsMember refuses a sender that is in an entity.
var errIsMember = refused("The sender is in an entity already; take it out first.")

func (s *site) takeOutOfEntity(r *http.Request, _ folder) (answer, error) {
	sender, err := s.sender(r)
	if err != nil {
		return answer{}, err
	}
	entity, err := strconv.ParseInt(r.PostForm.Get("entity"), 10, 64)
	if err != nil {
		return answer{}, refused("The form names no entity.")
	}
	why, err := fieldText(r, "why")
	if err != nil {
		return answer{}, err
	}
	err = s.evidence.Recorder.RemoveEntityMember(r.Context(), entity, sender.ID, why, s.now())
	if errors.Is(err, record.ErrUnknownSender) || errors.Is(err, record.ErrUnknownEntity) {
		return answer{}, refused("The sender is not in that entity.")
	}
	if err != nil {
		return answer{}, err
	}
	return answer{redirect: senderPath(sender.ID) + "#words"}, nil
}

package spam

import (
	"fmt"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// Limitation is one thing that a record does not show. Every rendering
// carries all of a dossier's.
type Limitation struct {
	ID   string `json:"id"` // fixed, for tests and machines
	Text string `json:"text"`
}

// The limitations that hold for every record.
var (
	limitTimes = Limitation{"no_recorded_utc_offset", "Times carry no recorded UTC offset. What the sources say of each time is written beside it; " +
		"the clock that days and months are counted by is named with the figures."}
	limitCarrier = Limitation{"carrier_not_established", "Carrier and line type are not established: nothing was looked up, and a number does not show who serves it or how a message was sent."}
	limitPersons = Limitation{"human_judgment", "suspected_entity and consent_status are a person's judgment, as are status and notes; none of it was checked. Where the history shows no word of a person, " +
		"status is what the scan made of the messages, and no_consent_on_record says that nothing was recorded, not that there was no consent."}
	limitLeads  = Limitation{"entity_leads", "Entity matches are leads to confirm. That several senders are one entity is the owner's assertion, with the basis given for each."}
	limitCopy   = Limitation{"exporter_copy", "Texts come through an exporter or a copy of a database; neither the exporter nor the device was examined."}
	limitUnseen = Limitation{"deletions_unseen", "Deleted messages, messages on other devices and messages that a carrier held back are not seen. Figures cover what the imported archive holds."}
	limitSpoof  = Limitation{"sender_spoofing", "Sender numbers can be spoofed, shared or reassigned; a number alone does not show who wrote."}
	limitCall   = Limitation{"text_as_call", "Whether a text is a \"call\" under the rules on telephone solicitations depends on the court."}
	limitRules  = Limitation{"rules_dated", "Grace periods come from a table of rules with dates; business days leave out weekends and United States federal holidays as observed, which is an assumption. " +
		"Read the source of the rule before relying on a figure."}
	limitCategory = Limitation{"categories_suggested", "Categories are suggestions unless a person confirmed them; they take no message out of the record or the figures."}
	limitHashes   = Limitation{"hashes", "Digests show that the files are unchanged since they were made, not that the source was genuine."}
	limitAdvice   = Limitation{"not_legal_advice", "This is not legal advice."}
)

// SurveyLimitations are those that bear on lists and figures without message
// texts. envs are the scan environments that the findings were made under.
func SurveyLimitations(envs []record.ScanEnv) []Limitation {
	return []Limitation{limitTimes, limitCarrier, limitPersons, limitUnseen, limitSpoof, limitCall, predicate(envs), limitAdvice}
}

// predicate says how strangers were told.
func predicate(envs []record.ScanEnv) Limitation {
	degraded := false
	names := make([]string, len(envs))
	for i, env := range envs {
		degraded = degraded || env.Degraded()
		names[i] = string(env)
	}
	const both = " Without one, a person you know whose number was never named is taken for a stranger, and a stranger to whom a source gave a name is left out."
	switch {
	case len(envs) == 0:
		return Limitation{"stranger_predicate", "Nothing has been examined, so nobody was told to be a stranger or not."}
	case len(envs) > 1:
		return Limitation{"stranger_predicate", "Mixed: findings were made under several address books (" + strings.Join(names, ", ") + "), so that the same sender could have been told differently; only a reset makes this uniform." + both}
	case degraded:
		return Limitation{"stranger_predicate", "Degraded: strangers were told without an address book (" + names[0] + "), by the look of their identifiers." + both}
	}
	return Limitation{"stranger_predicate", "A sender counts as a stranger when the address book that was read (" + names[0] + ") does not list it; the book may have changed since a message came."}
}

// limitations are all that hold for a dossier.
func (b *builder) limitations() []Limitation {
	bySource := map[string]*sourceFacts{}
	groups := false
	for _, f := range b.e.Findings {
		s := bySource[string(f.Source)]
		if s == nil {
			s = &sourceFacts{}
			bySource[string(f.Source)] = s
		}
		s.note(f)
		groups = groups || f.Thread == msg.Group
	}
	for _, h := range b.held {
		if s := bySource[string(h.Source)]; s != nil {
			s.ids = h.NativeIDs
		}
	}
	list := []Limitation{limitTimes}
	for _, source := range sortedKeys(bySource) {
		list = append(list, bySource[source].times(source))
	}
	list = append(list, limitCopy)
	for _, source := range sortedKeys(bySource) {
		list = append(list, bySource[source].nativeIDs(source))
	}
	attachments := "The bytes of attachments are not included; they are named where a message had any."
	if groups && !b.q.Settings.IncludeGroups {
		attachments += " Messages of groups are listed and left out of the figures."
	} else if !groups {
		attachments += " Messages of groups are not included."
	}
	list = append(list, limitCarrier, limitLeads, limitPersons, Limitation{"attachments_not_included", attachments}, limitUnseen, limitSpoof, limitCall,
		predicate(b.d.Counts.Envs), limitCategory, limitRules)
	if !b.d.Counts.Complete {
		list = append(list, Limitation{"incomplete", "A source could not be read, so figures are \"at least\". " + strings.Join(b.d.Counts.Problems, " ")})
	}
	if b.d.Gaps > 0 {
		list = append(list, Limitation{"gaps", fmt.Sprintf("%s no longer in the archive; time, sender and digest are what is left.", countOf(b.d.Gaps, "message is", "messages are"))})
	}
	return append(list, limitHashes, limitAdvice)
}

func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// sourceFacts are what the messages of one source have.
type sourceFacts struct{ messages, instants, zoned, readings, ids int }

func (s *sourceFacts) note(f record.Finding) {
	s.messages++
	switch basis(f) {
	case basisInstant:
		s.instants++
	case basisZoned:
		s.zoned++
	default:
		s.readings++
	}
}

func (s *sourceFacts) times(source string) Limitation {
	return Limitation{"times_" + source, fmt.Sprintf("Times of source %s: the instant is stated for %d of %d messages; %d have a clock reading in a zone that was declared; for %d the zone, and so the instant, is unknown.",
		source, s.instants, s.messages, s.zoned, s.readings)}
}

func (s *sourceFacts) nativeIDs(source string) Limitation {
	return Limitation{"native_ids_" + source, fmt.Sprintf("Native message ids of source %s are preserved for %d of %d messages; all others are identified by a digest of their content and place.", source, s.ids, s.messages)}
}

package mcp

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

type listSpamSendersInput struct {
	Status []string `json:"status,omitempty" jsonschema:"only senders of these statuses; all without it" enum:"seen,watch,tracked,ignored"`
	Source string   `json:"source,omitempty" jsonschema:"signal, imessage, whatsapp, telegram"`
	Limit  *int     `json:"limit,omitempty" jsonschema:"how many, 50 by default, at most 200"`
	Cursor string   `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

type spamSenderItem struct {
	SenderID        int64            `json:"sender_id" jsonschema:"id, valid for get_spam_sender and get_spam_dossier"`
	Identifier      string           `json:"identifier" jsonschema:"number, short code, address or name, as the source writes it"`
	Kind            string           `json:"kind" jsonschema:"short_code, nanp, toll_free, international, email, alphanumeric, name_only; line type and carrier are not known"`
	DisplayName     string           `json:"display_name,omitempty"`
	Sources         []string         `json:"sources"`
	Status          string           `json:"status" jsonschema:"seen, watch (a rule fired), tracked or ignored (by the owner)"`
	StatusByPerson  bool             `json:"status_by_person"`
	SuspectedEntity string           `json:"suspected_entity" jsonschema:"the owner's judgment"`
	ConsentStatus   string           `json:"consent_status" jsonschema:"the owner's judgment"`
	EntityID        int64            `json:"entity_id,omitempty" jsonschema:"entity that the owner put the sender into"`
	EntityName      string           `json:"entity_name,omitempty"`
	MessagesIn      int64            `json:"messages_in" jsonschema:"messages found that came in, before duplicates and others that do not count are taken out: get_spam_sender has contacts"`
	MessagesOut     int64            `json:"messages_out"`
	Flagged         int64            `json:"flagged" jsonschema:"messages that tripped a rule"`
	InAfterOptOut   int64            `json:"in_after_opt_out" jsonschema:"of messages_in, those after an opt-out; list_spam_violations has the contacts that count"`
	Reasons         map[string]int64 `json:"reasons" jsonschema:"how many messages each kind of rule flagged"`
	FirstSeen       timeItem         `json:"first_seen"`
	LastSeen        timeItem         `json:"last_seen"`
}

type listSpamSendersOutput struct {
	spamFrame
	Senders []spamSenderItem `json:"senders"`
}

func (t *tools) listSpamSenders() ToolDef {
	return ToolDef{
		Name: "list_spam_senders", Title: "List unsolicited senders",
		Description: "List senders of unsolicited texts with counts, first and last seen, messages after an opt-out and status, latest first. Holds no message text. " +
			spamNature + "Narrow by status or source.",
		Input: SchemaOf[listSpamSendersInput](), Output: SchemaOf[listSpamSendersOutput](),
		Handler: handler("list_spam_senders", t.runListSpamSenders),
	}
}

func (t *tools) runListSpamSenders(ctx context.Context, in listSpamSendersInput, query string) (any, string, error) {
	after, err := decodeCursor(in.Cursor, query)
	if err != nil {
		return nil, "", err
	}
	_, frame, err := t.openRecord(ctx, "", nil)
	if err != nil {
		return nil, "", err
	}
	out := listSpamSendersOutput{spamFrame: frame}
	limit := clamp("limit", in.Limit, 50, 1, 200, &out.listing.Notes)
	list, sources, err := t.spamSenders(ctx, in)
	if err != nil {
		return nil, "", err
	}
	total := int64(len(list))
	if after != nil {
		list = slices.DeleteFunc(list, func(s record.Sender) bool { return !olderSender(s, after.Sort, after.ID) })
	}
	if len(list) > limit {
		list = list[:limit]
		last := list[limit-1]
		out.NextCursor = cursor{Query: query, Sort: last.LastSort, ID: last.ID}.encode()
		out.Hint = "narrow with status or source, or pass next_cursor as cursor"
	}
	entities, err := t.entityOf(ctx)
	if err != nil {
		return nil, "", err
	}
	var b strings.Builder
	for _, s := range list {
		item := spamSenderOf(s, sources[s.ID], entities[s.ID])
		out.Senders = append(out.Senders, item)
		b.WriteString(item.line() + "\n")
	}
	out.Shown, out.Total = len(list), &total
	if total == 0 && out.Scanned {
		out.Hint = "no sender matches; drop a filter"
	}
	clean(&out)
	return out, out.spamFrame.text("senders", b.String()), nil
}

// spamSenders lists the senders that the arguments keep, the latest first.
func (t *tools) spamSenders(ctx context.Context, in listSpamSendersInput) ([]record.Sender, map[int64][]msg.Source, error) {
	list, err := t.r.SpamSenders(ctx, record.SenderQuery{Statuses: statusesOf(in.Status)})
	if err != nil {
		return nil, nil, err
	}
	sources, err := t.r.SpamSources(ctx, record.SenderIDs(list))
	if err != nil {
		return nil, nil, err
	}
	if in.Source != "" {
		source, err := search.Source(ctx, t.r, in.Source)
		if err != nil {
			return nil, nil, err
		}
		list = slices.DeleteFunc(list, func(s record.Sender) bool { return !slices.Contains(sources[s.ID], source) })
	}
	slices.SortFunc(list, func(a, b record.Sender) int {
		return cmp.Or(cmp.Compare(b.LastSort, a.LastSort), cmp.Compare(b.ID, a.ID))
	})
	return list, sources, nil
}

func olderSender(s record.Sender, sort, id int64) bool {
	return s.LastSort < sort || s.LastSort == sort && s.ID < id
}

// entityOf returns the entity that each sender is in.
func (t *tools) entityOf(ctx context.Context) (map[int64]record.Entity, error) {
	all, err := t.r.SpamEntities(ctx)
	if err != nil {
		return nil, err
	}
	in := map[int64]record.Entity{}
	for _, e := range all {
		for _, id := range e.Current() {
			in[id] = e
		}
	}
	return in, nil
}

func spamSenderOf(s record.Sender, sources []msg.Source, entity record.Entity) spamSenderItem {
	var first msg.Source
	if len(sources) > 0 {
		first = sources[0]
	}
	item := spamSenderItem{
		SenderID: s.ID, Identifier: person(first, s.Identifier), Kind: string(s.Kind), DisplayName: name(s.Name), Status: string(s.Status), StatusByPerson: s.StatusByPerson,
		SuspectedEntity: cut(s.SuspectedEntity, longMessage), ConsentStatus: string(s.Consent), EntityID: entity.ID, EntityName: name(entity.Name),
		MessagesIn: s.Figures.Inbound, MessagesOut: s.Figures.Outbound, Flagged: s.Figures.Candidates, InAfterOptOut: s.Figures.AfterOptOut,
		Reasons: s.Figures.Reasons, FirstSeen: timeOf(s.First), LastSeen: timeOf(s.Last),
	}
	for _, source := range sources {
		item.Sources = append(item.Sources, string(source))
	}
	return item
}

// line says all that an item says.
func (s spamSenderItem) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sender_id %d %s", s.SenderID, quoted(s.Identifier))
	if s.DisplayName != "" {
		fmt.Fprintf(&b, " display_name %s", quoted(s.DisplayName))
	}
	fmt.Fprintf(&b, " (%s; %s): status %s", s.Kind, strings.Join(s.Sources, ", "), s.Status)
	if s.StatusByPerson {
		b.WriteString(" (by the owner)")
	}
	fmt.Fprintf(&b, ", consent_status %s", s.ConsentStatus)
	if s.SuspectedEntity != "" {
		fmt.Fprintf(&b, ", suspected_entity %s", quoted(oneLine(s.SuspectedEntity)))
	}
	if s.EntityID != 0 {
		fmt.Fprintf(&b, ", entity %d %s", s.EntityID, quoted(s.EntityName))
	}
	fmt.Fprintf(&b, "; messages_in %d, messages_out %d, flagged %d, in_after_opt_out %d; first %s, last %s", s.MessagesIn, s.MessagesOut, s.Flagged, s.InAfterOptOut, s.FirstSeen, s.LastSeen)
	for _, reason := range slices.Sorted(maps.Keys(s.Reasons)) {
		fmt.Fprintf(&b, "; %s %d", reason, s.Reasons[reason])
	}
	return b.String()
}

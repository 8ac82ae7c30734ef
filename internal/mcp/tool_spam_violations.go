package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/spam"
)

type listSpamViolationsInput struct {
	asOfInput
	Limit  *int   `json:"limit,omitempty" jsonschema:"how many, 50 by default, at most 200"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

type spamViolationItem struct {
	SenderID        int64              `json:"sender_id,omitempty" jsonschema:"absent for an entity"`
	EntityID        int64              `json:"entity_id,omitempty" jsonschema:"absent for a sender; what is counted for an entity is what all its senders got to hear"`
	Name            string             `json:"name" jsonschema:"the sender's identifier or the entity's name"`
	Status          string             `json:"status,omitempty"`
	SuspectedEntity string             `json:"suspected_entity,omitempty" jsonschema:"the owner's judgment"`
	ConsentStatus   string             `json:"consent_status,omitempty" jsonschema:"the owner's judgment"`
	Contacts        int                `json:"contacts"`
	After           spam.After         `json:"after_opt_out" jsonschema:"total = confirmation + within_grace + after_grace"`
	Trailing        spam.Window        `json:"trailing_twelve_months"`
	Worst           spam.Window        `json:"worst_twelve_months"`
	OptOuts         []spam.OptOutCount `json:"opt_outs"`
}

type listSpamViolationsOutput struct {
	spamFrame
	Contacts []spamViolationItem `json:"contacts_after_opt_out"`
}

func (t *tools) listSpamViolations() ToolDef {
	return ToolDef{
		Name: "list_spam_violations", Title: "List contacts after an opt-out",
		Description: "List who wrote after an opt-out, the most contacts first: entities the owner grouped, then senders, with contacts after the opt-out (confirmation, within the grace period, after it) " +
			"and in the trailing and the worst twelve months. A contact after an opt-out is a count, not a finding that a law was violated. Holds no message text. " + spamNature,
		Input: SchemaOf[listSpamViolationsInput](), Output: SchemaOf[listSpamViolationsOutput](),
		Handler: handler("list_spam_violations", t.runListSpamViolations),
	}
}

func (t *tools) runListSpamViolations(ctx context.Context, in listSpamViolationsInput, query string) (any, string, error) {
	after, q, frame, err := t.recordPage(ctx, in.Cursor, query, in.AsOf)
	if err != nil {
		return nil, "", err
	}
	out := listSpamViolationsOutput{spamFrame: frame}
	limit := clamp("limit", in.Limit, 50, 1, 200, &out.listing.Notes)
	list, err := spam.ContactsAfterOptOut(ctx, t.r, q)
	if err != nil {
		return nil, "", err
	}
	total, from := int64(len(list)), 0
	if after != nil {
		from = min(int(max(0, after.ID)), len(list))
	}
	list = list[from:]
	if len(list) > limit {
		list = list[:limit]
		out.NextCursor = cursor{Query: query, Sort: q.AsOf.UnixMicro(), ID: int64(from + limit)}.encode()
		out.Hint = "pass next_cursor as cursor for the next page"
	}
	var b strings.Builder
	for _, x := range list {
		item := spamViolationOf(x)
		out.Contacts = append(out.Contacts, item)
		b.WriteString(item.line() + "\n")
	}
	out.Shown, out.Total = len(list), &total
	if total == 0 && out.Scanned {
		out.Hint = "no contact after an opt-out is on the record as of then"
	}
	clean(&out)
	return out, out.spamFrame.text("with contacts after an opt-out", b.String()), nil
}

func spamViolationOf(x spam.AfterContact) spamViolationItem {
	c := x.Counts
	item := spamViolationItem{
		SenderID: x.Sender.ID, EntityID: x.Entity.ID, Name: title(x.Sender.Identifier), Status: string(x.Sender.Status),
		SuspectedEntity: cut(x.Sender.SuspectedEntity, longMessage), ConsentStatus: string(x.Sender.Consent),
		Contacts: c.Contacts, After: c.After, Trailing: c.Trailing, Worst: c.Worst, OptOuts: c.OptOuts,
	}
	if x.Entity.ID != 0 {
		item.Name = title(x.Entity.Name)
	}
	return item
}

func (v spamViolationItem) line() string {
	var b strings.Builder
	if v.EntityID != 0 {
		fmt.Fprintf(&b, "entity_id %d %s", v.EntityID, quoted(v.Name))
	} else {
		fmt.Fprintf(&b, "sender_id %d %s: status %s, consent_status %s%s", v.SenderID, quoted(v.Name), v.Status, v.ConsentStatus, tail(", suspected_entity", v.SuspectedEntity))
	}
	a := v.After
	fmt.Fprintf(&b, "; contacts %d; after an opt-out %d = %d confirmation + %d within grace + %d after grace; more than 15 days after %d; trailing_twelve_months %s; worst_twelve_months %s",
		v.Contacts, a.Total, a.Confirmation, a.WithinGrace, a.AfterGrace, a.AfterDays, windowText(v.Trailing), windowText(v.Worst))
	for _, o := range v.OptOuts {
		b.WriteString("; " + optOutText(o))
	}
	return b.String()
}

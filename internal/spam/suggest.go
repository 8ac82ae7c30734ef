package spam

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// Suggestion says what several senders have in common. It is a lead: a
// person decides whether they are one entity.
type Suggestion struct {
	Basis   string  `json:"basis"` // "landing domain", "callback number" or "text"
	Value   string  `json:"value"` // the domain, the number, or the hash of a message with the text
	Senders []int64 `json:"senders"`
}

// leastTextBytes keeps short texts from being a lead: two strangers may both
// write "hello".
const leastTextBytes = 40

// Leads are what senders have in common: Suggestions before those are left
// out that a person acted on. It does not change.
type Leads struct{ list []Suggestion }

// traces is the part of a record that leads are found in.
type traces interface {
	// SpamTraces hands out the findings of messages that came from a sender,
	// with what senders can have in common, until yield returns an error.
	SpamTraces(ctx context.Context, yield func(record.Finding) error) error
}

// FindLeads looks for what senders have in common in the messages that came
// from them: the domain of a link that is no shortener, the number to call,
// the text. It reads all of them.
func FindLeads(ctx context.Context, r traces) (*Leads, error) {
	type lead struct{ basis, value string }
	type found struct {
		shown   string
		senders []int64 // ascending
	}
	all := map[lead]*found{}
	put := func(l lead, value string, sender int64) {
		x := all[l]
		if x == nil {
			x = &found{shown: value}
			all[l] = x
		}
		if at, known := slices.BinarySearch(x.senders, sender); !known {
			x.senders = slices.Insert(x.senders, at, sender)
		}
	}
	err := r.SpamTraces(ctx, func(f record.Finding) error {
		for _, u := range f.Fields.URLs {
			if !u.Shortener {
				put(lead{"landing domain", u.Domain}, u.Domain, f.SenderID)
			}
		}
		for _, number := range f.Fields.Callbacks {
			put(lead{"callback number", number}, number, f.SenderID)
		}
		if f.BodyBytes >= leastTextBytes && f.TextKey != "" && f.Reply == record.NoReply {
			put(lead{"text", f.TextKey}, f.Hash, f.SenderID)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read what senders wrote: %w", err)
	}
	leads := &Leads{}
	for l, x := range all {
		if len(x.senders) > 1 {
			leads.list = append(leads.list, Suggestion{l.basis, x.shown, x.senders})
		}
	}
	slices.SortFunc(leads.list, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(len(b.Senders), len(a.Senders)), cmp.Compare(a.Basis, b.Basis), cmp.Compare(a.Value, b.Value))
	})
	return leads, nil
}

// Suggest lists the leads, those that most senders share first. Senders that
// are members of one entity already give none.
func (l *Leads) Suggest(entities []record.Entity) []Suggestion {
	list := make([]Suggestion, 0, len(l.list))
	for _, x := range l.list {
		if !grouped(x.Senders, entities) {
			list = append(list, x)
		}
	}
	return list
}

// grouped reports whether one entity has all of the senders.
func grouped(ids []int64, entities []record.Entity) bool {
	return slices.ContainsFunc(entities, func(e record.Entity) bool {
		current := e.Current()
		return !slices.ContainsFunc(ids, func(id int64) bool { return !slices.Contains(current, id) })
	})
}

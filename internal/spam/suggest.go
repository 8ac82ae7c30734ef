package spam

import (
	"cmp"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/msg"
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

// SuggestEntities looks for what senders have in common in the messages that
// came from them: the domain of a link that is no shortener, the number to
// call, the text. Senders that are members of one entity already give no
// suggestion.
func SuggestEntities(findings []record.Finding, entities []record.Entity) []Suggestion {
	type lead struct{ basis, value string }
	senders := map[lead]map[int64]bool{}
	shown := map[lead]string{}
	put := func(l lead, value string, sender int64) {
		if senders[l] == nil {
			senders[l], shown[l] = map[int64]bool{}, value
		}
		senders[l][sender] = true
	}
	for _, f := range findings {
		if f.Direction != msg.In || f.Bystander {
			continue
		}
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
	}
	var list []Suggestion
	for l, found := range senders {
		ids := make([]int64, 0, len(found))
		for id := range found {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		if len(ids) > 1 && !grouped(ids, entities) {
			list = append(list, Suggestion{l.basis, shown[l], ids})
		}
	}
	slices.SortFunc(list, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(len(b.Senders), len(a.Senders)), cmp.Compare(a.Basis, b.Basis), cmp.Compare(a.Value, b.Value))
	})
	return list
}

// grouped reports whether one entity has all of the senders.
func grouped(ids []int64, entities []record.Entity) bool {
	return slices.ContainsFunc(entities, func(e record.Entity) bool {
		current := e.Current()
		return !slices.ContainsFunc(ids, func(id int64) bool { return !slices.Contains(current, id) })
	})
}

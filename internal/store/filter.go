package store

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Filter narrows a list of messages or of what belongs to them. Zero fields
// do not narrow. The fields are resolved ids: names are looked up before.
type Filter struct {
	Conversations []int64
	// Senders are handle ids; FromMe adds the owner. Together they mean
	// "one of these".
	Senders []int64
	FromMe  bool
	Source  msg.Source
	// Start is inclusive and End exclusive, both unix microseconds.
	Start, End *int64
	// IncludeMissing also lists what newer exports no longer hold.
	IncludeMissing bool
}

// conditions builds a WHERE clause over a table with the columns
// conversation_id, sender_id, direction and ts under the given alias.
type conditions struct {
	parts []string
	args  []any
}

func (c *conditions) add(condition string, args ...any) {
	c.parts = append(c.parts, condition)
	c.args = append(c.args, args...)
}

func (c *conditions) in(column string, ids []int64) {
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	c.add(column+" IN "+placeholders(len(ids)), args...)
}

func (c *conditions) where() string {
	if len(c.parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(c.parts, " AND ")
}

func (f Filter) conditions(alias string) *conditions {
	c := &conditions{}
	if len(f.Conversations) > 0 {
		c.in(alias+".conversation_id", f.Conversations)
	}
	if f.Source != "" {
		c.add(alias+".conversation_id IN (SELECT id FROM conversations WHERE source = ?)", string(f.Source))
	}
	f.senderConditions(c, alias)
	if f.Start != nil {
		c.add(alias+".ts >= ?", *f.Start)
	}
	if f.End != nil {
		c.add(alias+".ts < ?", *f.End)
	}
	return c
}

func (f Filter) senderConditions(c *conditions, alias string) {
	switch {
	case f.FromMe && len(f.Senders) > 0:
		args := []any{int64(msg.Out)}
		for _, id := range f.Senders {
			args = append(args, id)
		}
		c.add("("+alias+".direction = ? OR "+alias+".sender_id IN "+placeholders(len(f.Senders))+")", args...)
	case f.FromMe:
		c.add(alias+".direction = ?", int64(msg.Out))
	case len(f.Senders) > 0:
		c.add(alias+".direction <> ?", int64(msg.Out))
		c.in(alias+".sender_id", f.Senders)
	}
}

// narrowsMessages reports whether the filter narrows anything but the
// conversation.
func (f Filter) narrowsMessages() bool {
	return len(f.Senders) > 0 || f.FromMe || f.Start != nil || f.End != nil
}

// Key is a place in a list ordered by time and then id.
type Key struct{ Sort, ID int64 }

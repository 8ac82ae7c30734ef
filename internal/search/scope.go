package search

import (
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// scope is what the filters say that can be told without the index.
func (c *compiled) scope() embed.Scope {
	return embed.Scope{Conversations: c.conversations, Senders: c.senders, FromMe: c.fromMe, Start: c.period.Start, End: c.period.End}
}

// within narrows the conversations of the scope.
func (c *compiled) among(conversations []int64) {
	if c.conversations == nil {
		c.conversations = slices.Clone(conversations)
		if c.conversations == nil {
			c.conversations = []int64{}
		}
		return
	}
	c.conversations = slices.DeleteFunc(c.conversations, func(id int64) bool { return !slices.Contains(conversations, id) })
}

func folded(text string) string { return segment.Fold(text) }

func sameWords(a, b string) bool { return folded(a) == folded(b) }

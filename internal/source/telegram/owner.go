package telegram

import (
	"strconv"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// owner knows which senders are the archive's owner.
type owner struct {
	// account is the handle id of the exporting account, if the file states
	// it. It then decides alone.
	account string
	// chat is the owner's id inside a Saved Messages chat, which carries it.
	chat string
	// me are the owner's names and ids as the user gave them.
	me []string
	// settled maps those of me that are names to the first id that had the
	// name, because a display name is not one person's.
	settled map[string]string
	// namesakes is set when another id had the same name.
	namesakes bool
	// open is set once a chat was read of which nothing said who the owner
	// is, found once something was the owner's.
	open, found bool
}

func newOwner(me []string) owner { return owner{me: me, settled: map[string]string{}} }

// setAccount settles the owner by the account's number.
func (o *owner) setAccount(id int64) {
	if id > 0 {
		o.account = "user" + strconv.FormatInt(id, 10)
	}
}

// enter tells that c is read from now on.
func (o *owner) enter(c *chat) {
	if o.chat = ""; c.typ == "saved_messages" {
		o.chat = c.peerID()
	}
	o.open = o.open || o.account == "" && o.chat == ""
}

// is reports whether h is the owner.
func (o *owner) is(h msg.Handle) bool {
	yes := o.check(h)
	o.found = o.found || yes
	return yes
}

func (o *owner) check(h msg.Handle) bool {
	switch {
	case h.IsZero():
		return false
	case o.account != "":
		return h.ID == o.account
	case o.chat != "" && h.ID == o.chat:
		return true
	}
	for _, me := range o.me {
		if source.SameName(me, h.ID) || "user"+me == h.ID {
			return true
		}
	}
	for _, me := range o.me {
		if h.Name == "" || !source.SameName(me, h.Name) {
			continue
		}
		id, known := o.settled[me]
		if !known {
			o.settled[me] = h.ID
			return true
		}
		if id == h.ID {
			return true
		}
		o.namesakes = true
	}
	return false
}

// notes says what was assumed about the owner.
func (o *owner) notes() []string {
	var notes []string
	switch {
	case !o.open:
	case len(o.me) == 0:
		notes = append(notes, "the export does not say whose it is, so no message is taken for the owner's")
	case !o.found:
		notes = append(notes, "none of the names given for the owner is a sender in this export")
	}
	if o.namesakes {
		notes = append(notes, "several accounts have the owner's name and only the first is taken for the owner; the account's id tells them apart")
	}
	return notes
}

package spam

import (
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// ContactsBook is the AddressBook that is read from files.
type ContactsBook struct{ contacts.AddressBooks }

// Env names the books that answer and whether they can.
func (b ContactsBook) Env() record.ScanEnv {
	return record.Env(b.Provider(), record.Availability(b.Availability()))
}

// Knows reports whether one of a person's handles is in a book.
func (b ContactsBook) Knows(handles []store.Person) bool {
	return slices.ContainsFunc(handles, func(p store.Person) bool {
		_, ok := b.Find(msg.Handle{ID: p.Native, Name: p.Name, Kind: p.Kind})
		return ok
	})
}

package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/store/macaddressbook"
)

// addressBooks reads the address books that the settings name, and that of
// the Mac this runs on.
func (a *app) addressBooks(ctx context.Context, settings *config.Config) (contacts.AddressBooks, error) {
	places := contacts.Places{VCard: settings.Contacts.VCard, GoogleCSV: settings.Contacts.GoogleCSV, ReadMacOS: macaddressbook.Read}
	switch where := settings.Contacts.MacOS; {
	case where == config.MacOSOff:
	case where != config.MacOSAuto:
		places.MacOS = where
	case a.env.Host.GOOS == "darwin" && a.env.Host.Home != "":
		places.MacOS, places.MacOSOptional = filepath.Join(a.env.Host.Home, contacts.MacOSFolder), true
	}
	return contacts.Open(ctx, places)
}

// printAddressBooks says what was read, and what to do about what was not.
func printAddressBooks(out io.Writer, books contacts.AddressBooks) {
	for _, s := range books.Sources {
		switch s.Availability {
		case contacts.Available:
			fmt.Fprintf(out, "Address book: %s (%s, %s)\n", inert.Line(s.Path), s.Provider, plural(int64(s.Cards), "entry", "entries"))
		default:
			fmt.Fprintf(out, "Address book not read: %s (%s): %s\n", inert.Line(s.Path), s.Provider, inert.Line(s.Problem))
		}
	}
	switch books.Availability() {
	case contacts.NeedsPermission:
		if books.Provider() != contacts.ProviderMacOS {
			fmt.Fprintln(out, "The address book may not be read: give yourself the right to read it, or name a copy.")
			break
		}
		fmt.Fprintln(out, "The system refuses to show the address book: allow this terminal Full Disk Access in System Settings,"+
			"\nPrivacy & Security, or export the contacts as a vCard and name it in contacts.vcard.")
	case contacts.Absent:
		fmt.Fprintln(out, "No address book: name a vCard in contacts.vcard or a Google export in contacts.google_csv.")
	}
}

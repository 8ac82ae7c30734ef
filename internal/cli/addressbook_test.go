package cli

import (
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/contacts"
)

// TestAddressBooksTold: what is read is named, and for what is not there is
// something to do.
func TestAddressBooksTold(t *testing.T) {
	t.Parallel()
	mac := contacts.Source{Provider: contacts.ProviderMacOS, Path: "/Users/ana/AddressBook-v22.abcddb", Availability: contacts.NeedsPermission, Problem: "operation not permitted"}
	vcard := contacts.Source{Provider: contacts.ProviderVCard, Path: "ana.vcf", Availability: contacts.NeedsPermission, Problem: "permission denied"}
	read := contacts.Source{Provider: contacts.ProviderVCard, Path: "all.vcf", Availability: contacts.Available, Cards: 2}
	for _, tt := range []struct {
		name    string
		sources []contacts.Source
		want    []string
		not     string
	}{
		{"none", nil, []string{"No address book: name a vCard"}, "refuses"},
		{"macOS refuses", []contacts.Source{mac}, []string{"Address book not read: /Users/ana/AddressBook-v22.abcddb (macos): operation not permitted", "Full Disk Access", "contacts.vcard"}, "No address book"},
		{"a file is somebody else's", []contacts.Source{vcard}, []string{"ana.vcf (vcard): permission denied", "give yourself the right to read it"}, "Full Disk Access"},
		{"one of two is read", []contacts.Source{read, mac}, []string{"Address book: all.vcf (vcard, 2 entries)", "Address book not read: /Users/ana"}, "Full Disk Access"},
	} {
		var out strings.Builder
		printAddressBooks(&out, contacts.AddressBooks{Sources: tt.sources})
		for _, want := range tt.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %q lacks %q", tt.name, out.String(), want)
			}
		}
		if strings.Contains(out.String(), tt.not) {
			t.Errorf("%s: %q says %q", tt.name, out.String(), tt.not)
		}
	}
}

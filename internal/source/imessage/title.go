package imessage

import (
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// title is what a file's name tells about its conversation.
type title struct {
	// stem is the file name without extension, in Unicode normal form C: the
	// file systems of macOS spell names in another form.
	stem string
	name string
	// group is set when the name can only be a group's.
	group bool
	// handle is set when the name is a telephone number or an address.
	handle bool
	// members are the people the name lists; all is set when it lists all.
	members []string
	all     bool
}

var (
	namedGroup = regexp.MustCompile(`^(.+) - \d+$`)
	andOthers  = regexp.MustCompile(`^and \d+ others$`)
)

// orphanedStem is the file of the messages that belong to no conversation.
const orphanedStem = "orphaned"

func titleOf(file string) title {
	stem := path.Base(file)
	if ext := path.Ext(stem); strings.EqualFold(ext, ".txt") && len(stem) > len(ext) {
		stem = stem[:len(stem)-len(ext)]
	}
	stem = norm.NFC.String(strings.ToValidUTF8(stem, "\uFFFD"))
	t := title{stem: stem, name: stem}
	kind := source.NameHandle(stem).Kind
	switch {
	case stem == orphanedStem:
		t.name, t.group = "Orphaned messages", true
	case namedGroup.MatchString(stem):
		t.name, t.group = namedGroup.FindStringSubmatch(stem)[1], true
	case strings.Contains(stem, ", "):
		t.group, t.all = true, true
		for _, member := range strings.Split(stem, ", ") {
			if andOthers.MatchString(member) {
				t.all = false
			} else if member != "" {
				t.members = append(t.members, member)
			}
		}
	case kind == msg.HandlePhone || kind == msg.HandleEmail:
		t.handle = true
	}
	return t
}

// names says whether a person's name or handle is what the file name spells:
// the exporter writes an underscore for what a file name may not hold.
func names(file, person string) bool {
	person = norm.NFC.String(person)
	if utf8.RuneCountInString(file) != utf8.RuneCountInString(person) {
		return false
	}
	for _, r := range file {
		p, n := utf8.DecodeRuneInString(person)
		if r != p && (r != '_' || !strings.ContainsRune(`/\:*?"<>|`, p)) {
			return false
		}
		person = person[n:]
	}
	return true
}

func (t title) isMember(person string) bool {
	for _, m := range t.members {
		if names(m, person) {
			return true
		}
	}
	return false
}

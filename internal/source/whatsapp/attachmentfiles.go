package whatsapp

import (
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// attachmentFiles looks for files below root. Without a file system it finds
// nothing.
type attachmentFiles struct {
	fsys fs.FS
	root string
}

// find returns the path of the file that ref names, or why there is none.
// Archivers spell accents in two ways and some drop invisible marks, so a
// name is tried in each spelling.
func (f attachmentFiles) find(ref string) (file, missing string) {
	if f.fsys == nil {
		return "", missingFile
	}
	for _, spelling := range spellings(ref) {
		file, err := source.Resolve(f.root, spelling, false)
		if err != nil {
			return "", missingUnsafe
		}
		if info, err := fs.Stat(f.fsys, file); err == nil && info.Mode().IsRegular() {
			return file, ""
		}
	}
	return "", missingFile
}

// spellings are the names under which a file called ref may lie.
func spellings(ref string) []string {
	all := []string{ref}
	if !strings.ContainsFunc(ref, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return all
	}
	plain := msg.IdentityText(ref)
	for _, spelling := range []string{plain, norm.NFC.String(plain), norm.NFD.String(plain)} {
		if !slices.Contains(all, spelling) {
			all = append(all, spelling)
		}
	}
	return all
}

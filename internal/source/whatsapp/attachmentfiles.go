package whatsapp

import (
	"io/fs"
	"slices"

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
	plain := msg.IdentityText(ref)
	tried := make([]string, 0, 4)
	for _, spelling := range [...]string{ref, plain, norm.NFC.String(plain), norm.NFD.String(plain)} {
		file, err := source.Resolve(f.root, spelling, false)
		if err != nil {
			return "", missingUnsafe
		}
		if slices.Contains(tried, file) {
			continue
		}
		if info, err := fs.Stat(f.fsys, file); err == nil && info.Mode().IsRegular() {
			return file, ""
		}
		tried = append(tried, file)
	}
	return "", missingFile
}

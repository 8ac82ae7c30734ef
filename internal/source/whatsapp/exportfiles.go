package whatsapp

import (
	"html"
	"io/fs"
	"path"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// exportFiles finds the media of an export below root.
type exportFiles struct {
	fsys fs.FS
	root string
}

// find returns the path of the file that ref names, or why there is none. The
// exporter writes references relative to the folder it ran in, to the chat's
// media base, or absolute on the machine it ran on; of an absolute one the
// longest end that exists counts, if it has at least a folder in it.
func (f exportFiles) find(ref, mediaBase string) (file, missing string) {
	missing = missingUnsafe
	for _, candidate := range exportCandidates(ref, mediaBase) {
		file, err := source.Resolve(f.root, candidate, false)
		if err != nil {
			continue
		}
		missing = missingFile
		if info, err := fs.Stat(f.fsys, file); err == nil && info.Mode().IsRegular() {
			return file, ""
		}
	}
	return "", missing
}

// deepest bounds the ends of an absolute reference that are tried.
const deepest = 12

func exportCandidates(ref, mediaBase string) []string {
	ref = strings.ReplaceAll(ref, `\`, "/")
	mediaBase = strings.ReplaceAll(mediaBase, `\`, "/")
	if strings.Contains(ref, "../") || strings.HasSuffix(ref, "/..") {
		return []string{ref}
	}
	candidates := []string{ref}
	if mediaBase != "" {
		candidates = append(candidates, path.Join(mediaBase, ref))
		if rest, ok := strings.CutPrefix(ref, mediaBase); ok {
			candidates = append(candidates, strings.TrimLeft(rest, "/"))
		}
	}
	if !strings.HasPrefix(ref, "/") && (len(ref) < 2 || ref[1] != ':') {
		return candidates
	}
	parts := strings.Split(ref, "/")
	for i := max(1, len(parts)-deepest); i < len(parts)-1; i++ {
		candidates = append(candidates, strings.Join(parts[i:], "/"))
	}
	return candidates
}

// attachment builds the attachment of a media message.
func (f exportFiles) attachment(ref, mediaBase, mime string, kind msg.AttachmentKind) msg.Attachment {
	file, missing := f.find(ref, mediaBase)
	name := path.Base(strings.ReplaceAll(ref, `\`, "/"))
	return msg.Attachment{Kind: kind, Name: name, Path: file, MIME: mime, Missing: missing}
}

// vCardIntro begins the data of a message with contact cards; links to the
// cards follow it.
const vCardIntro = "This media include the following vCard file(s):"

// vCards reads the links `<a href="path">name</a>` and returns the text as
// people see it and one attachment for each link.
func (f exportFiles) vCards(data, mediaBase, mime string) (text string, cards []msg.Attachment) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(data, `<a href="`)
		b.WriteString(before)
		if !ok {
			break
		}
		ref, rest, ok := strings.Cut(rest, `">`)
		name, after, closed := strings.Cut(rest, "</a>")
		if !ok || !closed {
			b.WriteString(rest)
			break
		}
		name = html.UnescapeString(name)
		card := f.attachment(html.UnescapeString(ref), mediaBase, mime, msg.File)
		if name != "" {
			card.Name = name
		}
		cards = append(cards, card)
		b.WriteString(name)
		data = after
	}
	return b.String(), cards
}

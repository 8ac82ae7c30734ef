package imessage

import (
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// attachmentsDir is where the exporter puts copies, beside the text files.
const attachmentsDir = "attachments/"

// missingAttachment are the exporter's words for an attachment it knows
// nothing of.
var missingAttachment = map[string]bool{
	"Attachment missing!":               true,
	"Attachment missing name metadata!": true,
}

const notInExport = "not in the export"

// backupName is how files are called in an iOS backup.
var backupName = regexp.MustCompile(`^[0-9a-f]{40}$`)

// isAttachment says whether a line is the path of an attachment: of a copy
// inside the export, or of the original on the machine that was exported.
func isAttachment(line string) bool {
	l := strings.ReplaceAll(line, `\`, "/")
	name := path.Base(l)
	if strings.HasPrefix(l, attachmentsDir) {
		return l[len(l)-1] != '/' && l[len(attachmentsDir)] != ' ' &&
			(!strings.Contains(l, " ") || strings.Contains(name, "."))
	}
	absolute := l[0] == '/' || strings.HasPrefix(l, "~/") || len(l) > 2 && l[1] == ':' && l[2] == '/'
	return absolute && (strings.Contains(l, "/Attachments/") || strings.Contains(l, "/"+attachmentsDir) ||
		strings.Contains(l, "/StickerCache/") || backupName.MatchString(name))
}

// mayBePath is a quick test by the first byte.
func mayBePath(line string) bool {
	switch c := line[0]; {
	case c == 'a', c == '/', c == '~':
		return true
	default:
		return len(line) > 2 && line[1] == ':' && (line[2] == '\\' || line[2] == '/')
	}
}

// attach adds the attachment at a path. What the export does not hold keeps
// its path as a detail.
func (p *parser) attach(ref string, sticker bool) {
	l := strings.ReplaceAll(ref, `\`, "/")
	a := msg.Attachment{Name: path.Base(l), Kind: source.KindOfName(l), Sticker: sticker}
	if sticker {
		a.Kind = msg.Image
	}
	if at := strings.LastIndex(l, "/"+attachmentsDir); at >= 0 && !strings.HasPrefix(l, attachmentsDir) {
		l = l[at+1:] // a copy, named by its place on the exporting machine
	}
	a.Path, a.Missing = p.locate(l)
	p.m.Attachments = append(p.m.Attachments, a)
	if a.Missing != "" {
		p.detail("attachment_path", ref)
	}
}

// locate finds the file a reference names, or says why there is none.
func (p *parser) locate(ref string) (file, missing string) {
	full, err := source.Resolve(p.root, ref, false)
	switch {
	case err != nil && strings.HasPrefix(ref, attachmentsDir):
		return "", "unsafe path"
	case err != nil:
		return "", notInExport
	}
	if info, err := fs.Stat(p.files, full); err != nil || info.IsDir() {
		return "", notInExport
	}
	return full, ""
}

// sticker reads "Outline Sticker from Ana: path (App: Memoji)" where Ana sent
// the message.
func (p *parser) sticker(line, sender string) bool {
	effect, rest, ok := cutSticker(line)
	if !ok {
		return false
	}
	file, ok := strings.CutPrefix(rest, sender+": ")
	if !ok || file == "" {
		return false
	}
	for _, origin := range [...]string{" (App: ", " (Genmoji prompt: "} {
		if at := strings.Index(file, origin); at > 0 && strings.HasSuffix(file, ")") {
			p.detail("sticker", file[at+len(" ("):len(file)-1])
			file = file[:at]
		}
	}
	if effect != "" {
		p.detail("sticker_effect", effect)
	}
	p.attach(file, true)
	return true
}

package telegram

import (
	"path"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// addMedia turns the record's files into attachments. A preview is one only
// when it is all that the export holds of its file.
func (r *reader) addMedia(rec *record, m *msg.Message) {
	if len(rec.photo) > 0 {
		a := r.attachment(rec.photo, "photo")
		a.Kind, a.Size = msg.Image, rec.photoSize
		m.Attachments = append(m.Attachments, a)
	}
	if len(rec.file) > 0 {
		a := r.attachment(rec.file, "file")
		a.Size, a.MIME = rec.fileSize, plain(rec.mime)
		if len(rec.fileName) > 0 {
			a.Name = plain(rec.fileName)
		}
		setKind(&a, rec.mediaType)
		m.Attachments = append(m.Attachments, a)
	}
	if len(rec.vcard) > 0 {
		a := r.attachment(rec.vcard, "contact")
		a.Size = rec.fileSize
		m.Attachments = append(m.Attachments, a)
	}
	if len(rec.thumbnail) > 0 && m.Attachments != nil && m.Attachments[0].Path == "" {
		if a := r.attachment(rec.thumbnail, "preview"); a.Path != "" {
			a.Kind = msg.Image
			m.Attachments = append(m.Attachments, a)
		}
	}
	if m.Attachments == nil && len(rec.mime) > 0 {
		m.Details = append(m.Details, msg.Detail{Name: "mime_type", Value: plain(rec.mime)})
	}
}

func setKind(a *msg.Attachment, mediaType string) {
	switch mediaType {
	case "sticker":
		a.Sticker = true
		if a.Kind = source.KindOfMIME(a.MIME, a.Name); a.Kind == msg.File {
			a.Kind = msg.Image
		}
	case "video_file", "video_message", "animation":
		a.Kind = msg.Video
	case "voice_message", "audio_file":
		a.Kind = msg.Audio
	default:
		a.Kind = source.KindOfMIME(a.MIME, a.Name)
	}
}

// attachment resolves a reference. Instead of a path it may be a sentence in
// brackets that says why there is none, possibly behind the file's name.
func (r *reader) attachment(raw []byte, fallback string) msg.Attachment {
	ref := plain(raw)
	if name, why, ok := excuse(ref); ok {
		if name == "" {
			name = fallback
		}
		return msg.Attachment{Name: name, Missing: why}
	}
	name := path.Base(strings.ReplaceAll(ref, `\`, "/"))
	if name == "." || name == "/" {
		name = fallback
	}
	full, err := source.Resolve(r.root, ref, false)
	if err != nil {
		return msg.Attachment{Name: name, Missing: "unsafe path"}
	}
	return msg.Attachment{Name: name, Path: full}
}

// excuses are the beginnings of the sentences Telegram Desktop writes in
// place of a path, behind "File" or "Photo".
var excuses = []struct{ begins, means string }{
	{"not included", "not included in the export"},
	{"unavailable", "was not available to the export"},
	{"exceeds maximum size", "larger than the export allowed"},
}

func excuse(ref string) (name, why string, ok bool) {
	at := strings.LastIndex(ref, "(")
	if at < 0 || !strings.HasSuffix(ref, ")") {
		return "", "", false
	}
	sentence := ref[at+1:]
	rest, isFile := strings.CutPrefix(sentence, "File ")
	if !isFile {
		if rest, isFile = strings.CutPrefix(sentence, "Photo "); !isFile {
			return "", "", false
		}
	}
	for _, e := range excuses {
		if strings.HasPrefix(rest, e.begins) {
			return strings.TrimSpace(ref[:at]), e.means, true
		}
	}
	return "", "", false
}

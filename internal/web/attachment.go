package web

import (
	"path"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// attachmentView is a file of a message.
type attachmentView struct {
	ID     int64
	Name   string
	Href   string // empty when the archive cannot give the file
	Size   int64
	Kind   string // image, video, audio or file
	Shown  bool   // by the browser itself
	Absent string // why there is no file
}

// shownNames are the endings of names of files that browsers show, by kind.
// What is served is decided by content; names only choose how to ask.
var shownNames = map[msg.AttachmentKind][]string{
	msg.Image: {".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".bmp"},
	msg.Video: {".mp4", ".m4v", ".mov", ".webm", ".3gp"},
	msg.Audio: {".mp3", ".m4a", ".aac", ".ogg", ".oga", ".opus", ".wav", ".flac"},
}

func attachmentOf(a store.Attachment) attachmentView {
	v := attachmentView{ID: a.ID, Name: nameOf(a.Name), Size: a.Size, Kind: a.Kind.String()}
	if a.Path == "" {
		v.Absent = "not in the export"
		if a.Absent != "" {
			v.Absent = inert.Line(a.Absent)
		}
		return v
	}
	v.Href = "/media/" + idText(a.ID)
	ending := strings.ToLower(path.Ext(a.Path))
	for _, known := range shownNames[a.Kind] {
		v.Shown = v.Shown || ending == known
	}
	return v
}

// Unshown says why a picture, sound or film is only offered for saving.
func (v attachmentView) Unshown() string {
	if v.Shown || v.Kind == "file" {
		return ""
	}
	return "browsers cannot show this format"
}

package web

import (
	"path"
	"strings"
	"sync"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/picture"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// attachmentView is a file of a message.
type attachmentView struct {
	ID     int64
	Name   string
	Href   string // empty when the archive cannot give the file
	View   string // address of what is shown: the file, or a copy of it
	Copy   bool   // what is shown is a copy
	Why    string // why a picture, sound or film is not shown
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

// copiedNames are the media types of pictures that only a copy can show, by
// the ending of their names.
var copiedNames = map[string]string{".heic": "image/heic", ".heif": "image/heif", ".tif": "image/tiff", ".tiff": "image/tiff"}

func (s *site) attachmentOf(a store.Attachment) attachmentView {
	v := attachmentView{ID: a.ID, Name: nameOf(a.Name), Size: a.Size, Kind: a.Kind.String()}
	if a.Path == "" {
		v.Absent = "not in the export"
		if a.Absent != "" {
			v.Absent = inert.Line(a.Absent)
		}
		return v
	}
	v.Href = "/media/" + idText(a.ID)
	v.View = v.Href
	ending := strings.ToLower(path.Ext(a.Path))
	for _, known := range shownNames[a.Kind] {
		v.Shown = v.Shown || ending == known
	}
	if mime := copiedNames[ending]; mime != "" {
		v.showCopy(s.copier, mime, s.uncopied.why(a.ID))
	} else if !v.Shown && a.Kind != msg.File {
		v.Why = "browsers cannot show this format"
	}
	return v
}

// showCopy shows a copy of a picture, or says what that lacks; failed is why
// one could not be made before.
func (v *attachmentView) showCopy(c *picture.Copier, mime, failed string) {
	v.Why = "browsers cannot show this format"
	if c == nil {
		return
	}
	_, possible := c.Kind(mime)
	if !possible {
		v.Why = "browsers cannot show HEIC: " + picture.Remedy
		return
	}
	if failed != "" {
		v.Why = failed
		return
	}
	v.Kind, v.Shown, v.Copy, v.View, v.Why = msg.Image.String(), true, true, v.Href+"/shown", ""
}

// uncopied remembers which pictures no copy could be made of, and why, so that
// pages say so the next time.
type uncopied struct {
	mu   sync.Mutex
	list map[int64]string // by attachment
}

// mostUncopied bounds how many are remembered.
const mostUncopied = 1000

func (u *uncopied) why(id int64) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.list[id]
}

func (u *uncopied) add(id int64, why string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.list == nil || len(u.list) >= mostUncopied {
		u.list = map[int64]string{}
	}
	u.list[id] = why
}

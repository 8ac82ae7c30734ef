package source

import (
	"errors"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// ErrUnsafePath is returned by Resolve for a reference that leaves its root.
var ErrUnsafePath = errors.New("unsafe path")

// Resolve turns an attachment reference out of an export into a path inside
// the export's file system. Backslashes count as slashes and, when escaped
// is set, percent escapes are decoded first. References that are absolute,
// start at a home folder or a drive, or climb above root are refused with
// ErrUnsafePath.
func Resolve(root, ref string, escaped bool) (string, error) {
	if escaped {
		if plain, err := url.PathUnescape(ref); err == nil {
			ref = plain
		}
	}
	ref = strings.ReplaceAll(ref, `\`, "/")
	switch {
	case ref == "", strings.HasPrefix(ref, "/"), strings.HasPrefix(ref, "~"),
		strings.ContainsRune(ref, 0), len(ref) > 1 && ref[1] == ':':
		return "", ErrUnsafePath
	}
	clean := path.Clean(ref)
	if clean == "." || clean == ".." || strings.HasPrefix(clean, "../") {
		return "", ErrUnsafePath
	}
	full := path.Join(root, clean)
	if !fs.ValidPath(full) {
		return "", ErrUnsafePath
	}
	return full, nil
}

// KindOfName guesses what an attachment is from its file name.
func KindOfName(name string) msg.AttachmentKind {
	switch strings.ToLower(path.Ext(name)) {
	case ".jpg", ".jpeg", ".png", ".gif", ".webp", ".heic", ".heif", ".avif", ".bmp", ".tif", ".tiff", ".tgs":
		return msg.Image
	case ".mp4", ".mov", ".m4v", ".3gp", ".webm", ".mkv", ".avi", ".mpg", ".mpeg":
		return msg.Video
	case ".mp3", ".m4a", ".aac", ".ogg", ".oga", ".opus", ".wav", ".amr", ".caf", ".flac":
		return msg.Audio
	}
	return msg.File
}

// KindOfMIME is KindOfName for a media type; an empty or unknown type falls
// back to the name.
func KindOfMIME(mime, name string) msg.AttachmentKind {
	switch major, _, _ := strings.Cut(strings.ToLower(mime), "/"); major {
	case "image":
		return msg.Image
	case "video":
		return msg.Video
	case "audio":
		return msg.Audio
	}
	return KindOfName(name)
}

// SameName reports whether two names or handles are the same to a person:
// case, surrounding white space and invisible marks do not count.
func SameName(a, b string) bool {
	return strings.EqualFold(msg.IdentityText(a), msg.IdentityText(b))
}

// IsOwner reports whether the handle is one of the owner's names.
func (o Options) IsOwner(h msg.Handle) bool {
	for _, me := range o.Me {
		if SameName(me, h.ID) || h.Name != "" && SameName(me, h.Name) {
			return true
		}
	}
	return false
}

// PhoneLike reports whether s is written as a telephone number: an optional
// plus, at least five digits, and otherwise only separators.
func PhoneLike(s string) bool {
	digits := 0
	for i, r := range strings.TrimSpace(msg.IdentityText(s)) {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '+' && i == 0:
		case r == ' ', r == '-', r == '(', r == ')', r == '.', unicode.Is(unicode.Pd, r):
		default:
			return false
		}
	}
	return digits >= 5 && digits <= 17
}

// NameHandle builds the handle of a format that carries one string per
// person, be it a name, a telephone number or an e-mail address.
func NameHandle(s string) msg.Handle {
	id := msg.IdentityText(s)
	switch {
	case id == "":
		return msg.Handle{}
	case PhoneLike(id):
		return msg.Handle{ID: id, Name: id, Kind: msg.HandlePhone}
	case strings.Count(id, "@") == 1 && !strings.ContainsAny(id, " \t"):
		return msg.Handle{ID: id, Name: id, Kind: msg.HandleEmail}
	}
	return msg.Handle{ID: id, Name: id, Kind: msg.HandleName}
}

// Excerpt cuts s to ExcerptSize bytes at a rune boundary, on one line.
func Excerpt(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= ExcerptSize {
		return s
	}
	cut := ExcerptSize
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}

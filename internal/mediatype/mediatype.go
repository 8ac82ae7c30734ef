// Package mediatype tells what a file is by its first bytes, whatever its
// name or its export says. It knows what may be shown: pictures, sound and
// film that cannot hold a program. SVG and HTML are not among them.
package mediatype

import "strings"

// HeadSize is how many bytes of a file are enough to tell.
const HeadSize = 64

// magic are the types that begin with fixed bytes.
var magic = []struct{ prefix, mime string }{
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"\xff\xd8\xff", "image/jpeg"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
	{"BM", "image/bmp"},
	{"II*\x00", "image/tiff"},
	{"MM\x00*", "image/tiff"},
	{"\x1a\x45\xdf\xa3", "video/webm"},
	{"OggS\x00", "audio/ogg"},
	{"ID3", "audio/mpeg"},
	{"\xff\xfb", "audio/mpeg"}, // MPEG 1 layer III without tags, ISO/IEC 11172-3
	{"\xff\xf3", "audio/mpeg"},
	{"\xff\xf2", "audio/mpeg"},
	{"\xff\xf1", "audio/aac"}, // ADTS, ISO/IEC 13818-7
	{"\xff\xf9", "audio/aac"},
	{"fLaC", "audio/flac"},
	{"#!AMR", "audio/amr"},
	{"caff", "audio/x-caf"},
}

// brands are the major brands of ISO base media files: ISO/IEC 14496-12,
// 23008-12 (HEIF), the AVIF specification and the brands registered at
// mp4ra.org.
var brands = map[string]string{
	"heic": "image/heic", "heix": "image/heic", "heim": "image/heic", "heis": "image/heic",
	"mif1": "image/heif", "msf1": "image/heif",
	"avif": "image/avif", "avis": "image/avif",
	"M4A ": "audio/mp4", "M4B ": "audio/mp4",
	"mp41": "video/mp4", "mp42": "video/mp4", "isom": "video/mp4", "iso2": "video/mp4", "iso4": "video/mp4", "iso5": "video/mp4",
	"iso6": "video/mp4", "avc1": "video/mp4", "M4V ": "video/mp4", "dash": "video/mp4", "MSNV": "video/mp4",
	"qt  ": "video/quicktime",
	"3gp4": "video/3gpp", "3gp5": "video/3gpp", "3gp6": "video/3gpp", "3gp7": "video/3gpp",
}

// Of returns the media type of a file that begins with head; empty for
// anything else.
func Of(head []byte) string {
	s := string(head[:min(len(head), HeadSize)])
	for _, m := range magic {
		if strings.HasPrefix(s, m.prefix) {
			return m.mime
		}
	}
	switch {
	case len(s) < 12:
		return ""
	case s[4:8] == "ftyp":
		return brands[s[8:12]]
	case s[:4] != "RIFF":
		return ""
	}
	return map[string]string{"WEBP": "image/webp", "WAVE": "audio/wav"}[s[8:12]]
}

// IsImage reports whether a media type is that of a picture.
func IsImage(mime string) bool { return strings.HasPrefix(mime, "image/") }

// shown are the types that browsers show by themselves.
var shown = map[string]bool{
	"image/png": true, "image/jpeg": true, "image/gif": true, "image/bmp": true, "image/webp": true, "image/avif": true,
	"video/mp4": true, "video/webm": true, "video/quicktime": true, "video/3gpp": true,
	"audio/ogg": true, "audio/mpeg": true, "audio/aac": true, "audio/flac": true, "audio/mp4": true, "audio/wav": true,
}

// IsShown reports whether browsers show or play files of the type; they ask
// their owner to save others.
func IsShown(mime string) bool { return shown[mime] }

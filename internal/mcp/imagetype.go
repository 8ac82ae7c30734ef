package mcp

import (
	"bytes"
	"net/http"
	"strings"
)

// imageType returns the media type of an image by its first bytes, whatever
// its name says; empty for anything else. SVG, which can hold programs, is
// not an image here.
func imageType(data []byte) string {
	if kind := http.DetectContentType(data); strings.HasPrefix(kind, "image/") {
		return kind
	}
	switch {
	case bytes.HasPrefix(data, []byte("II*\x00")), bytes.HasPrefix(data, []byte("MM\x00*")):
		return "image/tiff"
	case len(data) < 12 || string(data[4:8]) != "ftyp":
		return ""
	}
	switch string(data[8:12]) { // major brand, ISO/IEC 23008-12 and the AVIF specification
	case "heic", "heix", "heim", "heis":
		return "image/heic"
	case "mif1", "msf1":
		return "image/heif"
	case "avif", "avis":
		return "image/avif"
	}
	return ""
}

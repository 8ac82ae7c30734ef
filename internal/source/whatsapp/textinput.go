package whatsapp

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// utf16Marks are the byte order marks of UTF-16.
var utf16Marks = [...][]byte{{0xFF, 0xFE}, {0xFE, 0xFF}}

// textInput reads text as UTF-8. A file in UTF-16 with a byte order mark, as
// some editors save it, is decoded; wide is set then, and offsets in what is
// read are not the file's.
func textInput(r io.Reader) (text io.Reader, wide bool) {
	b := bufio.NewReaderSize(r, 64<<10)
	head, _ := b.Peek(2) // an error comes back on the next read
	for _, mark := range utf16Marks {
		if bytes.HasPrefix(head, mark) {
			return transform.NewReader(b, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()), true
		}
	}
	return b, false
}

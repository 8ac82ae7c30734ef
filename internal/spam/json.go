package spam

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// JSON renders the dossier for programs. Texts keep every character: those
// that act on a screen are written as escapes.
func (d *Dossier) JSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(d); err != nil {
		return nil, fmt.Errorf("write dossier as JSON: %w", err)
	}
	return escapeActing(b.Bytes()), nil
}

// escapeActing writes characters that act on a screen as JSON escapes; they
// stand nowhere but in strings.
func escapeActing(text []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(text))
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			if text[i] == 0x7F {
				out.WriteString(`\u007f`)
			} else {
				out.WriteByte(text[i])
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case !acts(r):
			out.Write(text[i : i+n])
		case r > 0xFFFF:
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xD800+(r>>10), 0xDC00+(r&0x3FF))
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		i += n
	}
	return out.Bytes()
}

package whatsapp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

const (
	// maxEntry is how many bytes one message of the JSON may have.
	maxEntry = 8 << 20
	// maxField bounds the chat's own fields, such as its name.
	maxField = 64 << 10
)

// exportChat is a chat of the JSON as far as it was read.
type exportChat struct {
	jid string
	// name, device ("android", "ios", "exported") and mediaBase may come
	// after the messages.
	name, device, mediaBase string
	// known counts members that only this exporter writes.
	known int
}

// exportVisitor takes what walkExport finds. raw is valid during the call.
type exportVisitor interface {
	entry(c *exportChat, at msg.Position, raw []byte) error
	endChat(c *exportChat) error
	skip(at msg.Position, reason string, raw []byte)
}

// walkExport goes through all chats and messages of an export.
func walkExport(ctx context.Context, s *jsonStream, v exportVisitor) error {
	err := s.members(func(jid string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		at, first, err := s.here("/" + escapePointer(jid))
		if err != nil {
			return err
		}
		if first != '{' {
			return skipValue(s, v, at, "the chat is not an object")
		}
		c := &exportChat{jid: jid}
		if err := s.members(func(field string) error { return walkField(ctx, s, v, c, field) }); err != nil {
			return err
		}
		return v.endChat(c)
	})
	if err != nil {
		return err
	}
	if _, err := s.peek(); err != io.EOF {
		at := msg.Position{Offset: s.offset}
		rest := make([]byte, 512)
		n, readErr := io.ReadFull(s.r, rest)
		if n > 0 {
			v.skip(at, "text follows the end of the export", rest[:n])
		}
		if readErr != nil && readErr != io.EOF && readErr != io.ErrUnexpectedEOF {
			return readErr
		}
	}
	return nil
}

// here returns where the value that comes next stands and its first byte.
func (s *jsonStream) here(pointer string) (msg.Position, byte, error) {
	first, err := s.peek()
	return msg.Position{Offset: s.offset, Pointer: pointer}, first, unexpectedEnd(err)
}

func walkField(ctx context.Context, s *jsonStream, v exportVisitor, c *exportChat, field string) error {
	var into *string
	switch field {
	case "messages":
		return walkMessages(ctx, s, v, c)
	case "name":
		into = &c.name
	case "type":
		into = &c.device
	case "media_base":
		c.known++
		into = &c.mediaBase
	case "my_avatar", "their_avatar", "their_avatar_thumb":
		c.known++
		return s.skip()
	default:
		return s.skip()
	}
	raw, err := s.value(maxField)
	if errors.Is(err, errTooLong) {
		return nil
	}
	if err != nil {
		return err
	}
	if json.Unmarshal(raw, into) != nil {
		*into = "" // a name that is no text is none
	}
	return nil
}

func walkMessages(ctx context.Context, s *jsonStream, v exportVisitor, c *exportChat) error {
	base := "/" + escapePointer(c.jid) + "/messages"
	at, first, err := s.here(base)
	if err != nil {
		return err
	}
	if first != '{' {
		return skipValue(s, v, at, "the chat's messages are not an object")
	}
	n := 0
	return s.members(func(id string) error {
		if n++; n%linesPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		at, _, err := s.here(base + "/" + escapePointer(id))
		if err != nil {
			return err
		}
		raw, err := s.value(maxEntry)
		if errors.Is(err, errTooLong) {
			v.skip(at, "the message is longer than 8 MiB", raw)
			return nil
		}
		if err != nil {
			return err
		}
		return v.entry(c, at, raw)
	})
}

// skipValue reports the value that comes next and passes over it.
func skipValue(s *jsonStream, v exportVisitor, at msg.Position, reason string) error {
	raw, err := s.value(maxField)
	if err != nil && !errors.Is(err, errTooLong) {
		return err
	}
	v.skip(at, reason, raw)
	return nil
}

// escapePointer escapes a key for a JSON pointer.
func escapePointer(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

package telegram

import (
	"errors"
	"io"
	"strconv"
)

// visitor is told what walkExport comes across.
type visitor interface {
	// member is called for each member of the outermost object.
	member(key string)
	about(text string)
	account(raw []byte) error
	// chatMember is called for each member of a chat but its messages.
	chatMember(pointer, key string, raw []byte)
	// messageList has to walk over the array of messages s stands at.
	messageList(s *stream, pointer string) error
	// stray has to walk over the value s stands at, which stands where only
	// something else makes sense.
	stray(s *stream, pointer, reason string) error
}

// walkExport walks over an export of either shape.
func walkExport(s *stream, v visitor) error {
	return eachMember(s, func(key string) error {
		v.member(key)
		switch key {
		case "chats", "left_chats":
			if s.peek() != '{' {
				return v.stray(s, "/"+key, "chats are no object")
			}
			return walkChats(s, v, "/"+key)
		case "personal_information":
			return small(s, v.account)
		case "about":
			return small(s, func(raw []byte) error { v.about(decodeString(raw)); return nil })
		}
		return walkChatMember(s, v, "", key)
	})
}

func walkChats(s *stream, v visitor, pointer string) error {
	return eachMember(s, func(key string) error {
		if key != "list" {
			return s.skip()
		}
		pointer := pointer + "/list"
		if s.peek() != '[' {
			return v.stray(s, pointer, "chats are no list")
		}
		return eachElement(s, func(index int) error {
			at := pointer + "/" + strconv.Itoa(index)
			if s.peek() != '{' {
				return v.stray(s, at, "chat is no object")
			}
			return eachMember(s, func(key string) error { return walkChatMember(s, v, at, key) })
		})
	})
}

func walkChatMember(s *stream, v visitor, pointer, key string) error {
	switch key {
	case "messages":
		if s.peek() != '[' {
			return v.stray(s, pointer+"/messages", "messages are no list")
		}
		return v.messageList(s, pointer)
	case "name", "type", "id":
		return small(s, func(raw []byte) error { v.chatMember(pointer, key, raw); return nil })
	}
	return s.skip()
}

// maxSmall bounds what is held of anything but a message.
const maxSmall = 1 << 20

// small hands over the next value, unless it is suspiciously large.
func small(s *stream, f func(raw []byte) error) error {
	raw, err := s.raw(maxSmall)
	if errors.Is(err, errTooLong) {
		return nil
	}
	if err != nil {
		return err
	}
	return f(raw)
}

// eachMember calls f before the value of each member of the object the
// stream stands at; f walks over the value.
func eachMember(s *stream, f func(key string) error) error {
	if err := s.take('{'); err != nil {
		return err
	}
	for first := true; ; first = false {
		more, err := s.next(first, '}')
		if err != nil || !more {
			return err
		}
		key, err := s.key()
		if err != nil {
			return err
		}
		if err := f(key); err != nil {
			return err
		}
	}
}

// eachElement is eachMember for arrays.
func eachElement(s *stream, f func(index int) error) error {
	if err := s.take('['); err != nil {
		return err
	}
	for index := 0; ; index++ {
		more, err := s.next(index == 0, ']')
		if err != nil || !more {
			return err
		}
		if err := f(index); err != nil {
			return err
		}
	}
}

// trailing reports whether anything but white space follows.
func trailing(s *stream) bool {
	s.peek()
	return s.pos < len(s.buf) || s.err != nil && s.err != io.EOF
}

package llm

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// complaint is what an endpoint says about a request it refuses.
type complaint struct {
	// Message is made harmless to show: one short line without the key and
	// without anything of the texts that were sent. It may be empty.
	Message string
	// Code is OpenAI's name of the reason; often empty.
	Code string

	all string // the whole message in lower case, only to look for words in
}

// maxComplaint bounds the part of an endpoint's message that is shown, in
// characters.
const maxComplaint = 200

// readComplaint reads the body of a refusal in any of the shapes that
// compatible servers use: {"error":{"message":…}}, {"error":…},
// {"message":…}, {"detail":…} or {"detail":[{"msg":…}]}.
func readComplaint(body []byte, key Key, texts []string) complaint {
	var shape struct {
		Error, Message, Detail json.RawMessage
	}
	if json.Unmarshal(body, &shape) != nil {
		return complaint{}
	}
	var inner struct {
		Message, Msg, Code, Type any
	}
	var c complaint
	for _, part := range []json.RawMessage{shape.Error, shape.Message, shape.Detail} {
		var several []json.RawMessage
		if json.Unmarshal(part, &several) == nil && len(several) > 0 {
			part = several[0]
		}
		var text string
		switch {
		case json.Unmarshal(part, &text) == nil:
		case json.Unmarshal(part, &inner) == nil:
			if text, _ = inner.Message.(string); text == "" {
				text, _ = inner.Msg.(string)
			}
			c.Code, _ = inner.Code.(string)
		}
		if text != "" {
			c.all = strings.ToLower(text)
			c.Message = harmless(text, key, texts)
			break
		}
	}
	return c
}

// quoted returns the message as an appendix to a sentence.
func (c complaint) quoted() string {
	if c.Message == "" {
		return ""
	}
	return " (it says: " + c.Message + ")"
}

// tooLongWords stand in the messages with which OpenAI, vLLM, Ollama,
// llama.cpp, LM Studio and text-embeddings-inference refuse long texts.
var tooLongWords = []string{
	"context length", "context size", "context overflow", "context the overflow", "maximum context", "input length", "too large to process", "is too long",
	"must have less than", "maximum allowed batch size", "too many tokens", "exceeds the max",
}

func (c complaint) tooLong() bool {
	for _, words := range tooLongWords {
		if strings.Contains(c.all, words) {
			return true
		}
	}
	return false
}

// harmless makes one short line of what an endpoint said. A message that
// repeats the key or part of a text is left out whole.
func harmless(message string, key Key, texts []string) string {
	var b strings.Builder
	n := 0
	for word := range strings.FieldsFuncSeq(message, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		if n += utf8.RuneCountInString(word) + 1; n > maxComplaint {
			b.WriteString(" …")
			break
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToValidUTF8(word, "�"))
	}
	shown := b.String()
	for _, text := range []string{message, shown} {
		if key.text != "" && strings.Contains(text, key.text) || repeats(text, texts) {
			return ""
		}
	}
	return shown
}

// Shortest stretches of a sent text, in bytes, whose repetition tells: of a
// part, and of a whole text.
const (
	partRepeat  = 8
	wholeRepeat = 4
)

// repeats reports whether a message holds a stretch of what was sent.
func repeats(message string, texts []string) bool {
	for _, text := range texts {
		if len(text) >= wholeRepeat && strings.Contains(message, text) {
			return true
		}
	}
	for i := 0; i+partRepeat <= len(message); i++ {
		for _, text := range texts {
			if strings.Contains(text, message[i:i+partRepeat]) {
				return true
			}
		}
	}
	return false
}

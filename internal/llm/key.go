package llm

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Key is an API key. It prints as "[secret]" however it is printed.
type Key struct{ text string }

// secret is what a key looks like to everybody but the endpoint.
const secret = "[secret]"

// maxKey is more than any service's keys are long, in bytes.
const maxKey = 8 << 10

// NewKey makes a key of text without the space around it; nothing but space
// makes the zero Key. A key that could not be sent is an error, which does
// not hold it.
func NewKey(text string) (Key, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxKey {
		return Key{}, errors.New("the API key is longer than keys are; the file or variable must hold the key alone")
	}
	for _, c := range []byte(text) {
		if c <= ' ' || c > '~' {
			return Key{}, errors.New("the API key holds spaces, line breaks or letters that keys do not have; the file or variable must hold the key alone")
		}
	}
	return Key{text}, nil
}

// ReadKey reads a key from the file, when one is named, or else takes what
// the environment has. readFile is os.ReadFile.
func ReadKey(file, fromEnvironment string, readFile func(string) ([]byte, error)) (Key, error) {
	if file == "" {
		key, err := NewKey(fromEnvironment)
		if err != nil {
			return Key{}, fmt.Errorf("MSGBROWSE_LLM_API_KEY: %w", err)
		}
		return key, nil
	}
	text, err := readFile(file)
	if err != nil {
		return Key{}, fmt.Errorf("read API key: %w", err)
	}
	key, err := NewKey(string(text))
	switch {
	case err != nil:
		return Key{}, fmt.Errorf("llm.api_key_file: %w", err)
	case key == Key{}:
		return Key{}, fmt.Errorf("the key file %s is empty; write the API key into it, or remove llm.api_key_file", file)
	}
	return key, nil
}

// String returns "[secret]", or nothing for the zero Key.
func (k Key) String() string {
	if k.text == "" {
		return ""
	}
	return secret
}

// Format writes what String returns, whatever the verb.
func (k Key) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, k.String()) }

// LogValue keeps the key out of logs.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }

// MarshalText keeps the key out of everything that is written for programs.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

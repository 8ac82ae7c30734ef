package whatsapp

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// exportEntry is a message as the exporter writes it.
type exportEntry struct {
	FromMe      looseBool       `json:"from_me"`
	Timestamp   json.RawMessage `json:"timestamp"`
	Media       looseBool       `json:"media"`
	Meta        looseBool       `json:"meta"`
	Sticker     looseBool       `json:"sticker"`
	KeyID       looseText       `json:"key_id"`
	Data        looseText       `json:"data"`
	Sender      looseText       `json:"sender"`
	MIME        looseText       `json:"mime"`
	MessageType looseText       `json:"message_type"`
	Reply       looseText       `json:"reply"`
	QuotedData  looseText       `json:"quoted_data"`
	Caption     looseText       `json:"caption"`
	Reactions   json.RawMessage `json:"reactions"`
}

// looseBool is a boolean that some versions write as 0 and 1. Null is unset.
type looseBool struct{ set, value bool }

// UnmarshalJSON implements json.Unmarshaler.
func (b *looseBool) UnmarshalJSON(raw []byte) error {
	switch string(raw) {
	case "null":
		*b = looseBool{}
	case "true", "1":
		*b = looseBool{true, true}
	case "false", "0":
		*b = looseBool{true, false}
	default:
		return errors.New("no truth value")
	}
	return nil
}

// looseText is a string or a number that stands for one. Null is unset.
type looseText struct {
	set  bool
	text string
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *looseText) UnmarshalJSON(raw []byte) error {
	*t = looseText{}
	switch {
	case string(raw) == "null":
		return nil
	case raw[0] == '"':
		t.set = true
		if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
			t.text = string(raw[1 : len(raw)-1])
			return nil
		}
		return json.Unmarshal(raw, &t.text)
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		*t = looseText{true, string(raw)}
		return nil
	}
	return errors.New("neither text nor number")
}

// parseEntry decodes one message and says in a clause why it cannot.
func parseEntry(raw []byte) (e exportEntry, fault string) {
	if len(raw) == 0 || raw[0] != '{' {
		return e, "the message is not an object"
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return e, "the message is not valid JSON"
		}
		return e, "a part of the message is of the wrong type"
	}
	if !e.FromMe.set {
		return e, "the message does not say who sent it: from_me is missing"
	}
	if len(e.Timestamp) == 0 || string(e.Timestamp) == "null" {
		return e, "the message has no timestamp"
	}
	return e, ""
}

const (
	// millisFrom is where the exporter draws the line between seconds and
	// milliseconds.
	millisFrom = 9999999999
	// lastSecond is the end of the year 9999.
	lastSecond = 253402300799
)

// parseTimestamp reads unix seconds, with or without a fraction, or unix
// milliseconds. It is false for anything that is no time. Zero is the
// placeholder for an unknown time.
func parseTimestamp(raw []byte) (t msg.Time, ok bool) {
	text := string(raw)
	if strings.HasPrefix(text, "-") {
		return t, false
	}
	whole, fraction, hasFraction := strings.Cut(text, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	exact := err == nil && len(fraction) <= 6 && (!hasFraction || allDigits(fraction))
	var micros int64
	switch {
	case exact && seconds <= lastSecond*1000:
		part, _ := strconv.ParseInt((fraction + "000000")[:6], 10, 64)
		micros = seconds*1e6 + part
		if seconds > millisFrom {
			micros = seconds*1e3 + part/1e3
		}
	default:
		value, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(value) || value > lastSecond*1000 {
			return t, false
		}
		if value > millisFrom {
			value /= 1000
		}
		micros = int64(math.Round(value * 1e6))
	}
	if micros > lastSecond*1e6 {
		return t, false
	}
	t = msg.InstantTime(time.UnixMicro(micros), precisionOf(micros), "")
	t.Known = micros != 0
	if !exact {
		t.Raw = text
	}
	return t, true
}

func precisionOf(micros int64) msg.Precision {
	switch {
	case micros%1e6 == 0:
		return msg.Second
	case micros%1e3 == 0:
		return msg.Millisecond
	}
	return msg.Microsecond
}

// breakLines undoes what the exporter does to line breaks: on Android it puts
// a space before the tag.
func breakLines(text, device string) string {
	if !strings.Contains(text, "<br>") {
		return text
	}
	if device == "android" {
		text = strings.ReplaceAll(text, " <br>", "\n")
	}
	return strings.ReplaceAll(text, "<br>", "\n")
}

// reaction is one member of "reactions", in the order they stand in.
type reaction struct {
	name, emoji string
	fault       string
}

// parseReactions reads the reactions of a message with the help of s.
func parseReactions(s *jsonStream, raw []byte) (all []reaction) {
	switch string(raw) {
	case "", "null", "{}", "[]":
		return nil
	}
	s.reset(bytes.NewReader(raw))
	err := s.members(func(name string) error {
		value, err := s.value(maxField)
		if err != nil {
			return err
		}
		r := reaction{name: name}
		if json.Unmarshal(value, &r.emoji) != nil || r.emoji == "" {
			r.fault = "the reaction is no emoji"
		}
		all = append(all, r)
		return nil
	})
	if err != nil {
		all = append(all, reaction{fault: "a reaction cannot be decoded"})
	}
	return all
}

package telegram

import (
	"fmt"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// addCards turns a shared contact, a place or a poll into text, which is the
// body of a message that has none of its own.
func addCards(rec *record, m *msg.Message) error {
	card := ""
	var err error
	switch {
	case len(rec.poll) > 0:
		m.Kind = msg.Poll
		card, err = pollText(rec.poll, m)
	case len(rec.location) > 0 || rec.get("place_name") != nil:
		m.Kind = msg.Location
		card, err = locationText(rec)
	case len(rec.contact) > 0:
		m.Kind = msg.Contact
		card, err = contactText(rec.contact)
	}
	switch {
	case card == "":
	case m.Body == "":
		m.Body = card
	default:
		m.Body += "\n" + card
	}
	return err
}

// pollText is the question with an option per line. Who voted for what is
// not in an export, how many did is.
func pollText(raw []byte, m *msg.Message) (string, error) {
	var question string
	var options []string
	err := fields(raw, func(key string, value []byte) error {
		switch key {
		case "question":
			text, err := readText(value, m)
			question = text
			return err
		case "answers":
			return elements(value, func(value []byte) error {
				option, err := pollOption(value, m)
				options = append(options, option)
				return err
			})
		}
		m.Details = append(m.Details, msg.Detail{Name: "poll_" + key, Value: plain(value)})
		return nil
	})
	return strings.Join(append([]string{question}, options...), "\n"), err
}

func pollOption(raw []byte, m *msg.Message) (string, error) {
	var text, chosen string
	var voters int64
	err := fields(raw, func(key string, value []byte) (err error) {
		switch key {
		case "text":
			text, err = readText(value, m)
		case "voters":
			voters, _ = integer(value)
		case "chosen":
			if string(value) == "true" {
				chosen = ", chosen by the owner"
			}
		}
		return err
	})
	return fmt.Sprintf("- %s (%s%s)", text, plural(voters, "vote"), chosen), err
}

// plural counts things whose plural ends in s.
func plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// locationText is the place's name and address, if it has them, and its
// coordinates as they stand in the file.
func locationText(rec *record) (string, error) {
	lines := make([]string, 0, 3)
	for _, key := range []string{"place_name", "address"} {
		if s := rec.say(key); s != "" {
			lines = append(lines, s)
		}
	}
	if len(rec.location) == 0 || isNull(rec.location) {
		return strings.Join(lines, "\n"), nil
	}
	var latitude, longitude string
	err := fields(rec.location, func(key string, value []byte) error {
		switch key {
		case "latitude":
			latitude = plain(value)
		case "longitude":
			longitude = plain(value)
		}
		return nil
	})
	if latitude != "" || longitude != "" {
		lines = append(lines, latitude+", "+longitude)
	}
	return strings.Join(lines, "\n"), err
}

// contactText is the person's name and telephone number.
func contactText(raw []byte) (string, error) {
	if isNull(raw) {
		return "", nil
	}
	parts := map[string]string{}
	err := fields(raw, func(key string, value []byte) error {
		parts[key] = plain(value)
		return nil
	})
	name := strings.TrimSpace(parts["first_name"] + " " + parts["last_name"])
	if name != "" && parts["phone_number"] != "" {
		name += ", "
	}
	return name + parts["phone_number"], err
}

// addButtons keeps the buttons a bot put under its message: what stands on
// them as Details, where they lead as Links.
func addButtons(raw []byte, m *msg.Message) error {
	if len(raw) == 0 || isNull(raw) {
		return nil
	}
	return elements(raw, func(row []byte) error {
		return elements(row, func(button []byte) error {
			var label, data string
			err := fields(button, func(key string, value []byte) error {
				switch key {
				case "text":
					label = plain(value)
				case "data":
					data = plain(value)
				}
				return nil
			})
			m.Details = append(m.Details, msg.Detail{Name: "button", Value: label})
			if strings.HasPrefix(data, "https://") || strings.HasPrefix(data, "http://") || strings.HasPrefix(data, "tg://") {
				m.Links = append(m.Links, data)
			}
			return err
		})
	})
}

package telegram

import (
	"path"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// addReactions adds an entry per person whom the export names, and one with
// the number of all others: big groups name only the latest few.
func (r *reader) addReactions(raw []byte, m *msg.Message, inChannel bool) error {
	if len(raw) == 0 || isNull(raw) {
		return nil
	}
	return elements(raw, func(value []byte) error {
		var kind, emoji, document string
		var recent []byte
		var count int64
		err := fields(value, func(key string, value []byte) error {
			switch key {
			case "type":
				kind = knownWord(value)
			case "emoji":
				emoji = decodeString(value)
			case "document_id":
				document = plain(value)
			case "count":
				count, _ = integer(value)
			case "recent":
				recent = value
			}
			return nil
		})
		if err != nil {
			return err
		}
		emoji = reactionName(kind, emoji, document)
		named := int64(0)
		if len(recent) > 0 && !isNull(recent) {
			err = elements(recent, func(value []byte) error {
				named++
				reaction, err := r.reaction(value, inChannel)
				reaction.Emoji = emoji
				m.Reactions = append(m.Reactions, reaction)
				return err
			})
		}
		if others := count - named; err == nil && (others > 0 || named == 0) {
			m.Reactions = append(m.Reactions, msg.Reaction{Emoji: emoji, Count: int(min(max(others, 1), 1<<30))})
		}
		return err
	})
}

func (r *reader) reaction(raw []byte, inChannel bool) (msg.Reaction, error) {
	var from string
	var fromID, date, unix []byte
	err := fields(raw, func(key string, value []byte) error {
		switch key {
		case "from":
			if !isNull(value) {
				from = decodeString(value)
			}
		case "from_id":
			fromID = value
		case "date":
			date = value
		case "date_unixtime":
			unix = value
		}
		return nil
	})
	sender := handle(peerID(fromID, inChannel), from)
	return msg.Reaction{Sender: sender, FromMe: r.owner.is(sender), Time: moment(date, unix)}, err
}

// reactionName is the emoji, or in words what stands in its place.
func reactionName(kind, emoji, document string) string {
	switch {
	case emoji != "":
		return emoji
	case kind == "custom_emoji":
		if _, _, missing := excuse(document); missing || document == "" {
			return "custom emoji"
		}
		name := path.Base(strings.ReplaceAll(document, `\`, "/"))
		return "custom emoji " + strings.TrimSuffix(name, path.Ext(name))
	case kind != "":
		return kind
	}
	return "reaction"
}

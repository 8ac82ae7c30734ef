package telegram

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// lookSize is how much of a file Recognize may read. A shorter file is
// counted exactly.
const lookSize = 900 << 10

// Recognize implements source.Source.
func (JSON) Recognize(ctx context.Context, c source.Candidate) (source.Recognition, error) {
	if !looksLikeObject(c.Head) {
		return source.Recognition{}, nil
	}
	v := takeSurvey(newStream(ctx, bytes.NewReader(c.Head)), false)
	if confidence(v) == 0 && !(v.telegram && v.habits > 0) {
		return source.Recognition{}, nil
	}
	if !v.complete {
		f, err := c.FS.Open(c.Path)
		if err != nil {
			return source.Recognition{}, fmt.Errorf("open telegram export: %w", err)
		}
		defer f.Close()
		v = takeSurvey(newStream(ctx, io.LimitReader(f, lookSize)), false)
	}
	r := source.Recognition{Format: format(v), Confidence: confidence(v), Root: path.Dir(c.Path)}
	if r.Confidence == 0 {
		return source.Recognition{}, ctx.Err()
	}
	switch {
	case v.foreign > 0:
		r.Why = "another program wrote this in the shape of a Telegram export; WhatsApp-Chat-Exporter does so, and its own result.json can be imported instead"
	case r.Confidence < 50:
		r.Why = "the file is built like a Telegram export but names no kind of chat that Telegram has"
	}
	estimate(v, c.Size, &r)
	r.Needs = needs(v)
	return r, ctx.Err()
}

// looksLikeObject refuses everything but the start of a JSON object.
func looksLikeObject(head []byte) bool {
	rest := trimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
	return len(rest) > 1 && rest[0] == '{' && trimSpace(rest[1:]) != nil && bytes.HasPrefix(trimSpace(rest[1:]), []byte{'"'})
}

func format(v *survey) string {
	if v.full {
		return "Telegram Desktop export (all chats)"
	}
	return "Telegram Desktop export (one chat)"
}

// confidence judges by the members that make up either shape. Both stand on
// chats whose type is one of Telegram's.
func confidence(v *survey) int {
	known := 0
	for _, h := range v.chats {
		if _, ok := chatTypes[h.typ]; ok && h.hasID {
			known++
		}
	}
	typical := v.messages > 0 && 2*v.typical >= v.messages
	switch {
	case v.foreign > 0 && typical:
		return 30
	case v.foreign > 0:
		return 0
	case v.full && known > 0 && typical:
		return 97
	case v.full && typical && v.telegram:
		return 85 // the chats' types stand behind messages that were not all seen
	case v.full && known > 0 && v.messages == 0:
		return 80
	case v.owner != 0 && (v.telegram || v.habits > 2):
		return 75 // the chats lie beyond what was looked at, or there are none
	case v.single && known > 0 && typical:
		return 95
	case v.single && known > 0 && v.messages == 0:
		return 70
	case (v.full || v.single) && typical:
		return 30
	}
	return 0
}

// estimate fills in what the plan shows. A file that was seen whole is
// counted, a longer one estimated from the share that was seen.
func estimate(v *survey, size int64, r *source.Recognition) {
	r.Conversations, r.Messages = int64(len(v.order)), v.messages
	if v.complete {
		r.First, r.Last = v.first, v.last
		return
	}
	if v.full {
		r.Conversations = 0
	} else {
		r.First = v.first
	}
	if v.bytes > 0 {
		r.Messages = v.messages * max(size, v.bytes) / v.bytes
	}
}

func needs(v *survey) []source.Need {
	var needs []source.Need
	if why := ownerUnknown(v); why != "" {
		needs = append(needs, source.Need{What: source.NeedOwner, Why: why, Choices: choices(v.senders)})
	}
	if v.wall > 0 {
		needs = append(needs, source.Need{
			What: source.NeedZone,
			Why:  "the times are readings of the exporting computer's clock and the file does not say its zone",
		})
	}
	return needs
}

func ownerUnknown(v *survey) string {
	if v.owner != 0 {
		return ""
	}
	h := v.chats[""]
	switch {
	case v.full:
		return "the export leaves out the account's own data; without it no message is taken for the owner's"
	case h.typ == "saved_messages":
		return ""
	case h.typ == "personal_chat" || h.typ == "bot_chat":
		c := newChat(h, "", false)
		for _, s := range v.senders {
			if s.ID != c.peerID() && s.Name != "" {
				return fmt.Sprintf("the export of one chat does not say whose it is, though %q is not the one it is with; without an answer no message is taken for the owner's", s.Name)
			}
		}
	}
	return "the export of one chat does not say whose it is; without an answer no message is taken for the owner's"
}

// choices offers people by name, or by id where names are missing or shared.
func choices(senders []msg.Handle) []string {
	count := map[string]int{}
	for _, s := range senders {
		count[strings.ToLower(s.Name)]++
	}
	var list []string
	for _, s := range senders {
		if s.Name == "" || count[strings.ToLower(s.Name)] > 1 {
			list = append(list, s.ID)
		} else {
			list = append(list, s.Name)
		}
	}
	return list
}

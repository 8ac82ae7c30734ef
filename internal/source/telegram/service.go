package telegram

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// setService makes m the notice, or the call, that a service record is. Its
// body is a sentence; the members it is made from stay in Details.
func (r *reader) setService(rec *record, m *msg.Message) {
	m.Kind, m.Direction = msg.Notice, msg.System
	line := sentence(rec, m.Sender)
	switch rec.action {
	case "phone_call", "group_call", "conference_call":
		m.Kind = msg.Call
		m.Direction = msg.In
		if r.owner.is(m.Sender) {
			m.Direction = msg.Out
		}
	}
	if m.Body != "" {
		line += ": " + m.Body
	}
	m.Body = line
}

func sentence(rec *record, actor msg.Handle) string {
	who := called(actor)
	switch rec.action {
	case "":
		if text := rec.say("information_text"); text != "" {
			return text
		}
		return who + ": service message"
	case "phone_call":
		return phoneCall(rec, who)
	case "group_call", "conference_call":
		return who + " held a group call" + lasting(rec.get("duration"))
	case "set_messages_ttl":
		if seconds, _ := integer(rec.get("period")); seconds > 0 {
			return who + " set messages to be deleted after " + span(seconds)
		}
		return who + " turned the automatic deletion of messages off"
	case "invite_members", "remove_members":
		if rec.say("members") == actor.Name && actor.Name != "" {
			if rec.action == "invite_members" {
				return who + " joined the group"
			}
			return who + " left the group"
		}
	}
	if form, known := sentences[rec.action]; known {
		return fillIn(form, who, rec)
	}
	return who + ": " + strings.ReplaceAll(rec.action, "_", " ")
}

// sentences say what happened, by action. {actor} is who did it, any other
// name in braces a member of the record. A stretch in brackets is left out
// when its member is missing or empty.
var sentences = map[string]string{
	"create_group":            `{actor} created the group[ "{title}"][ with {members}]`,
	"create_channel":          `The group or channel[ "{title}"] was created`,
	"edit_group_title":        `{actor} changed the name of the group[ to "{title}"]`,
	"edit_group_photo":        `{actor} changed the photo of the group`,
	"delete_group_photo":      `{actor} removed the photo of the group`,
	"invite_members":          `{actor} added[ {members}]`,
	"remove_members":          `{actor} removed[ {members}]`,
	"join_group_by_link":      `{actor} joined by a link[ of {inviter}]`,
	"join_group_by_request":   `{actor} joined on request`,
	"migrate_to_supergroup":   `{actor} turned the group into a supergroup`,
	"migrate_from_group":      `The group[ "{title}"] became a supergroup`,
	"pin_message":             `{actor} pinned[ message {message_id}]`,
	"clear_history":           `{actor} cleared the history`,
	"score_in_game":           `{actor} scored[ {score}] in a game`,
	"send_payment":            `A payment[ of {amount}][ {currency}] was sent`,
	"refunded_payment":        `{actor} refunded a payment[ of {amount}][ {currency}]`,
	"take_screenshot":         `{actor} took a screenshot`,
	"allow_sending_messages":  `The bot was allowed to send messages[ for {reason_domain}][ for {reason_app_name}]`,
	"attach_menu_bot_allowed": `The bot was added to the attachment menu`,
	"web_app_bot_allowed":     `The bot was allowed to send messages from a web app`,
	"send_passport_values":    `Telegram Passport data was sent[: {values}]`,
	"joined_telegram":         `{actor} joined Telegram`,
	"proximity_reached":       `{actor} came within[ {distance} m of][ {to}]`,
	"requested_phone_number":  `{actor} asked for the phone number`,
	"invite_to_group_call":    `{actor} invited[ {members}] to a group call`,
	"group_call_scheduled":    `{actor} scheduled a group call[ for {schedule_date}]`,
	"edit_chat_theme":         `{actor} changed the theme of the chat[ to {emoticon}]`,
	"send_webview_data":       `Data was sent to the bot`,
	"send_premium_gift":       `{actor} gave Telegram Premium[ for {months} months][, {cost}]`,
	"topic_created":           `{actor} created the topic[ "{title}"]`,
	"topic_edit":              `{actor} changed the topic[ to "{new_title}"]`,
	"suggest_profile_photo":   `{actor} suggested a profile photo`,
	"requested_peer":          `{actor} shared a chat with the bot`,
	"set_chat_wallpaper":      `{actor} changed the background of the chat`,
	"set_same_chat_wallpaper": `{actor} set the same background for the chat`,
	"giveaway_launch":         `{actor} started a giveaway`,
	"boost_apply":             `{actor} boosted the group[ {boosts} times]`,
}

// fillIn puts the record's members into form. What comes out of the record
// is never read as a form itself.
func fillIn(form, who string, rec *record) string {
	var b strings.Builder
	for form != "" {
		at := strings.IndexAny(form, "[{")
		if at < 0 {
			b.WriteString(form)
			break
		}
		b.WriteString(form[:at])
		if form[at] == '{' {
			b.WriteString(who) // {actor}, the only member outside brackets
			_, form, _ = strings.Cut(form[at:], "}")
			continue
		}
		stretch, rest, _ := strings.Cut(form[at+1:], "]")
		form = rest
		before, key, _ := strings.Cut(stretch, "{")
		key, after, _ := strings.Cut(key, "}")
		if value := rec.say(key); value != "" && value != "null" {
			b.WriteString(before + value + after)
		}
	}
	return b.String()
}

func phoneCall(rec *record, who string) string {
	duration := lasting(rec.get("duration_seconds"))
	switch reason := rec.say("discard_reason"); reason {
	case "missed":
		return "Missed call from " + who
	case "busy":
		return "Declined call from " + who
	case "", "hangup":
		return "Call from " + who + duration
	case "disconnect":
		return "Call from " + who + duration + ", cut off"
	default:
		return fmt.Sprintf("Call from %s%s (%s)", who, duration, reason)
	}
}

func lasting(raw []byte) string {
	if seconds, ok := integer(raw); ok && seconds > 0 {
		return ", " + span(seconds)
	}
	return ""
}

// span writes a number of seconds in at most two units.
func span(seconds int64) string {
	switch {
	case seconds < 60:
		return strconv.FormatInt(seconds, 10) + " s"
	case seconds < 60*60:
		return two(seconds, 60, "min", 1, "s")
	case seconds < 24*60*60:
		return two(seconds, 60*60, "h", 60, "min")
	}
	days := seconds / (24 * 60 * 60)
	if hours := seconds / (60 * 60) % 24; hours > 0 {
		return plural(days, "day") + " " + strconv.FormatInt(hours, 10) + " h"
	}
	return plural(days, "day")
}

func two(seconds, big int64, bigName string, small int64, smallName string) string {
	text := strconv.FormatInt(seconds/big, 10) + " " + bigName
	if rest := seconds % big / small; rest > 0 {
		text += " " + strconv.FormatInt(rest, 10) + " " + smallName
	}
	return text
}

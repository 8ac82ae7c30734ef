package telegram_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
	"github.com/msgbrowse/msgbrowse/internal/source/telegram"
)

func recognize(t *testing.T, text string) source.Recognition {
	t.Helper()
	fsys := sourcetest.FixtureFS(map[string]string{"a/b/result.json": text})
	c, err := sourcetest.Candidate(fsys, "a/b/result.json", "b")
	if err != nil {
		t.Fatal(err)
	}
	r, err := telegram.JSON{}.Recognize(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRecognizeOwnFiles(t *testing.T) {
	t.Parallel()
	first := msg.Time{Micros: 1709280000e6, Basis: msg.Instant, Raw: "1709280000", Known: true}
	tests := []struct {
		file  string
		want  source.Recognition
		needs []source.NeedKind
	}{
		{"full.json", source.Recognition{Format: "Telegram Desktop export (all chats)", Confidence: 97, Conversations: 7, Messages: 53}, nil},
		{"sorted.json", source.Recognition{Format: "Telegram Desktop export (all chats)", Confidence: 97, Conversations: 7, Messages: 53}, nil},
		{"single.json", source.Recognition{Format: "Telegram Desktop export (one chat)", Confidence: 95, Conversations: 1, Messages: 5}, []source.NeedKind{source.NeedOwner}},
		{"saved.json", source.Recognition{Format: "Telegram Desktop export (one chat)", Confidence: 95, Conversations: 1, Messages: 2}, nil},
		{"old.json", source.Recognition{Format: "Telegram Desktop export (all chats)", Confidence: 97, Conversations: 2, Messages: 10}, []source.NeedKind{source.NeedZone}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("testdata", tt.file))
			if err != nil {
				t.Fatal(err)
			}
			got := recognize(t, string(text))
			var needs []source.NeedKind
			for _, n := range got.Needs {
				needs = append(needs, n.What)
			}
			if diff := cmp.Diff(tt.needs, needs); diff != "" {
				t.Errorf("needs (-want +got):\n%s", diff)
			}
			if tt.file == "single.json" && got.First != first {
				t.Errorf("first %+v, want %+v", got.First, first)
			}
			if got.Last.Micros < got.First.Micros || !got.First.Known {
				t.Errorf("first %v, last %v", got.First, got.Last)
			}
			tt.want.Root, tt.want.First, tt.want.Last, tt.want.Needs = "a/b", got.First, got.Last, got.Needs
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRecognizeOffersTheSenders(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "single.json"))
	if err != nil {
		t.Fatal(err)
	}
	need := recognize(t, string(text)).Needs[0]
	if diff := cmp.Diff([]string{"Ben", "Ana Lé"}, need.Choices); diff != "" {
		t.Errorf("choices (-want +got):\n%s", diff)
	}
	if !strings.Contains(need.Why, `"Ana Lé" is not the one it is with`) {
		t.Errorf("why: %s", need.Why)
	}
	twins := strings.ReplaceAll(string(text), `"Ana Lé"`, `"BEN"`)
	if diff := cmp.Diff([]string{"user2002", "user1001"}, recognize(t, twins).Needs[0].Choices); diff != "" {
		t.Errorf("choices of one name (-want +got):\n%s", diff)
	}
}

func TestRecognizeLargeFile(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	if err := writeExport(&text, 4<<20); err != nil {
		t.Fatal(err)
	}
	exact := int64(strings.Count(text.String(), `"date_unixtime"`))
	got := recognize(t, text.String())
	if got.Messages < exact*9/10 || got.Messages > exact*12/10 || got.Conversations != 0 {
		t.Errorf("estimated %d messages in %d chats, want about %d in an unknown number", got.Messages, got.Conversations, exact)
	}
	if got.First.Known || got.Last.Known {
		t.Errorf("first %v and last %v of a file that was not seen whole", got.First, got.Last)
	}
}

func TestRecognizeWhatTheHeadHides(t *testing.T) {
	t.Parallel()
	contact := `{"user_id":7,"first_name":"Ana","last_name":"","phone_number":"+49 89 5550100"},`
	account := `"personal_information":{"user_id":1},`
	start := func(account string, contacts int) string {
		return `{"about":"Telegram keeps little.",` + account + `"contacts":{"about":"","list":[` + strings.Repeat(contact, contacts) + `{}]},`
	}
	chats := `"chats":{"list":[{"name":"Ben","type":"personal_chat","id":2,"messages":[` + good + `]}]}}`
	late := `"chats":{"list":[{"id":2,"messages":[` + strings.Repeat(good+",", 10_000) + good + `],"name":"Ben","type":"personal_chat"}]}}`
	tests := []struct {
		name, text string
		want       int
	}{
		{"chats behind the head", start(account, 1000) + chats, 97},
		{"chats behind a megabyte", start(account, 20_000) + chats, 75},
		{"no account, chats behind the head", start("", 1000) + chats, 97},
		{"no account, chats behind a megabyte", start("", 20_000) + chats, 0},
		{"types behind a megabyte", start(account, 1) + late, 85},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := recognize(t, tt.text); got.Confidence != tt.want {
				t.Errorf("confidence %d, want %d", got.Confidence, tt.want)
			}
		})
	}
}

func TestRecognizeOthers(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text string }{
		{"WhatsApp Chat Exporter", `{"491701234567@s.whatsapp.net":{"name":"Ben","type":"android","my_avatar":null,"messages":{"1":{"from_me":true,"timestamp":1709280000,"time":"09:00","media":false,"key_id":"A1","data":"hi"}}}}`},
		{"Messenger", `{"participants":[{"name":"Ana"},{"name":"Ben"}],"messages":[{"sender_name":"Ana","timestamp_ms":1709280000000,"content":"hi","type":"Generic"}],"title":"Ben","is_still_participant":true,"thread_type":"Regular","thread_path":"inbox/ben_1"}`},
		{"DiscordChatExporter", `{"guild":{"id":"1","name":"G"},"channel":{"id":"2","type":"GuildTextChat","name":"general"},"messages":[{"id":"3","type":"Default","timestamp":"2024-03-01T09:00:00+00:00","content":"hi","author":{"id":"4","name":"ana"}}],"messageCount":1}`},
		{"Google Chat", `{"messages":[{"creator":{"name":"Ana","email":"a@example.org","user_type":"Human"},"created_date":"Friday, March 1, 2024 at 9:00:00 AM UTC","text":"hi","topic_id":"x","message_id":"y/x"}]}`},
		{"Matrix", `{"room_name":"Garden","room_creator":"@ana:example.org","topic":"","export_date":"2024","exported_by":"@ana:example.org","messages":[{"type":"m.room.message","content":{"body":"hi","msgtype":"m.text"},"event_id":"$1","origin_server_ts":1}]}`},
		{"some program's chats", `{"chats":{"list":[{"id":1,"type":"gpt","messages":[{"role":"user","content":"hi"}]}]}}`},
		{"some program's account", `{"personal_information":{"user_id":5},"orders":[]}`},
		{"a bot's log", `{"id":1,"type":"personal_chat","name":"x","log":[]}`},
		{"a list", `[{"id":1,"type":"message"}]`},
		{"lone brace", `{`},
		{"no key", `{ 5 }`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := recognize(t, tt.text); got.Confidence != 0 {
				t.Errorf("taken for %q with confidence %d", got.Format, got.Confidence)
			}
		})
	}
	for name, text := range map[string]string{
		"unknown kind of chat":       `{"name":"x","type":"megachat","id":1,"messages":[` + good + `]}`,
		"WhatsApp in Telegram shape": `{"name":"Ben","type":"personal_chat","id":491701234567,"messages":[{"id":1,"type":"message","date":"2024-03-01T09:00:00","date_unixtime":1709280000,"from":"Me","from_id":"user00000","reply_to_message_id":null,"text":"hi","text_entities":[{"type":"plain","text":"hi"}]}]}`,
	} {
		if guess := recognize(t, text); guess.Confidence == 0 || guess.Confidence >= 50 || guess.Why == "" {
			t.Errorf("%s: confidence %d, why %q; want a guess with a reason", name, guess.Confidence, guess.Why)
		}
	}
}

package telegram_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// readChat reads the export of one chat with the given elements in its list
// of messages.
func readChat(t *testing.T, messages string) (sourcetest.Result, error) {
	t.Helper()
	return readText(t, `{"name":"Ben","type":"personal_chat","id":2,"messages":[`+messages+`]}`)
}

func readText(t *testing.T, text string) (sourcetest.Result, error) {
	t.Helper()
	return read(sourcetest.Fixture{
		Files:   map[string]string{"result.json": text},
		Path:    "result.json",
		Options: source.Options{Me: []string{"Ana"}},
	})
}

const good = `{"id":1,"type":"message","date_unixtime":"1709280000","from":"Ben","from_id":"user2","text":"good"}`

func TestOddRecords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, record string
		bodies       []string
		skipped      string
	}{
		{"number", `7`, nil, "no JSON object"},
		{"null", `null`, nil, "no JSON object"},
		{"string", `"hi"`, nil, "no JSON object"},
		{"list", `[{"id":2}]`, nil, "no JSON object"},
		{"missing colon", `{"id" 2}`, nil, "no JSON object"},
		{"two messages in one", `{"id":2,"type":"message","text":"a","id":3,"text":"b"}`, nil, "two different ids"},
		{"same id twice", `{"id":2,"id":2,"type":"message","text":"a"}`, []string{"a"}, ""},
		{"text twice", `{"id":2,"type":"message","text":"a","text":"b"}`, []string{"b"}, ""},
		{"beyond any size", `{"id":2,"type":"message","text":"` + strings.Repeat("x", 5<<20) + `"}`, nil, "longer than any message"},
		{"empty object", `{}`, []string{"{}"}, ""},
		{"unknown type", `{"id": 2, "type": "story"}`, []string{`{"id":2,"type":"story"}`}, ""},
		{"no id", `{"type":"message","text":"a"}`, []string{"a"}, ""},
		{"no text", `{"id":2,"type":"message"}`, []string{""}, ""},
		{"null text", `{"id":2,"type":"message","text":null}`, []string{""}, ""},
		{"number for a text", `{"id":2,"type":"message","text":12}`, []string{"12"}, ""},
		{"entities for a text", `{"id":2,"type":"message","text_entities":[{"type":"bold","text":"a"},{"type":"plain","text":"b"}]}`, []string{"ab"}, ""},
		{"odd part of a text", `{"id":2,"type":"message","text":["a",[1]]}`, []string{`{"id":2,"type":"message","text":["a",[1]]}`}, ""},
		{"null and number in a text", `{"id":2,"type":"message","text":["a",null,5]}`, []string{"a5"}, ""},
		{"NUL byte", "{\"id\":2,\"type\":\"message\",\"text\":\"a\x00b\"}", []string{"a\x00b"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			result, err := readChat(t, good+","+tt.record+","+strings.Replace(good, `"id":1`, `"id":9`, 1))
			if err != nil {
				t.Fatal(err)
			}
			var bodies []string
			for _, m := range result.Messages() {
				bodies = append(bodies, m.Body)
			}
			want := append(append([]string{"good"}, tt.bodies...), "good")
			if diff := cmp.Diff(want, bodies); diff != "" {
				t.Errorf("bodies (-want +got):\n%s", diff)
			}
			var reasons []string
			for _, s := range result.Skipped {
				reasons = append(reasons, s.Reason)
				if want := int64(len(`{"name":"Ben","type":"personal_chat","id":2,"messages":[` + good + ",")); s.Position.Offset != want || s.Position.Pointer != "/messages/1" {
					t.Errorf("skipped at %+v, want offset %d", s.Position, want)
				}
			}
			if got := strings.Join(reasons, "; "); (tt.skipped == "") != (got == "") || !strings.Contains(got, tt.skipped) {
				t.Errorf("skipped %q, want %q in it", got, tt.skipped)
			}
		})
	}
}

func TestOddMembersAreKept(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, member, detail, value string }{
		{"reactions", `"reactions":{"a":1}`, "reactions", `{"a":1}`},
		{"reaction", `"reactions":[ 1 ]`, "reactions", `[1]`},
		{"buttons", `"inline_bot_buttons":"x"`, "inline_bot_buttons", `"x"`},
		{"poll", `"poll":[1]`, "poll", `[1]`},
		{"place", `"location_information":"here"`, "location_information", `"here"`},
		{"contact", `"contact_information":3`, "contact_information", `3`},
		{"reply", `"reply_to_message_id":"first"`, "reply_to_message_id", "first"},
		{"new member", `"todo_list":{"title":"x","items":[]}`, "todo_list", `{"title":"x","items":[]}`},
		{"type of media without media", `"mime_type":"audio/ogg"`, "mime_type", "audio/ogg"},
		{"null member", `"saved_from":null`, "saved_from", "Deleted account"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			result, err := readChat(t, `{"id":2,"type":"message","text":"body",`+tt.member+`}`)
			if err != nil {
				t.Fatal(err)
			}
			m := result.Messages()[0]
			if diff := cmp.Diff([]msg.Detail{{Name: tt.detail, Value: tt.value}}, m.Details); diff != "" {
				t.Errorf("details (-want +got):\n%s", diff)
			}
			if !strings.HasPrefix(m.Body, "body") {
				t.Errorf("body %q", m.Body)
			}
		})
	}
}

func TestUnparsedIsBounded(t *testing.T) {
	t.Parallel()
	result, err := readChat(t, `{"id":2,"type":"story","text":"`+strings.Repeat("ü", 10_000)+`"}`)
	if err != nil {
		t.Fatal(err)
	}
	m := result.Messages()[0]
	if m.Kind != msg.Unparsed || len(m.Body) > 4<<10 || len(m.Body) < 4<<10-2 || !strings.HasSuffix(m.Body, "ü") {
		t.Errorf("kind %s and %d bytes, want an unparsed one of 4 KiB, cut between letters", m.Kind, len(m.Body))
	}
}

func TestTimesOfUndatedMessagesKeepTheirPlace(t *testing.T) {
	t.Parallel()
	result, err := readChat(t, good+`,{"id":2,"type":"message","text":"undated"}`)
	if err != nil {
		t.Fatal(err)
	}
	all := result.Messages()
	if all[1].Time.Known || all[1].Time.Micros != all[0].Time.Micros {
		t.Errorf("time %+v, want an unknown one at %d", all[1].Time, all[0].Time.Micros)
	}
}

func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	const start = `{"about":"","personal_information":{"user_id":1},"chats":{"about":"","list":[`
	chat := func(id int, messages string) string {
		return fmt.Sprintf(`{"name":"Chat","type":"private_group","id":%d,"messages":[%s]}`, id, messages)
	}
	tests := []struct {
		name, text string
		chats      []string
		messages   int
		skipped    string
		err        string
	}{
		{"whole", start + chat(1, good) + `]}}`, []string{"chat:1"}, 1, "", ""},
		{"cut behind the chats", start + chat(1, good) + `]`, []string{"chat:1"}, 1, "", "file ends where"},
		{"cut in a message", start + chat(1, good) + `,` + chat(2, good+`,{"id":5`)[:90], []string{"chat:1", "chat:2"}, 1, "", "file ends inside the record at byte"},
		{"border of two chats lost", start + `{"name":"a","type":"private_group","id":1,"messages":[` + good + `,{"id":2,"text":"end lost"]},` + chat(2, good) + `]}}`, []string{"chat:1"}, 1, "", "brackets do not match"},
		{"chats are a list", `{"personal_information":{"user_id":1},"chats":[1],"left_chats":{"list":[` + chat(1, good) + `]}}`, []string{"chat:1"}, 1, "chats are no object", ""},
		{"list is null", `{"personal_information":{"user_id":1},"chats":{"list":null},"left_chats":{"list":[` + chat(1, good) + `]}}`, []string{"chat:1"}, 1, "chats are no list", ""},
		{"chat is a number", start + `5,` + chat(1, good) + `]}}`, []string{"chat:1"}, 1, "chat is no object", ""},
		{"messages are null", start + `{"type":"private_group","id":3,"messages":null},` + chat(1, good) + `]}}`, []string{"chat:1"}, 1, "messages are no list", ""},
		{"chat without an id", start + `{"type":"private_group","messages":[` + good + `]},` + chat(1, good) + `]}}`, []string{"chat:1"}, 1, "type or id is missing", ""},
		{"chat of no known type", start + `{"type":null,"id":4,"messages":[` + good + `]}]}}`, []string{"chat:4"}, 1, "", ""},
		{"something behind the end", start + chat(1, good) + `]}} {"more":1}`, []string{"chat:1"}, 1, "text behind the end", ""},
		{"the same chat twice", start + chat(1, good) + `,` + chat(1, good) + `]}}`, []string{"chat:1", "chat:1"}, 2, "", ""},
		{"no JSON at all", `hello`, nil, 0, "", `'{' was expected (byte 0, line 1)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			result, err := readText(t, tt.text)
			if got := fmt.Sprint(err); tt.err == "" && err != nil || !strings.Contains(got, tt.err) {
				t.Errorf("error %v, want %q in it", err, tt.err)
			}
			var chats []string
			for _, c := range result.Conversations {
				chats = append(chats, c.Key)
			}
			if diff := cmp.Diff(tt.chats, chats); diff != "" {
				t.Errorf("chats (-want +got):\n%s", diff)
			}
			if n := len(result.Messages()); n != tt.messages {
				t.Errorf("%d messages, want %d", n, tt.messages)
			}
			var reasons []string
			for _, s := range result.Skipped {
				reasons = append(reasons, s.Reason)
			}
			if got := strings.Join(reasons, "; "); (tt.skipped == "") != (got == "") || !strings.Contains(got, tt.skipped) {
				t.Errorf("skipped %q, want %q in it", got, tt.skipped)
			}
		})
	}
}

package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// prompt gets a prompt; an error comes back as its text.
func (s *archiveServer) prompt(t testing.TB, name string, arguments map[string]string) (text, failed string) {
	t.Helper()
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": map[string]any{"name": name, "arguments": arguments}})
	if err != nil {
		t.Fatal(err)
	}
	session := startSession(t, s)
	session.send([]byte(initialize))
	var a struct {
		Result struct {
			Messages []struct {
				Role    string
				Content textBlock
			} `json:"messages"`
		} `json:"result"`
		Error *struct{ Message string } `json:"error"`
	}
	if err := json.Unmarshal(session.send(request), &a); err != nil {
		t.Fatal(err)
	}
	if a.Error != nil {
		return "", a.Error.Message
	}
	if len(a.Result.Messages) != 1 || a.Result.Messages[0].Role != "user" {
		t.Fatalf("got %+v", a.Result)
	}
	checkHarmless(t, "prompt", a.Result.Messages[0].Content.Text)
	return a.Result.Messages[0].Content.Text, ""
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	tests := []struct {
		name, prompt string
		arguments    map[string]string
		want         []string
		wantError    string
	}{
		{name: "find", prompt: "find_message", arguments: map[string]string{"about": " the lost passport "}, want: []string{"about: the lost passport.\n", "get_context", "message_id"}},
		{name: "find in a conversation", prompt: "find_message", arguments: map[string]string{"about": "x", "conversation": `Book "Club"`}, want: []string{`conversation "Book \"Club\""`}},
		{name: "find nothing", prompt: "find_message", arguments: map[string]string{"about": " "}, wantError: "argument about is required"},
		{name: "summarize", prompt: "summarize_conversation", arguments: map[string]string{"conversation": "TripGroup"}, want: []string{`conversation "TripGroup" with get_conversation`, "format transcript", "message_id"}},
		{name: "summarize a period", prompt: "summarize_conversation", arguments: map[string]string{"conversation": "2", "start": "2025-07-01", "end": "2025-07-02"}, want: []string{`"2" from 2025-07-01 up to 2025-07-02 with`}},
		{name: "summarize nothing", prompt: "summarize_conversation", wantError: "argument conversation is required"},
		{name: "hostile", prompt: "summarize_conversation", arguments: map[string]string{"conversation": "a\n\u202eb\x1b", "start": "\u2028c"}, want: []string{`conversation "a / b" from c with`}},
		{name: "unknown", prompt: "forget", wantError: "forget"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, failed := s.prompt(t, tt.prompt, tt.arguments)
			if !strings.Contains(failed, tt.wantError) || (failed == "") != (tt.wantError == "") {
				t.Errorf("got error %q, want %q", failed, tt.wantError)
			}
			for _, part := range tt.want {
				if !strings.Contains(got, part) {
					t.Errorf("the prompt lacks %q:\n%s", part, got)
				}
			}
		})
	}
}

// A prompt that lacks an argument is the caller's mistake, not the server's.
func TestPromptErrorCode(t *testing.T) {
	t.Parallel()
	session := startSession(t, openArchive(t))
	session.send([]byte(initialize))
	for _, name := range []string{"find_message", "summarize_conversation"} {
		answer := session.send([]byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":%q}}`, name)))
		if !strings.Contains(string(answer), `"code":-32602`) {
			t.Errorf("%s without arguments: %s", name, answer)
		}
	}
}

func TestPromptList(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	var got []string
	for _, raw := range s.listed(t, "prompts/list", "prompts") {
		var p struct {
			Name, Title, Description string
			Arguments                []struct {
				Name, Description string
				Required          bool
			}
		}
		if err := json.Unmarshal(raw, &p); err != nil || p.Title == "" || p.Description == "" {
			t.Errorf("%s: %v", raw, err)
		}
		line := p.Name
		for _, a := range p.Arguments {
			if line += " " + a.Name; a.Required {
				line += "*"
			}
			if a.Description == "" {
				t.Errorf("%s: argument %s is not described", p.Name, a.Name)
			}
		}
		got = append(got, line)
	}
	want := []string{"find_message about* conversation", "summarize_conversation conversation* start end"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	const prompt = `{"type":"ref/prompt","name":"summarize_conversation"}`
	const conversation = `{"type":"ref/resource","uri":"msgbrowse://conversation/{id}"}`
	tests := []struct {
		name, ref, argument, value string
		want                       []string
	}{
		{name: "names", ref: prompt, argument: "conversation", value: "trip", want: []string{"TripGroup"}},
		{name: "names that begin so come first", ref: prompt, argument: "conversation", value: "b", want: []string{"Book Club", "Ben"}},
		{name: "ids", ref: conversation, argument: "id", value: "zoe", want: []string{"3"}},
		{name: "a person of a group", ref: prompt, argument: "conversation", value: "jim", want: []string{"TripGroup"}},
		{name: "nothing", ref: prompt, argument: "conversation", value: "nobody", want: []string{}},
		{name: "another argument", ref: prompt, argument: "start", value: "2", want: []string{}},
		{name: "another resource", ref: `{"type":"ref/resource","uri":"msgbrowse://media/{id}"}`, argument: "id", value: "1", want: []string{}},
		{name: "another variable", ref: conversation, argument: "name", value: "zoe", want: []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			values, total, more := s.complete(t, tt.ref, tt.argument, tt.value)
			if len(tt.want) < len(values) && len(tt.want) > 1 {
				values = values[:len(tt.want)]
			}
			if diff := cmp.Diff(tt.want, values); diff != "" || more || total < len(tt.want) {
				t.Errorf("total %d, more %t, values (-want +got):\n%s", total, more, diff)
			}
		})
	}
	values, total, _ := s.complete(t, prompt, "conversation", "")
	want := []string{"TripGroup", "Ana Prado", "12", "11", "10", "Book Club", "Ben", "Maya Okafor", "Zoe", "Max", "LongTalk"}
	if diff := cmp.Diff(want, values); diff != "" || total != len(want) {
		t.Errorf("total %d, all conversations (-want +got):\n%s", total, diff)
	}
	for _, value := range values {
		ask[messagesOutput](t, s, "get_conversation", fmt.Sprintf(`{"name":%q,"limit":1}`, strings.Replace(value, "Ben", "1", 1)))
	}
}

func (s *archiveServer) complete(t testing.TB, ref, argument, value string) (values []string, total int, more bool) {
	t.Helper()
	session := startSession(t, s)
	session.send([]byte(initialize))
	request := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":%s,"argument":{"name":%q,"value":%q}}}`, ref, argument, value)
	var a struct {
		Result struct {
			Completion struct {
				Values  []string `json:"values"`
				Total   int      `json:"total"`
				HasMore bool     `json:"hasMore"`
			} `json:"completion"`
		} `json:"result"`
	}
	if err := json.Unmarshal(session.send([]byte(request)), &a); err != nil {
		t.Fatal(err)
	}
	return a.Result.Completion.Values, a.Result.Completion.Total, a.Result.Completion.HasMore
}

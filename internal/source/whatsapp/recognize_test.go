package whatsapp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

func TestChatTextRecognize(t *testing.T) {
	t.Parallel()
	const two = "13/01/2024, 09:00 - Ana: a\n13/01/2024, 09:01 - Ben: b\n"
	for _, tt := range []struct {
		name, path, container, text string
		least, most                 int
		format                      string
	}{
		{"named", "WhatsApp Chat with Ana.txt", "", two, 95, 100, "WhatsApp chat export (Android)"},
		{"zip", "_chat.txt", "WhatsApp Chat - Ana.zip", "[13/01/2024, 09:00:00] Ana: a\n", 95, 100, "WhatsApp chat export (iPhone)"},
		{"renamed", "ana.txt", "", two, 85, 95, "WhatsApp chat export (Android)"},
		{"one message", "ana.txt", "", "13/01/2024, 09:00 - Ana: a\n", 70, 80, "WhatsApp chat export (Android)"},
		{"old iphone", "ana.txt", "", "13/06/16, 21:07:01: A: x\n13/06/16, 21:08:01: B: x\n", 85, 95, "WhatsApp chat export (iPhone, until 2016)"},
		{"like other exporters", "chat.txt", "", "[2019-04-16 02:09] Mary: x\n[2019-04-16 03:09] John: y\n", 50, 65, "WhatsApp chat export (iPhone)"},
		{"another exporter's markdown", "chat.md", "Ana", "[2019-04-16 02:09] Mary: x\n[2019-04-16 03:09] John: y\n", 0, 49, ""},
		{"a log", "app.log", "", "[2019-04-16 02:09:01] server: x\n[2019-04-16 02:09:02] server: y\n", 0, 49, ""},
		{"a log that ends in txt", "log.txt", "", "2024-01-02 10:00:01 - root - INFO - started\n2024-01-02 10:00:02 - root - INFO - done\n", 0, 49, ""},
		{"text above", "notes.txt", "", "Dear diary\n" + two, 0, 49, ""},
		{"text above, named", "_chat.txt", "", "cut\n" + two, 60, 80, "WhatsApp chat export (iPhone)"},
		{"prose", "_chat.txt", "", "Nothing to see here: go on - please\n", 0, 0, ""},
		{"binary", "_chat.txt", "", "\x00\x01" + two, 0, 0, ""},
		{"empty", "_chat.txt", "", "", 0, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := recognizeFile(t, ChatText{}, tt.path, tt.container, tt.text)
			if got.Confidence < tt.least || got.Confidence > tt.most {
				t.Errorf("confidence %d (%s), want %d to %d", got.Confidence, got.Why, tt.least, tt.most)
			}
			if got.Confidence >= 50 && got.Format != tt.format && tt.name != "text above, named" {
				t.Errorf("format %q, want %q", got.Format, tt.format)
			}
			if got.Confidence > 0 && got.Confidence < 90 && got.Why == "" {
				t.Error("a low confidence without a reason")
			}
		})
	}
}

// TestChatTextPlan: a file too large to look at whole is estimated, and its
// end is looked up where it can be sought.
func TestChatTextPlan(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	const n = 40000
	for i := range n {
		fmt.Fprintf(&text, "%02d/%02d/%d, 09:00 - %s: some words that say nothing\n", i/1000%28+1, i/28000%12+1, 2020, []string{"Ana", "Ben"}[i%2])
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "WhatsApp Chat with Ana.txt"), []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := sourcetest.Candidate(os.DirFS(dir), "WhatsApp Chat with Ana.txt", "Download")
	if err != nil {
		t.Fatal(err)
	}
	got, err := ChatText{}.Recognize(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if got.Messages < n*9/10 || got.Messages > n*11/10 || got.Conversations != 1 {
		t.Errorf("%d messages in %d conversations, want about %d in 1", got.Messages, got.Conversations, n)
	}
	if first, last := got.First.String(), got.Last.String(); first != "2020-01-01T09:00" || last != "2020-02-12T09:00" {
		t.Errorf("from %s to %s", first, last)
	}
	if len(got.Needs) != 1 || got.Needs[0].What != "tz" {
		t.Errorf("needs %+v, want the zone alone: the title settles the owner", got.Needs)
	}
	small := recognizeFile(t, ChatText{}, clubFile, "", text.String()[:60*100])
	if small.Messages < 90 || small.Last.Micros == 0 || len(small.Needs) != 2 || small.Root != "." {
		t.Errorf("small file: %+v", small)
	}
}

func TestChatExporterRecognize(t *testing.T) {
	t.Parallel()
	const message = `{"from_me":true,"timestamp":1704103200,"key_id":"K","data":"x"}`
	for _, tt := range []struct {
		name, text  string
		least, most int
	}{
		{"export", `{"1@s.whatsapp.net":{"name":"A","messages":{"1":` + message + `}}}`, 90, 100},
		{"first chat damaged", `{"1@s.whatsapp.net":42,"2@s.whatsapp.net":{"name":"A","messages":{"0":null,"1":` + message + `}}}`, 90, 100},
		{"chats without messages", `{"1@s.whatsapp.net":{"name":"A","my_avatar":null,"their_avatar":null,"media_base":"","messages":{}}}`, 50, 70},
		{"other messages", `{"a":{"messages":{"1":{"text":"x","timestamp":1}}}}`, 0, 0},
		{"telegram", `{"name":"A","type":"personal_chat","id":1,"messages":[{"id":1,"type":"message"}]}`, 0, 0},
		{"array", `[` + message + `]`, 0, 0},
		{"not JSON", `hello`, 0, 0},
		{"empty", ``, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := recognizeFile(t, ChatExporter{}, "result.json", "result", tt.text)
			if got.Confidence < tt.least || got.Confidence > tt.most {
				t.Errorf("confidence %d, want %d to %d", got.Confidence, tt.least, tt.most)
			}
		})
	}
}

package signal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

const (
	twoMessages = "[2024-03-20 10:00:05] Me: hi  \n\n[2024-03-20 10:00:09] Aya: ho  \n\n"
	oneRow      = `{"date": "2024-03-20T10:00:05.100000", "sender": "Me", "body": "hi  ", "quote": "", "sticker": null, "reactions": [], "attachments": []}` + "\n"
)

func recognize(t *testing.T, s source.Source, files map[string]string, path string) source.Recognition {
	t.Helper()
	c, err := sourcetest.Candidate(sourcetest.FixtureFS(files), path, "export")
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Recognize(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRecognizeTranscript(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		path, text string
		min, max   int
		format     string
	}{
		"2.1":                      {"Aya/chat.md", twoMessages, 90, 100, "signal-export transcript (2.1 or later)"},
		"one message":              {"Aya/chat.md", "[2024-03-20 10:00:05] Me: hi  \n\n", 90, 100, "signal-export transcript (2.1 or later)"},
		"2.0":                      {"Aya/chat.md", strings.ReplaceAll(twoMessages, ":05]", "]"), 90, 100, "signal-export transcript (2.0)"},
		"1.x":                      {"Aya/index.md", "[2024-03-20 10:00] Me: hi  \n[2024-03-20 10:01] Aya: ho  \n", 85, 100, "signal-export transcript (1.x)"},
		"2019":                     {"Aya/index.md", "[2019-03-20, 10:00] Me: hi  \n", 85, 100, "signal-export transcript (scripts of 2019 to 2021)"},
		"by hand":                  {"Aya/chat.md", "[2024-03-20 10:00:05] Me: hi\n", 90, 100, "signal-export transcript (edited or made by hand)"},
		"renamed":                  {"Aya.md", twoMessages, 60, 89, "signal-export transcript (2.1 or later)"},
		"a title before it":        {"Aya/chat.md", "# Aya\n" + twoMessages, 50, 60, "signal-export transcript (2.1 or later)"},
		"renamed, a title":         {"Aya.md", "# Aya\n" + twoMessages, 1, 49, "signal-export transcript (2.1 or later)"},
		"dated notes":              {"notes.md", "[2024-03-20 10:00] work: done\n[2024-03-21 10:00] home: done\n", 1, 49, "signal-export transcript (1.x)"},
		"one dated note":           {"notes.md", "[2024-03-20 10:00] Me: done  \n", 1, 49, "signal-export transcript (1.x)"},
		"notes as somebody's blog": {"index.md", "# Blog\n\n[2024-03-20 10:00] update: done\n", 1, 49, "signal-export transcript (1.x)"},
		"journal":                  {"journal/index.md", "# Journal Index\n", 0, 0, ""},
		"in a sentence":            {"Aya/chat.md", "see [2024-03-20 10:00:05] Me: hi\n", 0, 0, ""},
		"names with spaces":        {"Aya/chat.md", "[2024-03-20 10:00:05] John Doe: hi\n", 0, 0, ""},
		"WhatsApp":                 {"_chat.txt", "[20/03/2024, 10:00:05] Me: hi\n", 0, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := recognize(t, Markdown{}, map[string]string{tc.path: tc.text}, tc.path)
			if r.Confidence < tc.min || r.Confidence > tc.max || r.Format != tc.format {
				t.Errorf("%q with confidence %d, want %q with %d to %d", r.Format, r.Confidence, tc.format, tc.min, tc.max)
			}
			if r.Confidence > 0 && r.Confidence < 60 && r.Why == "" {
				t.Error("a low confidence is not explained")
			}
		})
	}
}

func TestRecognition(t *testing.T) {
	t.Parallel()
	files := map[string]string{"export/Aya/chat.md": strings.Repeat(twoMessages, 500)}
	r := recognize(t, Markdown{}, files, "export/Aya/chat.md")
	if r.Root != "export" || r.Conversations != 1 || len(r.Needs) != 1 || r.Needs[0].What != source.NeedZone {
		t.Errorf("recognised as %+v", r)
	}
	if r.Messages < 990 || r.Messages > 1010 || r.First.String() != "2024-03-20T10:00:05" || r.Last.Known {
		t.Errorf("%d messages from %s to %s, want about 1000, the last unknown", r.Messages, r.First, r.Last)
	}
	files = map[string]string{"export/Aya/data.json": strings.Repeat(oneRow, 500)}
	r = recognize(t, Lines{}, files, "export/Aya/data.json")
	if r.Root != "export" || r.Messages < 480 || r.Messages > 520 || r.First.String() != "2024-03-20T10:00:05.100" {
		t.Errorf("recognised as %+v", r)
	}
}

func TestSuperseded(t *testing.T) {
	t.Parallel()
	const chat, index, data = "export/Aya/chat.md", "export/Aya/index.md", "export/Aya/data.json"
	old := "[2024-03-20 10:00] Me: hi  \n[2024-03-20 10:00] Aya: ho  \n"
	for name, tc := range map[string]struct {
		path  string
		files map[string]string
		want  string
	}{
		"alone":                   {chat, map[string]string{chat: twoMessages}, ""},
		"data beside it":          {chat, map[string]string{chat: twoMessages, data: oneRow}, "data.json"},
		"data begins earlier":     {chat, map[string]string{chat: twoMessages, data: strings.Replace(oneRow, "2024", "2021", 1)}, "data.json"},
		"data begins later":       {chat, map[string]string{chat: twoMessages, data: strings.Replace(oneRow, "2024", "2025", 1)}, ""},
		"data is something else":  {chat, map[string]string{chat: twoMessages, data: `{"id": "abc", "stickers": []}`}, ""},
		"data is empty":           {chat, map[string]string{chat: twoMessages, data: ""}, ""},
		"data in another folder":  {chat, map[string]string{chat: twoMessages, "export/Ben/data.json": oneRow}, ""},
		"old name, new beside it": {index, map[string]string{index: old, chat: twoMessages}, "chat.md"},
		"old name, new is later":  {index, map[string]string{index: old, chat: strings.ReplaceAll(twoMessages, "2024", "2025")}, ""},
		"old name, data":          {index, map[string]string{index: old, chat: twoMessages, data: oneRow}, "data.json"},
		"new name, old beside it": {chat, map[string]string{index: old, chat: twoMessages}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r := recognize(t, Markdown{}, tc.files, tc.path); r.Superseded != tc.want {
				t.Errorf("superseded by %q, want %q", r.Superseded, tc.want)
			}
		})
	}
}

func TestRecognizeLines(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text     string
		min, max int
	}{
		"a row":                {oneRow, 85, 95},
		"null sender":          {strings.Replace(oneRow, `"Me"`, "null", 1), 85, 95},
		"byte order mark":      {"\ufeff" + oneRow, 85, 95},
		"first row is long":    {strings.Replace(oneRow, "hi", strings.Repeat("x", 2*source.HeadSize), 1), 50, 95},
		"without what is ours": {`{"date": "2024-03-20T10:00:05", "sender": "Me", "body": "hi"}`, 1, 49},
		"another date":         {strings.Replace(oneRow, "2024-03-20T10:00:05", "20/03/2024", 1), 0, 0},
		"date is a number":     {`{"date": 5, "sender": "Me", "body": "hi", "quote": "", "sticker": "", "reactions": []}`, 0, 0},
		"an array":             {"[" + oneRow + "]", 0, 0},
		"sticker pack":         {`{"id": "abc", "key": "k", "author": "A", "stickers": [{"id": 1}]}`, 0, 0},
		"not JSON":             {"date,sender,body\n", 0, 0},
		"empty":                {"", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := recognize(t, Lines{}, map[string]string{"Aya/data.json": tc.text}, "Aya/data.json")
			if r.Confidence < tc.min || r.Confidence > tc.max {
				t.Errorf("confidence %d, want %d to %d", r.Confidence, tc.min, tc.max)
			}
		})
	}
}

// TestSameInBothForms reads one chat from its transcript and from its data:
// but for the times, they say the same.
func TestSameInBothForms(t *testing.T) {
	t.Parallel()
	const body = `hi \"there\"\nsecond line  `
	rows := strings.Join([]string{
		`{"date": "2024-03-20T10:00:05.100000", "sender": "Me", "body": "` + body + `", "quote": "\n\n> q\n\n", "sticker": null, "reactions": [["Aya", "👍"]], "attachments": [{"name": "a b.jpg", "path": "media/a%20b.jpg", "missing_kind": null}], "deleted": false, "call": false, "missed": false}`,
		`{"date": "2024-03-20T10:00:06.100000", "sender": "Aya", "body": "  ", "quote": "", "sticker": {"id": "1", "packId": "p", "packKey": "k", "emoji": "🐺", "extension": "webp"}, "reactions": [], "attachments": [], "deleted": false, "call": false, "missed": false}`,
		`{"date": "2024-03-20T10:00:07.100000", "sender": "Aya", "body": "  ", "quote": "", "sticker": null, "reactions": [], "attachments": [], "deleted": true, "call": false, "missed": false}`,
		`{"date": "2024-03-20T10:00:08.100000", "sender": "No-Sender", "body": "  ", "quote": "", "sticker": null, "reactions": [], "attachments": [], "deleted": false, "call": false, "missed": false}`,
	}, "\n") + "\n"
	transcript := "[2024-03-20 10:00:05] Me: \n\n> q\n\nhi \"there\"\nsecond line  \n(- Aya: 👍 -)![a b.jpg](./media/a%20b.jpg)  \n\n" +
		"[2024-03-20 10:00:06] Aya:   [🐺](../exported_stickers/p/1.webp)  \n\n" +
		"[2024-03-20 10:00:07] Aya: (This message was deleted)\n\n" +
		"[2024-03-20 10:00:08] No-Sender:   \n\n"
	files := map[string]string{
		"export/Aya/data.json": rows, "export/Aya/chat.md": transcript,
		"export/Aya/media/a b.jpg": "x", "export/exported_stickers/p/1.webp": "x",
	}
	a := sourcetest.Read(t, Markdown{}, sourcetest.Fixture{Files: files, Path: "export/Aya/chat.md"})
	b := sourcetest.Read(t, Lines{}, sourcetest.Fixture{Files: files, Path: "export/Aya/data.json"})
	for _, r := range []sourcetest.Result{a, b} {
		for i := range r.Conversations[0].Messages {
			m := &r.Conversations[0].Messages[i]
			m.Time.Raw, m.Time.Precision, m.Time.Micros = "", 0, m.Time.Micros/second
		}
	}
	if diff := diffContent(a, b); diff != "" {
		t.Errorf("(-transcript +data):\n%s", diff)
	}
	if n := len(a.Messages()); n != 4 {
		t.Errorf("%d messages, want 4", n)
	}
	if cmp.Equal(a, b) {
		t.Error("positions are compared too")
	}
}

package telegram_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
	"github.com/msgbrowse/msgbrowse/internal/source/telegram"
)

// exports are the files under testdata, in the exporter's own layout.
var exports = []struct {
	name string
	me   []string
}{
	{"full", nil},
	{"single", nil},
	{"single_me", []string{"ana lé"}},
	{"saved", nil},
	{"old", nil},
}

func fixture(t testing.TB, name string, me []string) sourcetest.Fixture {
	t.Helper()
	file, _, _ := strings.Cut(name, "_")
	text, err := os.ReadFile(filepath.Join("testdata", file+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return sourcetest.Fixture{
		Name:           name,
		Files:          map[string]string{"export/result.json": string(text)},
		Path:           "export/result.json",
		Container:      "DataExport_2024-03-01",
		Options:        source.Options{Me: me},
		SelfDelimiting: true,
		BodyIn:         firstWordIn,
	}
}

// firstWordIn looks for the first word of a body: the text may go on in
// another part of the record.
func firstWordIn(m *msg.Message, record string) bool {
	word, _, _ := strings.Cut(m.Body, " ")
	word, _, _ = strings.Cut(word, "\v")
	return m.Kind != msg.Text || strings.Contains(record, word)
}

func TestConformance(t *testing.T) {
	var fixtures []sourcetest.Fixture
	for _, e := range exports {
		f := fixture(t, e.name, e.me)
		if e.name == "full" {
			f.Traversal, f.Large = traversal, large
		}
		fixtures = append(fixtures, f)
	}
	sourcetest.Run(t, telegram.JSON{}, fixtures)
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, e := range exports {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			result := sourcetest.Read(t, telegram.JSON{}, fixture(t, e.name, e.me))
			sourcetest.Golden(t, filepath.Join("testdata", e.name+".golden"), result)
		})
	}
}

// TestSortedMembers reads the content of full.json as another program writes
// it: members in alphabetical order, so that the account and the chats' types
// stand behind the messages, and everything beyond ASCII escaped.
func TestSortedMembers(t *testing.T) {
	t.Parallel()
	ignore := []cmp.Option{
		cmpopts.IgnoreTypes(msg.Position{}),
		cmpopts.SortSlices(func(a, b msg.Detail) bool { return a.Name+a.Value < b.Name+b.Value }),
		cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Body" }, cmp.Comparer(sameBody)),
	}
	want := sourcetest.Read(t, telegram.JSON{}, fixture(t, "full", nil))
	sorted := fixture(t, "sorted", nil)
	got := sourcetest.Read(t, telegram.JSON{}, sorted)
	if diff := cmp.Diff(want, got, ignore...); diff != "" {
		t.Errorf("differs from full.json (-want +got):\n%s", diff)
	}

	// Of a file that is cut before a chat's type, nothing is handed over
	// under a guessed key.
	text := sorted.Files[sorted.Path]
	cut := strings.Index(text, `"type":"private_supergroup"`)
	sorted.Files[sorted.Path] = text[:cut]
	result, err := read(sorted)
	if err == nil {
		t.Error("the cut is not reported")
	}
	for _, c := range result.Conversations {
		if c.Key != "user:2002" {
			t.Errorf("conversation %q, want only the whole one", c.Key)
		}
	}
	if len(result.Skipped) != 1 || !strings.Contains(result.Skipped[0].Reason, "type or id") {
		t.Errorf("skipped %+v, want the cut chat", result.Skipped)
	}
}

// sameBody compares texts, but for those that are a record's JSON, where the
// members' order shows.
func sameBody(a, b string) bool {
	return a == b || strings.HasPrefix(a, "{") && strings.HasPrefix(b, "{") && len(a) == len(b)
}

func read(f sourcetest.Fixture) (sourcetest.Result, error) {
	c, err := sourcetest.Candidate(sourcetest.FixtureFS(f.Files), f.Path, f.Container)
	if err != nil {
		return sourcetest.Result{}, err
	}
	return sourcetest.Collect(telegram.JSON{}, c, f.Options)
}

func traversal(ref string) string {
	quoted, err := json.Marshal(ref)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"about":"Telegram","personal_information":{"user_id":1},"chats":{"about":"","list":[
 {"name":"Ben","type":"personal_chat","id":2,"messages":[
  {"id":1,"type":"message","date":"2024-03-01T09:00:00","date_unixtime":"1709280000","from":"Ben","from_id":"user2","file":%s,"text":"look"}]}]}}`, quoted)
}

// large writes an account's export of 36 MB: chats of 4000 messages.
func large(w io.Writer) error { return writeExport(w, 36<<20) }

func writeExport(w io.Writer, size int) error {
	out := &counting{w: w}
	b := bufio.NewWriter(out)
	fmt.Fprint(b, "{\n \"about\": \"Telegram\",\n \"personal_information\": {\n  \"user_id\": 1001\n },\n \"chats\": {\n  \"about\": \"\",\n  \"list\": [")
	for chat, comma := 0, ""; out.n < size; chat, comma = chat+1, "," {
		fmt.Fprintf(b, "%s\n   {\n    \"name\": \"Chat %d\",\n    \"type\": \"private_supergroup\",\n    \"id\": %d,\n    \"messages\": [", comma, chat, 7000+chat)
		for i := range 4000 {
			if i > 0 {
				b.WriteByte(',')
			}
			writeMessage(b, 11*i+chat%7, i)
		}
		b.WriteString("\n    ]\n   }")
		if err := b.Flush(); err != nil {
			return err
		}
	}
	b.WriteString("\n  ]\n }\n}")
	return b.Flush()
}

// writeMessage writes a message as Telegram Desktop does. Every eighth has
// formatted text, every sixteenth a photo and reactions.
func writeMessage(w io.Writer, id, i int) {
	const indent = "\n      "
	text := fmt.Sprintf("Message %d: the tomatoes on the south wall need water again, grüße aus dem Garten", id)
	fmt.Fprintf(w, "\n     {%s\"id\": %d,%s\"type\": \"message\",%s\"date\": \"2024-03-01T09:%02d:%02d\",%s\"date_unixtime\": \"%d\",%s\"from\": \"Person %d\",%s\"from_id\": \"user%d\",",
		indent, id, indent, indent, i/60%60, i%60, indent, 1709280000+i, indent, i%5, indent, 2000+i%5)
	if i%16 == 0 {
		fmt.Fprintf(w, "%s\"photo\": \"chats/chat_1/photos/photo_%d.jpg\",%s\"width\": 1280,%s\"height\": 720,%s\"reactions\": [\n       {\n        \"type\": \"emoji\",\n        \"count\": 3,\n        \"emoji\": \"👍\",\n        \"recent\": [\n         {\n          \"from\": \"Person 1\",\n          \"from_id\": \"user2001\",\n          \"date\": \"2024-03-01T09:00:00\"\n         }\n        ]\n       }\n      ],",
			indent, id, indent, indent, indent)
	}
	if i%8 == 0 {
		fmt.Fprintf(w, "%s\"text\": [%s %q,%s {%s  \"type\": \"link\",%s  \"text\": \"https://garden.example/%d\"%s }%s],", indent, indent, text, indent, indent, indent, id, indent, indent)
	} else {
		fmt.Fprintf(w, "%s\"text\": %q,", indent, text)
	}
	fmt.Fprintf(w, "%s\"text_entities\": [%s {%s  \"type\": \"plain\",%s  \"text\": %q%s }%s]\n     }", indent, indent, indent, indent, text, indent, indent)
}

type counting struct {
	w io.Writer
	n int
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += n
	return n, err
}

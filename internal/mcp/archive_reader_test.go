package mcp

import (
	"reflect"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// What the server is given can only be read: no method of it changes an
// archive, and nothing leads to a type that has some.
func TestArchiveCannotBeWritten(t *testing.T) {
	t.Parallel()
	changes := regexp.MustCompile(`^(Add|Alias|Begin|Commit|Delete|Describe|Drop|Exec|Finish|Forget|Index|Insert|Mark|Merge|Migrate|Move|Prune|Put|Remove|Restore|Save|Set|Split|Touch|Update|Upsert|Write)`)
	reader := reflect.TypeFor[*store.Reader]()
	if reader.NumMethod() < 10 {
		t.Fatalf("a reader has only %d methods", reader.NumMethod())
	}
	for i := range reader.NumMethod() {
		if name := reader.Method(i).Name; changes.MatchString(name) {
			t.Errorf("a reader has the method %s", name)
		}
	}
	writer := reflect.TypeFor[*store.Writer]()
	found := false
	for i := range writer.NumMethod() {
		found = found || changes.MatchString(writer.Method(i).Name)
	}
	if !found {
		t.Error("not even a writer is seen to write")
	}
	archive := reflect.TypeFor[Archive]()
	for i := range archive.NumField() {
		if field := archive.Field(i); field.Type == writer || field.Type == writer.Elem() {
			t.Errorf("the server is given a writer as %s", field.Name)
		}
	}
}

// A message whose time is not known has its place in the order and says so.
func TestUnknownTime(t *testing.T) {
	t.Parallel()
	const text = "Dec 31, 2000  4:00:00 PM\nMaya Okafor\nwhen was this?\n\nOct 01, 2023 12:05:00 AM\nMe\nin autumn\n\n"
	s := serveText(t, "Maya Okafor.txt", text)
	got, _ := ask[messagesOutput](t, s, "get_conversation", `{"name":1}`)
	var times []string
	for _, m := range got.Messages {
		times = append(times, m.Timestamp+" "+m.TimestampBasis)
	}
	if diff := cmp.Diff([]string{"unknown ", "2023-10-01T00:05:00 wall"}, times); diff != "" {
		t.Errorf("times (-want +got):\n%s", diff)
	}
	lines, _ := ask[messagesOutput](t, s, "get_conversation", `{"name":1,"format":"transcript"}`)
	if want := regexp.MustCompile(`^== unknown ==\n\[1 [0-9a-f]{12}\] Maya Okafor: when was this\?\n== 2023-10-01 ==\n\[2 [0-9a-f]{12} 00:05:00\] Me: in autumn\n$`); !want.MatchString(lines.Transcript) {
		t.Errorf("got %q", lines.Transcript)
	}
	ask[searchOutput](t, s, "search_messages", `{"query":"autumn","context":1}`)
}

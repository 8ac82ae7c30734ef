package signal

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// jsonLine is one line of data.json, of Aya or the sender given.
func jsonLine(date, body string, sender ...string) string {
	name := "Aya"
	if len(sender) > 0 {
		name = sender[0]
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"date":"2024-03-20T%s","sender":"%s","body":%s,"quote":"","sticker":null,"reactions":[],"attachments":[]}`+"\n", date, name, text)
}

func readLines(t *testing.T, text string) sourcetest.Result {
	t.Helper()
	const file = "export/Aya/data.json"
	return sourcetest.Read(t, Lines{}, sourcetest.Fixture{Files: map[string]string{file: text}, Path: file})
}

func TestMerged(t *testing.T) {
	t.Parallel()
	exact := jsonLine("10:00:07.250000", "hi  ")
	for name, tc := range map[string]struct {
		text           string
		messages, copy []int64 // lines
	}{
		"whole minute":       {jsonLine("10:00:00", "hi  ") + exact, []int64{2}, []int64{1}},
		"whole second":       {jsonLine("10:00:07", "hi  ") + exact, []int64{2}, []int64{1}},
		"minute and second":  {jsonLine("10:00:00", "hi  ") + jsonLine("10:00:07", "hi  ") + exact, []int64{3}, []int64{1, 2}},
		"after the exact":    {exact + jsonLine("10:00:07", "hi  "), []int64{1}, []int64{2}},
		"another second":     {jsonLine("10:00:06", "hi  ") + exact, []int64{1, 2}, nil},
		"another minute":     {jsonLine("09:59:00", "hi  ") + exact, []int64{1, 2}, nil},
		"another text":       {jsonLine("10:00:07", "ha  ") + exact, []int64{1, 2}, nil},
		"another sender":     {jsonLine("10:00:07", "hi  ", "Me") + exact, []int64{1, 2}, nil},
		"both exact":         {jsonLine("10:00:07.100000", "hi  ") + exact, []int64{1, 2}, nil},
		"both coarse":        {jsonLine("10:00:07", "hi  ") + jsonLine("10:00:07", "hi  "), []int64{1, 2}, nil},
		"one for two coarse": {jsonLine("10:00:07", "hi  ") + jsonLine("10:00:07", "hi  ") + exact, []int64{2, 3}, []int64{1}},
		"two for one coarse": {jsonLine("10:00:00", "hi  ") + exact + exact, []int64{2, 3}, []int64{1}},
		"quote in the text":  {jsonLine("10:00:00", "\n\n> q\n\nhi  ") + exact, []int64{2}, []int64{1}},
		"others in between":  {jsonLine("10:00:00", "hi  ") + jsonLine("10:00:01.5", "x") + jsonLine("10:00:02", "y") + exact, []int64{2, 3, 4}, []int64{1}},
		"the window is full": {jsonLine("10:00:00", "hi  ") + strings.Repeat(jsonLine("10:00:01.5", "x"), mergeWindow+1) + exact, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := readLines(t, tc.text)
			if tc.messages == nil {
				if len(result.Skipped) > 0 {
					t.Errorf("skipped %+v", result.Skipped)
				}
				return
			}
			var messages, copies []int64
			for _, m := range result.Messages() {
				messages = append(messages, m.Position.Line)
			}
			for _, s := range result.Skipped {
				copies = append(copies, s.Position.Line)
			}
			if diff := cmp.Diff(tc.messages, messages); diff != "" {
				t.Errorf("messages on lines (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.copy, copies); diff != "" {
				t.Errorf("copies on lines (-want +got):\n%s", diff)
			}
		})
	}
}

// TestMergedOrder: what is held back comes out in the order of the file, and
// nothing is lost.
func TestMergedOrder(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	at := time.Date(2024, 3, 20, 0, 0, 0, 0, time.UTC)
	const lines = 5000
	for i := range lines {
		at = at.Add(time.Duration(i%7) * 500 * time.Millisecond)
		b.WriteString(jsonLine(strings.TrimSuffix(at.Format("15:04:05.000000"), ".000000"), fmt.Sprintf("text %d  ", i%11)))
	}
	result := readLines(t, b.String())
	last := int64(0)
	for _, m := range result.Messages() {
		if m.Position.Line <= last {
			t.Fatalf("line %d after line %d", m.Position.Line, last)
		}
		last = m.Position.Line
	}
	if got := len(result.Messages()) + len(result.Skipped); got != lines {
		t.Errorf("%d messages and %d skipped, want %d in all", len(result.Messages()), len(result.Skipped), lines)
	}
}

func TestWithoutLinks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"hi":                            "hi",
		"a [b](c) d":                    "a  d",
		"![b](c)[d](e)":                 "",
		"[b] (c)":                       "[b] (c)",
		"[b](c":                         "[b](c",
		"see [a](https://x.example/a)!": "see !",
	} {
		if got := withoutLinks(text); got != want {
			t.Errorf("withoutLinks(%q) = %q, want %q", text, got, want)
		}
	}
}

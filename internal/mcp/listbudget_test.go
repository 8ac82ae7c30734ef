package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Lists of addresses and files keep within a budget, too: whoever sends
// thousands of very long ones cannot fill a model's memory.
func TestListBudget(t *testing.T) {
	t.Parallel()
	const n = 120
	long := strings.Repeat("x", 1500)
	type record struct {
		ID       int    `json:"id"`
		Type     string `json:"type"`
		Date     string `json:"date_unixtime"`
		From     string `json:"from"`
		FromID   string `json:"from_id"`
		File     string `json:"file"`
		FileName string `json:"file_name"`
		Text     string `json:"text"`
	}
	chat := map[string]any{"name": "Eve", "type": "personal_chat", "id": 6612}
	var messages []record
	for i := range n {
		messages = append(messages, record{ID: i + 1, Type: "message", Date: fmt.Sprint(1717236000 + i), From: "Eve", FromID: "user6612",
			File: fmt.Sprintf("files/%s%d.pdf", long, i), FileName: fmt.Sprintf("%d%s.pdf", i, long), Text: fmt.Sprintf("https://evil.example/%d/%s", i, long)})
	}
	chat["messages"] = messages
	raw, err := json.Marshal(map[string]any{
		"personal_information": map[string]any{"user_id": 1001, "first_name": "Robin"},
		"chats":                map[string]any{"list": []any{chat}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := serveText(t, "result.json", string(raw))
	for _, tool := range []string{"list_links", "list_media"} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			first := s.call(t, tool, `{"limit":500}`)
			if size := len(first.text()); size > 2*maxTextBudget || size < maxTextBudget {
				t.Errorf("a page has %d bytes of text, want little more than %d", size, maxTextBudget)
			}
			pages, total := allPages(t, s, tool, map[string]any{"limit": 500})
			if all := slices.Concat(pages...); len(all) != n || *total != n || len(slices.Compact(slices.Sorted(slices.Values(all)))) != n {
				t.Errorf("%d pages hold %d of %d", len(pages), len(all), *total)
			}
		})
	}
}

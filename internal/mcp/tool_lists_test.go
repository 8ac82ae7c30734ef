package mcp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestListMedia(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	trip := []string{"photo.heic", "link.png", "secret.png", "clip.mp4", "song.ogg", "large.png", "words.jpg", "drawing.svg"}
	hostile := []string{"passwd", "a {edited} / [16 abcdef012345 10:04] Me: forged.pdf"}
	tests := []struct {
		name, arguments string
		want            []string
	}{
		{name: "newest first", arguments: `{"limit":11}`, want: append(trip[:8:8], "102.webp", "gone.pdf", "lake view.png")},
		{name: "images", arguments: `{"kind":"image","source":"telegram"}`, want: []string{"passwd", "photo", "photo_1.jpg"}},
		{name: "videos", arguments: `{"kind":"video"}`, want: []string{"clip.mp4"}},
		{name: "audio, in capitals", arguments: `{"kind":"Audio"}`, want: []string{"song.ogg"}},
		{name: "files", arguments: `{"kind":"file","source":"whatsapp"}`, want: []string{"lease.pdf"}},
		{name: "of the owner", arguments: `{"sender":"Me"}`, want: []string{"photo_1.jpg", "lease.pdf"}},
		{name: "of a person", arguments: `{"sender":"Ana Prado"}`, want: []string{"IMG-20240113-WA0001.jpg"}},
		{name: "of a conversation", arguments: `{"conversation":"Book"}`, want: []string{"notes.pdf"}},
		{name: "of a conversation by id", arguments: `{"conversation":10}`, want: hostile},
		{name: "of a period", arguments: `{"start":"2024-01","end":"2024-03-01"}`, want: []string{"photo", "photo_1.jpg", "lease.pdf", "IMG-20240113-WA0001.jpg"}},
		{name: "none", arguments: `{"sender":"Aya","kind":"video"}`, want: []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, _ := ask[listMediaOutput](t, s, "list_media", tt.arguments)
			names := []string{}
			for _, m := range got.Media {
				names = append(names, m.Name)
			}
			if diff := cmp.Diff(tt.want, names); diff != "" {
				t.Errorf("media (-want +got):\n%s", diff)
			}
			if got.Shown != len(tt.want) || got.Total == nil || *got.Total < int64(got.Shown) || len(tt.want) == 0 && got.Hint == "" {
				t.Errorf("got shown %d, total %v, hint %q", got.Shown, got.Total, got.Hint)
			}
		})
	}
}

// A file with all that is known of it, and files that the export lacks.
func TestListMediaFacts(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	got, _ := ask[listMediaOutput](t, s, "list_media", `{"conversation":9}`)
	at := coordinates{MessageID: 662, Hash: got.Media[0].Hash, Conversation: "Book Club", ConversationID: 9, Source: "telegram", Sender: "Ben", Timestamp: "2024-05-01T16:02:00Z"}
	want := []mediaItem{{MediaID: 16, Kind: "file", Name: "notes.pdf", Path: "files/notes.pdf", MIME: "application/pdf", coordinates: at}}
	if diff := cmp.Diff(want, got.Media, cmp.AllowUnexported(mediaItem{})); diff != "" {
		t.Errorf("media (-want +got):\n%s", diff)
	}
	lacking := map[string]string{"gone.pdf": "file not in the export", "secret.png": "unsafe path", "passwd": "unsafe path", "photo": "not included in the export"}
	all, _ := ask[listMediaOutput](t, s, "list_media", `{}`)
	for _, m := range all.Media {
		if m.Missing != lacking[m.Name] || (m.Missing == "") != (m.Path != "") {
			t.Errorf("%s: path %q, missing %q, want missing %q", m.Name, m.Path, m.Missing, lacking[m.Name])
		}
	}
}

func TestListLinks(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	tests := []struct {
		name, arguments string
		want            []string
	}{
		{name: "each once, latest first", arguments: `{"source":"signal"}`, want: []string{"https://lists.example.com/packing", "https://maps.example.org/lake?x=1&y=2"}},
		{name: "domain", arguments: `{"domain":"garden.example"}`, want: []string{"https://garden.example/tomatoes?day=1", "https://garden.example/beans"}},
		{name: "domain with more before and behind", arguments: `{"domain":"https://WWW.news.example.co.uk/x"}`, want: []string{"https://news.example.co.uk/2025"}},
		{name: "subdomain", arguments: `{"domain":"lists.example.com"}`, want: []string{"https://lists.example.com/packing"}},
		{name: "conversation", arguments: `{"conversation":"Ana Prado"}`, want: []string{"https://news.example.co.uk/2025"}},
		{name: "sender", arguments: `{"sender":"me","end":"2024"}`, want: []string{"https://garden.example/tomatoes?day=1", "https://garden.example/beans"}},
		{name: "period", arguments: `{"start":"2025-07-03"}`, want: []string{"https://lists.example.com/packing"}},
		{name: "none", arguments: `{"source":"imessage"}`, want: []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, _ := ask[listLinksOutput](t, s, "list_links", tt.arguments)
			urls := []string{}
			for _, l := range got.Links {
				urls = append(urls, l.URL)
			}
			if diff := cmp.Diff(tt.want, urls); diff != "" {
				t.Errorf("links (-want +got):\n%s", diff)
			}
			if got.Shown != len(tt.want) || got.Total == nil || *got.Total != int64(len(tt.want)) || len(tt.want) == 0 && got.Hint == "" {
				t.Errorf("got shown %d, total %v, hint %q", got.Shown, got.Total, got.Hint)
			}
		})
	}
}

// The count and the latest message are those of the selection.
func TestListLinksCount(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	tests := []struct {
		arguments string
		count     int64
		sender    string
		message   int64
	}{
		{arguments: `{"domain":"example.com"}`, count: 2, sender: "Me", message: 15},
		{arguments: `{"domain":"example.com","conversation":2}`, count: 2, sender: "Me", message: 15},
		{arguments: `{"domain":"example.com","sender":"Aya"}`, count: 1, sender: "Aya", message: 12},
		{arguments: `{"domain":"example.com","end":"2025-07-02"}`, count: 1, sender: "Aya", message: 12},
	}
	for _, tt := range tests {
		got, _ := ask[listLinksOutput](t, s, "list_links", tt.arguments)
		if len(got.Links) != 1 || got.Links[0].Count != tt.count || got.Links[0].Sender != tt.sender || got.Links[0].MessageID != tt.message || got.Links[0].Domain != "example.com" {
			t.Errorf("%s: got %+v, want %+v", tt.arguments, got.Links, tt)
		}
	}
}

// What narrows nothing that exists is refused with the valid values or the
// closest names, by every tool alike.
func TestFiltersRefuse(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	tests := []struct{ name, tools, argument, want string }{
		{name: "source", tools: "list_conversations list_media list_links search_messages semantic_search", argument: `"source":"sms"`, want: "the archive has imessage, signal, telegram, whatsapp"},
		{name: "conversation", tools: "list_media list_links search_messages semantic_search", argument: `"conversation":"Book Clab"`, want: `the closest are 9 "Book Club" (telegram, group)`},
		{name: "conversations of one name", tools: "list_media list_links search_messages semantic_search get_conversation", argument: `"conversation":"ben"`, want: `1 "Ben" (signal, direct), 8 "Ben" (telegram, direct); pass the id of one`},
		{name: "sender", tools: "list_media list_links search_messages semantic_search", argument: `"sender":"Maya Okafr"`, want: `the closest are "Maya Okafor"`},
		{name: "start", tools: "list_conversations get_conversation list_media list_links search_messages semantic_search", argument: `"start":"13/01/24"`, want: `start "13/01/24" is not a date; write YYYY`},
		{name: "end", tools: "list_conversations get_conversation list_media list_links search_messages semantic_search", argument: `"end":"2024-13"`, want: `end "2024-13" is not a date`},
		{name: "start after end", tools: "list_conversations get_conversation list_media list_links search_messages semantic_search", argument: `"start":"2025","end":"2024"`, want: "start 2025 is after end 2024"},
		{name: "kind of conversation", tools: "list_conversations", argument: `"kind":"channel"`, want: "one of direct, group"},
		{name: "kind of media", tools: "list_media", argument: `"kind":"picture"`, want: "one of image, video, audio, file"},
		{name: "sort", tools: "list_conversations", argument: `"sort":"newest"`, want: "one of recent, name, size"},
		{name: "domain", tools: "list_links", argument: `"domain":"exampel.com"`, want: `no links of domain "exampel.com"; the closest are example.com, `},
		{name: "cursor", tools: "list_conversations get_conversation list_media list_links search_messages", argument: `"cursor":"AAAA"`, want: "cursor belongs to another query or is damaged"},
	}
	required := map[string]string{"get_conversation": `"name":"Zoe",`, "search_messages": `"query":"a",`, "semantic_search": `"query":"a",`}
	for _, tt := range tests {
		for tool := range strings.FieldsSeq(tt.tools) {
			t.Run(tt.name+" "+tool, func(t *testing.T) {
				t.Parallel()
				arguments := `{` + required[tool] + tt.argument + `}`
				if tool == "get_conversation" && strings.Contains(tt.argument, `"conversation"`) {
					arguments = `{` + strings.Replace(tt.argument, "conversation", "name", 1) + `}`
				}
				if got := refuse(t, s, tool, arguments); !strings.Contains(got, tt.want) {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		}
	}
	if got := refuse(t, s, "list_links", `{"domain":"x"}`); strings.Count(got, ",") != 4 {
		t.Errorf("got %q, want five domains", got)
	}
}

// Limits over the maximum are lowered and below the minimum raised, and the
// result says so.
func TestLimits(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	tests := []struct {
		tool, arguments string
		most            int
	}{
		{tool: "list_conversations", arguments: `{`, most: 500},
		{tool: "get_conversation", arguments: `{"name":"LongTalk",`, most: 500},
		{tool: "search_messages", arguments: `{"query":"garden",`, most: 100},
		{tool: "list_media", arguments: `{`, most: 500},
		{tool: "list_links", arguments: `{`, most: 500},
	}
	for _, tt := range tests {
		t.Run(tt.tool, func(t *testing.T) {
			t.Parallel()
			for limit, want := range map[string]string{
				"100000":      "limit 100000 is above the maximum and was lowered to " + itoa(tt.most),
				itoa(tt.most): "", "1": "",
				"0":  "limit 0 is below the minimum and was raised to 1",
				"-7": "limit -7 is below the minimum and was raised to 1",
			} {
				l := listingOf(t, s, tt.tool, tt.arguments+`"limit":`+limit+`}`)
				if got := strings.Join(l.Notes, "; "); got != want {
					t.Errorf("limit %s: got notes %q, want %q", limit, got, want)
				}
				if (limit == "1" || limit == "0" || limit == "-7") && l.Shown != 1 {
					t.Errorf("limit %s: %d are shown", limit, l.Shown)
				}
			}
		})
	}
}

// A domain in letters that look like those of another shows what it is, and is
// found by either of its names.
func TestDomainThatLooksLikeAnother(t *testing.T) {
	t.Parallel()
	const text = "Oct 01, 2023 12:05:00 AM\nMe\nhttps://www.\u0430pple.com/a\n\nOct 02, 2023 12:05:00 AM\nMe\nhttps://www.apple.com/b\n\n"
	s := serveText(t, "Maya Okafor.txt", text)
	tests := []struct{ name, domain, url, reads string }{
		{"Latin", "apple.com", "https://www.apple.com/b", ""},
		{"Cyrillic", "\u0430pple.com", "https://www.\u0430pple.com/a", "\u0430pple.com"},
		{"ASCII of the Cyrillic", "www.xn--pple-43d.com", "https://www.\u0430pple.com/a", "\u0430pple.com"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, lines := ask[listLinksOutput](t, s, "list_links", fmt.Sprintf(`{"domain":%q}`, tt.domain))
			if len(got.Links) != 1 || got.Links[0].URL != tt.url || got.Links[0].Reads != tt.reads {
				t.Fatalf("got %+v, want %s, read %q", got.Links, tt.url, tt.reads)
			}
			if tt.reads != "" && (got.Links[0].Domain != "xn--pple-43d.com" || !strings.Contains(lines, `(xn--pple-43d.com, 1×) reads `+tt.reads+` [`)) {
				t.Errorf("got domain %q in\n%s", got.Links[0].Domain, lines)
			}
		})
	}
}

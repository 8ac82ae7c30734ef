package registry

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

func TestUnreadFormatsAreNamed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, head, want string }{
		{"x.db", sqliteHeader + "… CREATE TABLE chat_message_join", "Messages database (chat.db, sms.db)"},
		{"x.db", sqliteHeader + "… CREATE TABLE t", "SQLite database"},
		{"x.txt", "how to read SQLite format 3\x00", ""},
		{"messages.html", `<!DOCTYPE html><body><div class="page_wrap"><div class="from_name">`, "Telegram Desktop export (HTML)"},
		{"Maya.html", `<html><div class="sent iMessage"><p><span class="timestamp">`, "iMessage (imessage-exporter HTML)"},
		{"sms.xml", "<?xml version='1.0'?>\n<smses count=\"2\">", "SMS Backup & Restore (XML)"},
		{"message_1.json", `{"participants": [{"name": "Ana"}], "messages": [{"sender_name": "Ana", "timestamp_ms": 1}]`, "Messenger or Instagram messages (JSON)"},
		{"main.jsonl", `{"version":"1","backupTimeMs":"1715636551000"}`, "Signal backup in plain text (main.jsonl)"},
		{"Ana.txt", "Conversation: Ana (+1555)\n\nFrom: You\nType: outgoing\nSent: Mon, 2 Jan 2006 15:04:05 -0700\n", "sigtop text"},
		{"general.json", `{"guild": {"id": "1"}, "channel": {}, "exportedAt": "2024-01-01T00:00:00Z"`, "DiscordChatExporter JSON"},
		{"export.json", `{"room_name": "x", "messages": [{"origin_server_ts": 1}]`, "Matrix export (JSON)"},
		{"line.txt", "\ufeff[LINE] Chat history with Ana\n", "LINE chat history"},
		{"m.csv", "\ufeffChat Session,Message Date,Delivered Date\n", "iMazing export (CSV)"},
		{"msgstore.db.crypt15", "\x01\x02", "encrypted WhatsApp backup"},
		{"notes.txt", "just some notes", ""},
		{"empty", "", ""},
	} {
		s, got, err := Best(t.Context(), source.Candidate{FS: sourcetest.FixtureFS(map[string]string{tt.name: tt.head}), Path: tt.name, Size: int64(len(tt.head)), Head: []byte(tt.head)})
		if s != nil || err != nil || got.Confidence != 0 {
			t.Errorf("%s: source %v, %+v, error %v", tt.name, s, got, err)
		}
		if got.Format != tt.want || (got.Why == "") != (tt.want == "") {
			t.Errorf("%s: got %q (%q), want %q", tt.name, got.Format, got.Why, tt.want)
		}
	}
}

// Real files of formats that no source reads are called what they are.
func TestUnreadSamples(t *testing.T) {
	t.Parallel()
	samples := sourcetest.Samples(t)
	for name, want := range map[string]string{
		"whatsapp/novoid__Memacs/data/msgstore.db":                                   "WhatsApp database of Android (msgstore.db)",
		"imessage/xevg__imessagedb/chat_scrubbed.db":                                 "Messages database (chat.db, sms.db)",
		"signal/carderne__signal-export/derived/db.decrypted.sqlite":                 "Signal Desktop database",
		"signal/signalapp__libsignal/canonical-backup.takeout-export.expected.jsonl": "Signal backup in plain text (main.jsonl)",
		"instagram/joweich__chat-miner/test/instagram/test_export.json":              "Messenger or Instagram messages (JSON)",
	} {
		file := filepath.Join(samples, filepath.FromSlash(name))
		c, err := sourcetest.Candidate(os.DirFS(filepath.Dir(file)), filepath.Base(file), "samples")
		if err != nil {
			t.Error(err)
			continue
		}
		if s, got, err := Best(t.Context(), c); s != nil || err != nil || got.Format != want {
			t.Errorf("%s: source %v, got %q, error %v, want %q", name, s, got.Format, err, want)
		}
	}
}

package registry

import (
	"bytes"
	"io"
	"path"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/source"
)

// unread is a format that people have and no source reads.
type unread struct {
	format string
	// marks all stand in the beginning of such a file; the first of them is
	// its very beginning where atStart is set.
	marks   []string
	atStart bool
	// remedy is how to get what can be read.
	remedy string
}

const (
	sqliteHeader = "SQLite format 3\x00"
	notRead      = "this format is not read"
	noDatabases  = "databases are not read"
)

// unreads lists the formats, of similar ones the one with more marks first.
var unreads = []unread{
	{"Messages database (chat.db, sms.db)", []string{sqliteHeader, "chat_message_join"}, true, noDatabases + "; export it with imessage-exporter -f txt"},
	{"WhatsApp database of an iPhone (ChatStorage.sqlite)", []string{sqliteHeader, "ZWAMESSAGE"}, true, noDatabases + "; make a result.json of it with WhatsApp-Chat-Exporter"},
	{"WhatsApp database of Android (msgstore.db)", []string{sqliteHeader, "jid_row_id"}, true, noDatabases + "; make a result.json of it with WhatsApp-Chat-Exporter"},
	{"WhatsApp database of Android (msgstore.db)", []string{sqliteHeader, "key_remote_jid"}, true, noDatabases + "; make a result.json of it with WhatsApp-Chat-Exporter"},
	{"Signal Desktop database", []string{sqliteHeader, "conversationId"}, true, noDatabases + "; export it with signal-export"},
	{"SQLite database", []string{sqliteHeader}, true, noDatabases},
	{"Telegram Desktop export (HTML)", []string{"page_wrap", "tgme"}, false, notRead + "; export again as machine-readable JSON"},
	{"Telegram Desktop export (HTML)", []string{"page_wrap", "from_name"}, false, notRead + "; export again as machine-readable JSON"},
	{"iMessage (imessage-exporter HTML)", []string{"<html", "iMessage", `class="timestamp"`}, false, notRead + "; export again with -f txt"},
	{"Google Voice (Takeout)", []string{"<html", "hChatLog"}, false, notRead},
	{"Google Chat (Takeout)", []string{`"created_date"`, `"topic_id"`}, false, notRead},
	{"Messenger or Instagram messages (JSON)", []string{`"sender_name"`, `"timestamp_ms"`}, false, notRead},
	{"SMS Backup & Restore (XML)", []string{"<smses"}, false, notRead},
	{"Signal backup in plain text (main.jsonl)", []string{`"backupTimeMs"`}, false, notRead + "; signal-export makes what is"},
	{"sigtop text", []string{"Conversation: ", "\nFrom: ", "\nSent: "}, true, notRead + "; signal-export makes what is"},
	{"DiscordChatExporter JSON", []string{`"guild"`, `"exportedAt"`}, false, notRead},
	{"Matrix export (JSON)", []string{`"origin_server_ts"`}, false, notRead},
	{"LINE chat history", []string{"[LINE]"}, true, notRead},
	{"iMazing export (CSV)", []string{"Chat Session,Message Date"}, true, notRead},
}

// asUnread names the format of a file that no source reads, with the reason,
// or nothing.
func asUnread(c source.Candidate) source.Recognition {
	if ext := strings.ToLower(path.Ext(c.Path)); strings.HasPrefix(ext, ".crypt1") {
		return source.Recognition{Format: "encrypted WhatsApp backup", Why: "it needs its key; make a result.json of it with WhatsApp-Chat-Exporter"}
	}
	head := bytes.TrimPrefix(c.Head, []byte("\ufeff"))
	if bytes.HasPrefix(head, []byte(sqliteHeader)) {
		head = beginning(c)
	}
	for _, u := range unreads {
		if u.matches(head) {
			return source.Recognition{Format: u.format, Why: u.remedy}
		}
	}
	return source.Recognition{}
}

// schemaSize is how much of a database is searched for the names of its
// tables, which stand on one of its first pages.
const schemaSize = 256 << 10

// beginning reads more of a file than its head, if that can be had.
func beginning(c source.Candidate) []byte {
	file, err := c.FS.Open(c.Path)
	if err != nil {
		return c.Head
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, schemaSize))
	if err != nil {
		return c.Head
	}
	return text
}

func (u unread) matches(head []byte) bool {
	if u.atStart && !bytes.HasPrefix(head, []byte(u.marks[0])) {
		return false
	}
	for _, mark := range u.marks {
		if !bytes.Contains(head, []byte(mark)) {
			return false
		}
	}
	return true
}

package whatsapp

import (
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// titlePatterns are the names WhatsApp gives to exports, with an asterisk in
// the title's place.
var titlePatterns = strings.Split(
	`WhatsApp Chat with *|WhatsApp chat with *|WhatsApp Chat mit *|WhatsApp-Chat mit *|Chat de WhatsApp con *|Conversación de WhatsApp con *|`+
		`Conversa do WhatsApp com *|Discussion WhatsApp avec *|Chat WhatsApp con *|WhatsApp-chat met *|WhatsApp-gesprek met *|Чат WhatsApp с контактом *|Чат WhatsApp с *|`+
		`Czat WhatsApp z *|Rozmowa WhatsApp z *|* ile WhatsApp Sohbeti|WhatsApp-chatt med *|WhatsApp-chat med *|WhatsApp-samtale med *|WhatsApp-keskustelu: *|`+
		`WhatsApp chat s *|Chat WhatsApp s *|WhatsApp-beszélgetés vele: *|Conversație WhatsApp cu *|Chat WhatsApp cu *|Συνομιλία WhatsApp με *|Чат WhatsApp із *|Чат WhatsApp з *|`+
		`Xat de WhatsApp amb *|Chat WhatsApp dengan *|Obrolan WhatsApp dengan *|Cuộc trò chuyện WhatsApp với *|צ'אט WhatsApp עם *|דו-שיח WhatsApp עם *|محادثة واتساب مع *|دردشة واتساب مع *|`+
		`* के साथ WhatsApp चैट|*とのWhatsAppトーク|*とのWhatsAppチャット|与*的WhatsApp聊天记录|与*的 WhatsApp 聊天|與*的 WhatsApp 對話|*님과의 WhatsApp 대화|WhatsApp * 대화`, "|")

// titleOf returns the chat's title out of the name of an export's file,
// folder or zip, or nothing when the name is none that WhatsApp gives.
func titleOf(name string) string {
	name = plainName(name)
	for _, pattern := range titlePatterns {
		before, after, _ := strings.Cut(pattern, "*")
		if title, ok := cutAround(name, before, after); ok {
			return title
		}
	}
	// iPhones name the zip "WhatsApp Chat - Ana" in all languages, with words
	// of their own around the service's name.
	lower := strings.ToLower(name)
	if at := strings.Index(name, " - "); at > 0 && len(lower) == len(name) && strings.Contains(lower[:at], "whatsapp") {
		return strings.TrimSpace(name[at+len(" - "):])
	}
	return ""
}

// cutAround cuts before and after off name, whatever their case.
func cutAround(name, before, after string) (title string, ok bool) {
	if len(name) <= len(before)+len(after) ||
		!strings.EqualFold(name[:len(before)], before) || !strings.EqualFold(name[len(name)-len(after):], after) {
		return "", false
	}
	title = strings.TrimSpace(name[len(before) : len(name)-len(after)])
	return title, title != ""
}

// plainName is a file's name without its extension and without the number
// that browsers add to a second download, in the composed form that does not
// depend on who packed it.
func plainName(name string) string {
	name = norm.NFC.String(msg.IdentityText(name))
	for {
		before := name
		switch strings.ToLower(path.Ext(name)) {
		case ".txt", ".zip":
			name = strings.TrimSpace(name[:len(name)-len(path.Ext(name))])
		}
		name = cutCopyNumber(name)
		if name == before {
			return name
		}
	}
}

// cutCopyNumber cuts " (2)" off.
func cutCopyNumber(name string) string {
	at := strings.LastIndexByte(name, '(')
	if at <= 0 || !strings.HasSuffix(name, ")") || len(name)-at > 5 || !allDigits(name[at+1:len(name)-1]) {
		return name
	}
	return strings.TrimSpace(name[:at])
}

// isChatFile reports whether name is the one iPhones give to every chat.
func isChatFile(name string) bool {
	return strings.EqualFold(plainName(name), "_chat")
}

// title is what a chat is called and whether WhatsApp named it so: a title of
// the export's own making is the other person's name or the group's.
type title struct {
	text string
	sure bool
}

// chatTitle settles the title of the candidate's chat: out of the names of
// the file, its folder and the container, out of the encryption notice, whose
// author is the contact or the group, or else a name that is at least there.
func chatTitle(c source.Candidate, noticeAuthor string) title {
	folder := path.Base(path.Dir(c.Path))
	for _, name := range []string{path.Base(c.Path), folder, c.Container} {
		if t := titleOf(name); t != "" {
			return title{t, true}
		}
	}
	if author := norm.NFC.String(msg.IdentityText(noticeAuthor)); author != "" {
		return title{author, true}
	}
	names := []string{path.Base(c.Path), folder, c.Container}
	if isChatFile(names[0]) {
		names = []string{folder, c.Container, names[0]}
	}
	for _, name := range names {
		if t := plainName(name); t != "" && t != "." && t != "/" {
			return title{t, false}
		}
	}
	return title{"chat", false}
}

package demo

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

type counts struct{ conversations, messages, attachments, reactions int }

// rules count in the text of the sample itself, by other means than the
// readers use.
var rules = []struct {
	service string
	files   []string
	want    counts
	// Each expression finds one of what it is named for.
	conversation, message, attachment, reaction *regexp.Regexp
}{
	{"signal", []string{"sample/signal/*/chat.md"},
		counts{SignalConversations, SignalMessages, SignalAttachments, SignalReactions},
		regexp.MustCompile(`\A`),
		regexp.MustCompile(`(?m)^\[\d{4}-\d\d-\d\d `),
		regexp.MustCompile(`\]\(\./media/`),
		regexp.MustCompile(`(?:\(- |, )\w+: [^\w ]`)},
	{"whatsapp", []string{"sample/whatsapp/*/_chat.txt", "sample/zip/*/_chat.txt"},
		counts{WhatsAppConversations, WhatsAppMessages, WhatsAppAttachments, WhatsAppReactions},
		regexp.MustCompile(`\A`),
		regexp.MustCompile(`(?m)^\x{200e}?\[\d+/\d+/`),
		regexp.MustCompile(`<attached: |image omitted`),
		regexp.MustCompile(`never\z`)},
	{"telegram", []string{"sample/telegram/result.json"},
		counts{TelegramConversations, TelegramMessages, TelegramAttachments, TelegramReactions},
		regexp.MustCompile(`"messages": \[`),
		regexp.MustCompile(`"type": "(message|service)"`),
		regexp.MustCompile(`"(photo|file)": `),
		regexp.MustCompile(`"from_id": "user\d+",\s+"date"`)},
	{"imessage", []string{"sample/imessage/*.txt"},
		counts{IMessageConversations, IMessageMessages, IMessageAttachments, IMessageReactions},
		regexp.MustCompile(`\A`),
		regexp.MustCompile(`(?:\A|\n\n)[A-Z][a-z]{2} \d\d, \d{4} `),
		regexp.MustCompile(`(?m)^attachments/`),
		regexp.MustCompile(`(?m)^    \S+ by `)},
}

func TestCountsInTheText(t *testing.T) {
	t.Parallel()
	for _, rule := range rules {
		t.Run(rule.service, func(t *testing.T) {
			t.Parallel()
			var got counts
			for _, pattern := range rule.files {
				names, err := fs.Glob(sample, pattern)
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range names {
					data, err := fs.ReadFile(sample, name)
					if err != nil {
						t.Fatal(err)
					}
					text := string(data)
					got.conversations += len(rule.conversation.FindAllString(text, -1))
					got.messages += len(rule.message.FindAllString(text, -1))
					got.attachments += len(rule.attachment.FindAllString(text, -1))
					got.reactions += len(rule.reaction.FindAllString(text, -1))
				}
			}
			if got != rule.want {
				t.Errorf("counted %+v, want %+v", got, rule.want)
			}
		})
	}
}

// TestNothingReal finds every telephone number and link of the sample in the
// ranges that are reserved for such use.
func TestNothingReal(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(`\+?\b1?[- ]?\d{3}[- ]?555[- ]?\d{4}\b|\+\d{6,}|\b\d{3}-\d{3}-\d{4}\b`)
	invented := regexp.MustCompile(`555[- ]?01\d\d$`)
	link := regexp.MustCompile(`https?://([^/\s"]+)`)
	reserved := regexp.MustCompile(`(^|\.)(example|example\.(com|org|net))$`)
	numbers, hosts := 0, map[string]bool{}
	err := fs.WalkDir(sample, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sample, name)
		if err != nil {
			return err
		}
		text := name
		if strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".json") {
			text += "\n" + string(data)
		}
		for _, n := range number.FindAllString(text, -1) {
			numbers++
			if !invented.MatchString(n) {
				t.Errorf("%s: number %q may be somebody's", name, n)
			}
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			hosts[m[1]] = true
			if !reserved.MatchString(m[1]) {
				t.Errorf("%s: host %q may be somebody's", name, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if numbers < 10 || len(hosts) < 8 {
		t.Errorf("found %d numbers and %d hosts, want at least 10 and 8: the test looks in the wrong place", numbers, len(hosts))
	}
}

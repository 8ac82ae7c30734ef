package whatsapp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

func TestInterpret(t *testing.T) {
	t.Parallel()
	const there = "IMG-20240113-WA0001.jpg" // the one file in the folder
	missing := func(kind msg.AttachmentKind, name, why string) []msg.Attachment {
		return []msg.Attachment{{Kind: kind, Name: name, Missing: why}}
	}
	present := []msg.Attachment{{Kind: msg.Image, Name: there, Path: "media/" + there}}
	for _, tt := range []struct {
		name  string
		shape shape
		text  string
		want  msg.Message
	}{
		{"words", dashed, "hello (you)", msg.Message{Body: "hello (you)"}},
		{"words in brackets", dashed, "<3 you>", msg.Message{Body: "<3 you>"}},
		{"colon at the end of a line", dashed, "shopping:\nmilk", msg.Message{Body: "shopping:\nmilk"}},

		{"omitted english", dashed, "<Media omitted>", msg.Message{Attachments: missing(msg.File, "", missingOmitted)}},
		{"omitted with caption", dashed, "<Media omitted>\nlook\nhere", msg.Message{Body: "look\nhere", Attachments: missing(msg.File, "", missingOmitted)}},
		{"omitted portuguese", dashed, "<Arquivo de mídia oculto>", msg.Message{Attachments: missing(msg.File, "", missingOmitted)}},
		{"omitted russian", dashed, "<Без медиафайлов>", msg.Message{Attachments: missing(msg.File, "", missingOmitted)}},
		{"omitted japanese", dashed, "<メディアは含まれていません>", msg.Message{Attachments: missing(msg.File, "", missingOmitted)}},
		{"omitted without brackets is words", dashed, "Media omitted", msg.Message{Body: "Media omitted"}},
		{"image on an iphone", bracketed, lrm + "imagen omitida", msg.Message{Attachments: missing(msg.Image, "", missingOmitted)}},
		{"video on an iphone", bracketed, lrm + "vidéo absente", msg.Message{Attachments: missing(msg.Video, "", missingOmitted)}},
		{"audio on an iphone", bracketed, lrm + "ses dahil edilmedi", msg.Message{Attachments: missing(msg.Audio, "", missingOmitted)}},
		{"sticker on an iphone", bracketed, lrm + "sticker weggelaten", msg.Message{Kind: msg.Sticker, Attachments: []msg.Attachment{{Kind: msg.Image, Missing: missingOmitted, Sticker: true}}}},
		{"contact on an iphone", bracketed, lrm + "Kontaktkarte ausgelassen", msg.Message{Kind: msg.Contact, Attachments: missing(msg.File, "", missingOmitted)}},
		{"chinese image", bracketed, lrm + "照片已忽略", msg.Message{Attachments: missing(msg.Image, "", missingOmitted)}},
		{"typed on an iphone", bracketed, "image omitted", msg.Message{Body: "image omitted"}},
		{"document on an iphone", bracketed, "Report 1.pdf • " + lrm + "2 pages " + lrm + "document omitted", msg.Message{Attachments: missing(msg.File, "Report 1.pdf", missingOmitted)}},
		{"null", dashed, "null", msg.Message{Attachments: missing(msg.File, "", missingNull)}},
		{"null on an iphone is a word", bracketed, "null", msg.Message{Body: "null"}},
		{"Null is a word", dashed, "Null", msg.Message{Body: "Null"}},
		{"empty", dashed, "", msg.Message{Attachments: missing(msg.File, "", missingEmpty)}},
		{"view once", bracketed, lrm + "You received a view once voice message. For added privacy, you can only open it on your phone.", msg.Message{Attachments: missing(msg.File, "", missingViewOnce)}},

		{"file there", dashed, there + " (something in Klingon)", msg.Message{Attachments: present}},
		{"file there, marked", dashed, lrm + there + " (archivo adjunto)\ncaption", msg.Message{Body: "caption", Attachments: present}},
		{"file there, old label", dashed, there + " <" + lrm + "attached>", msg.Message{Attachments: present}},
		{"folder of that name", dashed, "folder.jpg (file attached)", msg.Message{Attachments: missing(msg.Image, "folder.jpg", missingFile)}},
		{"file not there, known label", dashed, "plan.pdf (bestand bijgevoegd)", msg.Message{Attachments: missing(msg.File, "plan.pdf", missingFile)}},
		{"file not there, own kind of name", dashed, "VID-20240113-WA0003.mp4 (nobody knows)", msg.Message{Attachments: missing(msg.Video, "VID-20240113-WA0003.mp4", missingFile)}},
		{"file not there, neither", dashed, "plan.pdf (draft)", msg.Message{Body: "plan.pdf (draft)"}},
		{"no file at all", dashed, "see you there (file attached)", msg.Message{Body: "see you there (file attached)"}},
		{"tag", bracketed, lrm + "<attached: " + there + ">", msg.Message{Attachments: present}},
		{"tag in portuguese", bracketed, lrm + "<anexado: " + there + ">", msg.Message{Attachments: present}},
		{"tag in french", bracketed, lrm + "<pièce jointe : " + there + ">", msg.Message{Attachments: present}},
		{"tag in chinese", bracketed, lrm + "<附件：" + there + ">", msg.Message{Attachments: present}},
		{"tag in klingon, marked", bracketed, lrm + "<ghItlh: 0012.jpg>", msg.Message{Attachments: missing(msg.Image, "0012.jpg", missingFile)}},
		{"tag in klingon, typed", bracketed, "<ghItlh: 0012.jpg>", msg.Message{Body: "<ghItlh: 0012.jpg>"}},
		{"tag with a mark inside", bracketed, lrm + "<attached: " + lrm + there + ">", msg.Message{Attachments: present}},
		{"caption before the tag", bracketed, "on the bridge " + lrm + "<attached: " + there + ">", msg.Message{Body: "on the bridge", Attachments: present}},
		{"caption after the tag", bracketed, lrm + "<attached: " + there + ">\non the\nbridge", msg.Message{Body: "on the\nbridge", Attachments: present}},
		{"caption above the tag", bracketed, "on the\nbridge\n" + lrm + "<attached: " + there + ">", msg.Message{Body: "on the\nbridge", Attachments: present}},
		{"edited caption", bracketed, "on the bridge " + lrm + "<attached: " + there + "> " + lrm + "<This message was edited>", msg.Message{Body: "on the bridge", Edited: true, Attachments: present}},
		{"voice note", dashed, "PTT-20240113-WA0002.opus (file attached)", msg.Message{Attachments: missing(msg.Audio, "PTT-20240113-WA0002.opus", missingFile)}},
		{"climbing out", bracketed, lrm + "<attached: ../../secret.jpg>", msg.Message{Attachments: missing(msg.Image, "secret.jpg", missingUnsafe)}},
		{"climbing out with backslashes", dashed, `..\..\secret.jpg (file attached)`, msg.Message{Attachments: missing(msg.Image, "secret.jpg", missingUnsafe)}},
		{"absolute", dashed, "/etc/passwd.txt (file attached)", msg.Message{Attachments: missing(msg.File, "passwd.txt", missingUnsafe)}},

		{"edited english", dashed, "there <This message was edited>", msg.Message{Body: "there", Edited: true}},
		{"edited dutch", dashed, "daar <Dit bericht is bewerkt>", msg.Message{Body: "daar", Edited: true}},
		{"edited in klingon, marked", bracketed, "Heghlu'meH " + lrm + "<choHlu'pu'>", msg.Message{Body: "Heghlu'meH", Edited: true}},
		{"not edited", dashed, "he said <quiet>", msg.Message{Body: "he said <quiet>"}},
		{"edited over lines", dashed, "one\ntwo <Se editó este mensaje.>", msg.Message{Body: "one\ntwo", Edited: true}},

		{"deleted", dashed, "This message was deleted", msg.Message{Kind: msg.Deleted, Body: "This message was deleted"}},
		{"deleted italian", dashed, "Hai eliminato questo messaggio.", msg.Message{Kind: msg.Deleted, Body: "Hai eliminato questo messaggio."}},
		{"deleted japanese", bracketed, lrm + "このメッセージは削除されました。", msg.Message{Kind: msg.Deleted, Body: lrm + "このメッセージは削除されました。"}},
		{"about deleting", dashed, "This message was deleted and then some", msg.Message{Body: "This message was deleted and then some"}},

		{"poll", bracketed, lrm + "SONDAGE:\nQuand ?\n" + lrm + "OPTION: lundi (1 vote)", msg.Message{Kind: msg.Poll, Body: lrm + "SONDAGE:\nQuand ?\n" + lrm + "OPTION: lundi (1 vote)"}},
		{"poll without marks", dashed, "POLL:\nWhen?\nOPTION: Monday (1 vote)\nOPTION: Tuesday (0 votes)", msg.Message{Kind: msg.Poll, Body: "POLL:\nWhen?\nOPTION: Monday (1 vote)\nOPTION: Tuesday (0 votes)"}},
		{"like a poll", dashed, "LIST:\nfirst: milk (2)\nsecond: bread (1)", msg.Message{Body: "LIST:\nfirst: milk (2)\nsecond: bread (1)"}},
		{"location", dashed, "Ubicación: https://maps.google.com/?q=-34.6,-58.4", msg.Message{Kind: msg.Location, Body: "Ubicación: https://maps.google.com/?q=-34.6,-58.4"}},
		{"location in words", dashed, "it is here: https://maps.google.com/?q=cafe", msg.Message{Body: "it is here: https://maps.google.com/?q=cafe"}},
		{"live location", dashed, "localização atual compartilhada", msg.Message{Kind: msg.Location, Body: "localização atual compartilhada"}},
		{"card", dashed, "Clara Example.vcf (file attached)", msg.Message{Kind: msg.Contact, Attachments: missing(msg.File, "Clara Example.vcf", missingFile)}},

		{"missed call", bracketed, lrm + "Llamada de voz perdida", msg.Message{Kind: msg.Call, Body: lrm + "Llamada de voz perdida"}},
		{"missed call at a time", bracketed, lrm + "Missed voice call at 10:02", msg.Message{Kind: msg.Call, Body: lrm + "Missed voice call at 10:02"}},
		{"call with length", bracketed, lrm + "Voice call, " + lrm + "12 sec", msg.Message{Kind: msg.Call, Body: lrm + "Voice call, " + lrm + "12 sec", Details: []msg.Detail{{Name: "duration", Value: "12 sec"}}}},
		{"call in klingon", bracketed, lrm + "ghogh mIw, " + lrm + "5 tup", msg.Message{Kind: msg.Call, Body: lrm + "ghogh mIw, " + lrm + "5 tup", Details: []msg.Detail{{Name: "duration", Value: "5 tup"}}}},
		{"call without answer", bracketed, lrm + "Video call. " + lrm + "No answer", msg.Message{Kind: msg.Call, Body: lrm + "Video call. " + lrm + "No answer"}},
		{"talk of a call", bracketed, "Video call, 5 min?", msg.Message{Body: "Video call, 5 min?"}},

		{"notice", bracketed, lrm + "Ana added Ben", msg.Message{Kind: msg.Notice, Body: lrm + "Ana added Ben"}},
		{"notice of an unknown language", bracketed, lrm + "Ana loDnI'Daj chel", msg.Message{Kind: msg.Notice, Body: lrm + "Ana loDnI'Daj chel"}},
		{"mark before several lines", bracketed, lrm + "one\ntwo", msg.Message{Body: lrm + "one\ntwo"}},
		{"mark on android", dashed, lrm + "words", msg.Message{Body: lrm + "words"}},
		{"waiting", bracketed, lrm + "Waiting for this message. This may take a while.", msg.Message{Kind: msg.Unparsed, Body: lrm + "Waiting for this message. This may take a while."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := interpreter{shape: tt.shape, marks: tt.shape == bracketed, trusted: true,
				files: attachmentFiles{sourcetest.FixtureFS(map[string]string{"media/" + there: "x", "media/folder.jpg/x": "x"}), "media"}}
			var got msg.Message
			notice := in.interpret(&got, tt.text)
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if notice != (tt.want.Kind == msg.Notice) {
				t.Errorf("notice: %t", notice)
			}
		})
	}
}

// TestFileSpellings: a name with accents is found however the archiver spelt
// it.
func TestFileSpellings(t *testing.T) {
	t.Parallel()
	const composed, split = "Zoë Plan.pdf", "Zoe\u0308 Plan.pdf"
	for _, onDisk := range []string{composed, split} {
		for _, inText := range []string{composed, split, lrm + composed} {
			f := attachmentFiles{sourcetest.FixtureFS(map[string]string{onDisk: "x"}), "."}
			if file, missing := f.find(inText); file != onDisk || missing != "" {
				t.Errorf("%q beside %q: found %q, missing %q", inText, onDisk, file, missing)
			}
		}
	}
}

func TestPhraseTable(t *testing.T) {
	t.Parallel()
	perMeaning := map[phrase]int{}
	for text, meaning := range phrases() {
		perMeaning[meaning]++
		if meaning == noPhrase {
			t.Errorf("%q has no meaning", text)
		}
		if written := strings.ToUpper(text[:1]) + text[1:]; !mayBePhrase(text) || text[0] < 0x80 && !mayBePhrase(written+". ") {
			t.Errorf("%q does not pass the quick test", text)
		}
		if len(text)+3*len(lrm) > longestPhrase {
			t.Errorf("%q is longer than longestPhrase", text)
		}
	}
	for name, meaning := range phraseNames {
		if perMeaning[meaning] == 0 {
			t.Errorf("section %q is empty", name)
		}
	}
	seen := map[string]string{}
	section := ""
	for line := range strings.Lines(phraseFile) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		for text := range strings.SplitSeq(line, "|") {
			folded := string(foldPhrase(nil, text))
			if before := seen[folded]; before != "" && folded != "" {
				t.Errorf("%q stands in %s and in %s", folded, before, section)
			}
			seen[folded] = section
		}
	}
}

func TestPhraseOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]phrase{
		"This message was deleted.":            deletedMessage,
		lrm + "this Message was deleted":       deletedMessage,
		"This message" + nbsp + "was deleted ": deletedMessage,
		"Çıkartma dahil edilmedi":              omittedSticker,
		"":                                     noPhrase,
		strings.Repeat("x", 1000):              noPhrase,
		"This message was deleted?":            noPhrase,
	} {
		if got := phraseOf(text); got != want {
			t.Errorf("%q is %d, want %d", text, got, want)
		}
	}
}

package search

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// openers begin questions in languages that put the word first that asks.
// What is a common word or name of another language is left out, such as the
// Turkish kim; an English query would be taken for a question.
var openers = sync.OnceValue(func() map[string]bool {
	return foldedSet(
		// English, with the verbs that ask, and as people type what's
		"who whom whose what when where which why how whats whos whens wheres hows",
		"is are was were do does did has have had can could will would should may might",
		// German, Dutch
		"wer wann wo wie wieso warum weshalb wohin woher wessen welche welcher welches welchen welchem wieviel wieviele",
		"wat waar wanneer waarom hoe hoeveel welk",
		// French, Spanish, Portuguese, Italian
		"qui quand où pourquoi combien quel quelle quels quelles quoi qu",
		"qué quién quiénes cuándo cuánto cuánta cuántos cuántas dónde adónde cuál cuáles",
		"quem quando onde qual quais quanto quanta quantos quantas",
		"chi cosa perché quale quali quanti quante",
		// Swedish, Danish, Norwegian, Finnish
		"vem vad när varför hur vilken vilket vilka hvem hvad hva hvor hvornår hvorfor hvordan kuka mitä milloin missä miksi miten",
		// Polish, Czech, Russian, Ukrainian, Greek
		"kto kiedy gdzie dlaczego jak jaki jaka jakie czy skąd dokąd który która które kdo kdy kde proč kolik",
		"кто что когда где куда откуда почему зачем как какой какая какое какие сколько чей чья чьи",
		"хто що коли де куди чому як який яка скільки",
		"ποιος ποια ποιο ποιοι πότε πού γιατί πώς πόσο πόσα τι",
		// Turkish, Arabic, Persian, Hebrew, Hindi, Indonesian, Vietnamese
		"nerede nereye nereden neden nasıl hangi kaç",
		"متى أين كيف لماذا ماذا كم هل كجا چرا چند چطور",
		"מתי איפה מי מה למה איך כמה האם",
		"कौन कब कहाँ क्या क्यों कैसे कितना कितने कितनी",
		"kapan dimana siapa kenapa mengapa berapa bagaimana",
	)
})

// askers make a question wherever they stand, in languages that put the word
// that asks where its answer would be.
var askers = sync.OnceValue(func() map[string]bool {
	return foldedSet("nerede nereye nereden nasıl hangi zaman कौन कब कहाँ क्यों कैसे कितना कितने कितनी")
})

// spacelessAskers are the words that ask in scripts without spaces.
var spacelessAskers = [...]string{
	"什么", "什麼", "谁", "誰", "哪", "多少", "多久", "几点", "幾點", "怎么", "怎麼", "吗", "嗎", "是不是", "有没有", "有沒有",
	"いつ", "どこ", "だれ", "何時", "何を", "何が", "なに", "いくら", "なぜ", "どう", "どの", "どれ", "どちら", "ですか", "ますか", "でしたか", "ましたか",
	"언제", "어디", "누구", "누가", "무엇", "무슨", "뭐", "왜", "어떻게", "얼마", "몇",
	"เมื่อไหร่", "เมื่อไร", "ที่ไหน", "ใคร", "อะไร", "ทำไม", "อย่างไร", "ยังไง", "เท่าไหร่", "เท่าไร", "กี่",
}

func foldedSet(lists ...string) map[string]bool {
	set := map[string]bool{}
	for _, list := range lists {
		for word := range strings.FieldsSeq(list) {
			set[segment.Fold(word)] = true
		}
	}
	return set
}

// asks reports whether the words of a query ask something, by a word that asks
// where its language puts it.
func asks(texts []textNode) bool {
	size, spaceless := 0, false
	for i, t := range texts {
		for j, r := range runsOf(t.text) {
			switch {
			case r.Class == segment.Pairs:
				size += len([]rune(r.Text))
				spaceless = spaceless || slices.ContainsFunc(spacelessAskers[:], func(asker string) bool { return strings.Contains(r.Text, asker) })
			case i == 0 && j == 0 && openers()[r.Text], askers()[r.Text]:
				if len(texts) > 2 {
					return true
				}
			}
		}
	}
	return spaceless && size >= longRun
}

// questionMarks end a question in one script or another; the last of them
// stands before it.
const questionMarks = "?？؟\u037e՞፧⁇⁈⁉‽﹖⸮"

// endsAsQuestion reports whether a text ends with a question mark, or one with
// an exclamation mark, or begins with a Spanish one.
func endsAsQuestion(text string) bool {
	text = strings.TrimRightFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '!' || r == '！' })
	last, _ := utf8.DecodeLastRuneInString(text)
	if text != "" && strings.ContainsRune(questionMarks, last) {
		return true
	}
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "¿") && !strings.Contains(text, ".")
}

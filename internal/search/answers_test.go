package search

import (
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestAnswerOf(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]answer{
		"When did Ana move?":                 aTime,
		"¿Cuándo es la boda?":                aTime,
		"Seit wann wohnt sie dort?":          aTime,
		"À quelle heure part le train ?":     aTime,
		"когда мы едем на дачу?":             aTime,
		"她什么时候来？":                            aTime,
		"駅にいつ着きますか？":                         aTime,
		"회의가 언제 시작해요?":                       aTime,
		"In what year did they marry?":       aTime,
		"How long did the trip take?":        aTime,
		"how many keys are there?":           aNumber,
		"Wie viele Leute kommen?":            aNumber,
		"cuántos libros has leído?":          aNumber,
		"这个多少钱？":                             aNumber,
		"сколько стоит билет?":               aNumber,
		"What did she say about the lease?":  anyAnswer,
		"who knows when Ana moves?":          anyAnswer, // it asks who
		"Whenever is fine?":                  anyAnswer,
		"How did the many guests like it?":   anyAnswer,
		"did she tell you the wedding date?": anyAnswer,
		"?":                                  anyAnswer,
	} {
		if got := answerOf(question).answer; got != want {
			t.Errorf("%q asks for %d, want %d", question, got, want)
		}
	}
}

func TestAnswerIn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		question, text string
		want           bool
	}{
		{"when?", "we moved last spring", true},
		{"when?", "back in 2019", true},
		{"when?", "flat 2019b", false},
		{"when?", "I like it a lot", false},
		{"when?", "", false},
		{"wann?", "Vorgestern, glaube ich", true},
		{"wann?", "ja, hier bei uns", false}, // French for yesterday
		{"quand ?", "hier soir", true},
		{"quand ?", "on vient samedi", true},
		{"¿cuándo?", "mañana por la tarde", true},
		{"quando?", "sabato", true},
		{"quando?", "amanhã", true},
		{"когда?", "на прошлой неделе", true},
		{"什么时候？", "上周三才到", true},
		{"いつですか？", "来週の金曜日です", true},
		{"언제?", "다음 주에", true},
		{"how many?", "she bought twelve of them", true},
		{"how many?", "at the 3rd house", true},
		{"how many?", "the one with the red door", false},
		{"how many?", "on vient samedi", false}, // Turkish for ten
		{"wie viele?", "es sind drei", true},
		{"多少钱？", "三百", true},
		{"kaç?", "on iki", true},
	} {
		if got := answerOf(test.question).in(test.text); got != test.want {
			t.Errorf("%s %q: %v, want %v", test.question, test.text, got, test.want)
		}
	}
}

// TestWhatIsAskedForFirst holds that what a question asks for decides between messages
// that hold its words alike.
func TestWhatIsAskedForFirst(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, newChat(msg.Signal, "Neighbours*", morning,
		"Ana: the piano came, we carried it up the stairs two weeks ago",
		"Björn: well then",
		"Ana: the piano came out of tune and nobody noticed, with sixteen scratches"), newChat(msg.Signal, "Choir*", morning,
		"Cleo: the piano came with a stool, what a surprise"))
	for question, want := range map[string]string{
		"when did the piano come?":                  "the piano came, we carried it up the stairs two weeks ago",
		"how many scratches were on the piano?":     "the piano came out of tune and nobody noticed, with sixteen scratches",
		"who was surprised that the piano came so?": "the piano came with a stool, what a surprise",
	} {
		if hits := find(t, s, Query{Text: question}).Hits; len(hits) == 0 || hits[0].Body != want {
			t.Errorf("%s finds %q first", question, bodies(hits))
		}
	}
}

package search

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestTelling(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, query, want string }{
		{"English", "what did she say about the lease", "lease"},
		{"English words that are function words elsewhere", "where is the red hat of the man", "red hat man"},
		{"one word of another language", "die hard poster", "die hard poster"},
		{"German", "wer hat den Schlüssel", "schlussel"},
		{"German with an English word", "wann ist das Meeting mit Anna", "meeting anna"},
		{"French with elisions", "où est-ce qu'on se retrouve dimanche", "retrouve dimanche"},
		{"Spanish", "dónde están las llaves de la casa", "llaves casa"},
		{"Portuguese", "onde estão as chaves da casa", "chaves casa"},
		{"Italian", "quando è il compleanno della nonna", "compleanno nonna"},
		{"Dutch", "waar zijn de sleutels van het huis", "sleutels huis"},
		{"Russian", "где мои ключи от дома и как к нему ехать", "ключи дома нему ехать"},
		{"Turkish", "doğum günü ne zaman ve nerede", "dogum gunu"},
		{"nothing else", "was ist das", "was ist das"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, r := range telling(strings.Fields(test.query)) {
				if len(r.Text) > 1 {
					got = append(got, r.Text)
				}
			}
			if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("what tells in %q (-want +got):\n%s", test.query, diff)
			}
		})
	}
}

// TestQuestionsAmongEnglish: in an archive whose messages are mostly in
// another language, the small words of a question are rare, and must not
// outweigh what it is about.
func TestQuestionsAmongEnglish(t *testing.T) {
	t.Parallel()
	s := searcherOf(t,
		newChat(msg.Signal, "x", morning, "Ana: see you tomorrow", "me: the train is late", "Ana: never mind", "me: where is the lease"),
		newChat(msg.Signal, "y", morning, "Bo: wer das hat der hat den Spaß", "me: das ist so"),
		newChat(msg.Signal, "z", morning, "Cleo: Karl gab Schlüssel beim Nachbarn ab und ging danach sofort zum Bahnhof"),
	)
	hits := find(t, s, Query{Text: "wer hat den Schlüssel?"}).Hits
	if len(hits) != 1 || !strings.Contains(hits[0].Body, "Schlüssel") {
		t.Errorf("finds %q, want what is said of the key alone", bodies(hits))
	}
}

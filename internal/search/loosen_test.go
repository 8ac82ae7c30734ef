package search

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// TestLoosened: what is looser than the query comes with a notice that says
// so, and only when nothing meets the query itself.
func TestLoosened(t *testing.T) {
	t.Parallel()
	s := searcherOf(t,
		newChat(msg.Signal, "Ana", morning,
			"Ana: the accommodation is booked", "me: great, which hotel", "Ana: the lighthouse one", "me: hotels there are cheap", "Ana: 宿は灯台です", "me: aluminium cups"),
		newChat(msg.WhatsApp, "Bo", morning, "Bo: accomplished", "me: the hotel again", "Bo: don’t tell Oisín O'Neill"),
	)
	const meant = "nothing holds exactly this; did you mean "
	const some = "no message holds all of this; those that hold some of it are shown, with what was said around them"
	for _, test := range []struct {
		name, query string
		want        []string // in order
		notices     []string
	}{
		{"typo", "accomodation", []string{"the accommodation is booked"}, []string{meant + `"accommodation" for "accomodation"? messages with that are shown`}},
		{"two typos", "acommodation boked", []string{"the accommodation is booked"},
			[]string{meant + `"accommodation" for "acommodation" and "booked" for "boked"? messages with that are shown`}},
		{"typo within a filter", "accomodation from:ana", []string{"the accommodation is booked"}, []string{meant + `"accommodation" for "accomodation"? messages with that are shown`}},
		{"swapped letters", "lihgthouse", []string{"the lighthouse one"}, []string{meant + `"lighthouse" for "lihgthouse"? messages with that are shown`}},
		{"other spelling", "aluminum", []string{"aluminium cups"}, []string{meant + `"aluminium" for "aluminum"? messages with that are shown`}},
		{"two words in one", "thehotel", []string{"the hotel again"}, []string{meant + `"the hotel" for "thehotel"? messages with that are shown`}},
		{"two words in one and another word", "isbooked accommodation", []string{"the accommodation is booked"}, []string{meant + `"is booked" for "isbooked"? messages with that are shown`}},
		{"apostrophe left out", "dont", []string{"don’t tell Oisín O'Neill"}, []string{meant + `"don't" for "dont"? messages with that are shown`}},
		{"apostrophe of a name left out", "oneill", []string{"don’t tell Oisín O'Neill"}, []string{meant + `"o'neill" for "oneill"? messages with that are shown`}},
		{"words that do not stand side by side", "hotelhouse", []string{}, nil},
		{"no typo", "accommodation", []string{"the accommodation is booked"}, nil},
		{"typo that a filter excludes", "accomodation from:bo", []string{}, nil},
		{"quoted word is no typo", `"accomodation"`, []string{}, nil},
		{"short word", "zup", []string{}, nil},
		{"beginning", "lighth", []string{"the lighthouse one"}, []string{`nothing holds exactly this; messages with words that begin with "lighth" are shown`}},
		{"beginning behind a word", "hotel aga", []string{"the hotel again"}, []string{`nothing holds exactly this; messages with words that begin with "aga" are shown`}},
		{"some of the words", "accommodation aluminium", []string{"aluminium cups", "the accommodation is booked"}, []string{some}},
		{"the word that tells something", "you're accommodation", []string{"the accommodation is booked"}, []string{some}},
		{"some of the words within a filter", "hotel accommodation from:bo", []string{}, nil},
		{"excluded word", "accomodation -hotel", []string{}, nil},
		{"choice", "accomodation OR lihgthouse", []string{}, nil},
		{"part of a run without spaces", "灯台下", []string{"宿は灯台です"}, []string{some}},
		{"short question without spaces", "宿はどこ？", []string{"宿は灯台です"}, []string{some}},
		{"two characters are one word", "灯下", []string{}, nil},
		{"nothing at all", "zzyzx qwrt", []string{}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := find(t, s, Query{Text: test.query})
			list := bodies(got.Hits)
			if len(test.notices) == 1 && test.notices[0] == some { // the neighbours come after them
				list = list[:min(len(test.want), len(list))]
			}
			if diff := cmp.Diff(test.want, list); diff != "" {
				t.Errorf("finds (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.notices, got.Notices); diff != "" {
				t.Errorf("notices (-want +got):\n%s", diff)
			}
		})
	}
}

package search

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// operated is an archive with one message for everything that an operator can
// ask for. Bodies begin with what tells them apart.
func operated(t *testing.T) *Searcher {
	t.Helper()
	ana := newChat(msg.Signal, "Ana Silva", time.Date(2023, 12, 31, 23, 58, 0, 0, time.UTC),
		"Ana Silva: old year boat", "me: midnight boat", "Ana Silva: new year boat")
	club := newChat(msg.WhatsApp, "Book club*", time.Date(2024, 3, 1, 9, 0, 0, 0, time.UTC),
		"Björn: link boat https://maps.example.org/p?q=1", "Ana Silva: picture boat", "me: film boat", "Björn: voice boat", "Björn: paper boat",
		"me: liked boat", "Björn: answer boat", "me: edited boat", "Björn: call boat", "Björn: other link https://sub.example.com/")
	attach := func(at int, kind msg.AttachmentKind) {
		club.messages[at].Attachments = []msg.Attachment{{Kind: kind, Name: "a", Missing: "not included"}}
	}
	attach(1, msg.Image)
	attach(2, msg.Video)
	attach(3, msg.Audio)
	attach(4, msg.File)
	club.messages[5].Reactions = []msg.Reaction{{Emoji: "👍", Sender: msg.Handle{ID: "Björn", Name: "Björn"}}}
	club.messages[6].ReplyTo = &msg.Reply{Quote: "boat"}
	club.messages[7].Edited = true
	club.messages[8].Kind = msg.Call
	week := newChat(msg.Telegram, "Mr. O'Neil-Smith: boats", now.AddDate(0, 0, -6), "O'Neil Smith: six days ago boat", "me: six days later boat")
	week.messages[0].Sender.ID = "+15551234567"
	today := newChat(msg.Telegram, "Today", now.Add(-time.Hour), "Zoë: today boat")
	gone := newChat(msg.Signal, "Gone", morning, "Ana Silva: gone boat", "Ana Silva: kept boat")
	a := newArchive(t, ana, club, week, today, gone)
	gone.messages = gone.messages[1:]
	a.load(t, ana, club, week, today, gone)
	return a.searcher(t)
}

// TestOperators runs every operator with every kind of value.
func TestOperators(t *testing.T) {
	t.Parallel()
	s := operated(t)
	for _, test := range []struct{ query, want string }{
		{"boat from:björn", "answer call link paper voice"},
		{"boat from:BJORN", "answer call link paper voice"},
		{`boat from:"ana silva" after:2024-02`, "kept picture"},
		{"boat from:silva on:2023", "old"},
		{"boat from:me is:direct", "midnight six-later"},
		{"boat from:+15551234567", "six-ago"},
		{`boat from:"+1 (555) 123-4567"`, "six-ago"},
		{`boat from:"o'neil smith"`, "six-ago"},
		{"boat with:björn", "answer call edited film liked link paper picture voice"},
		{`boat with:"O'Neil Smith"`, "six-ago six-later"},
		{"boat in:today", "today"},
		{`boat in:"Ana Silva"`, "midnight new old"},
		{`boat in:"Mr. O'Neil-Smith: boats"`, "six-ago six-later"},
		{"boat in:“Ana Silva”", "midnight new old"},
		{"boat source:telegram", "six-ago six-later today"},
		{"boat source:Signal", "kept midnight new old"},
		{"has:link", "link other"},
		{"has:image", "picture"},
		{"has:video", "film"},
		{"has:audio", "voice"},
		{"has:file", "paper"},
		{"has:reaction", "liked"},
		{"has:reply", "answer"},
		{"HAS:Reply", "answer"},
		{"is:me in:book", "edited film liked"},
		{"is:group -link", "answer call edited film liked paper picture voice"},
		{"is:direct on:2024", "kept new six-ago six-later today"},
		{"is:edited", "edited"},
		{"is:call", "call"},
		{"is:missing", "gone"},
		{"boat before:2024", "midnight old"},
		{"boat before:2024-01-01T00:00:00Z", "midnight old"},
		{`boat before:"2023-12-31 23:59"`, "old"},
		{"boat after:2023 before:2024-02", "new"},
		{"boat after:2024-03-05", "six-ago six-later today"},
		{"boat on:2024-01-01", "new"},
		{"boat on:2024-01", "new"},
		{"boat on:today", "today"},
		{"boat after:7d", "six-ago six-later today"},
		{"boat after:5d", "today"},
		{"boat after:3w", "six-ago six-later today"},
		{"boat on:yesterday", ""},
		{"domain:example.org", "link"},
		{"domain:example.com", "other"},
		{"domain:sub.example.com", "other"},
		{"domain:maps.example.org boat", "link"},
		{"domain:example", "link other"},
		{"boat -from:björn in:book", "edited film liked picture"},
		{"boat -has:image -has:video from:me in:book", "edited liked"},
		{"boat (has:image OR has:video)", "film picture"},
		{"boat -is:group on:2024-06", "six-ago six-later today"},
		{"boat -in:book -source:telegram", "kept midnight new old"},
		{"boat (from:zoë OR in:gone)", "kept today"},
		{"from:zoë", "today"},
		{`"paper boat" -is:me`, "paper"},
	} {
		t.Run(test.query, func(t *testing.T) {
			t.Parallel()
			results := find(t, s, Query{Text: test.query, Limit: 100})
			var got []string
			for _, h := range results.Hits {
				name, rest, _ := strings.Cut(h.Body, " ")
				if name == "six" {
					name = "six-ago"
					if strings.Contains(rest, "later") {
						name = "six-later"
					}
				}
				got = append(got, name)
			}
			slices.Sort(got)
			if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" || len(results.Notices) > 0 {
				t.Errorf("notices %q, found (-want +got):\n%s", results.Notices, diff)
			}
		})
	}
}

// TestOperatorsRefuse: a filter that cannot be honoured is a fault with its
// place and what to write instead, never a wider result.
func TestOperatorsRefuse(t *testing.T) {
	t.Parallel()
	s := operated(t)
	const dates = `is not a date; write YYYY, YYYY-MM, YYYY-MM-DD or an RFC 3339 time such as 2024-03-01T18:30:00Z; for example `
	for _, test := range []struct{ query, want string }{
		{"boat from:nobody", `6: from: no sender matches "nobody"; the closest are "`},
		{`boat from:"no body"`, `6: from: no sender matches "no body"; the closest are "`},
		{"boat with:nobody", `6: with: no sender matches "nobody"; the closest are "`},
		{"boat with:me", "6: every conversation is with the owner; name somebody else"},
		{"boat in:nowhere", `6: in: no conversation matches "nowhere"; the closest are `},
		{"boat in:o", `6: in: 4 conversations match "o": `},
		{"boat source:icq", `6: source: no source "icq"; the archive has signal, telegram, whatsapp`},
		{"boat has:money", "6: has:money is not known; use one of link, image, video, audio, file, reaction, reply"},
		{`boat has:"a link"`, "6: has:a link is not known; use one of link"},
		{"boat is:blue", "6: is:blue is not known; use is:me, is:group"},
		{"boat domain:---", "6: domain:--- is no domain; write it like domain:example.com"},
		{"boat before:2024-02-30", `6: "2024-02-30" ` + dates + "before:2024-03"},
		{"boat after:2023-02-29", `6: "2023-02-29" ` + dates + "after:2024-03"},
		{"boat on:2024-13", `6: "2024-13" ` + dates + "on:2024-03"},
		{"boat on:24-1-1", `6: "24-1-1" ` + dates + "on:2024-03"},
		{"boat on:soon", `6: "soon" ` + dates + "on:2024-03"},
		{"boat after:7x", `6: "7x" ` + dates + "after:2024-03"},
		{"boat after:2024 before:2024", "17: before: no time lies in all the periods the query asks for; widen one of them"},
		{"boat from:", "6: from: has no value; write it without a space, as in from:ana"},
		{"boat has: link", "6: has: has no value; write it without a space, as in has:image"},
		{`boat in:""`, "6: in: has no value"},
		{`boat in:"  "`, "6: in: has no value"},
		{`boat in:"Book club`, "9: a quotation mark is never closed; close the phrase"},
		{"boat form:ana", "6: form: is no operator; write from:ana, or quote it to find the words"},
		{"boat sender:ana", "6: sender: is no operator; write from:ana"},
		{"boat chat:book", `6: chat: is no operator; write in:"Book club"`},
		{"boat since:2024", "6: since: is no operator; write after:2024"},
		{"boat until:2024", "6: until: is no operator; write before:2024-03"},
		{"boat site:example.org", "6: site: is no operator; write domain:example.com"},
		{"boat domian:example.org", "6: domian: is no operator; write domain:example.com"},
		{"boat befor:2024", "6: befor: is no operator; write before:2024-03"},
		{"boat OR before:2024", "9: before: narrows the whole query and cannot stand inside OR or behind a minus sign; move it outside"},
		{"boat -is:missing", "7: is:missing narrows the whole query"},
		{"-from:ana", "1: a part that is only excluded finds nothing; add a word to look for beside it"},
	} {
		t.Run(test.query, func(t *testing.T) {
			t.Parallel()
			results, err := s.Search(t.Context(), Query{Text: test.query})
			var fault *SyntaxError
			if !errors.As(err, &fault) {
				t.Fatalf("finds %q, error %v, want a fault", bodies(results.Hits), err)
			}
			if want := "query, position " + test.want; !strings.HasPrefix(err.Error(), want) || fault.Remedy == "" {
				t.Errorf("error is %q, want it to begin %q", err, want)
			}
		})
	}
}

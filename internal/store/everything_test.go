package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

func itoa(n int) string { return strconv.Itoa(n) }

// readerMethods are the methods of Reader; every one of them but Close and
// Path is called by readEverything.
var readerMethods = []string{
	"ArchiveID",
	"Around",
	"BestMatches",
	"Block",
	"Candidates",
	"Changes",
	"Check",
	"Close",
	"Conversation",
	"ConversationMonths",
	"ConversationRefs",
	"ConversationsOf",
	"CountMatches",
	"CountMessages",
	"CountMissing",
	"CountPending",
	"CountSpamSenders",
	"DayCounts",
	"DomainCounts",
	"Domains",
	"Extent",
	"Extremes",
	"Files",
	"HasSpamFindings",
	"Import",
	"ImportTime",
	"Imports",
	"LatestLinks",
	"ListConversations",
	"ListLinks",
	"ListMedia",
	"Lively",
	"MatchAmong",
	"MatchFacts",
	"Matches",
	"Media",
	"Message",
	"MessageID",
	"Messages",
	"Months",
	"NamesVersion",
	"Neighbours",
	"NewDays",
	"Overview",
	"Participants",
	"Path",
	"Pending",
	"People",
	"Person",
	"PersonLog",
	"Persons",
	"PrefixTerms",
	"Problems",
	"Provenance",
	"RevisedDays",
	"RootSummaries",
	"Roots",
	"ScanMessages",
	"ScanOwn",
	"ScanPosition",
	"ScanThreads",
	"SenderMonths",
	"SenderTotals",
	"SpamAfterOptOut",
	"SpamCategories",
	"SpamCoverage",
	"SpamCursors",
	"SpamEntities",
	"SpamEvents",
	"SpamExhibits",
	"SpamFinding",
	"SpamFindings",
	"SpamHeld",
	"SpamJudgments",
	"SpamRuns",
	"SpamSenders",
	"SpamSources",
	"SpamState",
	"SpamTraces",
	"Talk",
	"TermDocs",
	"Terms",
	"ThreadSenders",
	"TopSenders",
	"Transcript",
}

// readEverything calls every method of a reader, the lists with some of the
// combinations of filters.
func readEverything(ctx context.Context, r *Reader, x *world) error {
	var some []Filter
	for i, f := range x.filters() {
		if i%23 == 0 {
			some = append(some, f)
		}
	}
	return callAll(ctx, everyCall(r, x, some))
}

func callAll(ctx context.Context, calls []readerCall) error {
	for _, call := range calls {
		if err := call.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", call.name, err)
		}
	}
	return nil
}

type readerCall struct {
	name string
	run  func(context.Context) error
}

func everyCall(r *Reader, x *world, filters []Filter) []readerCall {
	first, c := x.messages[0], x.conversations[0]
	at := Key{first.record.Sort, first.id}
	calls := []readerCall{
		{"ArchiveID", func(ctx context.Context) error { return only(r.ArchiveID(ctx)) }},
		{"Around", func(ctx context.Context) error {
			m, err := r.Message(ctx, first.id)
			if err == nil {
				_, err = r.Around(ctx, m, 2, 2)
			}
			return err
		}},
		{"BestMatches", func(ctx context.Context) error {
			return only(r.BestMatches(ctx, MatchQuery{Expression: "body", Missing: true, Limit: 10}))
		}},
		{"Block", func(ctx context.Context) error { return only(r.Block(ctx, c.id)) }},
		{"Candidates", func(ctx context.Context) error { return only(r.Candidates(ctx, []int64{first.id, 2, 3})) }},
		{"Changes", func(ctx context.Context) error { return only(r.Changes(ctx)) }},
		{"Check", func(ctx context.Context) error {
			found, err := r.Check(ctx)
			if err == nil && len(found) > 0 {
				err = fmt.Errorf("the archive is broken: %v", found)
			}
			return err
		}},
		{"Conversation", func(ctx context.Context) error { return only(r.Conversation(ctx, c.id)) }},
		{"ConversationMonths", func(ctx context.Context) error { return only(r.ConversationMonths(ctx, c.id)) }},
		{"ConversationRefs", func(ctx context.Context) error { return only(r.ConversationRefs(ctx)) }},
		{"ConversationsOf", func(ctx context.Context) error { return only(r.ConversationsOf(ctx, []int64{1, 2})) }},
		{"CountMatches", func(ctx context.Context) error {
			return only(r.CountMatches(ctx, MatchQuery{Expression: "body", Limit: 10}))
		}},
		{"CountMissing", func(ctx context.Context) error { return only(r.CountMissing(ctx, c.id)) }},
		{"CountPending", func(ctx context.Context) error { return only(r.CountPending(ctx, 0, 10)) }},
		{"DayCounts", func(ctx context.Context) error { return only(r.DayCounts(ctx, c.id, at.Sort, at.Sort+microsPerDay)) }},
		{"DomainCounts", func(ctx context.Context) error { return only(r.DomainCounts(ctx)) }},
		{"Domains", func(ctx context.Context) error { return only(r.Domains(ctx)) }},
		{"Extent", func(ctx context.Context) error { return only(r.Extent(ctx)) }},
		{"Extremes", func(ctx context.Context) error { return only(r.Extremes(ctx)) }},
		{"Files", func(ctx context.Context) error { return only(r.Files(ctx)) }},
		{"Import", func(ctx context.Context) error { return only(r.Import(ctx, x.importID)) }},
		{"ImportTime", func(ctx context.Context) error { return only(r.ImportTime(ctx, x.importID)) }},
		{"Imports", func(ctx context.Context) error { return only(r.Imports(ctx, 10)) }},
		{"Lively", func(ctx context.Context) error { return only(r.Lively(ctx, at.Sort, at.Sort+1)) }},
		{"MatchAmong", func(ctx context.Context) error { return only(r.MatchAmong(ctx, "body", []int64{1, 2})) }},
		{"MatchFacts", func(ctx context.Context) error {
			_, _, err := r.MatchFacts(ctx, MatchQuery{Expression: "body", Limit: 10})
			return err
		}},
		{"Matches", func(ctx context.Context) error {
			return only(r.Matches(ctx, MatchQuery{Expression: "body", Limit: 10}))
		}},
		{"Media", func(ctx context.Context) error { return only(r.Media(ctx, 1)) }},
		{"Message", func(ctx context.Context) error { return only(r.Message(ctx, first.id)) }},
		{"MessageID", func(ctx context.Context) error { return only(r.MessageID(ctx, first.record.Hash.String())) }},
		{"MessageID", func(ctx context.Context) error { return only(r.MessageID(ctx, first.record.Hash.String()[:12])) }},
		{"Months", func(ctx context.Context) error { return only(r.Months(ctx)) }},
		{"NamesVersion", func(ctx context.Context) error { return only(r.NamesVersion(ctx)) }},
		{"NewDays", func(ctx context.Context) error { return only(r.NewDays(ctx, 1, 1000)) }},
		{"Neighbours", func(ctx context.Context) error { return only(r.Neighbours(ctx, c.id, at, 3)) }},
		{"Overview", func(ctx context.Context) error { return only(r.Overview(ctx)) }},
		{"Participants", func(ctx context.Context) error { return only(r.Participants(ctx, c.id)) }},
		{"Pending", func(ctx context.Context) error { return only(r.Pending(ctx, 0, 10, false)) }},
		{"Pending", func(ctx context.Context) error { return only(r.Pending(ctx, 0, 10, true)) }},
		{"People", func(ctx context.Context) error { return only(r.People(ctx)) }},
		{"Person", func(ctx context.Context) error { return only(r.Person(ctx, x.handles[0].id)) }},
		{"Persons", func(ctx context.Context) error { return only(r.Persons(ctx, []int64{x.handles[0].id})) }},
		{"PrefixTerms", func(ctx context.Context) error { return only(r.PrefixTerms(ctx, "b", 10)) }},
		{"Problems", func(ctx context.Context) error { return only(r.Problems(ctx, x.importID, 0, 0)) }},
		{"RevisedDays", func(ctx context.Context) error { return only(r.RevisedDays(ctx, 0)) }},
		{"RootSummaries", func(ctx context.Context) error { return only(r.RootSummaries(ctx)) }},
		{"Roots", func(ctx context.Context) error { return only(r.Roots(ctx)) }},
		{"SenderMonths", func(ctx context.Context) error { return only(r.SenderMonths(ctx, []int64{1, 2})) }},
		{"SenderTotals", func(ctx context.Context) error { return only(r.SenderTotals(ctx)) }},
		{"TopSenders", func(ctx context.Context) error { return only(r.TopSenders(ctx, 2)) }},
		{"Talk", func(ctx context.Context) error {
			return r.Talk(ctx, c.id, at.Sort, at.Sort+1, func(Utterance) error { return nil })
		}},
		{"TermDocs", func(ctx context.Context) error { return only(r.TermDocs(ctx, []string{"body", "nothing"})) }},
		{"Terms", func(ctx context.Context) error { return r.Terms(ctx, "n", func(string, int64) bool { return true }) }},
	}
	calls = append(calls, recordCalls(r, x)...)
	for _, m := range x.messages {
		calls = append(calls, readerCall{"Messages", func(ctx context.Context) error {
			list, err := r.Messages(ctx, []int64{m.id, m.id + 1})
			if err != nil || len(list) == 0 {
				return fmt.Errorf("message %d of %d: %w", m.id, len(list), err)
			}
			return only(r.Provenance(ctx, list[0]))
		}})
	}
	for _, order := range []ConversationOrder{ByRecent, ByName, BySize} {
		calls = append(calls, readerCall{"ListConversations", func(ctx context.Context) error {
			_, _, err := r.ListConversations(ctx, ConversationQuery{Text: "ana", Handles: []int64{x.handles[0].id}, Order: order, Start: &at.Sort, End: &at.Sort, After: &ConversationPlace{ID: c.id}, Limit: 3})
			return err
		}})
	}
	for _, f := range filters {
		calls = append(calls, listCalls(r, f, at)...)
	}
	return calls
}

// recordCalls read the record of unsolicited contact and what it is made from.
func recordCalls(r *Reader, x *world) []readerCall {
	first, c := x.messages[0], x.conversations[0]
	hash, ids := first.record.Hash.String(), []int64{1, 2}
	return []readerCall{
		{"PersonLog", func(ctx context.Context) error { return only(r.PersonLog(ctx)) }},
		{"ScanMessages", func(ctx context.Context) error {
			list, err := r.ScanMessages(ctx, c.id, record.Position{}, 1000)
			if err == nil && len(list) == 0 {
				err = fmt.Errorf("no messages to scan in %d", c.id)
			}
			return err
		}},
		{"ScanOwn", func(ctx context.Context) error {
			return r.ScanOwn(ctx, c.id, func(record.Message) bool { return true })
		}},
		{"ScanPosition", func(ctx context.Context) error {
			_, _, _, err := r.ScanPosition(ctx, c.id, hash)
			return err
		}},
		{"LatestLinks", func(ctx context.Context) error { return only(r.LatestLinks(ctx, []int64{1, 2}, 3)) }},
		{"ThreadSenders", func(ctx context.Context) error { return only(r.ThreadSenders(ctx, c.id)) }},
		{"ScanThreads", func(ctx context.Context) error { return only(r.ScanThreads(ctx)) }},
		{"SpamCategories", func(ctx context.Context) error { return only(r.SpamCategories(ctx, ids)) }},
		{"SpamCoverage", func(ctx context.Context) error { return only(r.SpamCoverage(ctx)) }},
		{"SpamCursors", func(ctx context.Context) error { return only(r.SpamCursors(ctx)) }},
		{"SpamEntities", func(ctx context.Context) error { return only(r.SpamEntities(ctx)) }},
		{"SpamEvents", func(ctx context.Context) error { return only(r.SpamEvents(ctx, nil)) }},
		{"SpamEvents", func(ctx context.Context) error { return only(r.SpamEvents(ctx, ids)) }},
		{"SpamExhibits", func(ctx context.Context) error { return only(r.SpamExhibits(ctx, []string{hash})) }},
		{"HasSpamFindings", func(ctx context.Context) error {
			return only(r.HasSpamFindings(ctx, "rules", "tel:+12125550142", c.id))
		}},
		{"SpamFinding", func(ctx context.Context) error { _, _, err := r.SpamFinding(ctx, c.id, hash); return err }},
		{"SpamFindings", func(ctx context.Context) error { return only(r.SpamFindings(ctx, ids)) }},
		{"SpamJudgments", func(ctx context.Context) error { return only(r.SpamJudgments(ctx, ids)) }},
		{"SpamRuns", func(ctx context.Context) error { return only(r.SpamRuns(ctx, 5)) }},
		{"SpamSenders", func(ctx context.Context) error { return only(r.SpamSenders(ctx, record.SenderQuery{})) }},
		{"SpamSenders", func(ctx context.Context) error {
			return only(r.SpamSenders(ctx, record.SenderQuery{Statuses: []record.Status{record.Watch, record.Tracked}, IDs: ids}))
		}},
		{"SpamSources", func(ctx context.Context) error { return only(r.SpamSources(ctx, ids)) }},
		{"SpamSenders", func(ctx context.Context) error {
			return only(r.SpamSenders(ctx, record.SenderQuery{After: 1, Limit: 2}))
		}},
		{"CountSpamSenders", func(ctx context.Context) error { return only(r.CountSpamSenders(ctx, []record.Status{record.Watch})) }},
		{"SpamAfterOptOut", func(ctx context.Context) error { return only(r.SpamAfterOptOut(ctx, record.AfterPlace{}, 0)) }},
		{"SpamAfterOptOut", func(ctx context.Context) error {
			return only(r.SpamAfterOptOut(ctx, record.AfterPlace{Messages: 5, ID: 1}, 3))
		}},
		{"SpamHeld", func(ctx context.Context) error { return only(r.SpamHeld(ctx, ids)) }},
		{"SpamTraces", func(ctx context.Context) error {
			return r.SpamTraces(ctx, func(record.Finding) error { return nil })
		}},
		{"SpamState", func(ctx context.Context) error { return only(r.SpamState(ctx)) }},
	}
}

func listCalls(r *Reader, f Filter, at Key) []readerCall {
	calls := []readerCall{{"CountMessages", func(ctx context.Context) error { return only(r.CountMessages(ctx, f)) }}}
	audio := msg.Audio
	for _, after := range []*Key{nil, &at} {
		for _, narrow := range []bool{false, true} {
			media, links := MediaQuery{Filter: f, After: after, Limit: 3, Uncounted: after != nil}, LinkQuery{Filter: f, After: after, Limit: 3, Uncounted: after != nil}
			if narrow {
				media.Kind, links.Domain = &audio, "site1.example"
			}
			calls = append(calls,
				readerCall{"ListMedia", func(ctx context.Context) error { _, _, err := r.ListMedia(ctx, media); return err }},
				readerCall{"ListLinks", func(ctx context.Context) error { _, _, err := r.ListLinks(ctx, links); return err }})
		}
		if len(f.Conversations) != 1 {
			continue
		}
		for _, backward := range []bool{false, true} {
			q := TranscriptQuery{f.Conversations[0], f.Start, f.End, backward, after, 3, f.IncludeMissing}
			calls = append(calls, readerCall{"Transcript", func(ctx context.Context) error { _, _, err := r.Transcript(ctx, q); return err }})
		}
	}
	return calls
}

// only drops a result and keeps its error.
func only[T any](_ T, err error) error { return err }

// TestEveryMethodIsCalled keeps readEverything honest.
func TestEveryMethodIsCalled(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 5)
	r := openReader(t, x.dir, ReaderOptions{})
	called := map[string]bool{"Close": true, "Path": true, "Provenance": true} // the last within Messages
	for _, c := range everyCall(r, x, x.filters()) {
		called[c.name] = true
	}
	for _, name := range readerMethods {
		if !called[name] {
			t.Errorf("no call of %s", name)
		}
		delete(called, name)
	}
	for name := range called {
		if !slices.Contains(readerMethods, name) {
			t.Errorf("%s is no method of a reader", name)
		}
	}
}

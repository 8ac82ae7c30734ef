package spam

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// town is an archive with one thread of every kind.
func town() *archive {
	a := newArchive()
	promo := a.phone("+12125550142")
	friend := a.person("+13125550101", "Alex", msg.HandlePhone)
	code := a.phone("12345")
	talker := a.phone("+16465550103")
	named := a.person("Bea", "Bea", msg.HandleName)
	blaster := a.phone("+19175550104")
	bystander := a.phone("+19175550105")

	stranger := a.thread("+12125550142", msg.Direct)
	a.in(stranger, promo, "2026-03-02 10:00:00", "Sale! bit.ly/x Reply STOP to end")
	a.out(stranger, "2026-03-02 10:05:00", "STOP")
	a.in(stranger, promo, "2026-03-02 10:05:08", "You are unsubscribed.")
	a.in(stranger, promo, "2026-03-20 09:00:00", "We miss you")

	alex := a.thread("Alex", msg.Direct)
	a.in(alex, friend, "2026-01-01 10:00:00", "happy new year")
	a.out(alex, "2026-01-01 10:01:00", "STOP 🤣")
	a.in(alex, code, "2026-01-02 10:00:00", "Acme: 20% off")

	talk := a.thread("+16465550103", msg.Direct)
	a.in(talk, talker, "2026-02-01 10:00:00", "did you see https://example.com")
	a.out(talk, "2026-02-01 10:05:00", "yes, nice one")

	bea := a.thread("Bea", msg.Direct)
	a.in(bea, named, "2026-02-01 10:00:00", "hi")

	blast := a.thread("blast", msg.Group)
	a.in(blast, blaster, "2026-04-01 10:00:00", "Big news https://example.com")
	a.in(blast, bystander, "2026-04-01 10:01:00", "STOP https://example.org")

	friends := a.thread("friends", msg.Group)
	a.in(friends, friend, "2026-04-01 10:00:00", "who is in")
	return a
}

func TestScan(t *testing.T) {
	t.Parallel()
	a := town()
	got := a.scan(t, DefaultSettings(), addressBook("+13125550101"))
	want := record.Counters{Conversations: 3, Examined: 9, Candidates: 2, Senders: 4, OptOuts: 1, NotComparable: 1, Correspondent: 1, Groups: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
	if got := len(a.findings); got != 7 { // the friend's thread gives the short code's message alone
		t.Errorf("%d findings, want 7", got)
	}
	if s := a.sender(t, "tel:+12125550142"); s.Status != record.Watch || s.First != at("2026-03-02 10:00:00") || s.Last != at("2026-03-20 09:00:00") {
		t.Errorf("sender that tripped a rule: %+v, want on watch from 2 to 20 March", s)
	}
	for _, key := range []string{"code:12345", "tel:+19175550105"} {
		if s := a.sender(t, key); s.Status != record.Seen {
			t.Errorf("status of %s is %s, want seen", key, s.Status)
		}
	}
	after := 0
	for _, f := range a.findings {
		if f.AfterOptOut {
			after++
		}
		if f.Bystander != (f.SenderKey == "tel:+19175550105") {
			t.Errorf("bystander %t of %s", f.Bystander, f.SenderKey)
		}
		if f.Env != "vcard/available" || f.Ruleset != a.active {
			t.Errorf("finding of environment %s and ruleset %s", f.Env, f.Ruleset)
		}
	}
	if after != 2 {
		t.Errorf("%d findings after an opt-out, want 2", after)
	}
}

// TestScanAgain holds a second scan to reading no more than what is new and
// to changing nothing, and scans in pieces to finding what one does.
func TestScanAgain(t *testing.T) {
	t.Parallel()
	s, b := DefaultSettings(), addressBook("+13125550101")
	a := town()
	a.scan(t, s, b)
	findings, writes := cloneMap(a.findings), a.writes
	if got := a.scan(t, s, b); got.Examined != 0 || a.writes != writes {
		t.Errorf("second scan examined %d messages in %d batches, want none", got.Examined, a.writes-writes)
	}
	if diff := cmp.Diff(findings, a.findings); diff != "" {
		t.Errorf("second scan changed findings:\n%s", diff)
	}
	a.in(1, 1, "2026-05-01 09:00:00", "once more https://example.com")
	if got := a.scan(t, s, b); got.Examined != 1 || got.Restarted != 0 {
		t.Errorf("a new message: examined %d, restarted %d, want 1 and 0", got.Examined, got.Restarted)
	}
	a.in(1, 1, "2026-01-01 09:00:00", "an older one, imported late")
	if got := a.scan(t, s, b); got.Examined != 6 || got.Restarted != 1 {
		t.Errorf("an older message: examined %d, restarted %d, want all 6 and 1", got.Examined, got.Restarted)
	}
	whole := town()
	whole.in(1, 1, "2026-05-01 09:00:00", "once more https://example.com")
	whole.in(1, 1, "2026-01-01 09:00:00", "an older one, imported late")
	if _, err := whole.try(t, s, b, ScanOptions{BatchSize: 1}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(withoutRuns(whole.findings), withoutRuns(a.findings)); diff != "" {
		t.Errorf("one scan and several differ (-one +several):\n%s", diff)
	}
}

// TestAnswersAfterwards: once a stranger is on the record, an answer of the
// owner does not end it.
func TestAnswersAfterwards(t *testing.T) {
	t.Parallel()
	a, b := town(), addressBook("+13125550101")
	a.scan(t, DefaultSettings(), b)
	a.out(1, "2026-04-01 09:00:00", "what do you want from me?")
	a.in(1, 1, "2026-04-02 09:00:00", "Sale https://example.com")
	if got := a.scan(t, DefaultSettings(), b); got.Examined != 2 || got.Correspondent != 1 {
		t.Errorf("examined %d, correspondents %d; want the 2 new messages, and no further correspondent", got.Examined, got.Correspondent)
	}
}

// TestScanPassedOver: whoever is put on the record by hand, or is taken out
// of the address book, after a scan went by their messages is examined by the
// next one, once, and the record is that of a scan which knew it all along.
func TestScanPassedOver(t *testing.T) {
	t.Parallel()
	s, b := DefaultSettings(), addressBook("+13125550101")
	enrol := func(a *archive) {
		who, _ := Identify(a.people[1])
		a.senders = append(a.senders, record.Sender{ID: int64(len(a.senders) + 1), SenderIdentity: who, Enrolled: true, Status: record.Seen})
	}
	for name, then := range map[string]func(*archive) book{
		"enrolled":                    func(a *archive) book { enrol(a); return b },
		"taken out of the book":       func(*archive) book { return addressBook() },
		"enrolled when more had come": func(a *archive) book { enrol(a); a.in(2, 3, "2026-06-01 10:00:00", "Acme: 30% off"); return b },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, fresh := town(), town()
			a.scan(t, s, b)
			later := then(a)
			if got := a.scan(t, s, later); got.Examined == 0 || got.Restarted == 0 {
				t.Errorf("examined %d, restarted %d: the messages are still passed over", got.Examined, got.Restarted)
			}
			if got := a.scan(t, s, later); got.Examined != 0 || got.Restarted != 0 {
				t.Errorf("the scan after that examined %d and restarted %d, want none", got.Examined, got.Restarted)
			}
			then(fresh)
			fresh.scan(t, s, later)
			if diff := cmp.Diff(bySender(fresh.findings), bySender(a.findings)); diff != "" {
				t.Errorf("findings by sender (-known all along +since):\n%s", diff)
			}
		})
	}
}

func bySender(m map[[2]string]record.Finding) map[string]int {
	n := map[string]int{}
	for _, f := range m {
		n[f.SenderKey]++
	}
	return n
}

func cloneMap(m map[[2]string]record.Finding) map[[2]string]record.Finding {
	all := map[[2]string]record.Finding{}
	for k, v := range m {
		all[k] = v
	}
	return all
}

func withoutRuns(m map[[2]string]record.Finding) map[[2]string]record.Finding {
	all := map[[2]string]record.Finding{}
	for k, v := range m {
		v.RunID = 0
		all[k] = v
	}
	return all
}

func TestScanSettings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*Settings, *archive)
		book   book
		want   record.Counters
	}{
		{"no address book", func(*Settings, *archive) {}, noBook(), // Alex has a name, so nobody is taken for a stranger but bare numbers
			record.Counters{Conversations: 3, Examined: 9, Candidates: 2, Senders: 4, OptOuts: 1, NotComparable: 1, Correspondent: 1, Groups: 1}},
		{"allowlist", func(s *Settings, _ *archive) { s.Allowlist = []string{"(212) 555-0142", "12345"} }, addressBook("+13125550101"),
			record.Counters{Conversations: 1, Examined: 2, Candidates: 1, Senders: 2, Allowlisted: 1, InAddressBook: 1, NotComparable: 1, Correspondent: 1, Groups: 1}},
		{"own numbers", func(s *Settings, _ *archive) { s.MyNumbers = []string{"2125550142"} }, addressBook("+13125550101"),
			record.Counters{Conversations: 2, Examined: 5, Candidates: 1, Senders: 3, Own: 1, NotComparable: 1, Correspondent: 1, Groups: 1}},
		{"excluded", func(s *Settings, _ *archive) { s.ExcludeConversations = []string{"1", "Alex", "key blast"} }, addressBook(),
			record.Counters{Excluded: 3, NotComparable: 1, Correspondent: 1, Conversations: 1, Examined: 1, Senders: 1}},
		{"enrolled by hand", func(_ *Settings, a *archive) {
			who, _ := Identify(a.people[3])
			a.senders = append(a.senders, record.Sender{ID: 1, SenderIdentity: who, Enrolled: true, Status: record.Seen})
		}, addressBook("+13125550101"),
			record.Counters{Conversations: 4, Examined: 11, Candidates: 3, Senders: 4, OptOuts: 1, NotComparable: 1, Groups: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, s := town(), DefaultSettings()
			tt.change(&s, a)
			if diff := cmp.Diff(tt.want, a.scan(t, s, tt.book)); diff != "" {
				t.Errorf("counters (-want +got):\n%s", diff)
			}
		})
	}
}

// TestScanNewRules holds that readers see one generation, whole, whatever
// happens while the next is made.
func TestScanNewRules(t *testing.T) {
	t.Parallel()
	a, b := town(), addressBook("+13125550101")
	a.scan(t, DefaultSettings(), b)
	old := a.active
	stricter := DefaultSettings()
	stricter.WatchAreaCodes = []string{"212"}
	if _, err := a.try(t, stricter, b, ScanOptions{Conversation: 1}); !errors.Is(err, ErrRulesChanged) {
		t.Errorf("scan of a part under new rules: error %v, want ErrRulesChanged", err)
	}
	a.failAfter = 2
	if run, err := a.try(t, stricter, b, ScanOptions{}); !errors.Is(err, errFull) || run.Error == "" || a.active != old {
		t.Errorf("failed scan: error %v, recorded %q, active %s; want the failure and the old generation %s", err, run.Error, a.active, old)
	}
	run, err := a.try(t, stricter, b, ScanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if run.Counters.Examined != 5 { // the first thread was written before the failure
		t.Errorf("after the failure, %d messages examined, want the 5 that were left", run.Counters.Examined)
	}
	for _, f := range a.findings {
		if f.Ruleset != mustRules(t, stricter).Version() {
			t.Errorf("a finding of the old generation is left: %s", f.Hash)
		}
	}
	if len(a.findings) != 7 || len(a.events) != 1 {
		t.Errorf("%d findings and %d events, want 7 and 1", len(a.findings), len(a.events))
	}
}

func TestScanEnvironments(t *testing.T) {
	t.Parallel()
	a := town()
	a.scan(t, DefaultSettings(), noBook())
	a.in(1, 1, "2026-05-01 09:00:00", "again")
	a.scan(t, DefaultSettings(), addressBook("+13125550101"))
	state, err := a.SpamState(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !state.Mixed() || !state.Degraded() {
		t.Errorf("environments %v, want both", state.Envs)
	}
	if run, err := a.try(t, DefaultSettings(), addressBook("+13125550101"), ScanOptions{Reset: true}); err != nil || run.Counters.Examined != 10 {
		t.Errorf("reset examined %d messages, error %v; want 10", run.Counters.Examined, err)
	}
	if state, _ = a.SpamState(t.Context()); state.Mixed() || state.Degraded() {
		t.Errorf("environments %v after a reset, want one", state.Envs)
	}
}

func TestScanOne(t *testing.T) {
	t.Parallel()
	a := town()
	for id, why := range map[int64]bool{2: false, 3: true, 4: true, 6: true, 99: true} {
		_, err := a.try(t, DefaultSettings(), addressBook("+13125550101"), ScanOptions{Conversation: id})
		var ineligible *IneligibleError
		if errors.As(err, &ineligible) != why {
			t.Errorf("scan of conversation %d: error %v, want ineligible: %t", id, err, why)
		}
	}
	a.runs = append(a.runs, record.Run{ID: int64(len(a.runs) + 1), StartedAt: scanTime, HeartbeatAt: scanTime})
	var running *record.RunningError
	if _, err := a.try(t, DefaultSettings(), addressBook(), ScanOptions{}); !errors.As(err, &running) {
		t.Errorf("second scan at the same time: error %v, want the running one", err)
	}
	a.runs[len(a.runs)-1].HeartbeatAt = scanTime.Add(-record.StaleAfter - 1)
	if _, err := a.try(t, DefaultSettings(), addressBook(), ScanOptions{}); err != nil {
		t.Errorf("a crashed run stands in the way: %v", err)
	}
}

func TestAnswersOfTheOwner(t *testing.T) {
	t.Parallel()
	a := newArchive()
	promo := a.phone("+12125550142")
	thread := a.thread("x", msg.Direct)
	a.in(thread, promo, "2026-02-01 10:00:00", "Deals")
	failed := a.out(thread, "2026-02-02 10:00:00", "STOP", msg.Detail{Name: "error", Value: "22"})
	candidate := a.out(thread, "2026-02-03 10:00:00", "no me escriban más")
	a.out(thread, "2026-02-04 10:00:00", "quit")
	a.in(thread, promo, "2026-02-04 10:00:05", "You are opted out. Reply YES to resubscribe")
	got := a.scan(t, DefaultSettings(), addressBook())
	if got.OptOuts != 1 || got.Attempted != 1 || got.OptOutCandidates != 1 {
		t.Errorf("%d opt-outs, %d attempted, %d candidates; want one of each", got.OptOuts, got.Attempted, got.OptOutCandidates)
	}
	for hash, want := range map[string]record.OptOut{failed: record.Attempted, candidate: record.OptOutC} {
		if f := a.findings[[2]string{hash, a.active}]; f.OptOut != want {
			t.Errorf("opt-out %q, want %q", f.OptOut, want)
		}
	}
	if a.events[0].Text != "quit" || a.events[0].Tier != record.OptOutA {
		t.Errorf("event %+v, want tier A by quit", a.events[0])
	}
}

// TestLineOfTheOwner: exports that name the owner by a number say from which
// line a message went out; a name is none.
func TestLineOfTheOwner(t *testing.T) {
	t.Parallel()
	a := newArchive()
	promo, line := a.phone("+12125550142"), a.phone("+19175550120")
	me := a.person("Me", "Me", msg.HandleName)
	for _, own := range []int64{line, me} {
		a.people[own-1].Owner = true
	}
	thread := a.thread("x", msg.Direct)
	a.in(thread, promo, "2026-02-01 10:00:00", "Deals")
	want := map[string]string{}
	for handle, line := range map[int64]string{line: "+19175550120", me: ""} {
		want[a.add(thread, record.Message{Handle: handle, Direction: msg.Out, Time: at("2026-02-02 10:00:00"), Body: "STOP"})] = line
	}
	want[a.add(thread, record.Message{Handle: line, Direction: msg.Out, Time: at("2026-02-02 10:00:00"), Body: "STOP",
		Details: []msg.Detail{{Name: "destination_caller_id", Value: "+19175550121"}}})] = "+19175550121"
	a.scan(t, DefaultSettings(), addressBook())
	for hash, line := range want {
		if f := a.findings[[2]string{hash, a.active}]; f.OwnerLine != line {
			t.Errorf("line %q, want %q", f.OwnerLine, line)
		}
	}
}

// TestGroups: a group is a stranger's when one started it and the owner has
// not talked in it; whoever else writes there is a bystander.
func TestGroups(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		build    func(a *archive, group, number, named int64)
		findings int
		bystand  int
		events   int
	}{
		{"started by a number", func(a *archive, group, number, named int64) {
			a.in(group, number, "2026-03-01 12:00:00", "Sale")
			a.in(group, named, "2026-03-01 12:01:00", "who is this")
			a.in(group, number, "2026-03-02 12:00:00", "Sale again")
			a.out(group, "2026-03-03 12:00:00", "STOP")
		}, 3, 0, 1},
		{"started by a name", func(a *archive, group, number, named int64) {
			a.in(group, named, "2026-03-01 12:00:00", "party at ours")
			a.in(group, number, "2026-03-01 12:01:00", "great https://example.com")
			a.out(group, "2026-03-03 12:00:00", "STOP")
		}, 1, 1, 0},
		{"with a friend in it", func(a *archive, group, number, named int64) {
			a.in(group, a.phone("+13125550101"), "2026-03-01 12:00:00", "who is in for Friday?")
			a.in(group, number, "2026-03-01 12:01:00", "me https://example.com")
			a.out(group, "2026-03-03 12:00:00", "STOP 🤣")
		}, 0, 0, 0},
		{"the owner talked", func(a *archive, group, number, named int64) {
			a.in(group, number, "2026-03-01 12:00:00", "party at ours")
			a.in(group, named, "2026-03-01 12:01:00", "great")
			a.out(group, "2026-03-03 12:00:00", "I will come")
		}, 0, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := newArchive()
			number, named := a.phone("+12125550142"), a.person("Bea", "Bea", msg.HandleName)
			tt.build(a, a.thread("group", msg.Group), number, named)
			a.scan(t, DefaultSettings(), addressBook("+13125550101"))
			bystanders := 0
			for _, f := range a.findings {
				if f.Bystander {
					bystanders++
				}
				if f.Bystander && f.Candidate {
					t.Error("a bystander's message trips a rule")
				}
			}
			if len(a.findings) != tt.findings || bystanders != tt.bystand || len(a.events) != tt.events {
				t.Errorf("%d findings, %d by bystanders, %d events; want %d, %d, %d", len(a.findings), bystanders, len(a.events), tt.findings, tt.bystand, tt.events)
			}
		})
	}
}

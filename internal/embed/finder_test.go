package embed

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// near asks a finder and returns the messages it found, best first.
func (a *archive) near(f *Finder, query string, s Scope, n int) []int64 {
	a.t.Helper()
	found, err := f.Near(a.t.Context(), wordVector(query), s, n)
	if err != nil {
		a.t.Fatal(err)
	}
	var ids []int64
	for _, x := range found {
		ids = append(ids, x.Message)
	}
	return ids
}

func TestFinder(t *testing.T) {
	t.Parallel()
	a, model, dir := newArchive(t), &wordModel{name: "words"}, t.TempDir()
	a.say("Ana", epoch, "Did the landlord ever send that lease?", "me:This morning by courier, all twelve pages of it", "ok") // 1 2 3
	a.say("Ana", epoch.AddDate(0, 1, 0), "The ferry leaves from the old harbour at nine")                                     // 4
	a.say("Bo", epoch.AddDate(0, 2, 0), "me:The landlord wants to see the lease again", "Ok!")                                // 5 6
	f := NewFinder(a.r, dir, model)
	t.Cleanup(func() { f.Close() })
	if _, err := f.Near(t.Context(), wordVector("lease"), Scope{}, 5); !errors.Is(err, ErrNoIndex) {
		t.Fatalf("without an index: %v", err)
	}
	a.update(dir, model, UpdateOptions{})
	if _, err := f.Near(t.Context(), wordVector("lease")[1:], Scope{}, 5); err == nil || !strings.Contains(err.Error(), `"msgbrowse index" makes them anew`) {
		t.Errorf("with a vector of another model: %v, want the remedy", err)
	}
	june, july := epoch.AddDate(0, 1, 0).UnixMicro(), epoch.AddDate(0, 1, 1).UnixMicro()
	tests := []struct {
		name  string
		query string
		scope Scope
		n     int
		want  []int64 // the first ones
	}{
		{"the words of a message", "the landlord wants to see the lease again", Scope{}, 9, []int64{5}},
		{"no more than asked for", "the landlord wants to see the lease again", Scope{}, 1, []int64{5}},
		{"a conversation", "landlord lease", Scope{Conversations: []int64{a.conversation("Ana")}}, 9, []int64{1}},
		{"no conversation", "landlord lease", Scope{Conversations: []int64{}}, 9, nil},
		{"the owner's", "landlord lease", Scope{FromMe: true}, 9, []int64{5, 2}},
		{"a sender's", "did the landlord send the lease", Scope{Senders: []int64{a.an}}, 9, []int64{1}},
		{"a time", "landlord lease", Scope{Start: &june, End: &july}, 9, []int64{4}},
		{"a short text, kept with its first message", "ok", Scope{}, 9, []int64{3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := a.near(f, tt.query, tt.scope, tt.n)
			if len(got) > tt.n {
				t.Errorf("found %d, want at most %d", len(got), tt.n)
			}
			if tt.scope.bound() {
				got = slices.DeleteFunc(got, func(id int64) bool { return id == 3 }) // stands for others, too
			}
			first := got[:min(len(got), max(1, len(tt.want)))]
			if diff := cmp.Diff(tt.want, first); diff != "" && len(first)+len(tt.want) > 0 {
				t.Errorf("found %v (-want +got):\n%s", got, diff)
			}
		})
	}
}

// TestFinderSeesWhatStandsAround finds an answer by the words of the question
// before it.
func TestFinderSeesWhatStandsAround(t *testing.T) {
	t.Parallel()
	a, model, dir := newArchive(t), &wordModel{name: "words"}, t.TempDir()
	a.say("Ana", epoch, "Where does that boat to the islands start from?", "The pier behind the fish market, next to a kiosk")
	a.say("Ana", epoch.AddDate(0, 0, 2), "Nothing to see here, move along please")
	a.update(dir, model, UpdateOptions{})
	f := NewFinder(a.r, dir, model)
	t.Cleanup(func() { f.Close() })
	found, err := f.Near(t.Context(), wordVector("boat islands"), Scope{}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 2 || found[0].Message != 1 || found[1].Message != 2 || found[1].Around <= found[1].Own {
		t.Errorf("found %+v, want the question and then its answer", found)
	}
}

// TestFinderFollows finds what another process indexes meanwhile.
func TestFinderFollows(t *testing.T) {
	t.Parallel()
	a, model, dir := newArchive(t), &wordModel{name: "words"}, t.TempDir()
	a.say("Ana", epoch, "The ferry leaves from the old harbour at nine")
	a.update(dir, model, UpdateOptions{})
	f := NewFinder(a.r, dir, model)
	t.Cleanup(func() { f.Close() })
	if got := a.near(f, "harbour at nine", Scope{}, 1); !slices.Equal(got, []int64{1}) {
		t.Fatalf("found %v", got)
	}
	a.lose(1)
	second := a.say("Bo", epoch.Add(time.Hour), "The harbour is closed until nine tomorrow morning")
	a.update(dir, model, UpdateOptions{})
	if got := a.near(f, "harbour at nine", Scope{}, 9); !slices.Equal(got, []int64{second}) {
		t.Errorf("found %v, want %d", got, second)
	}
}

// TestShortTextsOfConversations narrows a search for a short text to each of
// the conversations in turn. For one in which it stood once it may be brought up
// still.
func TestShortTextsOfConversations(t *testing.T) {
	t.Parallel()
	const text = "bring an umbrella"
	later := epoch.AddDate(0, 0, 7)
	talk := []string{"The ferry leaves from the old harbour at nine", "me:The lease is signed and sent, all of it"}
	tests := []struct {
		name string
		// then happens after Ana's first messages, among them the text, number 1,
		// have been indexed.
		then func(a *archive, update func(UpdateOptions))
		want []string // the conversations it is brought up for
	}{
		{"said in one only", func(a *archive, update func(UpdateOptions)) {
			a.say("Bo", epoch, talk...)
			update(UpdateOptions{})
		}, []string{"Ana"}},
		{"said in another later", func(a *archive, update func(UpdateOptions)) {
			a.say("Bo", epoch, append(talk, "Bring an umbrella!")...)
			update(UpdateOptions{})
		}, []string{"Ana", "Bo"}},
		{"in another that said something else before", func(a *archive, update func(UpdateOptions)) {
			a.change(a.say("Bo", epoch, "Bring a ladder"), text)
			update(UpdateOptions{})
		}, []string{"Ana", "Bo"}},
		{"no longer said in the first", func(a *archive, update func(UpdateOptions)) {
			a.say("Bo", epoch, text)
			a.say("Cleo", epoch, text)
			update(UpdateOptions{})
			a.lose(1)
			update(UpdateOptions{})
		}, []string{"Ana", "Bo", "Cleo"}},
		{"no longer said in the first, which the index does not know yet", func(a *archive, update func(UpdateOptions)) {
			a.say("Bo", epoch, text)
			update(UpdateOptions{})
			a.lose(1)
		}, []string{"Ana", "Bo"}},
		{"still said on another day of the first", func(a *archive, update func(UpdateOptions)) {
			a.say("Ana", later, text)
			update(UpdateOptions{})
			a.change(1, "Bring a ladder")
			a.say("Bo", epoch, text)
			update(UpdateOptions{})
		}, []string{"Ana", "Bo"}},
		{"the day of the first goes on", func(a *archive, update func(UpdateOptions)) {
			a.say("Bo", epoch, text)
			update(UpdateOptions{})
			a.say("Ana", epoch.Add(time.Hour), talk...)
			update(UpdateOptions{})
		}, []string{"Ana", "Bo"}},
		{"the first left out", func(a *archive, update func(UpdateOptions)) {
			a.say("Bo", epoch, text)
			a.say("Cleo", epoch, text)
			update(UpdateOptions{})
			update(UpdateOptions{Excluded: []int64{a.conversation("Ana")}})
		}, []string{"Ana", "Bo", "Cleo"}},
		{"the other left out for a while", func(a *archive, update func(UpdateOptions)) {
			a.say("Bo", epoch, text)
			update(UpdateOptions{Excluded: []int64{a.conversation("Bo")}})
			update(UpdateOptions{})
		}, []string{"Ana", "Bo"}},
		{"a run over everything", func(a *archive, update func(UpdateOptions)) {
			a.say("Bo", epoch, text)
			update(UpdateOptions{Rebuild: true})
		}, []string{"Ana", "Bo"}},
		{"slots numbered anew", func(a *archive, update func(UpdateOptions)) {
			a.say("Bo", epoch, text)
			update(UpdateOptions{})
			a.lose(2, 3)
			update(UpdateOptions{})
		}, []string{"Ana", "Bo"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, model, dir := newArchive(t), &wordModel{name: "words"}, t.TempDir()
			a.say("Ana", epoch, append([]string{text}, talk...)...)
			update := func(o UpdateOptions) { a.update(dir, model, o) }
			update(UpdateOptions{})
			tt.then(a, update)
			f := NewFinder(a.r, dir, model)
			t.Cleanup(func() { f.Close() })
			if diff := cmp.Diff(tt.want, a.shortIn(f, text)); diff != "" {
				t.Errorf("found for (-want +got):\n%s", diff)
			}
		})
	}
}

// shortIn lists the conversations that a short text is brought up for.
func (a *archive) shortIn(f *Finder, text string) (names []string) {
	a.t.Helper()
	want, _ := shortKey(text)
	for _, name := range []string{"Ana", "Bo", "Cleo"} {
		for _, id := range a.near(f, text, Scope{Conversations: []int64{a.conversation(name)}}, 9) {
			m, err := a.r.Message(a.t.Context(), id)
			if err != nil {
				a.t.Fatal(err)
			}
			if key, ok := shortKey(m.Body); ok && key == want {
				names = append(names, name)
			}
		}
	}
	return names
}

// choosyModel fails at texts that begin in some way.
type choosyModel struct {
	*wordModel
	prefix string
	err    error
}

func (m *choosyModel) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(text, m.prefix) }) {
		return nil, m.err
	}
	return m.wordModel.Embed(ctx, texts)
}

// TestShortTextsOfACutOffRun finds a short text in the days that a run has
// done before it was cut off, and in all when it has gone on.
func TestShortTextsOfACutOffRun(t *testing.T) {
	t.Parallel()
	const text = "bring an umbrella"
	a, model, dir := newArchive(t), &wordModel{name: "words"}, t.TempDir()
	a.say("Ana", epoch, text)
	a.update(dir, model, UpdateOptions{})
	a.say("Bo", epoch, text, "The ferry leaves from the old harbour at nine")
	a.say("Cleo", epoch, text, "The lease is signed and sent, all of it")
	broken, clock := errors.New("the model is gone"), epoch
	tick := func() time.Time { clock = clock.Add(time.Minute); return clock }
	if _, err := Update(t.Context(), a.r, dir, &choosyModel{model, "The lease", broken}, UpdateOptions{Now: tick, smallJobs: true}); !errors.Is(err, broken) {
		t.Fatalf("the run was not cut off: %v", err)
	}
	f := NewFinder(a.r, dir, model)
	t.Cleanup(func() { f.Close() })
	lease := func() bool {
		return slices.Contains(a.near(f, "lease signed and sent", Scope{Conversations: []int64{a.conversation("Cleo")}}, 9), 5)
	}
	if diff := cmp.Diff([]string{"Ana", "Bo"}, a.shortIn(f, text)); diff != "" || lease() {
		t.Errorf("when it was cut off, Cleo's day done: %v, found for (-want +got):\n%s", lease(), diff)
	}
	a.update(dir, model, UpdateOptions{})
	if diff := cmp.Diff([]string{"Ana", "Bo", "Cleo"}, a.shortIn(f, text)); diff != "" || !lease() {
		t.Errorf("found for (-want +got):\n%s", diff)
	}
	a.sameAsRebuilt(dir, model, UpdateOptions{})
}

// TestShortTextDeletedByACutOffRun goes on for a run that deleted the slot of a
// short text, which then gets one in another conversation than the third in
// which it is still said.
func TestShortTextDeletedByACutOffRun(t *testing.T) {
	t.Parallel()
	const text = "bring an umbrella"
	a, model, dir := newArchive(t), &wordModel{name: "words"}, t.TempDir()
	first := a.say("Ana", epoch, text)
	a.say("Bo", epoch, text)
	a.update(dir, model, UpdateOptions{})
	a.change(first, "The ferry leaves from the old harbour at nine")
	a.say("Cleo", epoch, text, "The lease is signed and sent, all of it")
	broken, clock := errors.New("the model is gone"), epoch
	tick := func() time.Time { clock = clock.Add(time.Minute); return clock }
	if _, err := Update(t.Context(), a.r, dir, &choosyModel{model, "The lease", broken}, UpdateOptions{Now: tick, smallJobs: true}); !errors.Is(err, broken) {
		t.Fatalf("the run was not cut off: %v", err)
	}
	f := NewFinder(a.r, dir, model)
	t.Cleanup(func() { f.Close() })
	if got := a.shortIn(f, text); len(got) > 0 {
		t.Errorf("when it was cut off, found for %v: the slot is not deleted", got)
	}
	a.update(dir, model, UpdateOptions{})
	if diff := cmp.Diff([]string{"Bo", "Cleo"}, a.shortIn(f, text)); diff != "" {
		t.Errorf("found for (-want +got):\n%s", diff)
	}
	a.sameAsRebuilt(dir, model, UpdateOptions{})
}

// TestAcceptedWithinConversation narrows by sender and time, too: short texts
// pass these, but not into conversations that do not hold them.
func TestAcceptedWithinConversation(t *testing.T) {
	t.Parallel()
	a, model, dir := newArchive(t), &wordModel{name: "words"}, t.TempDir()
	june := epoch.AddDate(0, 1, 0)
	a.say("Ana", epoch, "ok", "see you", "The ferry leaves from the old harbour at nine") // 1 2 3
	a.say("Bo", epoch, "ok", "thanks", "me:The lease is signed and sent, all of it")      // 4 5 6
	a.say("Bo", june, "me:The harbour is closed until nine tomorrow morning")             // 7
	a.update(dir, model, UpdateOptions{})
	f := NewFinder(a.r, dir, model)
	t.Cleanup(func() { f.Close() })
	start, bo := june.UnixMicro(), []int64{a.conversation("Bo")}
	for _, tt := range []struct {
		name  string
		scope Scope
		want  []int64 // "ok" is kept with message 1
	}{
		{"a conversation", Scope{Conversations: bo}, []int64{1, 5, 6, 7}},
		{"and the owner", Scope{Conversations: bo, FromMe: true}, []int64{1, 5, 6, 7}},
		{"and another sender", Scope{Conversations: bo, Senders: []int64{a.an}}, []int64{1, 5}},
		{"and a time", Scope{Conversations: bo, Start: &start}, []int64{1, 5, 7}},
		{"and both", Scope{Conversations: bo, Senders: []int64{a.an}, Start: &start}, []int64{1, 5}},
		{"the owner alone", Scope{FromMe: true}, []int64{1, 2, 5, 6, 7}},
		{"a time alone", Scope{Start: &start}, []int64{1, 2, 5, 7}},
		{"everything", Scope{}, []int64{1, 2, 3, 5, 6, 7}},
	} {
		got := a.near(f, "ok see you thanks ferry lease harbour", tt.scope, 20)
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: found (-want +got):\n%s", tt.name, diff)
		}
	}
}

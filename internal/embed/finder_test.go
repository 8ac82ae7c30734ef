package embed

import (
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

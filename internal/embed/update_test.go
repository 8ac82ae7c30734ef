package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/vector"
)

// update brings an index up to date and fails the test on an error.
func (a *archive) update(dir string, model Embedder, o UpdateOptions) Summary {
	a.t.Helper()
	o.Now = time.Now
	s, err := Update(a.t.Context(), a.r, dir, model, o)
	if err != nil {
		a.t.Fatal(err)
	}
	return s
}

// view opens an index.
func (a *archive) view(dir string, model Embedder) *vector.View {
	a.t.Helper()
	spec, err := specOf(a.t.Context(), a.r, model)
	if err != nil {
		a.t.Fatal(err)
	}
	ix, err := vector.Open(dir, spec)
	if err != nil {
		a.t.Fatal(err)
	}
	defer ix.Close()
	return ix.View()
}

// content lists the live slots of an index by what they say, without the
// numbers of the slots; of a short text any message may be the one it is kept
// with. Two indexes with the same content find the same.
func (a *archive) content(dir string, model Embedder) []string {
	a.t.Helper()
	v := a.view(dir, model)
	defer v.Release()
	var live []uint32
	for i := range v.Len() {
		if !v.Deleted(uint32(i)) {
			live = append(live, uint32(i))
		}
	}
	probe, err := v.Score(wordVector("a probe of many words that no message holds"), live)
	if err != nil {
		a.t.Fatal(err)
	}
	var list []string
	for i, slot := range live {
		text := fmt.Sprintf("%x/%x %.4f", v.Owners()[slot], v.Keys()[slot], probe[i])
		if kindOf(v.Keys()[slot]) != short {
			text += fmt.Sprintf(" message %d of %d at %d", v.Refs()[slot], v.Groups()[slot], v.Times()[slot])
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return list
}

// sameAsRebuilt holds an index against one that is made from nothing.
func (a *archive) sameAsRebuilt(dir string, model Embedder, o UpdateOptions) {
	a.t.Helper()
	fresh := a.t.TempDir()
	a.update(fresh, model, UpdateOptions{Excluded: o.Excluded})
	if diff := cmp.Diff(a.content(fresh, model), a.content(dir, model)); diff != "" {
		a.t.Errorf("index (-rebuilt +updated):\n%s", diff)
	}
	if needless := a.marks(fresh, model, o.Excluded); needless > 0 {
		a.t.Errorf("rebuilt index: %d marks too many", needless)
	}
	a.marks(dir, model, o.Excluded)
}

// marks fails the test unless the slot of every short text is put into all the
// conversations where it is said, and counts the marks that do something else.
func (a *archive) marks(dir string, model Embedder, excluded []int64) (needless int) {
	a.t.Helper()
	places := map[uint64]map[uint32]bool{} // the conversations of short texts
	conversations, err := a.r.ConversationRefs(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	for _, c := range conversations {
		if slices.Contains(excluded, c.ID) {
			continue
		}
		err := a.r.Talk(a.t.Context(), c.ID, math.MinInt64, math.MaxInt64, func(u store.Utterance) error {
			if key, ok := shortKey(u.Body); ok && speaks(u) {
				if places[key] == nil {
					places[key] = map[uint32]bool{}
				}
				places[key][uint32(c.ID)] = true
			}
			return nil
		})
		if err != nil {
			a.t.Fatal(err)
		}
	}
	v := a.view(dir, model)
	defer v.Release()
	marked := map[vector.Mark]bool{} // the Refs left out
	for _, m := range v.Marks() {
		if v.Deleted(m.Slot) {
			continue
		}
		m.Ref = 0
		if in := places[shortOf(v.Owners()[m.Slot], v.Keys()[m.Slot])]; marked[m] || kindOf(v.Keys()[m.Slot]) != short || !in[m.Group] || m.Group == v.Groups()[m.Slot] {
			needless++
		}
		marked[m] = true
	}
	for i, key := range v.Keys() {
		slot := uint32(i)
		if v.Deleted(slot) || kindOf(key) != short {
			continue
		}
		for conversation := range places[shortOf(v.Owners()[i], key)] {
			if conversation != v.Groups()[i] && !marked[vector.Mark{Slot: slot, Group: conversation}] {
				a.t.Errorf("slot %d of conversation %d is not put into %d", slot, v.Groups()[i], conversation)
			}
		}
	}
	return needless
}

// TestUpdateOfOtherDays changes one day after the other of a conversation whose
// slots lie beside another's and are partly deleted.
func TestUpdateOfOtherDays(t *testing.T) {
	t.Parallel()
	a, model, dir := newArchive(t), &wordModel{name: "words"}, t.TempDir()
	for day := range 12 { // so that the index is not compacted
		a.say("Ana", epoch.AddDate(0, 0, day), fmt.Sprintf("Did the landlord send lease %d to you?", day))
	}
	first := a.say("Bo", epoch, "The ferry leaves from the old harbour")
	second := a.say("Bo", epoch.AddDate(0, 0, 3), "Bring the long ladder to the garden")
	a.update(dir, model, UpdateOptions{})
	for _, c := range []struct {
		id   int64
		body string
	}{{first, "The ferry leaves from the new harbour"}, {second, "Bring the short ladder to the garden"}} {
		a.change(c.id, c.body)
		if s := a.update(dir, model, UpdateOptions{}); s.Texts != 1 || s.Deleted != 1 {
			t.Errorf("after %q was changed, embedded %d texts and deleted %d", c.body, s.Texts, s.Deleted)
		}
		a.sameAsRebuilt(dir, model, UpdateOptions{})
	}
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	lease := []string{"Did the landlord send the lease?", "me:Yes, it came this morning by courier", "ok"}
	tests := []struct {
		name   string
		change func(a *archive)
		texts  int64 // embedded by the second run
	}{
		{"nothing happened", func(*archive) {}, 0},
		{"a new day", func(a *archive) { a.say("Ana", epoch.AddDate(0, 0, 3), "The ferry leaves from the old harbour") }, 1},
		{"the day goes on", func(a *archive) { a.say("Ana", epoch.Add(time.Hour), "The ferry leaves from the old harbour") }, 5},
		{"an earlier message turns up", func(a *archive) { a.say("Ana", epoch.Add(-time.Hour), "Good morning to you all, dear neighbours") }, 5},
		{"a short text that is known", func(a *archive) { a.say("Bo", epoch, "OK!") }, 0},
		{"an edit", func(a *archive) { a.change(1, "Did the landlord send the contract?") }, 4},
		{"a message goes", func(a *archive) { a.lose(2) }, 3},
		{"the message that a short text is kept with goes", func(a *archive) {
			a.say("Bo", epoch, "Ok")
			a.lose(3)
		}, 4},
		{"a whole day goes", func(a *archive) { a.lose(1, 2, 3) }, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, model, dir := newArchive(t), &wordModel{name: "words"}, t.TempDir()
			a.say("Ana", epoch, lease...)
			if s := a.update(dir, model, UpdateOptions{}); s.Texts != 4 {
				t.Errorf("first run embedded %d texts, want 4", s.Texts)
			}
			tt.change(a)
			if s := a.update(dir, model, UpdateOptions{}); s.Texts != tt.texts {
				t.Errorf("second run embedded %d texts, want %d", s.Texts, tt.texts)
			}
			a.sameAsRebuilt(dir, model, UpdateOptions{})
			before := model.calls.Load()
			a.update(dir, model, UpdateOptions{})
			if n := model.calls.Load() - before; n > 0 {
				t.Errorf("a further run called the model %d times", n)
			}
		})
	}
}

// TestUpdateEqualsRebuild changes an archive at random, cuts runs off at
// random, and holds the index against one made from nothing.
func TestUpdateEqualsRebuild(t *testing.T) {
	t.Parallel()
	seeds := uint64(12)
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 5))
			a, model, dir := newArchive(t), &wordModel{name: "words"}, t.TempDir()
			var o UpdateOptions
			for range 14 {
				a.disturb(random)
				if random.IntN(5) == 0 {
					o.Excluded = nil
					if random.IntN(2) == 0 {
						o.Excluded = []int64{1}
					}
				}
				a.cutOff(random, dir, model, o)
				o.Rebuild = random.IntN(6) == 0
				a.update(dir, model, o)
				a.sameAsRebuilt(dir, model, o)
				if t.Failed() {
					return
				}
			}
		})
	}
}

var phrases = strings.Split("ok|Thanks!|see you|The lease is signed and sent|The ferry was late again today, nobody knows why|déjà vu|"+
	"猫が好きです|What did the landlord want from us?|…|He wants the deposit back before the end of the month", "|")

// seldom is a short text that few conversations hold.
func seldom(random *rand.Rand) string { return fmt.Sprintf("number %d", random.IntN(60)) }

// disturb does something to an archive.
func (a *archive) disturb(random *rand.Rand) {
	a.t.Helper()
	one := func() int64 { return a.said[random.IntN(len(a.said))] }
	for range 1 + random.IntN(3) {
		switch n := random.IntN(6); {
		case n < 3 || len(a.said) == 0:
			var bodies []string
			for range 1 + random.IntN(9) {
				if bodies = append(bodies, phrases[random.IntN(len(phrases))]); random.IntN(3) == 0 {
					bodies = append(bodies, seldom(random))
				}
			}
			at := epoch.Add(time.Duration(random.IntN(9*24)) * time.Hour)
			a.say([]string{"Ana", "Bo", "Club"}[random.IntN(3)], at, bodies...)
		case n == 3 && random.IntN(2) == 0:
			a.change(one(), seldom(random))
		case n == 3:
			a.change(one(), phrases[random.IntN(len(phrases))])
		case n == 4:
			a.lose(one(), one())
		default:
			if _, err := a.w.Prune(a.t.Context()); err != nil {
				a.t.Fatal(err)
			}
			a.said = slices.DeleteFunc(a.said, func(id int64) bool {
				_, err := a.r.Message(a.t.Context(), id)
				return errors.Is(err, store.ErrNotFound)
			})
		}
	}
}

// cutOff runs an update that commits after every job and fails in the middle,
// or does nothing.
func (a *archive) cutOff(random *rand.Rand, dir string, model *wordModel, o UpdateOptions) {
	a.t.Helper()
	if random.IntN(2) == 0 {
		return
	}
	broken := errors.New("the model is gone")
	calls, last := model.calls.Load(), int64(random.IntN(4))
	model.fail = func(call int64) error {
		if call-calls > last {
			return broken
		}
		return nil
	}
	defer func() { model.fail = nil }()
	clock := epoch
	o.Now = func() time.Time { clock = clock.Add(time.Minute); return clock }
	o.Rebuild = random.IntN(3) == 0
	o.smallJobs = true
	if _, err := Update(a.t.Context(), a.r, dir, model, o); err != nil && !errors.Is(err, broken) {
		a.t.Fatal(err)
	}
}

func TestUpdateReplacesWhatCannotBeUsed(t *testing.T) {
	t.Parallel()
	one, other, model, dir := newArchive(t), newArchive(t), &wordModel{name: "words"}, t.TempDir()
	one.say("Ana", epoch, "The lease is signed and sent")
	other.say("Bo", epoch, "The ferry was late again today")
	one.update(dir, model, UpdateOptions{})
	if s := other.update(dir, model, UpdateOptions{}); s.Replaced == nil {
		t.Error("the index of another archive was not reported")
	}
	other.sameAsRebuilt(dir, model, UpdateOptions{})
}

// TestIndexOfTheFirstFormat begins anew where an earlier version of the program
// left an index, which counts as none until then.
func TestIndexOfTheFirstFormat(t *testing.T) {
	t.Parallel()
	a, model, dir := newArchive(t), &wordModel{name: "golden-1.0"}, filepath.Join(t.TempDir(), "vectors")
	a.say("Ana", epoch, "The lease is signed and sent")
	if err := os.CopyFS(dir, os.DirFS("../vector/testdata/format-1")); err != nil {
		t.Fatal(err)
	}
	f := NewFinder(a.r, dir, model)
	t.Cleanup(func() { f.Close() })
	if err := f.Ready(t.Context()); !errors.Is(err, ErrNoIndex) {
		t.Errorf("before it is made anew: %v", err)
	}
	before, err := StatusOf(t.Context(), a.r, dir, model)
	if err != nil || before.Complete || before.Behind != 1 || before.Vectors != 0 {
		t.Errorf("status %+v, %v", before, err)
	}
	var older *vector.OlderFormatError
	if s := a.update(dir, model, UpdateOptions{}); !errors.As(s.Replaced, &older) || s.Texts != 1 {
		t.Errorf("made anew: %+v", s)
	}
	if got := a.near(f, "lease signed", Scope{}, 1); !slices.Equal(got, []int64{1}) {
		t.Errorf("found %v", got)
	}
	if s := a.update(dir, model, UpdateOptions{}); s.Replaced != nil || s.Texts != 0 {
		t.Errorf("made anew twice: %+v", s)
	}
}

func TestUpdateCancelled(t *testing.T) {
	t.Parallel()
	a, model := newArchive(t), &wordModel{name: "words"}
	a.say("Ana", epoch, phrases...)
	ctx, cancel := context.WithCancel(t.Context())
	model.fail = func(int64) error { cancel(); return nil }
	dir := t.TempDir()
	if _, err := Update(ctx, a.r, dir, model, UpdateOptions{Now: time.Now}); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled update: %v", err)
	}
	model.fail = nil
	a.update(dir, model, UpdateOptions{})
	a.sameAsRebuilt(dir, model, UpdateOptions{})
}

// TestAnnounce holds that a run does what it said it would, and nothing when
// it is refused.
func TestAnnounce(t *testing.T) {
	t.Parallel()
	a, model, dir := newArchive(t), &wordModel{name: "words"}, t.TempDir()
	a.say("Ana", epoch, phrases...)
	refused := errors.New("too dear")
	if _, err := Update(t.Context(), a.r, dir, model, UpdateOptions{Now: time.Now, Announce: func(Cost) error { return refused }}); !errors.Is(err, refused) {
		t.Fatalf("refused run: %v", err)
	}
	if n := model.calls.Load(); n > 0 {
		t.Errorf("a refused run called the model %d times", n)
	}
	for range 2 {
		var said Cost
		s := a.update(dir, model, UpdateOptions{Announce: func(c Cost) error { said = c; return nil }})
		if said.Texts != s.Texts || said.Runes != s.Runes || s.Texts == 0 {
			t.Errorf("announced %+v, did %+v", said, s)
		}
		a.change(1, "The lease is lost")
	}
	a.update(dir, model, UpdateOptions{})
	a.sameAsRebuilt(dir, model, UpdateOptions{})
}

package ingest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// at makes messages of one sender: minute and body, written "10 ok".
func at(list ...string) []msg.Message {
	var messages []msg.Message
	for _, s := range list {
		var minute int
		var body string
		fmt.Sscan(s, &minute, &body)
		messages = append(messages, said("Ana", fmt.Sprintf("2024-05-01 10:%02d", minute), body))
	}
	return messages
}

func TestOrdinals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   []string
		want []int
		// repeats tells from which message on it may repeat others; -1 is
		// never.
		repeats int
	}{
		{"all different", []string{"1 a", "1 b", "2 a"}, []int{0, 0, 0}, -1},
		{"equal in one minute", []string{"1 ok", "1 ok", "1 ok"}, []int{0, 1, 2}, -1},
		{"equal with others between", []string{"1 ok", "1 hm", "1 ok", "1 hm"}, []int{0, 0, 1, 1}, -1},
		{"equal in two minutes", []string{"1 ok", "2 ok", "2 ok"}, []int{0, 0, 1}, -1},
		{"out of order", []string{"3 x", "5 a", "4 b", "5 a", "4 b"}, []int{0, 0, 0, 1, 1}, -1},
		{"the first again, later in its minute", []string{"1 ok", "1 x", "1 ok"}, []int{0, 0, 1}, -1},
		{"doubled", []string{"1 a", "1 a", "2 b", "1 a", "1 a", "2 b"}, []int{0, 1, 0, 0, 1, 0}, 3},
		{"tripled", []string{"1 a", "2 b", "1 a", "2 b", "1 a", "2 b"}, []int{0, 0, 0, 0, 0, 0}, 2},
		{"doubled with more at the end", []string{"1 a", "2 b", "1 a", "2 b", "3 c"}, []int{0, 0, 0, 0, 0}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var o ordinals
			var got []int
			repeats := -1
			for i, m := range at(tt.in...) {
				got = append(got, o.next(&m))
				if o.repeats && repeats < 0 {
					repeats = i
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ordinals (-want +got):\n%s", diff)
			}
			if repeats != tt.repeats {
				t.Errorf("repeats from message %d on, want %d", repeats, tt.repeats)
			}
		})
	}
}

// TestOrdinalsForget fills the window many times over: memory stays bounded,
// equal messages that stand together are told apart all the way, and a message
// from before what is remembered may be a repetition.
func TestOrdinalsForget(t *testing.T) {
	t.Parallel()
	var o ordinals
	first := said("Ana", "2024-01-01 00:00", "first")
	start := first.Time.Micros
	o.next(&first)
	m := first
	for i := 1; i < 9*ordinalWindow; i++ {
		m.Time.Micros, m.Time.Raw, m.Body = start+int64(i/3)*60e6, fmt.Sprint(i/3), "equal"
		if got := o.next(&m); i >= 3 && got != i%3 {
			t.Fatalf("message %d has the ordinal %d, want %d", i, got, i%3)
		}
		if len(o.recent) > ordinalWindow || len(o.older) > ordinalWindow {
			t.Fatalf("%d and %d tuples are remembered", len(o.recent), len(o.older))
		}
	}
	if o.repeats {
		t.Error("messages in order are taken for repetitions")
	}
	late := said("Ben", "2024-01-01 00:01", "came late")
	if got := o.next(&late); got != 0 || !o.repeats {
		t.Errorf("ordinal %d, repeats %v, want 0 and true", got, o.repeats)
	}
}

// TestEqualMessagesAreAllKept imports a minute of equal messages, and then one
// more of them.
func TestEqualMessagesAreAllKept(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.put("a.fake", lines(chat("k", at("1 ok", "1 ok", "1 no", "1 ok", "2 ok")...)...))
	d.run(store.Tally{Added: 5})
	d.checkBodies("ok", "ok", "no", "ok", "ok")
	first := d.messages()
	d.put("a.fake", lines(chat("k", at("1 ok", "1 ok", "1 no", "1 ok", "1 ok", "2 ok")...)...))
	d.run(store.Tally{Added: 1})
	d.checkFresh(t)
	if diff := cmp.Diff(first[:4], d.messages()[:4]); diff != "" {
		t.Errorf("the first messages (-before +after):\n%s", diff)
	}
}

// TestLateMessagesBeyondTheWindow imports a file so long and so far out of
// order that ordinals are forgotten, twice: nothing is imported twice.
func TestLateMessagesBeyondTheWindow(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("imports a long file")
	}
	var list []msg.Message
	for i := range 2*ordinalWindow + 10 {
		list = append(list, said("Ana", mustTime("2024-01-01 00:00").Add(minutes(i)).Format("2006-01-02 15:04"), fmt.Sprint("message ", i)))
	}
	early := list[5]
	list = slices.Concat(list, []msg.Message{early, said("Ben", "2023-12-31 00:00", "very late")})
	d := newDesk(t)
	d.put("a.fake", lines(chat("k", list...)...))
	n := int64(len(list)) - 1 // one stands there twice
	d.run(store.Tally{Added: n})
	want := d.dump()
	d.options.Full = true
	d.run(store.Tally{})
	same(t, "again", want, d.dump())
}

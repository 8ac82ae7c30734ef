package store

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// TestSenderPages lists senders by the page, each once and in order.
func TestSenderPages(t *testing.T) {
	t.Parallel()
	w, r := openRecorder(t, emptyArchive(t))
	run := begin(t, w, "r1", "vcard/available")
	b := record.Batch{RunID: run, Now: scanned}
	var intervals []record.Interval
	const senders = 7
	for i := range senders {
		key := promoKey[:len(promoKey)-1] + string(rune('0'+i))
		b.Senders = append(b.Senders, sighting(key, i, i%2 == 0))
		intervals = append(intervals, record.Interval{SenderID: int64(i + 1), From: scanned.UnixMicro() - 1})
		for j := range 1 + i/2 { // two senders have the same number of messages
			f := fullFinding(10*i+j, run)
			f.SenderKey, f.Clock = key, record.Instants
			b.Findings = append(b.Findings, f)
		}
	}
	b.Findings = append(b.Findings, plainFinding(999, run))
	b.Senders = append(b.Senders, sighting(shortKey, 999, false))
	must(t, w.WriteSpamBatch(t.Context(), b))
	must(t, w.ActivateRuleset(t.Context(), "r1"))
	must(t, w.SetOptOutIntervals(t.Context(), intervals))

	all, err := r.SpamSenders(t.Context(), record.SenderQuery{})
	must(t, err)
	for _, statuses := range [][]record.Status{nil, {record.Watch}} {
		var want []int64
		for _, s := range all {
			if statuses == nil || slices.Contains(statuses, s.Status) {
				want = append(want, s.ID)
			}
		}
		n, err := r.CountSpamSenders(t.Context(), statuses)
		must(t, err)
		if int(n) != len(want) || n < 3 {
			t.Errorf("%v: %d senders are counted, want %d", statuses, n, len(want))
		}
		var got []int64
		for after := int64(0); ; {
			page, err := r.SpamSenders(t.Context(), record.SenderQuery{Statuses: statuses, After: after, Limit: 3})
			must(t, err)
			if len(page) == 0 {
				break
			}
			if len(page) > 3 {
				t.Fatalf("a page has %d senders", len(page))
			}
			got, after = append(got, record.SenderIDs(page)...), page[len(page)-1].ID
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", statuses, diff)
		}
	}

	whole, err := r.SpamAfterOptOut(t.Context(), record.AfterPlace{}, 0)
	must(t, err)
	if diff := cmp.Diff([]int64{7, 5, 6, 3, 4, 1, 2}, record.SenderIDs(whole)); diff != "" {
		t.Errorf("after an opt-out (-want +got):\n%s", diff)
	}
	var paged []record.Sender
	for place := (record.AfterPlace{}); ; {
		page, err := r.SpamAfterOptOut(t.Context(), place, 2)
		must(t, err)
		if len(page) == 0 {
			break
		}
		last := page[len(page)-1]
		paged, place = append(paged, page...), record.AfterPlace{Messages: last.Figures.AfterOptOut, ID: last.ID}
	}
	if diff := cmp.Diff(whole, paged); diff != "" {
		t.Errorf("by the page (-whole +paged):\n%s", diff)
	}
}

// TestSpamHeld tells what the archive holds from what it does not.
func TestSpamHeld(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 200)
	w, r := openRecorder(t, x.dir)
	run := begin(t, w, "r1", "vcard/available")
	b := record.Batch{RunID: run, Now: scanned, Senders: []record.SenderSighting{sighting(promoKey, 0, true), sighting(shortKey, 0, true)}}
	want := map[msg.Source]record.Held{}
	for i, m := range x.messages {
		f := fullFinding(i, run)
		f.Hash, f.Source = m.record.Hash.String(), []msg.Source{msg.Signal, msg.IMessage}[i%2]
		f.ConversationID, f.ConversationKey, f.Sort = int64(1+i%2), string(f.Source), m.record.Sort
		if i%3 == 0 {
			f.SenderKey = shortKey
		} else {
			h := want[f.Source]
			h.Source = f.Source
			h.Messages++
			if m.record.Message.NativeID != "" {
				h.NativeIDs++
			}
			if i%5 == 0 {
				f.Sort -= 3600e6
				h.Moved++
			}
			want[f.Source] = h
		}
		b.Findings = append(b.Findings, f)
	}
	gone := fullFinding(5000, run)
	gone.Source, gone.ConversationID, gone.ConversationKey = msg.IMessage, 2, string(msg.IMessage)
	b.Findings = append(b.Findings, gone)
	must(t, w.WriteSpamBatch(t.Context(), b))
	must(t, w.ActivateRuleset(t.Context(), "r1"))
	got, err := r.SpamHeld(t.Context(), []int64{1})
	must(t, err)
	if diff := cmp.Diff([]record.Held{want[msg.IMessage], want[msg.Signal]}, got); diff != "" {
		t.Errorf("held (-want +got):\n%s", diff)
	}
	if n := want[msg.Signal].NativeIDs; n == 0 || n == want[msg.Signal].Messages {
		t.Errorf("%d of %d native ids tell nothing", n, want[msg.Signal].Messages)
	}
}

// TestSpamTraces hands out what senders have in common, and of nobody else.
func TestSpamTraces(t *testing.T) {
	t.Parallel()
	w, r := openRecorder(t, emptyArchive(t))
	run := begin(t, w, "r1", "vcard/available")
	b := fullBatch(run)
	bystander := b.Findings[0]
	b.Findings[0].Bystander = false
	bystander.Hash = hashOf(3)
	b.Findings = append(b.Findings, bystander)
	must(t, w.WriteSpamBatch(t.Context(), b))
	must(t, w.ActivateRuleset(t.Context(), "r1"))
	var got []record.Finding
	must(t, r.SpamTraces(t.Context(), func(f record.Finding) error { got = append(got, f); return nil }))
	if len(got) != 1 {
		t.Fatalf("%d traces, want that of the message that came from a sender", len(got))
	}
	full := b.Findings[0]
	f := got[0]
	if f.Hash != full.Hash || f.SenderID != 1 || f.TextKey != full.TextKey || f.BodyBytes != full.BodyBytes || f.Reply != full.Reply || f.Direction != msg.In {
		t.Errorf("trace %+v", f)
	}
	if diff := cmp.Diff(full.Fields, f.Fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

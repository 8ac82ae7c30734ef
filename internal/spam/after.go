package spam

import (
	"slices"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// confirmationTime is how long after an opt-out one message may confirm it:
// 47 CFR 64.1200(a)(12), in microseconds.
const confirmationTime = int64(300 * time.Second / time.Microsecond)

// optOutFigures counts what came after opt-outs and after attempts at one.
func (k *counting) optOutFigures(c *Counts) {
	c.OptOuts = []OptOutCount{}
	var events []record.Event
	bySender := map[int64][]record.Event{}
	confirmed := map[string]bool{} // candidates that a person made an event of
	for _, e := range k.e.Events {
		if e.Hash != "" && e.InForce() && e.Origin == record.Manual {
			confirmed[e.Hash] = true
		}
		if k.q.Clocks.place(e).start[record.Instants] <= k.q.AsOf.UnixMicro() {
			events = append(events, e)
			bySender[e.SenderID] = append(bySender[e.SenderID], e)
		}
	}
	own := map[int64][]optOut{}
	for sender, list := range bySender {
		own[sender] = optOuts(list, k.q.Clocks)
	}
	requests := k.requests(events)
	intervals := optOuts(events, k.q.Clocks)
	for _, o := range intervals {
		count := k.describe(o)
		last := dayOf(o.reading)
		if rule, ok := graceRule(k.q.Rules, last); ok {
			count.Rule = rule
			last = rule.lastDay(last)
			count.LastDay = last.Format(time.DateOnly)
		}
		answered := make([]bool, len(requests))
		for _, x := range k.contacts {
			if !o.after(*x.Finding) {
				if x.Sort >= o.start[x.Clock] && x.Sort <= o.end[x.Clock] {
					count.After.SameTime++
				}
				continue
			}
			count.After.put(x, requests, answered, last)
			if slices.ContainsFunc(own[x.SenderID], func(o optOut) bool {
				return o.after(*x.Finding) && dayOf(x.at).After(dayOf(o.reading).AddDate(0, 0, stateDays))
			}) {
				count.After.AfterDays++
			}
		}
		for _, f := range k.carrier {
			if o.after(*f) {
				count.After.CarrierNote++
			}
		}
		c.After.add(count.After)
		c.OptOuts = append(c.OptOuts, count)
	}
	k.attempts(c, intervals)
	for _, f := range k.sent {
		if f.OptOut == record.OptOutC && !confirmed[f.Hash] {
			c.Unconfirmed++
		}
	}
}

// put counts a contact that came while an opt-out was in force. Each request
// has one confirmation: the first message within 300 seconds that does
// nothing but confirm.
func (a *After) put(x contact, requests []placed, answered []bool, lastDay time.Time) {
	a.Total++
	if x.Reply == record.Confirms {
		for i, r := range requests {
			if !answered[i] && x.Sort > r.end[x.Clock] && x.Sort <= r.start[x.Clock]+confirmationTime {
				answered[i] = true
				a.Confirmation++
				return
			}
		}
		a.LateConfirmation++
	}
	if x.Reply == record.ConfirmPromo {
		a.PromotionalConfirmation++
	}
	if dayOf(x.at).After(lastDay) {
		a.AfterGrace++
	} else {
		a.WithinGrace++
	}
}

// requests are all opt-outs, those among them that opened nothing because
// another one was in force.
func (k *counting) requests(events []record.Event) []placed {
	var list []placed
	for _, e := range events {
		if e.InForce() && e.Type.IsOptOut() {
			list = append(list, k.q.Clocks.place(e))
		}
	}
	return list
}

func (k *counting) describe(o optOut) OptOutCount {
	e := o.event
	count := OptOutCount{EventID: e.ID, SenderID: e.SenderID, Type: e.Type, Origin: e.Origin, Tier: e.Tier, Message: e.Hash,
		At: showReading(o.reading, e.Time.Precision), Precision: e.Time.Precision.String()}
	if o.closed != nil {
		count.Reopened = showReading(o.closed.reading, o.closed.event.Time.Precision)
	}
	for i := len(k.contacts) - 1; i >= 0; i-- {
		x := k.contacts[i]
		if x.SenderID == e.SenderID && x.Sort < o.start[x.Clock] {
			name, _ := k.categoryOf(x.Finding)
			count.Informational = name == record.OTP || name == record.Delivery || name == record.BankAlert || name == record.Appointment
			break
		}
	}
	return count
}

// attempts counts opt-outs that could not be sent, and what came since.
func (k *counting) attempts(c *Counts, intervals []optOut) {
	var first *record.Finding
	for _, f := range k.sent {
		if f.OptOut != record.Attempted {
			continue
		}
		c.Attempted++
		if first == nil {
			first = f
		}
	}
	if first == nil {
		return
	}
	for _, x := range k.contacts {
		if x.Clock == first.Clock && x.Sort > first.Sort && !slices.ContainsFunc(intervals, func(o optOut) bool { return o.after(*x.Finding) }) {
			c.AfterAttempt++
		}
	}
}

// showReading writes a reading at its precision.
func showReading(t time.Time, p msg.Precision) string {
	switch p {
	case msg.Day:
		return t.Format(time.DateOnly)
	case msg.Minute:
		return t.Format("2006-01-02 15:04")
	}
	return t.Format(readingLayout)
}

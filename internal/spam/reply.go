package spam

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

const (
	replyConfirms = iota
	replyPromotes
)

var replySigns = func() *phrases {
	p := &phrases{}
	add := func(group int, list string) {
		for text := range strings.SplitSeq(list, ",") {
			p.add(strings.TrimSpace(text), group)
		}
	}
	add(replyConfirms, `unsubscribed,opted out,opt out request,opt out confirmed,been removed,are removed,were removed,removed from,no longer receive,not receive any more,
		not receive any further,not receive more,not receive further,no more messages,no further messages,no more texts,wont receive,will not receive,stopped receiving,
		texts have been stopped,messages have been stopped,your request has been received,which messages would you like to stop,sorry to see you go`)
	add(replyPromotes, `off,sale,deal,deals,discount,coupon,last chance,shop,buy,order,offer,offers,save,free,promo,exclusive,limited time,come back,miss out,
		before you go,win,prize,gift,quote,rates,apply now,click`)
	return p
}()

// carrierStarts begin what a carrier writes about a STOP, in the place of the
// sender.
var carrierStarts = []string{"network msg", "network message", "free msg: you replied", "free msg: unable"}

// replyKind sorts an inbound message by what it says of an opt-out. Whether
// it counts as the one confirmation depends on when it came.
func replyKind(body string, text []string, f record.Fields) record.Reply {
	start := strings.ToLower(strings.TrimSpace(body[:min(len(body), 64)]))
	for _, carrier := range carrierStarts {
		if strings.HasPrefix(start, carrier) {
			return record.CarrierNote
		}
	}
	confirms, promotes := false, len(f.URLs) > 0 || strings.ContainsAny(body, "$£€%")
	replySigns.find(text, func(found phrase) {
		confirms = confirms || found.group == replyConfirms
		promotes = promotes || found.group == replyPromotes
	})
	switch {
	case !confirms:
		return record.NoReply
	case promotes:
		return record.ConfirmPromo
	}
	return record.Confirms
}

package spam

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// Figure is one line of the figures as every door prints them.
type Figure struct {
	Label string `json:"label"`
	Value string `json:"value"`
	// Note says what the figure means or is made of, possibly empty.
	Note string `json:"note,omitempty"`
}

// Figures writes the counts as lines, in a fixed order.
func (c Counts) Figures() []Figure {
	list := []Figure{
		{"As of", c.AsOf, "Days and months by the clock of " + c.Clock + "."},
		{"Complete", yesNo(c.Complete), strings.Join(c.Problems, " ")},
		{"Scan environments", environments(c.Envs), ""},
		{"Contacts", c.Amount(c.Contacts), fromTo(c.First, c.Last)},
		{"Flagged by a rule", c.Amount(c.Candidates), "by what the text holds, such as a link; says nothing of whether it was wanted or lawful"},
		{"Messages of the owner", c.Amount(c.Sent), ""},
		{"Trailing twelve months", c.Amount(c.Trailing.Contacts), fromTo(c.Trailing.First, c.Trailing.Last)},
		{"Worst twelve months", c.Amount(c.Worst.Contacts), strings.TrimPrefix(fromTo(c.Worst.First, c.Worst.Last)+"; over at "+c.Worst.Ends, "; over at ")},
	}
	if c.NearBoundary > 0 {
		list = append(list, Figure{"Near a boundary", strconv.Itoa(c.NearBoundary), "contacts whose twelve months end within a day of another contact"})
	}
	list = append(list, c.optOutFigures()...)
	if n := len(c.Uncounted); n > 0 {
		list = append(list, Figure{"Listed, not counted", strconv.Itoa(n), reasons(c.Uncounted)})
	}
	for _, k := range c.Categories {
		if k.Category == "" {
			list = append(list, Figure{"Without a category", c.Amount(k.Suggested), ""})
			continue
		}
		list = append(list, Figure{"Category " + string(k.Category), c.Amount(k.Suggested + k.Confirmed),
			strings.TrimSuffix(fmt.Sprintf("%d suggested, %d confirmed by a person; %s", k.Suggested, k.Confirmed, k.Note), "; ")})
	}
	for _, l := range c.Lines {
		list = append(list, l.figure(c))
	}
	return append(list, c.Quiet.figure(c))
}

func (c Counts) optOutFigures() []Figure {
	a := c.After
	list := []Figure{
		{"Opt-outs", strconv.Itoa(len(c.OptOuts)), "stretches in which one was in force"},
		{"Contacts after an opt-out", c.Amount(a.Total), fmt.Sprintf("%d confirmation + %d within the grace period + %d after it", a.Confirmation, a.WithinGrace, a.AfterGrace)},
		{"Contacts more than 15 days after an opt-out", c.Amount(a.AfterDays), "calendar days, opt-out sent to the same number; overlaps with the line above"},
	}
	for _, f := range []Figure{
		{"Late or second confirmations", strconv.Itoa(a.LateConfirmation), "part of the contacts after an opt-out"},
		{"Confirmations that advertise", strconv.Itoa(a.PromotionalConfirmation), "part of the contacts after an opt-out"},
		{"Carrier notes", strconv.Itoa(a.CarrierNote), "not counted"},
		{"Contacts at the time of an opt-out", strconv.Itoa(a.SameTime), "the sources do not say which came first; not counted as after it"},
		{"Attempted opt-outs", strconv.Itoa(c.Attempted), fmt.Sprintf("could not be sent; contacts since then: %s", c.Amount(c.AfterAttempt))},
		{"Possible opt-outs", strconv.Itoa(c.Unconfirmed), "messages of the owner that a person must confirm; not counted"},
		{"Contacts after an own message", strconv.Itoa(c.AfterInquiry), "within three months of a message of the owner that was no opt-out"},
	} {
		if f.Value != "0" {
			list = append(list, f)
		}
	}
	return list
}

func (l LineCount) figure(c Counts) Figure {
	if l.Line == "" {
		return Figure{"To which line", c.Amount(l.Contacts), "not recorded by the source"}
	}
	f := Figure{"To line " + l.Line, c.Amount(l.Contacts), fmt.Sprintf("worst twelve months %d; day of registration unknown", l.Worst.Contacts)}
	if r := l.Registry; r != nil {
		f.Note = fmt.Sprintf("worst twelve months %d; registered on %s, %d contacts from its 31st day on, %d of them on that day", l.Worst.Contacts, r.Registered, r.Eligible, r.Boundary)
	}
	return f
}

func (q QuietHours) figure(c Counts) Figure {
	if !q.Computed {
		return Figure{"Before 8 or after 21 o'clock", "not computed", strings.TrimPrefix(q.Why, "not computed: ")}
	}
	return Figure{"Before 8 or after 21 o'clock", c.Amount(q.Counts.Outside), fmt.Sprintf("where you declared to be; %d without a declared place, %d sent and received more than ten minutes apart", q.Counts.Unplaced, q.Counts.Gaps)}
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func environments(envs []record.ScanEnv) string {
	list := make([]string, len(envs))
	for i, env := range envs {
		list[i] = string(env)
		if env.Degraded() {
			list[i] += " (degraded)"
		}
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

func fromTo(first, last string) string {
	if first == "" {
		return ""
	}
	return "from " + first + " to " + last
}

// reasons counts why messages are not counted. Reasons that name another
// message are put together.
func reasons(list []Uncounted) string {
	counts := map[string]int{}
	for _, u := range list {
		reason := u.Reason
		if i := strings.LastIndexByte(reason, ' '); strings.HasSuffix(reason[:max(i, 0)], " as") || strings.HasPrefix(reason, "stub of ") {
			reason = "copies of a counted message"
		}
		counts[reason]++
	}
	var parts []string
	for _, reason := range sortedKeys(counts) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[reason], reason))
	}
	return strings.Join(parts, "; ")
}

package spam

import (
	"slices"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// Evidence is what the record holds of a sender or, taken together, of the
// senders of an entity.
type Evidence struct {
	Senders    []record.Sender
	Findings   []record.Finding // by (Sort, Hash)
	Events     []record.Event   // by ID
	Categories []record.CategoryJudgment
	Coverage   record.Coverage
}

// Question is under which assumptions evidence is counted.
type Question struct {
	Settings Settings
	Clocks   Clocks
	AsOf     time.Time
	// Rules is the table of grace periods; nil for GraceRules.
	Rules []GraceRule
}

// Count computes every figure. It is the only function that does: command
// line, pages, tools and files print what it returns.
func Count(e Evidence, q Question) Counts {
	if q.Rules == nil {
		q.Rules = GraceRules
	}
	k := &counting{e: e, q: q, asOf: asReading(q.AsOf.In(q.Clocks.zone()))}
	k.sort()
	c := Counts{AsOf: q.AsOf.In(q.Clocks.zone()).Format(time.RFC3339), Clock: q.Clocks.Name(), Complete: e.Coverage.Complete,
		Problems: append([]string{}, e.Coverage.Problems...), Envs: []record.ScanEnv{}, Senders: []SenderCount{}}
	k.environments(&c)
	k.contactFigures(&c)
	k.optOutFigures(&c)
	c.Categories = k.byCategory()
	c.Lines = k.byLine()
	c.Quiet = quietHours(k.contacts, q)
	if len(e.Senders) > 1 {
		for _, s := range e.Senders {
			c.Senders = append(c.Senders, k.alone(s))
		}
	}
	return c
}

// counting is the evidence sorted into what counts and what does not.
type counting struct {
	e    Evidence
	q    Question
	asOf time.Time // a reading

	contacts  []contact
	sent      []*record.Finding
	uncounted []Uncounted
	carrier   []*record.Finding
	category  map[string]record.CategoryName // a person's word, by message
}

// contact is a message that counts, with its time on the owner's wall.
type contact struct {
	*record.Finding
	at time.Time
}

// sort decides what counts. The order of the reasons is that of the
// questions.
func (k *counting) sort() {
	k.category = map[string]record.CategoryName{}
	for _, c := range k.e.Categories {
		k.category[c.Hash] = c.Category
	}
	why := make([]string, len(k.e.Findings))
	byHash := make(map[string]bool, len(k.e.Findings))
	for i := range k.e.Findings {
		f := &k.e.Findings[i]
		switch {
		case f.Direction == msg.In:
			why[i] = k.notCounted(f)
			byHash[f.Hash] = why[i] == ""
		case f.Direction == msg.Out && !k.late(f):
			k.sent = append(k.sent, f)
		}
	}
	copied := duplicates(k.e.Findings, func(f *record.Finding) bool { return byHash[f.Hash] })
	for i := range k.e.Findings {
		f := &k.e.Findings[i]
		if f.Direction != msg.In {
			continue
		}
		if reason, ok := copied[f.Hash]; ok {
			why[i] = reason
		}
		if why[i] != "" {
			k.uncounted = append(k.uncounted, Uncounted{f.Hash, why[i]})
			continue
		}
		k.contacts = append(k.contacts, contact{f, k.q.Clocks.local(f.Time)})
	}
}

func (k *counting) late(f *record.Finding) bool {
	if f.Clock == record.Readings {
		return f.Sort > k.asOf.UnixMicro()
	}
	return f.Sort > k.q.AsOf.UnixMicro()
}

// notCounted says why an inbound message is no contact, empty when it is one.
func (k *counting) notCounted(f *record.Finding) string {
	switch {
	case !f.Time.Known:
		return "its source gives no time"
	case k.late(f):
		return "dated after the as-of time"
	case f.Thread == msg.Group && !k.q.Settings.IncludeGroups:
		return "in a group, and spam.include_groups is off"
	case f.Bystander:
		return "by another member of a group"
	case f.Kind == msg.Call:
		return "a call, not a text"
	case f.Kind == msg.Notice:
		return "a service line, not a message"
	case f.Kind == msg.Deleted:
		return "deleted, so that nothing of it is left"
	case f.Reply == record.CarrierNote:
		k.carrier = append(k.carrier, f)
		return "written by a carrier, not by the sender"
	}
	return ""
}

func (k *counting) environments(c *Counts) {
	envs := map[record.ScanEnv]bool{}
	for i := range k.e.Findings {
		envs[k.e.Findings[i].Env] = true
	}
	for env := range envs {
		c.Envs = append(c.Envs, env)
		c.Degraded = c.Degraded || env.Degraded()
	}
	slices.Sort(c.Envs)
	c.Mixed = len(c.Envs) > 1
}

func (k *counting) contactFigures(c *Counts) {
	c.Contacts, c.Sent, c.Uncounted = len(k.contacts), len(k.sent), append([]Uncounted{}, k.uncounted...)
	times := make([]time.Time, len(k.contacts))
	for i, x := range k.contacts {
		times[i] = x.at
		if x.Candidate {
			c.Candidates++
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	if len(times) > 0 {
		c.First, c.Last = times[0].Format(readingLayout), times[len(times)-1].Format(readingLayout)
	}
	c.Trailing, c.Worst, c.NearBoundary = trailing(times, k.asOf), worst(times), nearBoundary(times)

	var inquiries []time.Time
	for _, f := range k.sent {
		if f.OptOut == record.NoOptOut && f.TextKey != "" {
			inquiries = append(inquiries, k.q.Clocks.local(f.Time))
		}
	}
	slices.SortFunc(inquiries, time.Time.Compare)
	for _, at := range times {
		if i := endOf(inquiries, at); i > 0 && at.Before(inquiries[i-1].AddDate(0, inquiryMonths, 0)) {
			c.AfterInquiry++
		}
	}
}

// inquiryMonths is how long an inquiry of the owner may count as a business
// relationship: 47 CFR 64.1200(f)(5).
const inquiryMonths = 3

// alone counts one sender of an entity on its own.
func (k *counting) alone(s record.Sender) SenderCount {
	part := Evidence{Senders: []record.Sender{s}, Categories: k.e.Categories, Coverage: k.e.Coverage}
	for i := range k.e.Findings {
		if k.e.Findings[i].SenderID == s.ID {
			part.Findings = append(part.Findings, k.e.Findings[i])
		}
	}
	for _, e := range k.e.Events {
		if e.SenderID == s.ID {
			part.Events = append(part.Events, e)
		}
	}
	c := Count(part, k.q)
	return SenderCount{s.ID, s.Identifier, c.Contacts, c.Worst.Contacts, len(c.OptOuts), c.After}
}

// categoryOf returns what a message is taken for, and whether a person said
// so.
func (k *counting) categoryOf(f *record.Finding) (record.CategoryName, bool) {
	if said, ok := k.category[f.Hash]; ok {
		return said, true
	}
	return f.Category.Name, false
}

// categoryNotes say how categories bear on the federal rules on telephone
// solicitations.
var categoryNotes = map[record.CategoryName]string{
	record.OTP:         "informs; the do-not-call rules speak of solicitations",
	record.Delivery:    "informs; the do-not-call rules speak of solicitations",
	record.BankAlert:   "informs; the do-not-call rules speak of solicitations",
	record.Appointment: "informs; the do-not-call rules speak of solicitations",
	record.Political:   "political messages are no telephone solicitations under the do-not-call rules",
	record.Charity:     "messages of tax-exempt nonprofit organizations are no telephone solicitations under the do-not-call rules",
	record.Debt:        "the collection of a debt is no telephone solicitation under the do-not-call rules",
	record.Personal:    "personal messages are no solicitations",
}

func (k *counting) byCategory() []CategoryCount {
	list := make([]CategoryCount, 0, len(record.Categories)+1)
	for _, name := range append(slices.Clone(record.Categories), "") {
		count := CategoryCount{Category: name, Note: categoryNotes[name]}
		for _, x := range k.contacts {
			switch found, confirmed := k.categoryOf(x.Finding); {
			case found != name:
			case confirmed:
				count.Confirmed++
			default:
				count.Suggested++
			}
		}
		if count.Confirmed+count.Suggested > 0 {
			list = append(list, count)
		}
	}
	return list
}

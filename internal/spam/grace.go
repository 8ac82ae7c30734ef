package spam

import "time"

// GraceRule says how long after an opt-out a sender may still write before
// it is late, for opt-outs of a stretch of days.
type GraceRule struct {
	Name string `json:"name"`
	// From and To bound the days of opt-outs that the rule holds for, To not
	// included; empty for no bound. YYYY-MM-DD.
	From string `json:"effective_from"`
	To   string `json:"effective_to"`
	Days int    `json:"days"`
	// Business counts business days instead of calendar days.
	Business  bool   `json:"business_days"`
	Source    string `json:"source"`
	CheckedOn string `json:"checked_on"`
	Note      string `json:"note"`
}

// GraceRules is the table of rules for text messages in the United States, to
// be read anew when the law changes: the date of an opt-out picks its row.
var GraceRules = []GraceRule{
	{
		Name: "reasonable time, at most 30 days", To: "2025-04-11", Days: 30,
		Source:    "47 CFR 64.1200(d)(3) as it stood before 11 April 2025",
		CheckedOn: "2026-11-30",
		Note:      "The rule spoke of a reasonable time; thirty days are its outer limit.",
	},
	{
		Name: "10 business days", From: "2025-04-11", Days: 10, Business: true,
		Source:    "47 CFR 64.1200(a)(10) and (d)(3), 89 FR 15756 of 5 March 2024, in force since 11 April 2025",
		CheckedOn: "2026-11-30",
		Note: "Business days are Monday to Friday without United States federal holidays as observed; the rule does not define them. " +
			"An order adopted on 30 September 2026 (FCC 26-67) narrows what an opt-out from informational messages covers; it had no date of effect when this was checked.",
	},
}

// stateDays is the number of calendar days after an opt-out that some state
// laws, such as Florida's (501.059), give a sender.
const stateDays = 15

// graceRule returns the row of the table for an opt-out on a day, false when
// there is none.
func graceRule(table []GraceRule, day time.Time) (GraceRule, bool) {
	text := day.Format(time.DateOnly)
	for _, rule := range table {
		if (rule.From == "" || text >= rule.From) && (rule.To == "" || text < rule.To) {
			return rule, true
		}
	}
	return GraceRule{}, false
}

// lastDay returns the last day of the rule's time for an opt-out on a day;
// that day itself is day zero.
func (r GraceRule) lastDay(day time.Time) time.Time {
	if r.Business {
		return businessDaysAfter(day, r.Days)
	}
	return day.AddDate(0, 0, r.Days)
}

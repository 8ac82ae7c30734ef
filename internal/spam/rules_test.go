package spam

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

func TestReasons(t *testing.T) {
	t.Parallel()
	s := DefaultSettings()
	s.WatchAreaCodes = []string{"212", "917"}
	s.NameVariants = []string{"Jordan", "Mary-Ann", "José", "王伟"}
	s.ShortenerDomains = []string{"Attn.TV"}
	r := mustRules(t, s)
	const stranger = "tel:+13125550142"
	tests := []struct {
		name, sender, body string
		want               []string
	}{
		{"nothing", stranger, "see you at 7", nil},
		{"area code", "tel:+12125550142", "hello", []string{"area_code:212"}},
		{"area code of a foreign number", "tel:+212612345678", "hello", nil},
		{"short code that begins like an area code", "code:21234", "hello", nil},
		{"name", stranger, "Hi JORDAN, quick question", []string{"name_variant:Jordan"}},
		{"name inside a word", stranger, "The Jordanian river", nil},
		{"name with a hyphen", stranger, "is this mary-ann?", []string{"name_variant:Mary-Ann"}},
		{"name with an accent", stranger, "¿José?", []string{"name_variant:José"}},
		{"name without its accent", stranger, "Jose?", nil},
		{"name in a script without spaces", stranger, "你好王伟先生", []string{"name_variant:王伟"}},
		{"name with a joiner inside", stranger, "Hi Jor\u200bdan", []string{"name_variant:Jordan"}},
		{"two names", stranger, "Jordan or Mary-Ann", []string{"name_variant:Jordan,Mary-Ann"}},
		{"link", stranger, "see https://example.com/a", []string{"url"}},
		{"shortener in place of link", stranger, "see bit.ly/abc and https://example.com", []string{"shortener:bit.ly"}},
		{"shortener of the settings", stranger, "attn.tv/x", []string{"shortener:attn.tv"}},
		{"shortener at www", stranger, "http://www.bit.ly/abc", []string{"shortener:www.bit.ly"}},
		{"all", "tel:+19175550142", "Jordan: tinyurl.com/x bit.ly/y", []string{"area_code:917", "name_variant:Jordan", "shortener:bit.ly,tinyurl.com"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, r.Read(tt.sender, tt.body, true).Reasons); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
			if got := r.Read(tt.sender, tt.body, false).Reasons; got != nil {
				t.Errorf("the owner's own message has reasons %q", got)
			}
		})
	}
	quiet := s
	quiet.FlagAnyURL = false
	if got := mustRules(t, quiet).Read(stranger, "https://example.com", true); got.Reasons != nil || len(got.Fields.URLs) != 1 {
		t.Errorf("without flag_any_url: reasons %q, links %v; want none and one", got.Reasons, got.Fields.URLs)
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	s := DefaultSettings()
	s.EntityKeywords = []string{"Acme Roofing", "acme.example.com", "solar"}
	r := mustRules(t, s)
	tests := []struct {
		name, sender, body string
		want               record.Fields
	}{
		{"numbers of the plan", "tel:+12125550142", "call (212) 555-0101, 1-646-555-0102 or 3125550103.", record.Fields{Callbacks: []string{"+12125550101", "+13125550103", "+16465550102"}}},
		{"international", "code:12345", "ring +44 20 7946 0958 now", record.Fields{Callbacks: []string{"+442079460958"}}},
		{"in the sender's country", "tel:+447700900123", "call 020 7946 0958", record.Fields{Callbacks: []string{"+442079460958"}}},
		{"short code", "code:12345", "text JOIN to 262966", record.Fields{Callbacks: []string{"262966"}}},
		{"code to type in", "code:12345", "your code is 262966", record.Fields{}},
		{"date and time", "code:12345", "on 2026-03-02 10:00 or 03/02/2026", record.Fields{}},
		{"amount", "code:12345", "owe $2125550101", record.Fields{}},
		{"digits of a link", "code:12345", "https://example.com/2125550101", record.Fields{URLs: []record.URL{{Written: "https://example.com/2125550101",
			Target: "https://example.com/2125550101", Host: "example.com", Domain: "example.com"}}}},
		{"address", "code:12345", "write Offers@Example.COM.", record.Fields{Emails: []string{"offers@example.com"}}},
		{"entities", "code:12345", "ACME roofing at http://shop.acme.example.com, solar too", record.Fields{Entities: []string{"Acme Roofing", "example.com", "solar"},
			URLs: []record.URL{{Written: "http://shop.acme.example.com", Target: "http://shop.acme.example.com", Host: "shop.acme.example.com", Domain: "example.com"}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, r.Read(tt.sender, tt.body, true).Fields); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCategories(t *testing.T) {
	t.Parallel()
	r := mustRules(t, DefaultSettings())
	tests := []struct {
		body string
		want record.CategoryName
	}{
		{"G-482913 is your verification code.", record.OTP},
		{"FedEx: your package was delivered at 3:02 PM", record.Delivery},
		{"USPS: your package could not be delivered, update your address: https://usps.com-track.top/a", record.ScamLike},
		{"Purchase of $41.02 on card ending 1234", record.BankAlert},
		{"Reminder: you have an appointment Tuesday at 9", record.Appointment},
		{"Will you vote on November 3? Chip in now", record.Political},
		{"Please donate to the relief fund", record.Charity},
		{"Your balance of $240 is past due", record.Debt},
		{"Loan approved! $5,000 can be in your account TODAY", record.Promo}, // a loan to be had is no debt to be paid
		{"Bad credit? Borrow up to $15,000 today", record.Promo},
		{"Congratulations, you won a gift card! Claim at acme.com/win", record.ScamLike},
		{"Hi, is this Anna?", record.ScamLike},
		{"50% off everything, shop now", record.Promo},
		{"i am home, love you", record.Personal},
		{"", ""},
	}
	for _, tt := range tests {
		got := r.Read("tel:+12125550142", tt.body, true).Category
		if got.Name != tt.want || (got.Reason == "") != (tt.want == "") {
			t.Errorf("category of %q = %+v, want %q with a reason", tt.body, got, tt.want)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	base := func() Settings {
		return Settings{RuleSettings: record.RuleSettings{MyNumbers: []string{"+12125550100", "+12125550101"}, Allowlist: []string{"a", "b"}, WatchAreaCodes: []string{"212", "917"},
			NameVariants: []string{"Ann", "Anna"}, FlagAnyURL: true, ShortenerDomains: []string{"a.co", "b.co"}, EntityKeywords: []string{"x", "y"},
			StopKeywords: []string{"halt", "no"}, CannedNotice: "go away", CannedNoticeMatchRatio: 0.6, ExcludeConversations: []string{"1", "2"}},
			Places: []Place{{"2026-01-01", "UTC"}, {"2026-06-01", "America/New_York"}}, Lines: []Line{{"+12125550100", "2026-01-10"}, {"+12125550101", ""}}}
	}
	want := mustRules(t, base()).Version()
	if len(want) != 24 || strings.ToLower(want) != want {
		t.Errorf("version %q, want 24 hex digits", want)
	}
	reordered := base()
	for _, list := range [][]string{reordered.MyNumbers, reordered.Allowlist, reordered.WatchAreaCodes, reordered.NameVariants, reordered.ShortenerDomains,
		reordered.EntityKeywords, reordered.StopKeywords, reordered.ExcludeConversations} {
		list[0], list[1] = list[1], list[0]
	}
	reordered.Places[0], reordered.Places[1] = reordered.Places[1], reordered.Places[0]
	if got := rulesetVersion(reordered); got != want {
		t.Errorf("another order of the lists: version %s, want %s", got, want)
	}
	changes := map[string]func(*Settings){
		"my_numbers":                func(s *Settings) { s.MyNumbers = s.MyNumbers[:1] },
		"allowlist":                 func(s *Settings) { s.Allowlist[0] = "c" },
		"watch_area_codes":          func(s *Settings) { s.WatchAreaCodes = append(s.WatchAreaCodes, "646") },
		"name_variants":             func(s *Settings) { s.NameVariants[0] = "ann" },
		"flag_any_url":              func(s *Settings) { s.FlagAnyURL = false },
		"shortener_domains":         func(s *Settings) { s.ShortenerDomains = nil },
		"entity_keywords":           func(s *Settings) { s.EntityKeywords = []string{"xy"} },
		"stop_keywords":             func(s *Settings) { s.StopKeywords[1] = "nope" },
		"canned_notice":             func(s *Settings) { s.CannedNotice += "!" },
		"canned_notice_match_ratio": func(s *Settings) { s.CannedNoticeMatchRatio = 0.61 },
		"exclude_conversations":     func(s *Settings) { s.ExcludeConversations = s.ExcludeConversations[1:] },
		"include_groups":            func(s *Settings) { s.IncludeGroups = true },
		"places":                    func(s *Settings) { s.Places[0].Zone = "Europe/Paris" },
		"lines":                     func(s *Settings) { s.Lines[1].RegisteredOn = "2026-02-01" },
		"moved between lists":       func(s *Settings) { s.MyNumbers, s.Allowlist = s.Allowlist, s.MyNumbers },
	}
	seen := map[string]string{want: "nothing"}
	for name, change := range changes {
		s := base()
		change(&s)
		got := rulesetVersion(s)
		if other, taken := seen[got]; taken {
			t.Errorf("changing %s gives the version of changing %s", name, other)
		}
		seen[got] = name
	}
}

func TestNewRulesRefuses(t *testing.T) {
	t.Parallel()
	for setting, change := range map[string]func(*Settings){
		"spam.watch_area_codes":          func(s *Settings) { s.WatchAreaCodes = []string{"21"} },
		"spam.name_variants":             func(s *Settings) { s.NameVariants = []string{"--"} },
		"spam.shortener_domains":         func(s *Settings) { s.ShortenerDomains = []string{"short"} },
		"spam.entity_keywords":           func(s *Settings) { s.EntityKeywords = []string{"!"} },
		"spam.canned_notice_match_ratio": func(s *Settings) { s.CannedNoticeMatchRatio = 1.5 },
		"spam.my_numbers":                func(s *Settings) { s.MyNumbers = []string{"me"} },
		"spam.places":                    func(s *Settings) { s.Places = []Place{{"2026-01-01", "Atlantis"}} },
		"spam.lines":                     func(s *Settings) { s.Lines = []Line{{"+12125550100", "last May"}} },
	} {
		s := DefaultSettings()
		change(&s)
		if _, err := NewRules(s); err == nil || !strings.Contains(err.Error(), setting) {
			t.Errorf("bad %s: error %v, want one that names it", setting, err)
		}
	}
}

func TestIdentify(t *testing.T) {
	t.Parallel()
	tests := []struct {
		identifier, key string
		kind            record.SenderKind
	}{
		{"+1 (212) 555-0142", "tel:+12125550142", record.NANP},
		{"212-555-0142", "tel:+12125550142", record.NANP},
		{"12125550142@s.whatsapp.net", "tel:+12125550142", record.NANP},
		{"+18005550142", "tel:+18005550142", record.TollFree},
		{"+447700900123", "tel:+447700900123", record.Foreign},
		{"12345", "code:12345", record.ShortCode},
		{"262966", "code:262966", record.ShortCode},
		{"Offers@Example.com", "mail:offers@example.com", record.Email},
		{"Alex", "", record.NameOnly},
		{"AMAZON", "", record.NameOnly},
		{"12", "", record.NameOnly},
		{"group@g.us", "", record.NameOnly},
	}
	for _, tt := range tests {
		key, kind, ok := senderKey(tt.identifier)
		if key != tt.key || kind != tt.kind || ok != (tt.key != "") {
			t.Errorf("senderKey(%q) = %q, %s, %t; want %q, %s", tt.identifier, key, kind, ok, tt.key, tt.kind)
		}
	}
}

func TestSameIdentifier(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want bool
	}{
		{"+1 212 555 0142", "2125550142", true},
		{"+44 7700 900123", "7700900123", true},
		{"+33 6 12 34 56 78", "+1 361 234 5678", false}, // the same last ten digits
		{"12345", "+1 212 551 2345", false},
		{"12345", " 12345 ", true},
		{"A@Example.com", "a@example.com", true},
		{"Alex", "Alex", false},
		{"", "", false},
	}
	for _, tt := range tests {
		if got := SameIdentifier(tt.a, tt.b); got != tt.want || got != SameIdentifier(tt.b, tt.a) {
			t.Errorf("SameIdentifier(%q, %q) = %t, want %t both ways", tt.a, tt.b, got, tt.want)
		}
	}
}

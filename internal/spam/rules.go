package spam

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// Rules are settings made ready to read messages. They are safe for
// concurrent use.
type Rules struct {
	settings   Settings
	version    string
	areaCodes  map[string]bool
	names      phrases
	shorteners map[string]bool
	entities   phrases
	// entityDomains are the entity keywords that name domains.
	entityDomains map[string]bool
	optOuts       optOutWords
}

// Verdict is what the rules say of one message.
type Verdict struct {
	Reasons  []string // in the order of the rules; nil when none fired
	Fields   record.Fields
	Category record.Category
	Reply    record.Reply
	TextKey  string // as in record.Finding
}

// NewRules checks the settings and prepares them. An error names the setting
// and what it may be.
func NewRules(s Settings) (*Rules, error) {
	r := &Rules{settings: s, version: rulesetVersion(s), areaCodes: map[string]bool{}, shorteners: map[string]bool{}, entityDomains: map[string]bool{}}
	for _, code := range s.WatchAreaCodes {
		if len(code) != 3 || !allDigits(code) || code[0] < '2' {
			return nil, fmt.Errorf("read spam.watch_area_codes: %q is not an area code of three digits", code)
		}
		r.areaCodes[code] = true
	}
	for _, name := range s.NameVariants {
		if !r.names.add(name, 0) {
			return nil, fmt.Errorf("read spam.name_variants: %q holds no letter or digit", name)
		}
	}
	for _, domain := range append(builtInShorteners(), s.ShortenerDomains...) {
		host, ok := canonicalHost(strings.TrimPrefix(strings.TrimSpace(domain), "."))
		if !ok || !strings.Contains(host, ".") {
			return nil, fmt.Errorf("read spam.shortener_domains: %q is not a domain such as bit.ly", domain)
		}
		r.shorteners[host] = true
	}
	for _, keyword := range s.EntityKeywords {
		if host, ok := canonicalHost(keyword); ok && !strings.ContainsAny(keyword, " /") && hasKnownEnding(host) {
			r.entityDomains[host] = true
		} else if !r.entities.add(keyword, 0) {
			return nil, fmt.Errorf("read spam.entity_keywords: %q holds no letter or digit", keyword)
		}
	}
	if s.CannedNoticeMatchRatio <= 0 || s.CannedNoticeMatchRatio > 1 {
		return nil, fmt.Errorf("read spam.canned_notice_match_ratio: %v is not above 0 and at most 1", s.CannedNoticeMatchRatio)
	}
	for _, number := range s.MyNumbers {
		if MatchKey(number) == "" {
			return nil, fmt.Errorf("read spam.my_numbers: %q is neither a number nor an e-mail address", number)
		}
	}
	if err := checkDeclared(s); err != nil {
		return nil, err
	}
	r.optOuts = newOptOutWords(s)
	return r, nil
}

func checkDeclared(s Settings) error {
	for _, p := range s.Places {
		if _, err := time.Parse(time.DateOnly, p.From); err != nil {
			return fmt.Errorf("read spam.places: %q is not a day such as 2026-06-01", p.From)
		}
		if _, err := time.LoadLocation(p.Zone); err != nil || p.Zone == "" || p.Zone == "Local" {
			return fmt.Errorf("read spam.places: %q is not a zone such as America/New_York", p.Zone)
		}
	}
	for _, l := range s.Lines {
		if MatchKey(l.Number) == "" {
			return fmt.Errorf("read spam.lines: %q is not a number", l.Number)
		}
		if _, err := time.Parse(time.DateOnly, l.RegisteredOn); err != nil && l.RegisteredOn != "" {
			return fmt.Errorf("read spam.lines: %q is not a day such as 2026-01-10", l.RegisteredOn)
		}
	}
	return nil
}

// Version identifies the rules with their settings: 24 hex digits.
func (r *Rules) Version() string { return r.version }

// Settings returns what the rules were made of.
func (r *Rules) Settings() Settings { return r.settings }

// Read says what a body holds and, for a message that came in, which rules it
// trips. sender is the key of the other side.
func (r *Rules) Read(sender, body string, inbound bool) Verdict {
	var v Verdict
	text := words(body)
	v.TextKey = textKey(text)
	seen := readable(body)
	var spans, addresses []span
	v.Fields.URLs, spans = findLinks(body, seen, r.shorteners)
	if strings.IndexByte(seen.text, '@') >= 0 {
		v.Fields.Emails, addresses = findEmails(seen.text)
	}
	v.Fields.Callbacks = findNumbers(seen.text, sender, append(spans, addresses...))
	v.Fields.Names = r.names.in(text)
	v.Fields.Entities = r.entitiesIn(text, v.Fields)
	v.Category = suggest(body, text, v.Fields, inbound)
	if inbound {
		v.Reasons = r.reasons(sender, v.Fields)
		v.Reply = replyKind(body, text, v.Fields)
	}
	return v
}

// textKey digests the words of a body.
func textKey(text []string) string {
	if len(text) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(text, " ")))
	return hex.EncodeToString(sum[:8])
}

// reasons are the rules that fire, each as a string of a fixed form.
func (r *Rules) reasons(sender string, f record.Fields) []string {
	var list []string
	if code := areaCode(sender); r.areaCodes[code] {
		list = append(list, "area_code:"+code)
	}
	if len(f.Names) > 0 {
		list = append(list, "name_variant:"+strings.Join(f.Names, ","))
	}
	var short []string
	for _, u := range f.URLs {
		if u.Shortener {
			short = append(short, u.Host)
		}
	}
	if len(short) > 0 {
		slices.Sort(short)
		return append(list, "shortener:"+strings.Join(slices.Compact(short), ","))
	}
	if len(f.URLs) > 0 && r.settings.FlagAnyURL {
		list = append(list, "url")
	}
	return list
}

func (r *Rules) entitiesIn(text []string, f record.Fields) []string {
	list := r.entities.in(text)
	if len(r.entityDomains) == 0 {
		return list
	}
	for _, u := range f.URLs {
		if inDomains(u.Host, r.entityDomains) {
			list = append(list, u.Domain)
		}
	}
	for _, address := range f.Emails {
		if _, host, _ := strings.Cut(address, "@"); inDomains(host, r.entityDomains) {
			list = append(list, registrable(host))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// in returns the phrases that occur, as they were listed, sorted, each once.
func (p *phrases) in(text []string) []string {
	if p.byFirst == nil && p.inside == nil {
		return nil
	}
	var list []string
	p.find(text, func(found phrase) { list = append(list, found.shown) })
	slices.Sort(list)
	return slices.Compact(list)
}

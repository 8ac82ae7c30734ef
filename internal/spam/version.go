package spam

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// codeVersion is the version of the rules as code: what they extract, how
// they suggest categories, what they take for an opt-out. It is raised with
// every change that makes a message read differently.
const codeVersion = 2

// rulesetVersion returns the first 12 bytes, in hex, of SHA-256 over the
// settings in a canonical form: every list sorted, every part framed by its
// length. The order of a list does not change it, any value does.
func rulesetVersion(s Settings) string {
	var canonical strings.Builder
	part := func(text string) {
		canonical.WriteString(strconv.Itoa(len(text)))
		canonical.WriteByte(':')
		canonical.WriteString(text)
	}
	list := func(name string, values []string) {
		part(name)
		part(strconv.Itoa(len(values)))
		for _, v := range slices.Sorted(slices.Values(values)) {
			part(v)
		}
	}
	one := func(name, value string) { part(name); part(value) }

	one("code", strconv.Itoa(codeVersion))
	one("shorteners", shortenerListVersion())
	list("my_numbers", s.MyNumbers)
	list("allowlist", s.Allowlist)
	list("watch_area_codes", s.WatchAreaCodes)
	list("name_variants", s.NameVariants)
	one("flag_any_url", strconv.FormatBool(s.FlagAnyURL))
	list("shortener_domains", s.ShortenerDomains)
	list("entity_keywords", s.EntityKeywords)
	list("stop_keywords", s.StopKeywords)
	one("canned_notice", s.CannedNotice)
	one("canned_notice_match_ratio", strconv.FormatFloat(s.CannedNoticeMatchRatio, 'g', -1, 64))
	list("exclude_conversations", s.ExcludeConversations)
	one("include_groups", strconv.FormatBool(s.IncludeGroups))
	places := make([]string, len(s.Places))
	for i, p := range s.Places {
		places[i] = p.From + " " + p.Zone
	}
	list("places", places)
	lines := make([]string, len(s.Lines))
	for i, l := range s.Lines {
		lines[i] = l.Number + " " + l.RegisteredOn
	}
	list("lines", lines)
	sum := sha256.Sum256([]byte(canonical.String()))
	return hex.EncodeToString(sum[:12])
}

package spam

import (
	"net/netip"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// bareEndings are the last labels by which a host is taken for one although
// neither a scheme nor a path is there. Endings that are English words are
// left out: "come in.so we can" names no host.
var bareEndings = func() map[string]bool {
	set := map[string]bool{}
	for _, ending := range strings.Fields(`com net org info biz edu gov mil io co tv ly gl app dev xyz icu vip club site shop store click link
		website online uk ru cn de fr nl eu au nz ca jp pl br mx ch ie za sg hk kr dk cz hu ro gr`) {
		set[ending] = true
	}
	return set
}()

// longestHost is how many bytes a host name has at most: RFC 1035.
const longestHost = 253

// canonicalHost returns the host in punycode and lower case, false when it is
// none.
func canonicalHost(host string) (string, bool) {
	host = strings.ToLower(strings.Trim(host, ".-_"))
	if host == "" || len(host) > longestHost || strings.Contains(host, "..") {
		return "", false
	}
	if !isASCII(host) {
		var err error
		if host, err = toASCII.ToASCII(host); err != nil {
			return "", false
		}
	}
	for label := range strings.SplitSeq(host, ".") {
		if len(label) > 63 {
			return "", false
		}
	}
	return host, true
}

// toASCII maps host names the way browsers do; what they refuse is kept as it
// is written rather than lost.
var toASCII = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false), idna.VerifyDNSLength(false))

// registrable returns the registrable domain of a host in punycode; the host
// itself for an address, a public suffix or a name without dots.
func registrable(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return host
	}
	return domain
}

// hasKnownEnding reports whether the host ends in a suffix of the public list
// and has a name in front of it.
func hasKnownEnding(host string) bool {
	suffix, managed := publicsuffix.PublicSuffix(host)
	return suffix != host && (managed || strings.Contains(suffix, "."))
}

// inOwnLetters returns a punycode domain in its own letters, empty when it
// has no others.
func inOwnLetters(domain string) string {
	if !strings.Contains(domain, "xn--") {
		return ""
	}
	if own, err := toASCII.ToUnicode(domain); err == nil && own != domain {
		return own
	}
	return ""
}

// confusable are scripts whose letters look like those of another.
var confusable = []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee}

// mixesScripts reports whether a label of the host, given in its own letters,
// has letters of several scripts that look alike.
func mixesScripts(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		scripts := 0
		for _, script := range confusable {
			if strings.ContainsFunc(label, func(r rune) bool { return unicode.Is(script, r) }) {
				scripts++
			}
		}
		if scripts > 1 {
			return true
		}
	}
	return false
}

// inDomains reports whether the host, or a domain above it, is listed.
func inDomains(host string, list map[string]bool) bool {
	for {
		if list[host] {
			return true
		}
		_, above, ok := strings.Cut(host, ".")
		if !ok {
			return false
		}
		host = above
	}
}

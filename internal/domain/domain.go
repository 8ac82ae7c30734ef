// Package domain knows whom a host name of the web belongs to, and how its
// name is compared and read.
//
// Names are compared in ASCII, the form that the web resolves: names in other
// letters can look alike to the eye and be different ones, but their ASCII
// forms cannot. The readable form is for showing beside it.
package domain

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// Registrable returns the domain that a host name's owner registered, in
// lower-case ASCII however the host is written, or the host itself where there
// is none: an address, a bare name, a public suffix.
func Registrable(host string) string {
	host = ASCII(host)
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return ASCII(domain) // of a host that was not fit for conversion as a whole
	}
	return host
}

// ASCII returns a name in lower-case ASCII, without dots at its end. What is
// no proper name is encoded all the same, so that it equals no other.
func ASCII(name string) string {
	name = strings.ToLower(name)
	for _, profile := range []*idna.Profile{idna.Lookup, idna.Punycode} {
		if ascii, err := profile.ToASCII(strings.TrimRight(name, ".")); err == nil {
			return strings.TrimRight(ascii, ".") // of the several characters that are dots to a name
		}
	}
	return strings.ToLower(url.PathEscape(name))
}

// Readable returns a name in the letters that people read, which is the name
// itself where it has none but ASCII.
func Readable(name string) string {
	if readable, err := idna.Display.ToUnicode(name); err == nil {
		return readable
	}
	return name
}

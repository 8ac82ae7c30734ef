package config

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zone names must mean the same on machines that have none
)

// checkZone accepts an IANA zone name.
func checkZone(name string) (string, error) {
	if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		return "", fmt.Errorf("got %q, want an IANA time zone such as Europe/Berlin", shorten(name))
	}
	return name, nil
}

// checkAreaCode accepts the three digits of a North American area code.
func checkAreaCode(code string) (string, error) {
	if len(code) != 3 || strings.Trim(code, "0123456789") != "" {
		return "", fmt.Errorf("got %q, want the three digits of an area code", shorten(code))
	}
	return code, nil
}

// checkPlace accepts a day and a zone: "2025-06-01 America/Denver".
func checkPlace(text string) (string, error) {
	day, zone, _ := strings.Cut(text, " ")
	if _, err := time.Parse(time.DateOnly, day); err == nil {
		if _, err := checkZone(strings.TrimSpace(zone)); err == nil && zone != "" {
			return day + " " + strings.TrimSpace(zone), nil
		}
	}
	return "", fmt.Errorf("got %q, want a date and a time zone such as \"2025-06-01 America/Denver\"", shorten(text))
}

// checkLine accepts a number and a day behind it: "+12125550100 2024-01-10".
func checkLine(text string) (string, error) {
	if space := strings.LastIndexByte(text, ' '); space > 0 {
		if _, err := time.Parse(time.DateOnly, text[space+1:]); err == nil {
			return text, nil
		}
	}
	return "", fmt.Errorf("got %q, want a number and a date such as \"+12125550100 2024-01-10\"", shorten(text))
}

// checkListen accepts host:port; the host may be empty or a name.
func checkListen(address string) (string, error) {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return "", fmt.Errorf("got %q, want an address and a port such as 127.0.0.1:8788", shorten(address))
	}
	return address, nil
}

// checkBaseURL accepts an absolute web address and cuts its trailing slash.
func checkBaseURL(address string) (string, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "", u.User != nil,
		strings.ContainsAny(address, "?#"):
		return "", fmt.Errorf("got %q, want a web address such as http://127.0.0.1:8787", shorten(address))
	}
	return strings.TrimRight(address, "/"), nil
}

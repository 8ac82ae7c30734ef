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

// checkProvider accepts a provider of embeddings.
func checkProvider(name string) (string, error) {
	switch name {
	case ProviderBuiltin, ProviderEndpoint, ProviderFolder, ProviderNone:
		return name, nil
	}
	return "", fmt.Errorf("got %q, want builtin, endpoint, folder or none", shorten(name))
}

// checkWeb accepts the address of the web interface, checkAPI that of an API.
func checkWeb(address string) (string, error) { return checkURL(address, "http://127.0.0.1:8787") }
func checkAPI(address string) (string, error) { return checkURL(address, "http://127.0.0.1:11434/v1") }

// checkURL accepts an absolute web address and cuts its trailing slash.
func checkURL(address, example string) (string, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "", u.User != nil,
		strings.ContainsAny(address, "?#"):
		return "", fmt.Errorf("got %q, want a web address such as %s", shorten(address), example)
	}
	return strings.TrimRight(address, "/"), nil
}

// checkTogether refuses a provider of embeddings without what it needs.
func (c *Config) checkTogether() error {
	e := c.Embeddings
	switch {
	case e.Provider == ProviderEndpoint && c.LLM.BaseURL == "":
		return c.lacks("llm.base_url", "the address of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1")
	case e.Provider == ProviderEndpoint && c.LLM.EmbedModel == "":
		return c.lacks("llm.embed_model", "the name of an embedding model that "+c.LLM.BaseURL+" serves")
	case e.Provider == ProviderFolder && e.Folder == "":
		return c.lacks("embeddings.folder", "the folder of a model2vec model")
	}
	return nil
}

func (c *Config) lacks(key, what string) error {
	const provider = "embeddings.provider"
	return fmt.Errorf("%s: %s: %s needs %s, which is not set; set it to %s, or set %s to builtin",
		c.origins[provider], provider, c.Embeddings.Provider, key, what, provider)
}

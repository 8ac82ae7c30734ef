package config

import (
	"log/slog"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// prefix begins every environment variable of msgbrowse.
const prefix = "MSGBROWSE_"

// setting is one row of the table that everything else is derived from: the
// keys of the file, the variables, the listing and the documentation.
type setting struct {
	key string
	doc string
	// field returns a pointer to the setting's place in c; its type decides
	// how a value is written.
	field func(c *Config) any
	// path marks settings that name files or folders.
	path bool
	// words are texts that a path may be instead.
	words []string
	// numerals accepts numbers without quotes: people write telephone numbers,
	// area codes and ids so.
	numerals bool
	// required marks texts that cannot be empty.
	required bool
	// check refuses texts that mean nothing and returns the one to keep.
	check func(text string) (string, error)
	// least and most bound whole numbers.
	least, most int
}

var settings = []setting{
	{key: "data_dir", path: true, required: true, field: func(c *Config) any { return &c.DataDir },
		doc: "folder of the archive and everything derived from it"},
	{key: "log_level", field: func(c *Config) any { return &c.LogLevel },
		doc: "least severity that is logged: debug, info, warn or error"},
	{key: "archive_root", path: true, field: func(c *Config) any { return &c.ArchiveRoot },
		doc: "files and folders that import reads when it is given none"},
	{key: "imessage_archive_root", path: true, field: func(c *Config) any { return &c.IMessageArchiveRoot },
		doc: "more files and folders to import"},
	{key: "whatsapp_archive_root", path: true, field: func(c *Config) any { return &c.WhatsAppArchiveRoot },
		doc: "more files and folders to import"},
	{key: "me", field: func(c *Config) any { return &c.Me },
		doc: "your own names and handles, as the exports write them"},
	{key: "tz", check: checkZone, field: func(c *Config) any { return &c.TZ },
		doc: "IANA time zone of clock readings that state none"},
	{key: "embeddings.provider", required: true, check: checkProvider, field: func(c *Config) any { return &c.Embeddings.Provider },
		doc: "what finds the meaning of messages: builtin, endpoint, folder or none"},
	{key: "embeddings.folder", path: true, field: func(c *Config) any { return &c.Embeddings.Folder },
		doc: "folder of a model2vec model, for the provider folder"},
	{key: "llm.base_url", check: checkAPI, field: func(c *Config) any { return &c.LLM.BaseURL },
		doc: "address of an OpenAI-compatible API, for the provider endpoint"},
	{key: "llm.embed_model", field: func(c *Config) any { return &c.LLM.EmbedModel },
		doc: "name of the embedding model there"},
	{key: "llm.api_key_file", path: true, field: func(c *Config) any { return &c.LLM.APIKeyFile },
		doc: "file with the API key that requests carry"},
	{key: "llm.dimensions", most: 16384, field: func(c *Config) any { return &c.LLM.Dimensions },
		doc: "components to ask of a model that can have fewer; 0 for its own number"},
	{key: "llm.max_concurrency", least: 1, most: 64, field: func(c *Config) any { return &c.LLM.MaxConcurrency },
		doc: "requests under way at once while indexing"},
	{key: "llm.timeout", field: func(c *Config) any { return &c.LLM.Timeout },
		doc: "longest time one request may take"},
	{key: "llm.max_chars", least: 100, most: 1_000_000, field: func(c *Config) any { return &c.LLM.MaxChars },
		doc: "characters of a text that are sent; the rest is cut off"},
	{key: "llm.text_prefix", field: func(c *Config) any { return &c.LLM.TextPrefix },
		doc: "what the model wants before a text to be found"},
	{key: "llm.query_prefix", field: func(c *Config) any { return &c.LLM.QueryPrefix },
		doc: "what the model wants before a text that asks"},
	{key: "privacy.exclude_conversations", field: func(c *Config) any { return &c.Privacy.ExcludeConversations },
		doc: "names or ids of conversations that are never sent to an endpoint"},
	{key: "mcp.listen", required: true, check: checkListen, field: func(c *Config) any { return &c.MCP.Listen },
		doc: "address and port of the MCP server's HTTP transport"},
	{key: "mcp.allow_remote", field: func(c *Config) any { return &c.MCP.AllowRemote },
		doc: "permit an address that other machines can reach"},
	{key: "mcp.token_file", path: true, field: func(c *Config) any { return &c.MCP.TokenFile },
		doc: "file with the bearer token that HTTP clients must send"},
	{key: "mcp.allow_origins", field: func(c *Config) any { return &c.MCP.AllowOrigins },
		doc: "web origins that may connect besides the server's own"},
	{key: "mcp.call_timeout", field: func(c *Config) any { return &c.MCP.CallTimeout },
		doc: "longest time one tool call may take"},
	{key: "mcp.expose_spam", field: func(c *Config) any { return &c.MCP.ExposeSpam },
		doc: "offer the tools that read the record of unsolicited messages"},
	{key: "web.base_url", check: checkWeb, field: func(c *Config) any { return &c.Web.BaseURL },
		doc: "where the web interface is reached, for links to messages"},
	{key: "web.listen", required: true, check: checkListen, field: func(c *Config) any { return &c.Web.Listen },
		doc: "address and port of the web interface"},
	{key: "web.allow_remote", field: func(c *Config) any { return &c.Web.AllowRemote },
		doc: "permit an address that other machines can reach"},
	{key: "web.token_file", path: true, field: func(c *Config) any { return &c.Web.TokenFile },
		doc: "file with the password that browsers must give"},
	{key: "contacts.vcard", path: true, field: func(c *Config) any { return &c.Contacts.VCard },
		doc: "vCard files or folders: who is in your address book"},
	{key: "contacts.google_csv", path: true, field: func(c *Config) any { return &c.Contacts.GoogleCSV },
		doc: "CSV exports of Google Contacts"},
	{key: "contacts.macos", path: true, required: true, words: []string{MacOSAuto, MacOSOff}, field: func(c *Config) any { return &c.Contacts.MacOS },
		doc: "address book of macOS: auto, off or the folder of one"},
	{key: "spam.my_numbers", numerals: true, field: func(c *Config) any { return &c.Spam.MyNumbers },
		doc: "your own numbers and addresses, never strangers"},
	{key: "spam.allowlist", numerals: true, field: func(c *Config) any { return &c.Spam.Allowlist },
		doc: "numbers and addresses that are never examined"},
	{key: "spam.watch_area_codes", numerals: true, check: checkAreaCode, field: func(c *Config) any { return &c.Spam.WatchAreaCodes },
		doc: "area codes that put a sender on the watch list"},
	{key: "spam.name_variants", field: func(c *Config) any { return &c.Spam.NameVariants },
		doc: "names that unwanted texts call you by"},
	{key: "spam.flag_any_url", field: func(c *Config) any { return &c.Spam.FlagAnyURL },
		doc: "flag every message with a link, not only with a shortened one"},
	{key: "spam.shortener_domains", field: func(c *Config) any { return &c.Spam.ShortenerDomains },
		doc: "further domains of link shorteners"},
	{key: "spam.entity_keywords", field: func(c *Config) any { return &c.Spam.EntityKeywords },
		doc: "words and domains that hint at who is behind a text"},
	{key: "spam.stop_keywords", field: func(c *Config) any { return &c.Spam.StopKeywords },
		doc: "further whole messages of yours that count as an opt-out"},
	{key: "spam.canned_notice", field: func(c *Config) any { return &c.Spam.CannedNotice },
		doc: "the notice you send to unwanted senders"},
	{key: "spam.canned_notice_match_ratio", field: func(c *Config) any { return &c.Spam.CannedNoticeMatchRatio },
		doc: "how much of that notice a message must repeat, above 0 and at most 1"},
	{key: "spam.exclude_conversations", numerals: true, field: func(c *Config) any { return &c.Spam.ExcludeConversations },
		doc: "conversations, by id or name, that are never read"},
	{key: "spam.include_groups", field: func(c *Config) any { return &c.Spam.IncludeGroups },
		doc: "count messages in groups, too"},
	{key: "spam.places", check: checkPlace, field: func(c *Config) any { return &c.Spam.Places },
		doc: "where you were, each a date and a time zone, for quiet hours"},
	{key: "spam.lines", check: checkLine, field: func(c *Config) any { return &c.Spam.Lines },
		doc: "your numbers, each with the date it was put on the do-not-call registry"},
	{key: "spam.export_dir", path: true, field: func(c *Config) any { return &c.Spam.ExportDir },
		doc: "folder that dossiers are written to (default: spam-exports in data_dir)"},
}

// defaults returns the settings that hold when nobody says otherwise, all
// but data_dir, which depends on the machine.
func defaults() *Config {
	c := &Config{
		LogLevel: slog.LevelWarn,

		Embeddings: Embeddings{Provider: ProviderBuiltin},
		LLM:        LLM{MaxConcurrency: 4, Timeout: 30 * time.Second, MaxChars: 8000},

		MCP:      MCP{Listen: "127.0.0.1:8788", CallTimeout: time.Minute},
		Web:      Web{Listen: "127.0.0.1:8787"},
		Contacts: Contacts{MacOS: MacOSAuto},
		Spam:     Spam{RuleSettings: record.DefaultRuleSettings()},
		origins:  make(map[string]Origin, len(settings)),
	}
	for _, s := range settings {
		c.origins[s.key] = Origin{}
	}
	return c
}

// ignored are variables with the prefix that are not settings: the path of
// the configuration file, secrets that are kept out of every listing, and
// what the project's own tests and tools use.
var ignored = []string{
	prefix + "CONFIG",
	prefix + "LLM_API_KEY",
	prefix + "MCP_TOKEN",
	prefix + "NODE_CACHE",
	prefix + "SHARED",
	prefix + "WEB_TOKEN",
}

func (s setting) variable() string {
	return prefix + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
}

func lookup(key string) (setting, bool) {
	for _, s := range settings {
		if s.key == key {
			return s, true
		}
	}
	return setting{}, false
}

// isBlock reports whether key has settings below it.
func isBlock(key string) bool {
	for _, s := range settings {
		if strings.HasPrefix(s.key, key+".") {
			return true
		}
	}
	return false
}

func keys() []string {
	all := make([]string, len(settings))
	for i, s := range settings {
		all[i] = s.key
	}
	return all
}

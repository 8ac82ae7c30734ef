package config

import (
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// host is a Linux machine with the given files and environment.
func host(files map[string]string, environ ...string) Host {
	return Host{
		GOOS: "linux", Home: "/home/ana", Dir: "/work", Environ: environ,
		ReadFile: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		},
	}
}

const usual = "/home/ana/.config/msgbrowse/config.yaml"

func load(t *testing.T, h Host, o Options) *Config {
	t.Helper()
	c, err := Load(h, o)
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	return c
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	got := load(t, host(nil), Options{})
	want := &Config{
		DataDir:  "/home/ana/.local/share/msgbrowse",
		LogLevel: slog.LevelWarn,

		Embeddings: Embeddings{Provider: "builtin"},
		LLM:        LLM{MaxConcurrency: 4, Timeout: 30 * time.Second, MaxChars: 8000},

		Web:      Web{Listen: "127.0.0.1:8787"},
		MCP:      MCP{Listen: "127.0.0.1:8788", CallTimeout: 60 * time.Second},
		Contacts: Contacts{MacOS: "auto"},
		Spam:     Spam{RuleSettings: record.DefaultRuleSettings()},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Config{})); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	for _, v := range got.Values() {
		if v.Origin.String() != "default" {
			t.Errorf("%s comes from %q, want default", v.Key, v.Origin)
		}
	}
}

func TestEverySettingFromFile(t *testing.T) {
	t.Parallel()
	const text = `# everything there is
data_dir: ~/archive
log_level: debug
archive_root: exports          # beside this file
imessage_archive_root: [/a, "~/b"]
whatsapp_archive_root:
  - /c
me: ["Ana", "+15551234567"]
tz: Europe/Berlin
mcp:
  listen: 127.0.0.1:9000
  allow_remote: true
  token_file: token
  allow_origins: ["https://a.example", "https://b.example"]
  call_timeout: 90s
  expose_spam: true
web:
  base_url: https://msgs.example/archive/
  listen: 127.0.0.1:9001
  allow_remote: true
  token_file: password
embeddings:
  provider: endpoint
  folder: model
llm:
  base_url: http://localhost:11434/v1/
  embed_model: nomic-embed-text
  api_key_file: key
  dimensions: 256
  max_concurrency: 2
  timeout: 5s
  max_chars: 2000
  text_prefix: "search_document: "
  query_prefix: "search_query: "
privacy:
  exclude_conversations: [Dr. Okoye, "17"]
contacts:
  vcard: cards
  google_csv: [/g.csv]
  macos: ~/AddressBook
spam:
  my_numbers: [+12125550100, "ana@example.org"]
  allowlist: 26297
  watch_area_codes: [212, "646"]
  name_variants: [Ana, Anna]
  flag_any_url: false
  shortener_domains: [go.example]
  entity_keywords: [Acme]
  stop_keywords: [basta]
  canned_notice: Stop texting me.
  canned_notice_match_ratio: 0.5
  exclude_conversations: [12, Book club]
  include_groups: true
  places: [2025-06-01 America/Denver]
  lines: ["+1 212 555 0100 2024-01-10"]
  export_dir: ~/dossiers
`
	got := load(t, host(map[string]string{usual: text}), Options{})
	want := &Config{
		File: usual, DataDir: "/home/ana/archive", LogLevel: slog.LevelDebug,
		ArchiveRoot:         []string{"/home/ana/.config/msgbrowse/exports"},
		IMessageArchiveRoot: []string{"/a", "/home/ana/b"},
		WhatsAppArchiveRoot: []string{"/c"},
		Me:                  []string{"Ana", "+15551234567"},
		TZ:                  "Europe/Berlin",
		MCP: MCP{
			Listen: "127.0.0.1:9000", AllowRemote: true, TokenFile: "/home/ana/.config/msgbrowse/token",
			AllowOrigins: []string{"https://a.example", "https://b.example"}, CallTimeout: 90 * time.Second, ExposeSpam: true,
		},
		Web:        Web{BaseURL: "https://msgs.example/archive", Listen: "127.0.0.1:9001", AllowRemote: true, TokenFile: "/home/ana/.config/msgbrowse/password"},
		Embeddings: Embeddings{Provider: "endpoint", Folder: "/home/ana/.config/msgbrowse/model"},
		LLM: LLM{
			BaseURL: "http://localhost:11434/v1", EmbedModel: "nomic-embed-text", APIKeyFile: "/home/ana/.config/msgbrowse/key",
			Dimensions: 256, MaxConcurrency: 2, Timeout: 5 * time.Second, MaxChars: 2000,
			TextPrefix: "search_document: ", QueryPrefix: "search_query: ",
		},
		Privacy:  Privacy{ExcludeConversations: []string{"Dr. Okoye", "17"}},
		Contacts: Contacts{VCard: []string{"/home/ana/.config/msgbrowse/cards"}, GoogleCSV: []string{"/g.csv"}, MacOS: "/home/ana/AddressBook"},
		Spam: Spam{RuleSettings: record.RuleSettings{
			MyNumbers: []string{"+12125550100", "ana@example.org"}, Allowlist: []string{"26297"}, WatchAreaCodes: []string{"212", "646"},
			NameVariants: []string{"Ana", "Anna"}, ShortenerDomains: []string{"go.example"}, EntityKeywords: []string{"Acme"},
			StopKeywords: []string{"basta"}, CannedNotice: "Stop texting me.", CannedNoticeMatchRatio: 0.5,
			ExcludeConversations: []string{"12", "Book club"}, IncludeGroups: true}, ExportDir: "/home/ana/dossiers",
			Places: []string{"2025-06-01 America/Denver"}, Lines: []string{"+1 212 555 0100 2024-01-10"},
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Config{})); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	wantRoots := []string{"/home/ana/.config/msgbrowse/exports", "/a", "/home/ana/b", "/c"}
	if diff := cmp.Diff(wantRoots, got.Roots()); diff != "" {
		t.Errorf("Roots (-want +got):\n%s", diff)
	}
	for _, v := range got.Values() {
		if v.Origin.Layer != File || v.Origin.Line < 2 {
			t.Errorf("%s comes from %q, want a line of the file: the test must set every setting", v.Key, v.Origin)
		}
	}
	if got, want := got.Origin("mcp.listen").String(), usual+":11"; got != want {
		t.Errorf("mcp.listen comes from %q, want %q", got, want)
	}
}

func TestEverySettingFromEnvironment(t *testing.T) {
	t.Parallel()
	got := load(t, host(nil,
		"MSGBROWSE_DATA_DIR=data", "MSGBROWSE_LOG_LEVEL=INFO", "MSGBROWSE_ARCHIVE_ROOT=/a:rel:~/c",
		"MSGBROWSE_IMESSAGE_ARCHIVE_ROOT=/d", "MSGBROWSE_WHATSAPP_ARCHIVE_ROOT=/e", "MSGBROWSE_ME=Ana, +1 555 123 4567",
		"MSGBROWSE_TZ=UTC", "MSGBROWSE_MCP_LISTEN=[::1]:1", "MSGBROWSE_MCP_ALLOW_REMOTE=1", "MSGBROWSE_MCP_TOKEN_FILE=/t",
		"MSGBROWSE_MCP_ALLOW_ORIGINS=https://a.example,https://b.example", "MSGBROWSE_MCP_CALL_TIMEOUT=1m30s",
		"MSGBROWSE_MCP_EXPOSE_SPAM=True", "MSGBROWSE_WEB_BASE_URL=http://127.0.0.1:8787",
		"MSGBROWSE_WEB_LISTEN=[::1]:2", "MSGBROWSE_WEB_ALLOW_REMOTE=1", "MSGBROWSE_WEB_TOKEN_FILE=/w",
		"MSGBROWSE_EMBEDDINGS_PROVIDER=folder", "MSGBROWSE_EMBEDDINGS_FOLDER=~/model", "MSGBROWSE_LLM_BASE_URL=https://a.example/v1",
		"MSGBROWSE_LLM_EMBED_MODEL=m", "MSGBROWSE_LLM_API_KEY_FILE=/k", "MSGBROWSE_LLM_DIMENSIONS=0", "MSGBROWSE_LLM_MAX_CONCURRENCY=64",
		"MSGBROWSE_LLM_TIMEOUT=1m", "MSGBROWSE_LLM_MAX_CHARS=100", "MSGBROWSE_LLM_TEXT_PREFIX=text: ", "MSGBROWSE_LLM_QUERY_PREFIX=query: ",
		"MSGBROWSE_PRIVACY_EXCLUDE_CONVERSATIONS=Family,17",
		"MSGBROWSE_CONTACTS_VCARD=/a.vcf:/b", "MSGBROWSE_CONTACTS_GOOGLE_CSV=/g.csv", "MSGBROWSE_CONTACTS_MACOS=off",
		"MSGBROWSE_SPAM_MY_NUMBERS=+12125550100, ana@example.org", "MSGBROWSE_SPAM_ALLOWLIST=26297", "MSGBROWSE_SPAM_WATCH_AREA_CODES=212,646",
		"MSGBROWSE_SPAM_NAME_VARIANTS=Ana,Anna", "MSGBROWSE_SPAM_FLAG_ANY_URL=false", "MSGBROWSE_SPAM_SHORTENER_DOMAINS=go.example",
		"MSGBROWSE_SPAM_ENTITY_KEYWORDS=Acme,acme.example", "MSGBROWSE_SPAM_STOP_KEYWORDS=basta", "MSGBROWSE_SPAM_CANNED_NOTICE=Stop, please.",
		"MSGBROWSE_SPAM_CANNED_NOTICE_MATCH_RATIO=1", "MSGBROWSE_SPAM_EXCLUDE_CONVERSATIONS=12,Book club", "MSGBROWSE_SPAM_INCLUDE_GROUPS=1",
		"MSGBROWSE_SPAM_EXPORT_DIR=dossiers", "MSGBROWSE_SPAM_PLACES=2025-06-01 UTC", "MSGBROWSE_SPAM_LINES=26297 2024-01-10",
	), Options{})
	want := &Config{
		DataDir: "/work/data", LogLevel: slog.LevelInfo,
		ArchiveRoot: []string{"/a", "/work/rel", "/home/ana/c"}, IMessageArchiveRoot: []string{"/d"}, WhatsAppArchiveRoot: []string{"/e"},
		Me: []string{"Ana", "+1 555 123 4567"}, TZ: "UTC",
		MCP: MCP{
			Listen: "[::1]:1", AllowRemote: true, TokenFile: "/t",
			AllowOrigins: []string{"https://a.example", "https://b.example"}, CallTimeout: 90 * time.Second, ExposeSpam: true,
		},
		Web:        Web{BaseURL: "http://127.0.0.1:8787", Listen: "[::1]:2", AllowRemote: true, TokenFile: "/w"},
		Embeddings: Embeddings{Provider: "folder", Folder: "/home/ana/model"},
		LLM: LLM{
			BaseURL: "https://a.example/v1", EmbedModel: "m", APIKeyFile: "/k", MaxConcurrency: 64, Timeout: time.Minute, MaxChars: 100,
			TextPrefix: "text: ", QueryPrefix: "query: ",
		},
		Privacy:  Privacy{ExcludeConversations: []string{"Family", "17"}},
		Contacts: Contacts{VCard: []string{"/a.vcf", "/b"}, GoogleCSV: []string{"/g.csv"}, MacOS: "off"},
		Spam: Spam{RuleSettings: record.RuleSettings{
			MyNumbers: []string{"+12125550100", "ana@example.org"}, Allowlist: []string{"26297"}, WatchAreaCodes: []string{"212", "646"},
			NameVariants: []string{"Ana", "Anna"}, ShortenerDomains: []string{"go.example"}, EntityKeywords: []string{"Acme", "acme.example"},
			StopKeywords: []string{"basta"}, CannedNotice: "Stop, please.", CannedNoticeMatchRatio: 1,
			ExcludeConversations: []string{"12", "Book club"}, IncludeGroups: true}, ExportDir: "/work/dossiers",
			Places: []string{"2025-06-01 UTC"}, Lines: []string{"26297 2024-01-10"},
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Config{})); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	for _, v := range got.Values() {
		if v.Origin.String() != v.Variable {
			t.Errorf("%s comes from %q, want %q", v.Key, v.Origin, v.Variable)
		}
	}
}

func TestPrecedence(t *testing.T) {
	t.Parallel()
	files := map[string]string{usual: "data_dir: /file\n", "/other.yaml": "data_dir: /other\n", "/work/here.yaml": "data_dir: here\n"}
	flags := []Flag{{Key: "data_dir", Name: "data-dir", Values: []string{"/flag"}}}
	for _, tt := range []struct {
		name    string
		environ []string
		options Options
		want    string
		origin  string
	}{
		{"file over default", nil, Options{}, "/file", usual + ":1"},
		{"environment over file", []string{"MSGBROWSE_DATA_DIR=/env"}, Options{}, "/env", "MSGBROWSE_DATA_DIR"},
		{"flag over environment", []string{"MSGBROWSE_DATA_DIR=/env"}, Options{Flags: flags}, "/flag", "--data-dir"},
		{"empty variable is unset", []string{"MSGBROWSE_DATA_DIR="}, Options{}, "/file", usual + ":1"},
		{"named by variable", []string{"MSGBROWSE_CONFIG=/other.yaml"}, Options{}, "/other", "/other.yaml:1"},
		{"named by flag", []string{"MSGBROWSE_CONFIG=/none.yaml"}, Options{File: "/other.yaml"}, "/other", "/other.yaml:1"},
		{"named relative", nil, Options{File: "here.yaml"}, "/work/here", "/work/here.yaml:1"},
		{"XDG configuration folder", []string{"XDG_CONFIG_HOME=/elsewhere"}, Options{}, "/home/ana/.local/share/msgbrowse", "default"},
		{"last flag wins", nil, Options{Flags: append(flags, Flag{Key: "data_dir", Name: "data-dir", Values: []string{"/one", "/two"}})}, "/two", "--data-dir"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := load(t, host(files, tt.environ...), tt.options)
			if c.DataDir != tt.want {
				t.Errorf("data_dir = %q, want %q", c.DataDir, tt.want)
			}
			if got := c.Origin("data_dir").String(); got != tt.origin {
				t.Errorf("origin = %q, want %q", got, tt.origin)
			}
		})
	}
}

func TestListFlag(t *testing.T) {
	t.Parallel()
	c := load(t, host(nil), Options{Flags: []Flag{{Key: "me", Name: "me", Values: []string{"Doe, Jane", "jd"}}}})
	if diff := cmp.Diff([]string{"Doe, Jane", "jd"}, c.Me); diff != "" {
		t.Errorf("me (-want +got):\n%s", diff)
	}
}

func TestFileErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file string
		want       []string // one for each error, without the file's name
	}{
		{"unknown key", "data_dri: /x\n", []string{`1: unknown key "data_dri"; the nearest known key is "data_dir"`}},
		{"unknown key in a block", "mcp:\n  expose_scam: true\n", []string{`2: unknown key "mcp.expose_scam"; the nearest known key is "mcp.expose_spam"`}},
		{"key outside its block", "log_level: info\nlisten: a:1\n", []string{`2: unknown key "listen"; the nearest known key is "mcp.listen"`}},
		{"dotted key", "mcp.listen: a:1\n", []string{`1: the key "mcp.listen" must be written as a block: "mcp" with "listen" below it`}},
		{"block below a setting", "data_dir:\n  path: /x\n", []string{`1: data_dir: got a block of keys, want a path`}},
		{"setting where a block belongs", "mcp: yes\n", []string{`1: mcp: got "yes", want a block of keys`}},
		{"number for text", "me: 15551234567\n", []string{`1: me: got the number 15551234567, want a list of texts (put it in quotes)`}},
		{"number in a list", "me:\n  - Ana\n  - 15551234567\n", []string{`1: me: entry 2: got the number 15551234567, want text (put it in quotes)`}},
		{"bool for path", "\ndata_dir: true\n", []string{`2: data_dir: got true, want a path (put it in quotes)`}},
		{"null for path", "data_dir: ~\n", []string{`1: data_dir: got ~, want a path (put it in quotes)`}},
		{"empty path", "data_dir: ''\n", []string{`1: data_dir: got nothing, want a path`}},
		{"list for text", "tz: [UTC]\n", []string{`1: tz: got a list, want text`}},
		{"block in a list", "me: [{a: b}]\n", []string{`1: me: entry 1: got a block of keys, want text`}},
		{"text for bool", "mcp:\n  allow_remote: \"true\"\n", []string{`2: mcp.allow_remote: got "true", want true or false`}},
		{"number for duration", "mcp:\n  call_timeout: 60\n", []string{`2: mcp.call_timeout: got the number 60, want a positive duration with its unit, such as 90s or 2m`}},
		{"negative duration", "mcp:\n  call_timeout: -60s\n", []string{`2: mcp.call_timeout: got "-60s", want a positive duration with its unit, such as 90s or 2m`}},
		{"unknown level", "log_level: loud\n", []string{`1: log_level: got "loud", want debug, info, warn or error`}},
		{"unknown zone", "tz: Berlin\n", []string{`1: tz: got "Berlin", want an IANA time zone such as Europe/Berlin`}},
		{"zone of the machine", "tz: Local\n", []string{`1: tz: got "Local", want an IANA time zone such as Europe/Berlin`}},
		{"address without port", "mcp: {listen: localhost}\n", []string{`1: mcp.listen: got "localhost", want an address and a port such as 127.0.0.1:8788`}},
		{"port too large", "mcp: {listen: 'a:65536'}\n", []string{`1: mcp.listen: got "a:65536", want an address and a port such as 127.0.0.1:8788`}},
		{"relative web address", "web: {base_url: /x}\n", []string{`1: web.base_url: got "/x", want a web address such as http://127.0.0.1:8787`}},
		{"web address with a query", "web: {base_url: 'http://a/?b'}\n", []string{`1: web.base_url: got "http://a/?b", want a web address such as http://127.0.0.1:8787`}},
		{"unknown provider", "embeddings: {provider: ollama}\n", []string{`1: embeddings.provider: got "ollama", want builtin, endpoint, folder or none`}},
		{"no provider", "embeddings: {provider: ''}\n", []string{`1: embeddings.provider: got nothing, want text`}},
		{"endpoint without an address", "embeddings:\n  provider: endpoint\n", []string{"2: embeddings.provider: endpoint needs llm.base_url, which is not set; " +
			"set it to the address of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1, or set embeddings.provider to builtin"}},
		{"endpoint without a model", "embeddings: {provider: endpoint}\nllm: {base_url: 'http://a/v1'}\n", []string{"1: embeddings.provider: endpoint needs llm.embed_model, which is not set; " +
			"set it to the name of an embedding model that http://a/v1 serves, or set embeddings.provider to builtin"}},
		{"folder without a folder", "embeddings: {provider: folder}\n", []string{"1: embeddings.provider: folder needs embeddings.folder, which is not set; " +
			"set it to the folder of a model2vec model, or set embeddings.provider to builtin"}},
		{"key in the address", "llm: {base_url: 'https://k@a.example/v1'}\n", []string{`1: llm.base_url: got "https://k@a.example/v1", want a web address such as http://127.0.0.1:11434/v1`}},
		{"number too small", "llm: {max_concurrency: 0}\n", []string{`1: llm.max_concurrency: got the number 0, want a whole number from 1 to 64`}},
		{"number too large", "llm: {dimensions: 99999}\n", []string{`1: llm.dimensions: got the number 99999, want a whole number from 0 to 16384`}},
		{"broken number", "llm: {dimensions: 1.5}\n", []string{`1: llm.dimensions: got the number 1.5, want a whole number from 0 to 16384`}},
		{"text for a number", "llm: {dimensions: \"256\"}\n", []string{`1: llm.dimensions: got "256", want a whole number from 0 to 16384`}},
		{"area code of two digits", "spam: {watch_area_codes: [212, 64]}\n", []string{`1: spam.watch_area_codes: entry 2: got "64", want the three digits of an area code`}},
		{"place without a zone", "spam: {places: [2025-06-01]}\n", []string{`1: spam.places: entry 1: got "2025-06-01", want a date and a time zone such as "2025-06-01 America/Denver"`}},
		{"place without a date", "spam: {places: [June UTC]}\n", []string{`1: spam.places: entry 1: got "June UTC", want a date and a time zone such as "2025-06-01 America/Denver"`}},
		{"line without a date", "spam: {lines: [+12125550100 then]}\n", []string{`1: spam.lines: entry 1: got "+12125550100 then", want a number and a date such as "+12125550100 2024-01-10"`}},
		{"share above one", "spam: {canned_notice_match_ratio: 60}\n", []string{`1: spam.canned_notice_match_ratio: got the number 60, want a number above 0 and at most 1, such as 0.6`}},
		{"share as text", "spam: {canned_notice_match_ratio: most}\n", []string{`1: spam.canned_notice_match_ratio: got "most", want a number above 0 and at most 1, such as 0.6`}},
		{"no address book", "contacts: {macos: ''}\n", []string{`1: contacts.macos: got nothing, want a path`}},
		{"alias", "me: &a Ana\ntz: *a\n", []string{`1: me: got an anchor, want a list of texts`, `2: tz: got an alias, want text`}},
		{"tag", "me: !!str 12\n", []string{`1: me: got a tag, want a list of texts`}},
		{"merge key", "<<: {a: b}\n", []string{`1: the key "<<" is not a plain word`}},
		{"key of two lines", "? |\n  a\n  b\n: c\n", []string{`1: the key "? |\n  a\n  b" is not a plain word`}},
		{"number as key", "1: 2\n", []string{`1: the key "1" is not a plain word`}},
		{"two documents", "me: Ana\n---\nme: Bob\n", []string{`3: the file holds more than one document; only one is allowed`}},
		{"list file", "- a\n", []string{`1: got a list, want settings in the form key: value`}},
		{"text file", "hello\n", []string{`1: got "hello", want settings in the form key: value`}},
		{"windows line ends", "me: Ana\r\nmi: Bob\r\n", []string{`2: unknown key "mi"; the nearest known key is "me"`}},
		{"every error at once", "a_root: x\ntz: 1\n", []string{
			`1: unknown key "a_root"; the nearest known key is "archive_root"`, `2: tz: got the number 1, want text (put it in quotes)`}},
		{"not UTF-8", "me: \xff\n", []string{` the file is not UTF-8 text`}},
		{"too large", "me: Ana\n#" + strings.Repeat("x", maxFile), []string{` the file is larger than 64 KiB, which no configuration is`}},
		{"long value", "tz: " + strings.Repeat("x", 100) + "\n", []string{
			`1: tz: got "` + strings.Repeat("x", 60) + `…", want an IANA time zone such as Europe/Berlin`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Load(host(map[string]string{usual: tt.file}), Options{})
			var want []string
			for _, w := range tt.want {
				want = append(want, usual+":"+w)
			}
			if diff := cmp.Diff(strings.Join(want, "\n"), fmt.Sprint(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// The parser words these, so only the line and the beginning are held.
func TestSyntaxErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file, want string }{
		{"duplicate key", "me: Ana\nme: Bob\n", usual + ":2: the file is not valid YAML: mapping key \"me\" already defined"},
		{"open list", "me: Ana\ntz: [a\n", usual + ":2: the file is not valid YAML: "},
		{"tab as indent", "mcp:\n\tlisten: a:1\n", usual + ":2: the file is not valid YAML: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Load(host(map[string]string{usual: tt.file}), Options{})
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error = %v, want it to begin %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("error has more than one line: %v", err)
			}
		})
	}
}

func TestUnsetInFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file string }{
		{"empty file", ""},
		{"only comments", "# mcp:\n#   listen: x\n"},
		{"byte order mark", "\uFEFF# nothing\n"},
		{"keys without values", "data_dir:\nme:\nmcp:\n  listen:\nweb:\n"},
		{"document mark", "---\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := load(t, host(map[string]string{usual: tt.file}), Options{})
			want := load(t, host(nil), Options{})
			want.File = usual
			if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Config{})); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOtherErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		host Host
		opts Options
		want string
	}{
		{"unknown variable", host(nil, "MSGBROWSE_MCP_LISTN=a:1"), Options{},
			"unknown environment variable MSGBROWSE_MCP_LISTN; the nearest known one is MSGBROWSE_MCP_LISTEN"},
		{"unknown empty variable", host(nil, "MSGBROWSE_DATADIR="), Options{},
			"unknown environment variable MSGBROWSE_DATADIR; the nearest known one is MSGBROWSE_DATA_DIR"},
		{"wrong variable", host(nil, "MSGBROWSE_MCP_ALLOW_REMOTE=maybe"), Options{},
			`MSGBROWSE_MCP_ALLOW_REMOTE: mcp.allow_remote: got "maybe", want true or false`},
		{"wrong flag", host(nil), Options{Flags: []Flag{{Key: "log_level", Name: "log-level", Values: []string{"loud"}}}},
			`--log-level: log_level: got "loud", want debug, info, warn or error`},
		{"empty flag", host(nil), Options{Flags: []Flag{{Key: "data_dir", Name: "data-dir", Values: []string{""}}}},
			`--data-dir: data_dir: got nothing, want a path`},
		{"named file is missing", host(nil), Options{File: "x.yaml"},
			"--config: read configuration: open /work/x.yaml: file does not exist"},
		{"named file is missing, variable", host(nil, "MSGBROWSE_CONFIG=~/x.yaml"), Options{},
			"MSGBROWSE_CONFIG: read configuration: open /home/ana/x.yaml: file does not exist"},
		{"no home folder", Host{GOOS: "linux", Dir: "/work"}, Options{},
			"find data folder: the home folder is not known; set HOME, or name the folder with --data-dir, MSGBROWSE_DATA_DIR or data_dir in the configuration"},
		{"no home folder on Windows", Host{GOOS: "windows", Dir: `C:\work`}, Options{},
			"find data folder: the home folder is not known; set USERPROFILE, or name the folder with --data-dir, MSGBROWSE_DATA_DIR or data_dir in the configuration"},
		{"no home folder for ~", Host{GOOS: "linux", Dir: "/work", Environ: []string{"MSGBROWSE_DATA_DIR=~/x"}}, Options{},
			"MSGBROWSE_DATA_DIR: data_dir: the home folder is not known\nfind data folder: the home folder is not known; set HOME, or name the folder with --data-dir, MSGBROWSE_DATA_DIR or data_dir in the configuration"},
		{"zero byte", host(nil), Options{Flags: []Flag{{Key: "mcp.token_file", Name: "token-file", Values: []string{"a\x00b"}}}},
			"--token-file: mcp.token_file: a path cannot hold a zero byte"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Load(tt.host, tt.opts)
			if diff := cmp.Diff(tt.want, fmt.Sprint(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIgnoredVariables(t *testing.T) {
	t.Parallel()
	load(t, host(nil, "MSGBROWSE_SHARED=/s", "MSGBROWSE_MCP_TOKEN=secret", "MSGBROWSE_WEB_TOKEN=secret", "MSGBROWSE_LLM_API_KEY=secret", "MSGBROWSE_NODE_CACHE=/n", "MSGBROWSEX=1", "PATH=/bin", "broken"), Options{})
}

// An unreadable file is not a missing one: its settings would be lost in
// silence.
func TestUsualFileUnreadable(t *testing.T) {
	t.Parallel()
	h := host(nil)
	h.ReadFile = func(name string) ([]byte, error) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	_, err := Load(h, Options{})
	if want := "read configuration: open " + usual + ": permission denied"; fmt.Sprint(err) != want {
		t.Errorf("error = %v, want %s", err, want)
	}
}

// Package config holds the settings of msgbrowse and finds their values.
//
// A setting is taken from the first of these that has it: a command-line
// flag, an environment variable (MSGBROWSE_ and the key in capitals, dots as
// underscores: mcp.listen is MSGBROWSE_MCP_LISTEN), the YAML configuration
// file, the built-in default. Every value remembers where it came from.
//
// Nothing is guessed and nothing ignored: an unknown key or variable and a
// value of the wrong type are errors that say where they stand and which
// known name is nearest.
package config

import (
	"log/slog"
	"time"
)

// Config is every setting with its value. Paths are absolute. Load makes one;
// the zero value has no settings, not the defaults.
type Config struct {
	// File is the configuration file that was read; empty when there is none.
	File string

	// DataDir is the folder of the archive and everything derived from it.
	DataDir string
	// LogLevel is the least severity that is logged.
	LogLevel slog.Level
	// ArchiveRoot, IMessageArchiveRoot and WhatsAppArchiveRoot are files and
	// folders that an import without arguments reads too. All three mean the
	// same; what a file is depends on its content alone.
	ArchiveRoot, IMessageArchiveRoot, WhatsAppArchiveRoot []string
	// Me are the owner's own names and handles, as exports write them.
	Me []string
	// TZ is the IANA name of the zone in which clock readings without an
	// offset were made; empty when it is not declared.
	TZ string

	// Embeddings say how the meaning of messages is found.
	Embeddings Embeddings
	// LLM are the settings of the endpoint that embeds text, when one does.
	LLM LLM
	// Privacy says what stays on this machine whatever else is set.
	Privacy Privacy

	// MCP are the settings of the MCP server.
	MCP MCP
	// Web are the settings of the web interface.
	Web Web
	// Contacts say which address books are read.
	Contacts Contacts
	// Spam are the settings of the evidence record.
	Spam Spam

	origins map[string]Origin
}

// The values of Embeddings.Provider.
const (
	ProviderBuiltin  = "builtin"  // the model in the program
	ProviderEndpoint = "endpoint" // the one LLM speaks to
	ProviderFolder   = "folder"   // the one in Embeddings.Folder
	ProviderNone     = "none"     // keywords only
)

// Embeddings say how the meaning of messages is found.
type Embeddings struct {
	// Provider is one of the constants above. Whatever it needs is set too.
	Provider string
	// Folder holds a model2vec model.
	Folder string
}

// LLM are the settings of the endpoint that embeds text.
type LLM struct {
	// BaseURL is the address of an OpenAI-compatible API without a trailing
	// slash, EmbedModel the name of an embedding model it serves.
	BaseURL, EmbedModel string
	// APIKeyFile holds the key that requests carry; empty for none, or for
	// the one in MSGBROWSE_LLM_API_KEY.
	APIKeyFile string
	// Dimensions asks for vectors of that many components; 0 leaves it to
	// the model.
	Dimensions int
	// MaxConcurrency bounds the requests under way, Timeout one request, and
	// MaxChars a text, in characters. All are positive.
	MaxConcurrency int
	Timeout        time.Duration
	MaxChars       int
	// TextPrefix and QueryPrefix stand before what is indexed and what is
	// looked for.
	TextPrefix, QueryPrefix string
}

// Privacy says what stays on this machine whatever else is set.
type Privacy struct {
	// ExcludeConversations are the names and ids of conversations of which
	// nothing is ever sent to an endpoint.
	ExcludeConversations []string
}

// MCP are the settings of the MCP server.
type MCP struct {
	// Listen is the host:port of the HTTP transport.
	Listen string
	// AllowRemote permits Listen to be an address other machines can reach.
	AllowRemote bool
	// TokenFile holds the bearer token that HTTP clients must send; empty for
	// none.
	TokenFile string
	// AllowOrigins are the Origin headers of browsers that may connect, on
	// top of the server's own address.
	AllowOrigins []string
	// CallTimeout bounds one tool call. It is positive.
	CallTimeout time.Duration
	// ExposeSpam registers the tools of the evidence record.
	ExposeSpam bool
}

// Web are the settings of the web interface.
type Web struct {
	// BaseURL is where the web interface is reached, for links to messages;
	// empty for no links. It has no trailing slash.
	BaseURL string
	// Listen is the host:port of the web interface.
	Listen string
	// AllowRemote permits Listen to be an address other machines can reach.
	AllowRemote bool
	// TokenFile holds the password that browsers must give; empty for none.
	TokenFile string
}

// Roots returns the files and folders to import that the settings name, in
// the order archive_root, imessage_archive_root, whatsapp_archive_root.
func (c *Config) Roots() []string {
	var all []string
	for _, roots := range [][]string{c.ArchiveRoot, c.IMessageArchiveRoot, c.WhatsAppArchiveRoot} {
		all = append(all, roots...)
	}
	return all
}

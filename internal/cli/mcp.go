package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/mcp"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func newMCP(a *app) *cobra.Command {
	var overHTTP bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Answer questions of an MCP client about the archive",
		Long: `Serve the archive to a Model Context Protocol client such as Claude, read-only.
Without a flag the client starts this command and talks to it over standard input
and output; "msgbrowse mcp config" prints what to tell the client. With --http it
serves streamable HTTP at http://127.0.0.1:8788/mcp.

An address that other machines can reach needs both --allow-remote and a token
(--token-file or MSGBROWSE_MCP_TOKEN), which clients send as a bearer token.

--expose-spam, or mcp.expose_spam in the configuration, adds four tools that read the
record of unsolicited texts, your own judgments in it included.

Nothing is written. Nothing leaves this machine but what is looked for by meaning, if
an endpoint is set to embed it.`,
		Example: `  msgbrowse mcp
  msgbrowse mcp --http
  msgbrowse mcp --http --listen 127.0.0.1:9000 --token-file ~/.msgbrowse-token
  msgbrowse mcp config --client claude-code`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := onlyOverHTTP(cmd); err != nil && !overHTTP {
				return err
			}
			return a.reading(cmd, func(_ context.Context, settings *config.Config, r *store.Reader) error {
				if overHTTP {
					return a.serveHTTP(cmd, settings, r)
				}
				return a.serveStdio(cmd, settings, r)
			})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&overHTTP, "http", false, "serve streamable HTTP instead of standard input and output")
	flags.String("listen", "127.0.0.1:8788", "`address` and port for --http")
	flags.Bool("allow-remote", false, "permit an address that other machines can reach; needs a token")
	flags.String("token-file", "", "`file` with the bearer token that clients must send")
	flags.StringSlice("allow-origin", nil, "web `origins` that may connect besides the server's own")
	flags.Bool("expose-spam", false, "offer the tools that read the record of unsolicited texts")
	bind(flags, "expose-spam", "mcp.expose_spam")
	bind(flags, "listen", "mcp.listen")
	bind(flags, "allow-remote", "mcp.allow_remote")
	bind(flags, "token-file", "mcp.token_file")
	bind(flags, "allow-origin", "mcp.allow_origins")
	cmd.AddCommand(newMCPConfig(a))
	return cmd
}

// onlyOverHTTP names the flags that were given and mean nothing on standard
// input and output.
func onlyOverHTTP(cmd *cobra.Command) error {
	var given []string
	for _, name := range []string{"listen", "allow-remote", "token-file", "allow-origin"} {
		if cmd.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) == 0 {
		return nil
	}
	return usage(fmt.Errorf("%s: only with --http", strings.Join(given, ", ")))
}

// openArchive is what both transports serve. release is nil with an error.
func (a *app) openArchive(settings *config.Config, r *store.Reader) (archive mcp.Archive, release func() error, err error) {
	s, release, err := a.searcher(settings, r)
	if err != nil {
		return archive, nil, err
	}
	if archive, err = a.archiveOf(settings, r, s); err != nil {
		return archive, nil, errors.Join(err, release())
	}
	return archive, release, nil
}

// archiveOf is what a server of a reader and a searcher serves, as the settings
// say.
func (a *app) archiveOf(settings *config.Config, r *store.Reader, s *search.Searcher) (mcp.Archive, error) {
	archive := mcp.Archive{Reader: r, Searcher: s, Media: ingest.OpenAttachment, BaseURL: settings.Web.BaseURL, Now: a.env.Now}
	if !settings.MCP.ExposeSpam {
		return archive, nil
	}
	rules, clocks, err := spamRules(settings)
	archive.Evidence = &mcp.Evidence{Rules: rules, Clocks: clocks}
	return archive, err
}

func (a *app) serverOptions(settings *config.Config) mcp.Options {
	return mcp.Options{Version: thisBuild().Version, Logger: a.log, CallTimeout: settings.MCP.CallTimeout}
}

func (a *app) serveStdio(cmd *cobra.Command, settings *config.Config, r *store.Reader) error {
	archive, release, err := a.openArchive(settings, r)
	if err != nil {
		return err
	}
	defer release()
	server := mcp.NewArchiveServer(archive, a.serverOptions(settings))
	a.log.Info("mcp: serving standard input and output")
	if in, ok := cmd.InOrStdin().(*os.File); ok {
		if _, typed := a.env.Terminal(in); typed {
			fmt.Fprintln(cmd.ErrOrStderr(), `Waiting for an MCP client on standard input; "msgbrowse mcp config" says what to tell one`)
		}
	}
	err = mcp.ServeStdio(cmd.Context(), server, cmd.InOrStdin(), cmd.OutOrStdout(), a.log)
	if errors.Is(err, context.Canceled) {
		return nil // a client ends its server with a signal
	}
	return err
}

func (a *app) serveHTTP(cmd *cobra.Command, settings *config.Config, r *store.Reader) error {
	options, err := a.httpOptions(settings)
	if err != nil {
		return err
	}
	archive, release, err := a.openArchive(settings, r)
	if err != nil {
		return err
	}
	defer release()
	options.OnListen = func(url string) {
		fmt.Fprintf(cmd.ErrOrStderr(), "Serving MCP at %s; stop with Ctrl-C\n", url)
	}
	server := mcp.NewArchiveServer(archive, a.serverOptions(settings))
	return optionError(mcp.ServeHTTP(cmd.Context(), settings.MCP.Listen, server, options))
}

func newMCPConfig(a *app) *cobra.Command {
	var client string
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the configuration an MCP client needs",
		Long: `Print configuration ready to be pasted into an MCP client, with absolute paths, and
say where it belongs. The flag --client lists the clients that are known; generic
fits any other.`,
		Example: `  msgbrowse mcp config --client claude-desktop
  msgbrowse mcp config --client claude-code --data-dir ~/archive`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := a.settings(cmd)
			if err != nil {
				return err
			}
			text, err := a.clientConfig(client, settings.DataDir)
			if err != nil {
				return usage(err)
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), text)
			return err
		},
	}
	cmd.Flags().StringVar(&client, "client", "generic", "the `program`: "+strings.Join(mcp.ClientNames(), ", "))
	complete(cmd, "client", mcp.ClientNames()...)
	return cmd
}

// clientConfig renders the configuration that starts this very program.
func (a *app) clientConfig(client, dataDir string) (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	if resolved, err := filepath.EvalSymlinks(program); err == nil {
		program = resolved
	}
	return mcp.ClientConfig(client, mcp.ClientConfigOptions{Command: program, DataDir: dataDir, GOOS: runtime.GOOS})
}

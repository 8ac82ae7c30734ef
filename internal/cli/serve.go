package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/mcp"
	"github.com/msgbrowse/msgbrowse/internal/perimeter"
	"github.com/msgbrowse/msgbrowse/internal/picture"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// webServer is how the web interface is served.
type webServer struct {
	open    bool // the first page in a browser
	withMCP bool
	fixed   bool // the settings are those at the start
}

func newServe(a *app) *cobra.Command {
	var how webServer
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Read and search the archive in a browser",
		Long: `Serve the archive as web pages at http://127.0.0.1:8787/, to this machine alone:
conversations, search, people, media, links, the record of unsolicited texts and
the archive's state. --mcp also serves MCP clients, at /mcp of the same address,
with the settings of "msgbrowse mcp --http".

An address that other machines can reach needs both --allow-remote and a password
(--token-file or MSGBROWSE_WEB_TOKEN), which browsers ask for; the user name does
not matter. The connection is not encrypted: put a server that does TLS in front.

Nothing is written unless you ask for it on a page: an import of what is new, the
index, who is who, the record of unsolicited texts, settings; but for JPEG copies
of TIFF and HEIC pictures, in the folder media of the data folder. Nothing leaves
this machine but texts to be indexed or looked for, if an endpoint is set to do
that.`,
		Example: `  msgbrowse serve
  msgbrowse serve --open
  msgbrowse serve --mcp --listen-addr 127.0.0.1:9000`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := a.settings(cmd)
			if err != nil {
				return err
			}
			s, err := a.openServed(cmd.Context(), settings)
			if err != nil {
				return err
			}
			return errors.Join(a.serveWeb(cmd, settings, s, how), s.close())
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&how.open, "open", false, "open the first page in a browser")
	flags.BoolVar(&how.withMCP, "mcp", false, "serve MCP clients, too")
	flags.String("listen-addr", web.DefaultAddress, "`address` and port")
	flags.Bool("allow-remote", false, "permit an address that other machines can reach; needs a password")
	flags.String("token-file", "", "`file` with the password that browsers must give")
	bind(flags, "listen-addr", "web.listen")
	bind(flags, "allow-remote", "web.allow_remote")
	bind(flags, "token-file", "web.token_file")
	return cmd
}

func (a *app) serveWeb(cmd *cobra.Command, settings *config.Config, from served, how webServer) error {
	r := from.Reader
	token, err := a.secret(settings.Web.TokenFile, "MSGBROWSE_WEB_TOKEN")
	if err != nil {
		return err
	}
	tail := web.NewLogTail(a.log.Handler())
	a.log = slog.New(tail)
	live := &liveArchive{app: a, reader: r, withMCP: how.withMCP, callers: &mcp.Callers{Now: a.env.Now}}
	defer live.close()
	first, err := live.answering(settings)
	if err != nil {
		return err
	}
	options := web.Options{
		Version: thisBuild().Version, AllowRemote: settings.Web.AllowRemote, Token: token, Logger: a.log, Log: tail, Clients: a.clients(settings.DataDir),
		OnListen: func(url string) {
			fmt.Fprintf(cmd.ErrOrStderr(), "Serving the archive at %s; stop with Ctrl-C\n", url)
			if how.withMCP {
				fmt.Fprintf(cmd.ErrOrStderr(), "Serving MCP at %s\n", strings.TrimSuffix(url, "/")+web.MCPPath)
			}
			if how.open {
				openBrowser(cmd.Context(), url, func(err error) {
					fmt.Fprintf(cmd.ErrOrStderr(), "msgbrowse: no browser could be opened (%v); open the address above\n", err)
				})
			}
		},
	}
	options.Index = a.webIndex(cmd, settings, r, how.fixed)
	if options.MCP = first.MCP; how.withMCP {
		options.Callers = live.asked
	}
	if !how.fixed {
		options.Settings = a.webSettings(cmd, live.answering)
		if jobs := a.webJobs(cmd, from); jobs != nil {
			options.Jobs = jobs
			defer jobs.Stop()
		}
	}
	evidence := a.webEvidence(cmd, settings, from, how.fixed)
	defer evidence.Stop()
	archive := web.Archive{Reader: r, Searcher: first.Searcher, Media: ingest.OpenAttachment, Copies: picture.New(filepath.Join(settings.DataDir, "media")), Recorder: from.recorder, Evidence: evidence, Now: a.env.Now}
	return optionError(web.Serve(cmd.Context(), settings.Web.Listen, archive, options))
}

// clients are the MCP clients that are known, each with what to tell it; none
// where a path cannot be told to clients.
func (a *app) clients(dataDir string) []web.Client {
	var list []web.Client
	for _, name := range mcp.ClientNames() {
		text, err := a.clientConfig(name, dataDir)
		if err != nil {
			a.log.Warn("serve: no configuration for MCP clients", "err", err)
			return nil
		}
		list = append(list, web.Client{Name: name, Config: text})
	}
	return list
}

// optionError makes a mistake in the command line of what a server refuses.
func optionError(err error) error {
	var refused *perimeter.OptionError
	if errors.As(err, &refused) {
		return usage(err)
	}
	return err
}

// browsers are the programs that open an address, by system.
var browsers = map[string][]string{
	"darwin":  {"open"},
	"windows": {"rundll32", "url.dll,FileProtocolHandler"},
}

func openBrowser(ctx context.Context, url string, failed func(error)) {
	command := browsers[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	browser := exec.CommandContext(context.WithoutCancel(ctx), command[0], append(command[1:len(command):len(command)], url)...)
	if err := browser.Start(); err != nil {
		failed(err)
		return
	}
	go func() { _ = browser.Wait() }() // it may outlive the server
}

// secret is what clients must send: from the file of the settings, else from
// the environment, where no listing of settings shows it.
func (a *app) secret(file, variable string) (string, error) {
	if file == "" {
		return strings.TrimSpace(a.env.Host.Getenv(variable)), nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", usage(fmt.Errorf("read token: %w", err))
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", usage(fmt.Errorf("the token file %s is empty; write a long random word into it", file))
	}
	return token, nil
}

// httpOptions are how MCP is served over HTTP.
func (a *app) httpOptions(settings *config.Config) (mcp.HTTPOptions, error) {
	token, err := a.secret(settings.MCP.TokenFile, "MSGBROWSE_MCP_TOKEN")
	return mcp.HTTPOptions{
		Token: token, AllowOrigins: settings.MCP.AllowOrigins, AllowRemote: settings.MCP.AllowRemote,
		RequestTimeout: settings.MCP.CallTimeout, Logger: a.log,
	}, err
}

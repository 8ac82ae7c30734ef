package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/demo"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/source/registry"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func newDemo(a *app) *cobra.Command {
	var stdio, inBrowser bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Try msgbrowse on a bundled sample",
		Long: `Build a temporary archive from a bundled sample (invented people, several sources)
and serve it to MCP clients over HTTP, until Ctrl-C. --web serves it to browsers,
too. --stdio serves it over standard input and output instead, so that a client
can be tried in one line.
The archive is removed at the end; your own is never touched.`,
		Example: `  msgbrowse demo
  msgbrowse demo --web
  claude mcp add msgbrowse-demo -- msgbrowse demo --stdio`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.demo(cmd, stdio, inBrowser) },
	}
	cmd.Flags().BoolVar(&inBrowser, "web", false, "serve web pages, with MCP at /mcp of the same address")
	cmd.Flags().BoolVar(&stdio, "stdio", false, "serve MCP over standard input and output")
	cmd.Flags().String("listen", "127.0.0.1:8788", "`address` and port to serve at")
	cmd.Flags().String("listen-addr", "127.0.0.1:8787", "`address` and port to serve web pages at")
	bind(cmd.Flags(), "listen", "mcp.listen")
	bind(cmd.Flags(), "listen-addr", "web.listen")
	return cmd
}

func (a *app) demo(cmd *cobra.Command, stdio, inBrowser bool) (err error) {
	settings, err := a.settings(cmd)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "msgbrowse-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the sample: %w", err)
	}
	defer func() {
		if removeErr := os.RemoveAll(dir); err == nil {
			err = removeErr
		}
	}()
	settings.DataDir, settings.Embeddings.Provider = filepath.Join(dir, "archive"), config.ProviderBuiltin
	settings.Spam.ExportDir = "" // below the sample's own folder
	summary, err := a.buildDemo(cmd, dir, settings.DataDir)
	if err != nil {
		return err
	}
	archive, err := a.openServed(cmd.Context(), settings)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, archive.close()) }()
	r := archive.Reader
	if _, err := a.updateVectors(cmd.Context(), settings, r, indexFlags{quiet: true}); err != nil {
		return err
	}
	if stdio {
		return a.serveStdio(cmd, settings, r)
	}
	if err := a.introduceDemo(cmd, settings.DataDir, summary); err != nil {
		return err
	}
	if inBrowser {
		return a.serveWeb(cmd, settings, archive, webServer{withMCP: true, fixed: true})
	}
	return a.serveHTTP(cmd, settings, r)
}

// buildDemo imports the sample.
func (a *app) buildDemo(cmd *cobra.Command, dir, dataDir string) (summary ingest.Summary, err error) {
	sample := filepath.Join(dir, "exports")
	if err := demo.Extract(sample); err != nil {
		return summary, fmt.Errorf("write the sample: %w", err)
	}
	ctx := cmd.Context()
	w, err := store.OpenWriter(ctx, dataDir)
	if err != nil {
		return summary, archiveError(err)
	}
	defer func() {
		if closeErr := w.Close(); err == nil {
			err = closeErr
		}
	}()
	root, err := ingest.RootFor(sample)
	if err != nil {
		return summary, err
	}
	root.Owner = []string{demo.Me}
	plan, err := ingest.MakePlan(ctx, []store.Root{root}, nil, false, registry.Best)
	if err != nil {
		return summary, err
	}
	defer plan.Close()
	return ingest.Run(ctx, w, plan, ingest.Options{Now: a.env.Now, Version: thisBuild().Version})
}

// introduceDemo says how to connect a client and what to ask it.
func (a *app) introduceDemo(cmd *cobra.Command, dataDir string, s ingest.Summary) error {
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "A sample archive of %s is at %s until you press Ctrl-C.\n\n", plural(s.Added, "message", "messages"), dataDir)
	text, err := a.clientConfig("generic", dataDir)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Tell your MCP client (for one client's exact form: msgbrowse mcp config --client NAME):\n\n%s\n", text)
	fmt.Fprintln(out, "Then ask it, for example:")
	for _, q := range demo.Questions()[:3] {
		fmt.Fprintf(out, "  %s\n", q.Question)
	}
	fmt.Fprintf(out, "\nOr here, in another terminal:\n  msgbrowse search --data-dir %s 'what did Harper say about the lease?'\n\n", dataDir)
	return nil
}

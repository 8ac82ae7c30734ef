package cli

import (
	"github.com/spf13/cobra"
)

// commands are the commands in the order the help lists them.
var commands = []func(*app) *cobra.Command{
	newImport,
	newIndex,
	newSearch,
	newShow,
	newConversations,
	newSources,
	newServe,
	newContacts,
	newSpam,
	newMCP,
	newDemo,
	newDoctor,
	newConfig,
	newCompletion,
	newVersion,
}

func newRoot(a *app, commands []func(*app) *cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:   "msgbrowse",
		Short: "One private archive of all your messages, with exact citations",
		Long: `msgbrowse turns message exports (Signal, iMessage, WhatsApp, Telegram) into one
private archive on this machine and answers questions about it with exact
citations. It reads the exports and never changes them.

Settings come from flags, MSGBROWSE_ variables and a configuration file, in this
order; "msgbrowse config" shows what is in force. What a command produces goes
to standard output, everything about the run to standard error.

Exit status: 0 done, 1 failed, 2 the command line or configuration is wrong and
nothing was done, 3 partly done (some files or records could not be imported),
4 nothing found or recognised, 130 interrupted.`,
		Example: `  msgbrowse config
  msgbrowse help config`,
		Args:              noArgs,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	flags := root.PersistentFlags()
	flags.StringVar(&a.configFile, "config", "", "configuration `file` (default: config.yaml in the user's configuration folder)")
	flags.String("data-dir", "", "`folder` of the archive (default: msgbrowse in the user's data folder)")
	flags.String("log-level", "warn", "least severity to log, a `level`: debug, info, warn or error")
	bind(flags, "data-dir", "data_dir")
	bind(flags, "log-level", "log_level")
	complete(root, "log-level", "debug", "info", "warn", "error")
	root.SetFlagErrorFunc(flagError)
	for _, build := range commands {
		root.AddCommand(build(a))
	}
	root.SetHelpCommand(newHelp())
	root.InitDefaultHelpCmd()
	checkUsage(root)
	return root
}

// complete offers fixed values for a flag in shell completion.
func complete(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag must be defined before its completion
	}
}

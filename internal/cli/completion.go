package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newCompletion(*app) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a script that completes commands in your shell",
		Long: `Print a script that teaches your shell to complete msgbrowse's commands, flags and
values. Load it in the running shell as in the examples, or write it to the
place where the shell looks for completions:

  bash        ~/.local/share/bash-completion/completions/msgbrowse
  zsh         a file _msgbrowse in a folder of $fpath
  fish        ~/.config/fish/completions/msgbrowse.fish
  powershell  add the example's line to $PROFILE`,
		Example: `  source <(msgbrowse completion bash)
  msgbrowse completion fish | source
  msgbrowse completion powershell | Out-String | Invoke-Expression`,
		Args:      oneValidArg,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			default:
				return fmt.Errorf("no completion for %q", args[0])
			}
		},
	}
}

package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/msgbrowse/msgbrowse/internal/config"
)

// usageError is a mistake in the command line; the report points to the help
// of the command it was made in.
type usageError struct {
	command string
	err     error
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func wrongLine(cmd *cobra.Command, err error) error {
	return usage(&usageError{cmd.CommandPath(), err})
}

// flagError words a flag that cannot be read.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return wrongLine(cmd, err)
	}
	if group := unknown.GetSpecifiedShortnames(); group != "" {
		return wrongLine(cmd, fmt.Errorf("unknown flag -%s", group))
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	name := unknown.GetSpecifiedName()
	return wrongLine(cmd, fmt.Errorf("unknown flag --%s; the nearest one is --%s", name, config.Nearest(name, known)))
}

// checkUsage makes every mistake in the arguments of cmd and the commands
// below it a usage error.
func checkUsage(cmd *cobra.Command) {
	cmd.Args = usageArgs(cmd.Args)
	for _, sub := range cmd.Commands() {
		checkUsage(sub)
	}
}

// usageArgs checks arguments with check, and the flags that are required or
// exclude each other, which cobra would otherwise report later and unmarked.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			if cmd.HasAvailableSubCommands() && len(args) > 0 {
				err = unknownCommand(cmd, args[0])
			}
			return wrongLine(cmd, err)
		}
		if err := cmd.ValidateRequiredFlags(); err != nil {
			return wrongLine(cmd, err)
		}
		if err := cmd.ValidateFlagGroups(); err != nil {
			return wrongLine(cmd, err)
		}
		return nil
	}
}

// unknownCommand explains a word where cmd takes only other commands.
func unknownCommand(cmd *cobra.Command, name string) error {
	var known []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			known = append(known, sub.Name())
		}
	}
	return fmt.Errorf("unknown command %q; the nearest one is %q", name, config.Nearest(name, known))
}

// noArgs is for commands that take flags only.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, got %q", cmd.Name(), args[0])
	}
	return nil
}

// oneValidArg is for commands that take one of their ValidArgs.
func oneValidArg(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && slices.Contains(cmd.ValidArgs, args[0]) {
		return nil
	}
	return fmt.Errorf("%s takes one of %s", cmd.Name(), strings.Join(cmd.ValidArgs, ", "))
}

// oneArg is for commands that take exactly one argument.
func oneArg(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s takes one argument: %s", cmd.Name(), strings.TrimPrefix(cmd.Use, cmd.Name()+" "))
	}
	return nil
}

// someArgs is for commands that take at least one argument.
func someArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s takes at least one argument: %s", cmd.Name(), strings.TrimPrefix(cmd.Use, cmd.Name()+" "))
	}
	return nil
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// scanFlags are the flags of spam scan.
type scanFlags struct {
	reset, quiet, asJSON bool
	conversation         string
	batchSize            int
}

func newSpamScan(a *app) *cobra.Command {
	var f scanFlags
	cmd := &cobra.Command{
		Use:   "scan",
		Short: "Bring the record up to date with the archive",
		Long: `Examine what strangers wrote and put it on the record. Who is a stranger is told by
your address book ("msgbrowse contacts" says which is read); without one only bare
numbers, short codes and e-mail addresses are examined, and the record says so.

A scan goes on where the last one ended. Rules that changed make it examine
everything again; the old findings are read until the new ones are complete. --reset
clears what scans wrote first; what people said, manual events and entities stay.

` + spamNature,
		Example: `  msgbrowse spam scan
  msgbrowse spam scan --conversation "+1 212 555 0142"
  msgbrowse spam scan --reset`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.batchSize < 1 || f.batchSize > 100_000 {
				return usage(fmt.Errorf("--batch-size %d is not between 1 and 100,000", f.batchSize))
			}
			return a.judging(cmd, func(ctx context.Context, settings *config.Config, w *store.Recorder, r *store.Reader) error {
				return a.scan(ctx, cmd, settings, w, r, f)
			})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.reset, "reset", false, "clear first what earlier scans wrote; your own words stay")
	flags.StringVar(&f.conversation, "conversation", "", "examine only this `conversation`: its id or name")
	flags.IntVar(&f.batchSize, "batch-size", spam.DefaultBatchSize, "how many `messages` are written at once")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing but errors and warnings")
	flags.BoolVar(&f.asJSON, "json", false, "print the run as a JSON object")
	return cmd
}

func (a *app) scan(ctx context.Context, cmd *cobra.Command, settings *config.Config, w *store.Recorder, r *store.Reader, f scanFlags) error {
	rules, clocks, err := spamRules(settings)
	if err != nil {
		return err
	}
	books, err := a.addressBooks(ctx, settings)
	if err != nil {
		return err
	}
	threads, err := r.ConversationRefs(ctx)
	if err != nil {
		return err
	}
	total := int64(len(threads))
	o := spam.ScanOptions{Reset: f.reset, BatchSize: f.batchSize, Clocks: clocks, Now: a.env.Now, PID: os.Getpid(), Version: thisBuild().Version}
	if f.conversation != "" {
		c, err := search.Conversation(ctx, r, f.conversation)
		if err != nil {
			return usage(err)
		}
		o.Conversation, total = c.ID, 1
	}
	book := spam.ContactsBook{AddressBooks: books}
	if !f.quiet && !f.asJSON {
		printAddressBooks(cmd.ErrOrStderr(), books)
	}
	if book.Env().Degraded() {
		fmt.Fprintln(cmd.ErrOrStderr(), "Warning: "+degradedWarning(book.Env()))
	}
	bar := a.progress(f.quiet || f.asJSON)
	bar.begin("scanning", unit{"conversation", "conversations"}, total)
	o.Progress = func(c record.Counters) { bar.set(settledThreads(c)) }
	run, err := spam.Scan(ctx, r, r, w, rules, book, o)
	bar.end()
	if err != nil {
		return scanError(err)
	}
	if f.asJSON {
		return writeJSON(cmd, runListing(run, a.env.Now()))
	}
	if !f.quiet {
		printScan(cmd.OutOrStdout(), run)
		return a.warnMixed(ctx, cmd, r)
	}
	return nil
}

// degradedWarning says that no address book was there, and both ways in which
// the record can be wrong because of it.
func degradedWarning(env record.ScanEnv) string {
	return fmt.Sprintf("no address book could be read (%s). Only senders that are a bare number, short code or e-mail\n"+
		"address are examined. That can be wrong in both ways: people you know, whose names no export holds, are on the record;\n"+
		"strangers whom an export calls by a name are not. Provide an address book, then run \"msgbrowse spam scan --reset\".", env)
}

func (a *app) warnMixed(ctx context.Context, cmd *cobra.Command, r *store.Reader) error {
	state, err := r.SpamState(ctx)
	if err == nil && state.Mixed() {
		fmt.Fprintf(cmd.ErrOrStderr(), "Warning: the record spans several address books (%s); \"msgbrowse spam scan --reset\" makes it uniform.\n", joinEnvs(state.Envs))
	}
	return err
}

func joinEnvs(envs []record.ScanEnv) string { return strings.Join(vocabulary(envs), ", ") }

// settledThreads is how many conversations a scan is done with.
func settledThreads(c record.Counters) int64 {
	return c.Conversations + c.Own + c.Allowlisted + c.Excluded + c.InAddressBook + c.NotComparable + c.Correspondent + c.Groups
}

// scanError words why a scan did not happen.
func scanError(err error) error {
	var running *record.RunningError
	var ineligible *spam.IneligibleError
	switch {
	case errors.As(err, &running):
		run := running.Run
		return fmt.Errorf("another scan is running: number %d, process %d, since %s, with %s so far; wait for it to finish",
			run.ID, run.PID, run.StartedAt.Format("2006-01-02 15:04:05 MST"), plural(run.Counters.Examined, "message", "messages"))
	case errors.As(err, &ineligible):
		return usage(err)
	case errors.Is(err, spam.ErrRulesChanged):
		return usage(fmt.Errorf("%w, with \"msgbrowse spam scan\"", err))
	}
	return err
}

func printScan(out io.Writer, run record.Run) {
	c := run.Counters
	fmt.Fprintf(out, "Scan %d: %s examined in %s, %s flagged, %s new, %s found.\n", run.ID, plural(c.Examined, "message", "messages"),
		plural(c.Conversations, "conversation", "conversations"), count(c.Candidates), plural(c.Senders, "sender", "senders"), plural(c.OptOuts, "opt-out", "opt-outs"))
	if c.OptOutCandidates > 0 {
		fmt.Fprintf(out, "%s may be an opt-out: \"msgbrowse spam evidence\" shows them, \"msgbrowse spam event add\" confirms.\n", plural(c.OptOutCandidates, "message of yours", "messages of yours"))
	}
	if c.Attempted > 0 {
		fmt.Fprintf(out, "%s could not be sent and counts as attempted.\n", plural(c.Attempted, "opt-out", "opt-outs"))
	}
	var left []string
	for _, x := range c.LeftOut() {
		left = append(left, count(x.Conversations)+" "+x.Why)
	}
	if len(left) > 0 {
		fmt.Fprintf(out, "Conversations left out: %s.\n", strings.Join(left, "; "))
	}
	fmt.Fprintf(out, "Rules %s, address book %s.\n", run.Ruleset, run.Env)
}

func newSpamRuns(a *app) *cobra.Command {
	var limit int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the scans",
		Long: `List the scans, the newest first: when each ran, under which rules and address book,
what it did and how it ended. A scan that showed no sign of life for two minutes and
never ended has crashed.`,
		Example: `  msgbrowse spam runs
  msgbrowse spam runs --limit 3 --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.reading(cmd, func(ctx context.Context, _ *config.Config, r *store.Reader) error {
				runs, err := r.SpamRuns(ctx, max(1, limit))
				if err != nil {
					return err
				}
				now := a.env.Now()
				if asJSON {
					all := make([]runReport, len(runs))
					for i, run := range runs {
						all[i] = runListing(run, now)
					}
					return writeJSON(cmd, map[string]any{"runs": all})
				}
				if len(runs) == 0 {
					return nothing(errors.New("nothing was scanned yet; \"msgbrowse spam scan\" does"))
				}
				rows := [][]string{{"RUN", "STARTED", "STATE", "EXAMINED", "FLAGGED", "OPT-OUTS", "ADDRESS BOOK", "RULES", "ERROR"}}
				for _, run := range runs {
					c := run.Counters
					rows = append(rows, []string{strconv.FormatInt(run.ID, 10), run.StartedAt.Format("2006-01-02 15:04:05"), string(run.State(now)),
						count(c.Examined), count(c.Candidates), count(c.OptOuts), string(run.Env), run.Ruleset, run.Error})
				}
				return printTable(cmd.OutOrStdout(), rows)
			})
		},
	}
	cmd.Flags().IntVarP(&limit, "limit", "n", 20, "how many `scans` at most")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

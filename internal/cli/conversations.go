package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func newConversations(a *app) *cobra.Command {
	var source, order string
	var limit int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "conversations [text]",
		Short: "List conversations",
		Long: `List the conversations of the archive, the latest first, or those whose name or
participants contain a text.`,
		Example: `  msgbrowse conversations
  msgbrowse conversations harper
  msgbrowse conversations --sort size --limit 10`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.reading(cmd, func(ctx context.Context, _ *config.Config, r *store.Reader) error {
				var err error
				q := store.ConversationQuery{Text: strings.Join(args, " "), Order: store.ConversationOrder(order), Limit: limit}
				switch q.Order {
				case store.ByRecent, store.ByName, store.BySize:
				default:
					return usage(fmt.Errorf("--sort %s is not known; use recent, name or size", order))
				}
				if source != "" {
					if q.Source, err = search.Source(ctx, r, source); err != nil {
						return usage(err)
					}
				}
				list, total, err := r.ListConversations(ctx, q)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(cmd, conversationsListing(list, total))
				}
				if len(list) == 0 {
					return nothing(errors.New("no conversation matches"))
				}
				return printConversations(cmd, list, total)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&source, "source", "", "only from this `source`: signal, imessage, whatsapp, telegram")
	flags.StringVar(&order, "sort", "recent", "the `order`: recent, name or size")
	flags.IntVarP(&limit, "limit", "n", 0, "how many `conversations` at most; 0 lists all")
	flags.BoolVar(&asJSON, "json", false, "print a JSON object")
	complete(cmd, "sort", "recent", "name", "size")
	return cmd
}

func printConversations(cmd *cobra.Command, list []store.Conversation, total int) error {
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tNAME\tSOURCE\tKIND\tMESSAGES\tFROM\tTO")
	for _, c := range list {
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", c.ID, inert.Line(c.Name), c.Source, c.Kind, count(c.Messages), dayText(c.First), dayText(c.Last))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if len(list) < total {
		fmt.Fprintf(cmd.ErrOrStderr(), "%d of %s\n", len(list), plural(int64(total), "conversation", "conversations"))
	}
	return nil
}

func dayText(micros int64) string {
	if micros == 0 {
		return "-"
	}
	return time.UnixMicro(micros).UTC().Format(time.DateOnly)
}

type conversationsReport struct {
	Total         int                  `json:"total"`
	Conversations []conversationReport `json:"conversations"`
}

type conversationReport struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Source   string `json:"source"`
	Kind     string `json:"kind"`
	Messages int64  `json:"messages"`
	First    string `json:"first"`
	Last     string `json:"last"`
}

func conversationsListing(list []store.Conversation, total int) conversationsReport {
	report := conversationsReport{Total: total, Conversations: []conversationReport{}}
	for _, c := range list {
		report.Conversations = append(report.Conversations, conversationReport{
			c.ID, inert.Line(c.Name), string(c.Source), c.Kind.String(), c.Messages, dayText(c.First), dayText(c.Last),
		})
	}
	return report
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func newSearch(a *app) *cobra.Command {
	var conversation, sender, source, start, end, has, mode string
	var limit int
	var asJSON, explain bool
	cmd := &cobra.Command{
		Use:   "search query...",
		Short: "Find messages by their words and their meaning",
		Long: `Find messages by their words and, where there is an index for it, by their
meaning, best first, with the matches between ** marks.

Words must all be found, in any inflection; a plain question is taken apart and
its words are ranked. "exact phrase", -word, OR, parentheses and word* work, and
so do from:, with:, in:, source:, has:, is:, before:, after:, on: and domain:.
Quote the query so that the shell leaves it alone.`,
		Example: `  msgbrowse search 'what did Harper say about the lease?'
  msgbrowse search '"signed the lease" from:harper after:2023'
  msgbrowse search 'boat OR ferry' --conversation 'Family' --limit 5`,
		Args: someArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.reading(cmd, func(ctx context.Context, settings *config.Config, r *store.Reader) error {
				var err error
				q := search.Query{Text: strings.Join(args, " "), Has: has, Limit: max(1, limit)}
				if q.Mode, err = search.ParseMode(mode); err != nil {
					return usage(err)
				}
				if conversation != "" {
					c, err := search.Conversation(ctx, r, conversation)
					if err != nil {
						return usage(err)
					}
					q.Conversation = c.ID
				}
				if sender != "" {
					if q.Senders, q.FromMe, err = search.Senders(ctx, r, sender); err != nil {
						return usage(err)
					}
				}
				if source != "" {
					if q.Source, err = search.Source(ctx, r, source); err != nil {
						return usage(err)
					}
				}
				if q.Period, err = search.ParseRange(start, end, a.env.Now()); err != nil {
					return usage(err)
				}
				s, release, err := a.searcher(settings, r)
				if err != nil {
					return err
				}
				defer release()
				results, err := s.Search(ctx, q)
				if err != nil {
					return usage(err)
				}
				if q.Mode == search.Semantic && results.WithoutMeaning != "" {
					return fmt.Errorf("%s; leave --mode out to search by words", inert.Line(results.WithoutMeaning))
				}
				if asJSON {
					return writeJSON(cmd, searchListing(results, explain))
				}
				return printResults(cmd, results, explain)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&conversation, "conversation", "c", "", "only in this conversation, an `id` or name")
	flags.StringVarP(&sender, "sender", "s", "", "only from this `sender`; Me is you")
	flags.StringVar(&source, "source", "", "only from this `source`: signal, imessage, whatsapp, telegram")
	flags.StringVar(&start, "start", "", "from this `date` on: YYYY, YYYY-MM, YYYY-MM-DD or RFC 3339")
	flags.StringVar(&end, "end", "", "up to this `date`, the day included")
	flags.StringVar(&has, "has", "", "only with this `thing`: "+strings.Join(search.Has, ", "))
	flags.StringVar(&mode, "mode", string(search.Hybrid), "find by `words`, by meaning or both: "+strings.Join(search.Modes(), ", "))
	flags.BoolVar(&explain, "explain", false, "say what each message's score is made of")
	flags.IntVarP(&limit, "limit", "n", 20, "how many `messages` at most")
	flags.BoolVar(&asJSON, "json", false, "print a JSON object")
	complete(cmd, "has", search.Has...)
	complete(cmd, "mode", search.Modes()...)
	return cmd
}

func printResults(cmd *cobra.Command, results search.Results, explain bool) error {
	if results.WithoutMeaning != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), "Note: by words only: "+inert.Line(results.WithoutMeaning))
	}
	for _, notice := range results.Notices {
		fmt.Fprintln(cmd.ErrOrStderr(), "Note: "+inert.Line(notice))
	}
	if len(results.Hits) == 0 {
		return nothing(errors.New("nothing found; try other or fewer words, or word* for the beginning of a word"))
	}
	out := cmd.OutOrStdout()
	for _, h := range results.Hits {
		if explain {
			fmt.Fprintf(out, "score %.3f, %s: words %.3f%s, near %.3f%s, judged %.3f\n", h.Score, h.Match.Half(), h.Why.Keyword, rankText(h.Why.KeywordRank),
				h.Why.Near, rankText(h.Why.NearRank), h.Why.Judged)
		}
		how := ""
		if h.Match == search.Semantic && results.Mode == search.Hybrid {
			how = ", by meaning"
		}
		fmt.Fprintf(out, "%d  %s  %s  %s (%s%s)\n    %s\n", h.ID, timeText(h.Time), senderText(h.Message), inert.Line(h.Conversation), h.Source, how, inert.Line(h.Excerpt))
	}
	total := fmt.Sprintf("%d shown", len(results.Hits))
	if results.Counted {
		total = fmt.Sprintf("%d of %s", len(results.Hits), plural(results.Total, "message", "messages"))
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s; \"msgbrowse show ID\" shows one with its source\n", total)
	return nil
}

// rankText words a place in one half of the search.
func rankText(rank int) string {
	if rank == 0 {
		return ""
	}
	return fmt.Sprintf(" (no. %d)", rank)
}

type searchReport struct {
	Mode           string      `json:"mode"`
	WithoutMeaning string      `json:"without_meaning,omitempty"`
	Total          *int64      `json:"total,omitempty"`
	Notices        []string    `json:"notices"`
	Hits           []hitReport `json:"hits"`
}

type hitReport struct {
	MessageID      int64   `json:"message_id"`
	Hash           string  `json:"hash"`
	Conversation   string  `json:"conversation"`
	ConversationID int64   `json:"conversation_id"`
	Source         string  `json:"source"`
	Sender         string  `json:"sender"`
	Timestamp      string  `json:"timestamp"`
	TimestampBasis string  `json:"timestamp_basis"`
	Text           string  `json:"text"`
	Score          float64 `json:"score"`
	Match          string  `json:"match"`
	Scores         *scores `json:"scores,omitempty"`
}

type scores struct {
	Keyword     float64 `json:"keyword"`
	KeywordRank int     `json:"keyword_rank,omitempty"`
	Near        float64 `json:"near"`
	NearRank    int     `json:"near_rank,omitempty"`
	Judged      float64 `json:"judged"`
}

func searchListing(results search.Results, explain bool) searchReport {
	report := searchReport{Mode: string(results.Mode), WithoutMeaning: results.WithoutMeaning, Notices: append([]string{}, results.Notices...), Hits: []hitReport{}}
	if results.Counted {
		report.Total = &results.Total
	}
	for _, h := range results.Hits {
		hit := hitReport{
			h.ID, h.Hash, inert.Line(h.Conversation), h.ConversationID, string(h.Source), inert.Line(h.Sender), h.Time.String(), h.Time.Basis.String(),
			inert.Text(h.Excerpt), h.Score, h.Match.Half(), nil,
		}
		if explain {
			hit.Scores = &scores{h.Why.Keyword, h.Why.KeywordRank, h.Why.Near, h.Why.NearRank, h.Why.Judged}
		}
		report.Hits = append(report.Hits, hit)
	}
	return report
}

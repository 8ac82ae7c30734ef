package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// printTable writes rows, the first of them headings, in columns.
func printTable(out io.Writer, rows [][]string) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			row[i] = inert.Line(cell)
		}
		fmt.Fprintln(table, strings.TrimRight(strings.Join(row, "\t"), "\t"))
	}
	return table.Flush()
}

// runReport is a scan as JSON.
type runReport struct {
	ID             int64           `json:"id"`
	State          string          `json:"state"`
	StartedAt      string          `json:"started_at"`
	HeartbeatAt    string          `json:"heartbeat_at"`
	FinishedAt     string          `json:"finished_at,omitempty"`
	PID            int             `json:"pid"`
	Version        string          `json:"version"`
	RulesetVersion string          `json:"ruleset_version"`
	ScanEnv        string          `json:"scan_env"`
	Degraded       bool            `json:"degraded"`
	Reset          bool            `json:"reset,omitempty"`
	Conversation   int64           `json:"conversation_id,omitempty"`
	Counters       record.Counters `json:"counters"`
	Error          string          `json:"error,omitempty"`
}

func runListing(run record.Run, now time.Time) runReport {
	report := runReport{
		ID: run.ID, State: string(run.State(now)), StartedAt: run.StartedAt.Format(time.RFC3339), HeartbeatAt: run.HeartbeatAt.Format(time.RFC3339),
		PID: run.PID, Version: run.Version, RulesetVersion: run.Ruleset, ScanEnv: string(run.Env), Degraded: run.Env.Degraded(),
		Reset: run.Reset, Conversation: run.Only, Counters: run.Counters, Error: run.Error,
	}
	if !run.FinishedAt.IsZero() {
		report.FinishedAt = run.FinishedAt.Format(time.RFC3339)
	}
	return report
}

// eventReport is an event as JSON.
type eventReport struct {
	ID           int64  `json:"id"`
	SenderID     int64  `json:"sender_id"`
	Type         string `json:"type"`
	OccurredAt   string `json:"occurred_at"`
	Precision    string `json:"precision"`
	Basis        string `json:"basis"`
	RecordedAt   string `json:"recorded_at"`
	Origin       string `json:"origin"`
	Tier         string `json:"tier,omitempty"`
	MessageHash  string `json:"message_hash,omitempty"`
	Text         string `json:"text,omitempty"`
	Details      string `json:"details,omitempty"`
	Evidence     string `json:"evidence,omitempty"`
	Supersedes   int64  `json:"supersedes,omitempty"`
	SupersededBy int64  `json:"superseded_by,omitempty"`
}

func eventListing(e record.Event) eventReport {
	return eventReport{
		ID: e.ID, SenderID: e.SenderID, Type: string(e.Type), OccurredAt: inert.Line(spam.EventTime(e)), Precision: e.Time.Precision.String(), Basis: e.Time.Basis.String(),
		RecordedAt: microTime(e.RecordedAt), Origin: string(e.Origin), Tier: string(e.Tier), MessageHash: e.Hash, Text: inert.Line(e.Text),
		Details: inert.Text(e.Details), Evidence: inert.Text(e.Evidence), Supersedes: e.Supersedes, SupersededBy: e.SupersededBy,
	}
}

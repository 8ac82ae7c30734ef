package spam

import (
	"context"
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// ReadEvidence reads what the record holds of senders. An id that names
// nobody is record.ErrUnknownSender.
func ReadEvidence(ctx context.Context, r Record, senders []int64) (Evidence, error) {
	var e Evidence
	var err error
	if e.Senders, err = r.SpamSenders(ctx, record.SenderQuery{IDs: senders}); err != nil {
		return e, fmt.Errorf("read senders: %w", err)
	}
	if len(e.Senders) != len(senders) || len(senders) == 0 {
		return e, record.ErrUnknownSender
	}
	if e.Findings, err = r.SpamFindings(ctx, senders); err != nil {
		return e, fmt.Errorf("read findings: %w", err)
	}
	if e.Events, err = r.SpamEvents(ctx, senders); err != nil {
		return e, fmt.Errorf("read events: %w", err)
	}
	if e.Categories, err = r.SpamCategories(ctx, senders); err != nil {
		return e, fmt.Errorf("read categories: %w", err)
	}
	if e.Coverage, err = r.SpamCoverage(ctx); err != nil {
		return e, fmt.Errorf("read coverage: %w", err)
	}
	return e, nil
}

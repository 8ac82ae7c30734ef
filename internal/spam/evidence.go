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

// apart is the evidence of each sender by itself, by its id.
func (e Evidence) apart() map[int64]Evidence {
	own := make(map[int64]*Evidence, len(e.Senders))
	for _, s := range e.Senders {
		own[s.ID] = &Evidence{Senders: []record.Sender{s}, Coverage: e.Coverage}
	}
	size, whose := map[int64]int{}, map[string]int64{}
	for i := range e.Findings {
		f := &e.Findings[i]
		size[f.SenderID]++
		if len(e.Categories) > 0 {
			whose[f.Hash] = f.SenderID
		}
	}
	for id, part := range own {
		part.Findings = make([]record.Finding, 0, size[id])
	}
	for i := range e.Findings {
		if part := own[e.Findings[i].SenderID]; part != nil {
			part.Findings = append(part.Findings, e.Findings[i])
		}
	}
	for _, x := range e.Events {
		if part := own[x.SenderID]; part != nil {
			part.Events = append(part.Events, x)
		}
	}
	for _, c := range e.Categories {
		if part := own[whose[c.Hash]]; part != nil {
			part.Categories = append(part.Categories, c)
		}
	}
	list := make(map[int64]Evidence, len(own))
	for id, part := range own {
		list[id] = *part
	}
	return list
}

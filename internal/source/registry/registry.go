// Package registry lists the sources and finds the one a file belongs to.
package registry

import (
	"context"
	"errors"
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/imessage"
	"github.com/msgbrowse/msgbrowse/internal/source/signal"
	"github.com/msgbrowse/msgbrowse/internal/source/telegram"
	"github.com/msgbrowse/msgbrowse/internal/source/whatsapp"
)

// Certain is the confidence from which on a file is taken for what a source
// says it is. Below, it is only named as a guess.
const Certain = 50

// Settled is the confidence from which on no further source is asked: each may
// read up to a megabyte of the file to make up its mind.
const Settled = 95

// All returns every source there is, always in the same order. Of two that
// are equally confident about a file, the earlier one gets it.
func All() []source.Source {
	return []source.Source{
		signal.Lines{},
		signal.Markdown{},
		imessage.Text{},
		whatsapp.ChatText{},
		whatsapp.ChatExporter{},
		telegram.JSON{},
	}
}

// Best returns the source that is most confident about the candidate and what
// it says, or the first to be as good as sure (Settled). A confidence below
// Certain is a guess, which Why explains; with no guess either, the source is
// nil, and Format and Why say which format the file has that nobody reads, if
// it is a known one. Sources that could not look at the file are an error only when no other
// one is certain.
func Best(ctx context.Context, c source.Candidate) (source.Source, source.Recognition, error) {
	return best(ctx, All(), c)
}

func best(ctx context.Context, sources []source.Source, c source.Candidate) (source.Source, source.Recognition, error) {
	var found source.Source
	var says source.Recognition
	var failed []error
	for _, s := range sources {
		if err := ctx.Err(); err != nil {
			return nil, source.Recognition{}, err
		}
		r, err := s.Recognize(ctx, c)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if r.Confidence > says.Confidence {
			found, says = s, r
		}
		if says.Confidence >= Settled {
			break
		}
	}
	if says.Confidence < Certain && len(failed) > 0 {
		return nil, source.Recognition{}, fmt.Errorf("recognize %s: %w", c.Path, errors.Join(failed...))
	}
	if found != nil && says.Confidence < Certain && says.Why == "" {
		says.Why = "only some of the marks of this format are there"
	}
	if found == nil {
		says = asUnread(c)
	}
	return found, says, nil
}

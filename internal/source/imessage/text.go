package imessage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// Text reads the text files of imessage-exporter. The zero value is ready.
//
// The owner is the sender called Me, and with source.Options.Me whoever else
// is named there: exports made with --custom-name or --use-caller-id call the
// owner by a name or a number. A contact who is saved as Me is taken for the
// owner, because this format writes the two alike.
//
// A file is read twice: once to learn who writes in it, which records stand
// out of time order and which replies have their own place, then to hand the
// messages over. Memory stays bounded all the same.
type Text struct{}

var _ source.Source = Text{}

// Name implements source.Source.
func (Text) Name() msg.Source { return msg.IMessage }

// Read implements source.Source.
func (Text) Read(ctx context.Context, c source.Candidate, _ source.Recognition, o source.Options, sink source.Sink) error {
	s, err := surveyFile(ctx, c)
	if err != nil {
		return err
	}
	file, err := c.FS.Open(c.Path)
	if err != nil {
		return fmt.Errorf("open export: %w", err)
	}
	defer file.Close()
	r := reader{sink: sink, survey: s, cast: newCast(titleOf(c.Path), s, o)}
	r.parser = parser{files: c.FS, root: path.Dir(c.Path), survey: s, cast: r.cast, parents: newParents()}
	r.split = newSplitter(file, r.judge)
	r.notes()
	if err := sink.Begin(r.cast.conversation); err != nil {
		return err
	}
	if err := r.records(ctx); err != nil {
		return err
	}
	return sink.End(r.cast.conversation)
}

func surveyFile(ctx context.Context, c source.Candidate) (*survey, error) {
	file, err := c.FS.Open(c.Path)
	if err != nil {
		return nil, fmt.Errorf("open export: %w", err)
	}
	defer file.Close()
	s, err := takeSurvey(ctx, file)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("read export: %w", err)
	}
	return s, err
}

// reader is one reading of a file.
type reader struct {
	sink   source.Sink
	survey *survey
	cast   *cast
	split  *splitter
	parser parser
}

func (r *reader) notes() {
	if !r.cast.owned {
		r.sink.Note("no sender is called Me and no name of yours was given: every message counts as received")
	}
	if r.survey.restarts > 0 {
		r.sink.Note("the times start again at an earlier point: the file seems to hold more than one export")
	}
}

// judge implements the splitter's judge with what the survey and the cast
// know.
func (r *reader) judge(offset int64, sender []byte) (verdict, string) {
	v, reason := r.survey.verdicts[offset], outOfOrder
	if sender != nil {
		if p, known := r.cast.people[string(sender)]; known && p.verdict > v {
			v, reason = p.verdict, p.reason
		}
	}
	if v == verdictKeep {
		reason = ""
	}
	return v, reason
}

func (r *reader) records(ctx context.Context) error {
	for n := 0; ; n++ {
		if n%lookEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		rec, err := r.split.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read export: %w", err)
		}
		r.parser.crlf = r.split.lines.crlf
		if err := r.record(rec); err != nil {
			return err
		}
	}
}

func (r *reader) record(rec *record) error {
	switch rec.kind {
	case messageRecord:
		return r.message(rec, nil)
	case strayText:
		r.skip(rec, "text before the first message")
		return nil
	case headless:
		r.skip(rec, "message that was cut off before its sender")
		return nil
	}
	r.parser.event(rec)
	return r.handOver()
}

// message hands over a record with a sender, and after it the replies that
// are copied under it and stand nowhere else.
func (r *reader) message(rec *record, answered *msg.Ref) error {
	p := &r.parser
	cut := p.message(rec)
	if p.m.ReplyTo == nil && answered != nil {
		p.m.ReplyTo = &msg.Reply{Target: answered}
	}
	var ref *msg.Ref
	loose := slices.Clone(p.loose)
	if len(p.copies)+len(loose) > 0 {
		ref = p.ref()
	}
	for _, sum := range p.copies {
		p.parents.put(sum, ref)
	}
	if err := r.handOver(); err != nil {
		return err
	}
	if cut != "" {
		r.sink.Skip(source.Skipped{
			Position: rec.at, Reason: "rest of a message text longer than 4 MiB",
			Excerpt: source.Excerpt(cut[:min(len(cut), source.ExcerptSize)]),
		})
	}
	if rec.lost != nil {
		r.sink.Skip(*rec.lost)
	}
	p.depth++
	defer func() { p.depth-- }()
	for _, c := range loose {
		if err := r.message(looseRecord(c), ref); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) handOver() error { return r.sink.Message(&r.parser.m) }

func (r *reader) skip(rec *record, reason string) {
	r.sink.Skip(source.Skipped{Position: rec.at, Reason: reason, Excerpt: source.Excerpt(string(rec.text[:min(len(rec.text), source.ExcerptSize)]))})
}

package ingest

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// index brings the keyword index up to date with the archive. It goes on where
// an earlier run was cut off.
func index(ctx context.Context, w *store.Writer, size sizes, progress func(done int64)) error {
	r, err := w.Reader(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	x := &indexer{w: w, r: r, size: size, progress: progress}
	// A large load that was cut off left the index set up for it.
	cutOff, err := w.IndexesInBulk(ctx)
	if err != nil {
		return err
	}
	if err := x.run(ctx, 0, true); err != nil {
		return err
	}
	mark, err := w.IndexedMark(ctx)
	if err != nil {
		return err
	}
	if err := x.run(ctx, mark, false); err != nil {
		return err
	}
	if x.bulk || cutOff {
		return w.BulkIndexing(ctx, false, cutOff || x.commits > size.merge)
	}
	return nil
}

// indexer is one run over what awaits indexing.
type indexer struct {
	w        *store.Writer
	r        *store.Reader
	size     sizes
	progress func(done int64)

	done    int64
	commits int
	bulk    bool
}

// run indexes the messages after an id, or those to be remade.
func (x *indexer) run(ctx context.Context, after int64, remade bool) error {
	if !remade {
		if err := x.prepare(ctx, after); err != nil {
			return err
		}
	}
	chunks, wait := x.segment(ctx, after, remade)
	err := x.write(ctx, chunks, remade)
	return errors.Join(err, wait())
}

// prepare sets the index up for a large load when there is one.
func (x *indexer) prepare(ctx context.Context, after int64) error {
	n, err := x.r.CountPending(ctx, after, x.size.bulk)
	if err != nil || n < int64(x.size.bulk) {
		return err
	}
	x.bulk = true
	return x.w.BulkIndexing(ctx, true, false)
}

func (x *indexer) write(ctx context.Context, chunks <-chan chunk, remade bool) error {
	var b *store.Batch
	defer func() {
		if b != nil {
			b.Rollback(context.WithoutCancel(ctx))
		}
	}()
	for c := range chunks {
		if b == nil {
			var err error
			if b, err = x.w.Begin(ctx); err != nil {
				return err
			}
		}
		if err := b.Index(ctx, c.messages, c.indexed, remade); err != nil {
			return err
		}
		x.done += int64(len(c.messages))
		x.progress(x.done)
		if !c.last {
			continue
		}
		if err := b.Commit(ctx); err != nil {
			return err
		}
		b = nil
		x.commits++
	}
	return nil
}

// chunk is a piece of the work. The last one of a transaction brings the counts
// of the terms of them all.
type chunk struct {
	messages []store.Unindexed
	indexed  store.Indexed
	last     bool
}

// segment reads and segments on a goroutine of its own while the last chunk
// is being written. wait stops it and returns its error.
func (x *indexer) segment(outer context.Context, after int64, remade bool) (_ <-chan chunk, wait func() error) {
	ctx, cancel := context.WithCancel(outer)
	out := make(chan chunk, 1)
	result := make(chan error, 1)
	go func() {
		defer close(out)
		result <- x.produce(ctx, after, remade, out)
	}()
	return out, func() error {
		cancel()
		for range out { // let the producer see the cancellation
		}
		err := <-result
		if errors.Is(err, context.Canceled) && outer.Err() == nil {
			return nil // it was stopped here
		}
		return err
	}
}

func (x *indexer) produce(ctx context.Context, after int64, remade bool, out chan<- chunk) error {
	tags, err := newTags(ctx, x.r)
	if err != nil {
		return err
	}
	var builder segment.Builder
	messages, err := x.r.Pending(ctx, after, x.size.chunk, remade)
	for n := 1; err == nil && len(messages) > 0; n++ {
		c := chunk{messages: messages, indexed: store.Indexed{Entries: make([]string, len(messages))}}
		for i, m := range messages {
			c.indexed.Entries[i] = builder.Add(m.Body, tags.of(m))
		}
		after = messages[len(messages)-1].ID
		if messages, err = x.r.Pending(ctx, after, x.size.chunk, remade); err != nil {
			return err
		}
		if c.last = n%x.size.commitChunks == 0 || len(messages) == 0; c.last {
			c.indexed.Terms = builder.Take()
		}
		select {
		case out <- c:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

// tags makes the tags of messages, remembering what repeats in every message
// of a conversation.
type tags struct {
	conversations map[int64]string
}

func newTags(ctx context.Context, r *store.Reader) (*tags, error) {
	conversations, err := r.ConversationRefs(ctx)
	if err != nil {
		return nil, err
	}
	t := &tags{conversations: map[int64]string{}}
	for _, c := range conversations {
		t.conversations[c.ID] = segment.ConversationTag(c.ID) + " " + segment.ChatTag(string(c.Source), c.Kind.String()) + " "
	}
	return t, nil
}

func (t *tags) of(m store.Unindexed) string {
	var b strings.Builder
	b.WriteString(t.conversations[m.ConversationID])
	b.WriteString(segment.MonthTag(time.UnixMicro(m.Sort)))
	if m.Direction == msg.Out {
		b.WriteString(" " + segment.OwnerTag)
	} else if m.SenderID != 0 {
		b.WriteString(" " + segment.SenderTag(m.SenderID))
	}
	for _, thing := range []struct {
		name string
		has  bool
	}{{"link", m.HasLinks}, {"reaction", m.HasReactions}, {"reply", m.HasReply}, {"edited", m.Edited}, {"call", m.Kind == msg.Call}} {
		if thing.has {
			b.WriteString(" " + segment.KindTag(thing.name))
		}
	}
	for _, kind := range m.Attachments {
		b.WriteString(" " + segment.KindTag(kind.String()))
	}
	return b.String()
}

package ingest

import (
	"context"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// indexChunk is how many messages enter the keyword index in one transaction;
// it bounds the memory of the run.
const indexChunk = 1 << 16

// bulkSize is from how many messages on the index is loaded without merging
// as it goes.
const bulkSize = 1 << 15

// mergeAfter is how many index segments a load may leave behind unmerged; so
// few cost a query nothing that can be measured.
const mergeAfter = 8

// Index brings the keyword index up to date with the archive. It goes on
// where an earlier run was cut off.
func Index(ctx context.Context, w *store.Writer, progress func(done int64)) error {
	r, err := w.Reader(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	bulk := false
	chunksDone, done := 0, int64(0)
	for _, remade := range []bool{true, false} {
		after := int64(0)
		if !remade {
			if after, err = w.IndexedMark(ctx); err != nil {
				return err
			}
		}
		chunks, wait := segmentChunks(ctx, r, after, remade)
		for chunk := range chunks {
			if !bulk && len(chunk.messages) >= bulkSize {
				bulk = true
				if err := w.BulkIndexing(ctx, true, false); err != nil {
					return err
				}
			}
			if err = w.Index(ctx, chunk.messages, chunk.indexed, remade); err != nil {
				break
			}
			chunksDone++
			done += int64(len(chunk.messages))
			progress(done)
		}
		if waitErr := wait(); err == nil {
			err = waitErr
		}
		if err != nil {
			return err
		}
	}
	if bulk {
		return w.BulkIndexing(ctx, false, chunksDone > mergeAfter)
	}
	return nil
}

type chunk struct {
	messages []store.Unindexed
	indexed  store.Indexed
}

// segmentChunks reads and segments on a goroutine of its own while the last
// chunk is being written. wait stops it and returns its error.
func segmentChunks(ctx context.Context, r *store.Reader, after int64, remade bool) (<-chan chunk, func() error) {
	ctx, cancel := context.WithCancel(ctx)
	out := make(chan chunk, 1)
	result := make(chan error, 1)
	go func() {
		defer close(out)
		result <- produceChunks(ctx, r, after, remade, out)
	}()
	return out, func() error {
		cancel()
		for range out { // let the producer see the cancellation
		}
		err := <-result
		if err == context.Canceled {
			return nil
		}
		return err
	}
}

func produceChunks(ctx context.Context, r *store.Reader, after int64, remade bool, out chan<- chunk) error {
	tags, err := newTags(ctx, r)
	if err != nil {
		return err
	}
	var builder segment.Builder
	for {
		messages, err := r.Pending(ctx, after, indexChunk, remade)
		if err != nil || len(messages) == 0 {
			return err
		}
		after = messages[len(messages)-1].ID
		c := chunk{messages: messages, indexed: store.Indexed{Entries: make([]string, len(messages))}}
		for i, m := range messages {
			c.indexed.Entries[i] = builder.Add(m.Body, tags.of(m))
		}
		c.indexed.Terms = builder.Take()
		select {
		case out <- c:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
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

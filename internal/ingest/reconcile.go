package ingest

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// reconciler writes the stream of one file: what is new is inserted, what
// changed is updated, what is as it was costs a look-up and nothing else.
type reconciler struct {
	batch    *transaction
	file     *PlannedFile
	source   msg.Source
	fileID   int64
	importID int64
	tally    *store.Tally
	previous map[int64]int64 // messages the file gave before, by conversation
	// cutOff is set when the file was not read to its end the last time. What
	// was recorded of it by then mixes what it gave before and after.
	cutOff bool
	// thorough makes it look at every message, also where a whole stretch is
	// as it was.
	thorough bool

	current *conversationState
	states  map[int64]*conversationState
	fresh   []*store.Record
	line    []inLine
}

// conversationState is what the file has given of one conversation so far.
type conversationState struct {
	id      int64
	fresh   bool // it did not exist before this file
	seen    idSet
	members map[int64]bool
	begun   msg.Conversation
	minute  *store.Sequence // the latest messages of one time
	changed bool
	// again counts the messages that the file gave before, too.
	again int64
	// blocks are the digests of the stretches the file gave before; skipped
	// counts the messages in those that came again, and skippedTo is where the
	// latest of them ends. They are not in seen.
	blocks    map[int64]int64
	skipped   int64
	skippedTo msg.Position
	lastRun   int64 // number of stretches in this run
}

// idSet is a set of message ids, which lie close together.
type idSet struct {
	words map[int64]uint64
	n     int64
}

func (s *idSet) add(id int64) bool {
	if s.words == nil {
		s.words = map[int64]uint64{}
	}
	word, bit := id>>6, uint64(1)<<(id&63)
	if s.words[word]&bit != 0 {
		return false
	}
	s.words[word] |= bit
	s.n++
	return true
}

func (s *idSet) has(id int64) bool { return s.words[id>>6]&(1<<(id&63)) != 0 }

// begin records that the file is about to be read.
func (r *reconciler) begin(ctx context.Context, record store.SourceFile) error {
	r.states = map[int64]*conversationState{}
	var err error
	if r.cutOff, err = r.batch.CutOff(ctx, record.Path, record.Member); err != nil {
		return err
	}
	if r.fileID, err = r.batch.BeginFile(ctx, record); err != nil {
		return err
	}
	if r.cutOff {
		r.previous, err = r.batch.Given(ctx, r.fileID)
	} else {
		r.previous, err = r.batch.FileConversations(ctx, r.fileID)
	}
	return err
}

// accept writes one parcel.
func (r *reconciler) accept(ctx context.Context, p parcel) error {
	switch {
	case p.begins != nil:
		return r.beginConversation(ctx, *p.begins)
	case p.ends != nil:
		return r.endConversation(ctx, *p.ends)
	}
	return r.messages(ctx, p)
}

func (r *reconciler) beginConversation(ctx context.Context, c msg.Conversation) error {
	id, fresh, err := r.batch.Conversation(ctx, r.source, c)
	if err != nil {
		return err
	}
	r.current = r.states[id]
	if r.current == nil {
		r.current = &conversationState{id: id, fresh: fresh, members: map[int64]bool{}, begun: c}
		r.states[id] = r.current
		return r.loadBlocks(ctx)
	}
	// A conversation that begins again may repeat what it gave before.
	r.current.fresh, r.current.blocks, r.current.minute = false, nil, nil
	return nil
}

// loadBlocks reads what may be skipped. A conversation that several files give
// is looked at in full: each may have changed what the others say.
func (r *reconciler) loadBlocks(ctx context.Context) error {
	if r.current.fresh || r.thorough || r.previous[r.current.id] == 0 {
		return nil
	}
	shared, err := r.batch.Shared(ctx, r.current.id, r.fileID)
	if err != nil || shared {
		return err
	}
	r.current.blocks, err = r.batch.Blocks(ctx, r.fileID, r.current.id)
	return err
}

// describe records what a conversation says of itself.
func (r *reconciler) describe(ctx context.Context, c msg.Conversation) error {
	for _, h := range c.Participants {
		id, err := r.handle(ctx, h, false)
		if err != nil {
			return err
		}
		r.current.members[id] = true
	}
	shared, err := r.batch.Shared(ctx, r.current.id, r.fileID)
	if err != nil {
		return err
	}
	return r.batch.DescribeConversation(ctx, r.current.id, c, r.current.memberIDs(), shared)
}

func (c *conversationState) memberIDs() []int64 { return slices.Sorted(maps.Keys(c.members)) }

func (r *reconciler) handle(ctx context.Context, h msg.Handle, owner bool) (int64, error) {
	if h.IsZero() {
		return 0, nil
	}
	if h.ID == "" {
		h.ID = h.Name
	}
	return r.batch.Handle(ctx, r.source, h, contacts.Normal(h), owner)
}

func (r *reconciler) endConversation(ctx context.Context, c msg.Conversation) error {
	if err := r.describe(ctx, c); err != nil {
		return err
	}
	if err := r.countCurrent(ctx); err != nil {
		return err
	}
	r.current = nil
	return r.batch.commitIfLarge(ctx)
}

// countCurrent brings the figures of the conversation at hand up to date.
func (r *reconciler) countCurrent(ctx context.Context) error {
	c := r.current
	if err := r.batch.DropBlocks(ctx, r.fileID, c.id, c.lastRun); err != nil {
		return err
	}
	if n := c.given(); (n != r.previous[c.id] || r.cutOff) && !r.vanishing(c) {
		if err := r.batch.SetFileConversation(ctx, r.fileID, c.id, n); err != nil {
			return err
		}
	}
	if !c.changed {
		return nil
	}
	c.changed = false
	return r.batch.CountConversation(ctx, c.id)
}

// vanishing reports whether the file no longer gives all that it gave of the
// conversation. The old figure then stays until the file was read to its end.
func (r *reconciler) vanishing(c *conversationState) bool { return c.again < r.previous[c.id] }

// given is how many messages of the conversation the file gave in this run.
func (c *conversationState) given() int64 { return c.seen.n + c.skipped }

func (r *reconciler) messages(ctx context.Context, p parcel) error {
	c := r.current
	c.lastRun = max(c.lastRun, p.block+1)
	if digest, known := c.blocks[p.block]; known && digest == p.digest {
		c.skipped += int64(len(p.records))
		c.again += int64(len(p.records))
		c.skippedTo = p.records[len(p.records)-1].Message.Position
		c.minute = nil
		return nil
	}
	before := c.seen.n
	if err := r.stretch(ctx, p); err != nil {
		return err
	}
	// A stretch with messages that the file gave elsewhere, too, says less
	// than it seems to.
	if c.seen.n-before != int64(len(p.records)) {
		return r.batch.DropBlock(ctx, r.fileID, c.id, p.block)
	}
	return r.batch.SetBlock(ctx, r.fileID, c.id, p.block, p.digest)
}

// stretch looks at every message of a parcel.
func (r *reconciler) stretch(ctx context.Context, p parcel) error {
	if err := r.resolve(ctx, p.records); err != nil {
		return err
	}
	kept, err := r.lookup(ctx, p)
	if err != nil {
		return err
	}
	r.fresh = r.fresh[:0]
	inParcel := map[msg.Hash]bool{}
	r.line = r.line[:0]
	for _, record := range p.records {
		if k, ok := kept[record.Hash]; ok {
			if !r.current.seen.has(k.ID) {
				r.line = append(r.line, inLine{record, k.ID})
			}
			if err := r.settle(ctx, record, k); err != nil {
				return err
			}
			continue
		}
		if p.repeats {
			if inParcel[record.Hash] {
				continue
			}
			inParcel[record.Hash] = true
		}
		r.fresh = append(r.fresh, record)
		r.line = append(r.line, inLine{record, 0})
	}
	first := int64(0)
	if len(r.fresh) > 0 {
		if first, err = r.insert(ctx); err != nil {
			return err
		}
	}
	return r.arrange(ctx, first)
}

// insert writes the messages that are new and returns the first one's id.
func (r *reconciler) insert(ctx context.Context) (first int64, err error) {
	if first, err = r.batch.Insert(ctx, r.fresh); err != nil {
		return 0, err
	}
	for i := range r.fresh {
		r.current.seen.add(first + int64(i))
	}
	r.tally.Added += int64(len(r.fresh))
	r.batch.written += len(r.fresh)
	r.current.changed = true
	return first, nil
}

// lookup finds which records the archive holds. A conversation it has never
// seen holds none, unless the file repeats itself.
func (r *reconciler) lookup(ctx context.Context, p parcel) (map[msg.Hash]store.Kept, error) {
	if r.current.fresh && !p.repeats {
		return nil, nil
	}
	hashes := make([]msg.Hash, len(p.records))
	for i, record := range p.records {
		hashes[i] = record.Hash
	}
	return r.batch.Lookup(ctx, hashes)
}

// resolve fills in the ids a record refers to.
func (r *reconciler) resolve(ctx context.Context, records []*store.Record) error {
	for _, record := range records {
		m := &record.Message
		owner := m.Direction == msg.Out
		sender, err := r.handle(ctx, m.Sender, owner)
		if err != nil {
			return err
		}
		if sender != 0 && m.Direction != msg.System && !r.current.members[sender] {
			r.current.members[sender] = true
		}
		record.SenderID, record.ConversationID = sender, r.current.id
		record.FileID, record.ImportID = r.fileID, r.importID
		record.Reactors = record.Reactors[:0]
		for _, x := range m.Reactions {
			reactor, err := r.handle(ctx, x.Sender, x.FromMe)
			if err != nil {
				return err
			}
			record.Reactors = append(record.Reactors, reactor)
		}
	}
	return nil
}

// settle deals with a record the archive holds already.
func (r *reconciler) settle(ctx context.Context, record *store.Record, k store.Kept) error {
	if !r.current.seen.add(k.ID) {
		return nil // the file's own repetition
	}
	p := record.Message.Position
	changed := k.Digest != record.Digest
	mine := k.FileID == r.fileID
	if mine && r.current.skips(k, p) {
		return errThorough
	}
	if mine && !k.Missing {
		r.current.again++
	}
	mine = mine || k.Missing // no file gives what is missing
	switch {
	case changed && (mine || r.prefer(record, k)):
		if err := r.batch.Update(ctx, k.ID, record); err != nil {
			return err
		}
		if !mine {
			if err := r.batch.AlsoIn(ctx, k.ID, k.FileID, msg.Position{Line: k.Line, Offset: k.Offset, Pointer: k.Pointer}); err != nil {
				return err
			}
		}
		r.tally.Changed++
		r.touch()
	case !mine:
		if err := r.batch.AlsoIn(ctx, k.ID, r.fileID, p); err != nil {
			return err
		}
	case k.FileID != r.fileID || !k.At(p):
		if err := r.batch.Move(ctx, k.ID, r.fileID, p); err != nil {
			return err
		}
		r.batch.written++
	}
	if k.Missing {
		r.tally.Restored++
		r.touch()
		return r.batch.Restore(ctx, k.ID)
	}
	return nil
}

// skips reports whether a message, met at p, may be one of a stretch that was
// skipped: the file then repeats itself, and the message stays where it was.
func (c *conversationState) skips(k store.Kept, p msg.Position) bool {
	switch {
	case c.skipped == 0 || k.At(p):
		return false
	case k.Line != 0:
		return k.Line <= c.skippedTo.Line
	}
	return k.Offset <= c.skippedTo.Offset
}

func (r *reconciler) touch() {
	r.batch.written++
	r.current.changed = true
}

// prefer decides which of two files' versions of one message is kept. It does
// not depend on which was imported first: more attached files win, then the
// newer export, then an arbitrary but fixed order.
func (r *reconciler) prefer(record *store.Record, k store.Kept) bool {
	held := int64(0)
	for _, a := range record.Message.Attachments {
		if a.Path != "" {
			held++
		}
	}
	switch {
	case held != k.Held:
		return held > k.Held
	case r.file.ModTime != k.ModTime:
		return r.file.ModTime > k.ModTime
	}
	return record.Digest > k.Digest
}

// errThorough asks for the file to be read again with every message looked at:
// some are gone or stand there twice, and which ones only shows when all
// others are known.
var errThorough = errors.New("messages are gone or repeated")

// finish settles what the file no longer gives and closes it. Only a file
// that was read to its end says anything about what is gone.
func (r *reconciler) finish(ctx context.Context) error {
	for conversation, before := range r.previous {
		state := r.states[conversation]
		if state == nil {
			state = &conversationState{id: conversation}
		}
		shared, err := r.batch.Shared(ctx, conversation, r.fileID)
		if err != nil {
			return err
		}
		if state.again >= before && !shared {
			continue
		}
		if state.skipped > 0 {
			return errThorough
		}
		missing, err := r.batch.Vanish(ctx, r.fileID, conversation, r.importID, state.seen.has)
		if err != nil {
			return err
		}
		r.tally.Missing += missing
		if err := r.batch.SetFileConversation(ctx, r.fileID, conversation, state.seen.n); err != nil {
			return err
		}
		if state.seen.n == 0 {
			if err := r.batch.DropBlocks(ctx, r.fileID, conversation, 0); err != nil {
				return err
			}
		}
		if missing > 0 {
			if err := r.batch.CountConversation(ctx, conversation); err != nil {
				return err
			}
		}
	}
	return r.batch.FinishFile(ctx, r.fileID, r.importID)
}

// abandon keeps what was read of a file that could not be read to its end.
func (r *reconciler) abandon(ctx context.Context) error {
	switch {
	case r.current == nil:
		return nil
	case r.current.fresh:
		if err := r.describe(ctx, r.current.begun); err != nil {
			return err
		}
	default: // its name and kind are better known from the last time
		if err := r.batch.AddMembers(ctx, r.current.id, r.current.memberIDs()); err != nil {
			return err
		}
	}
	return r.countCurrent(ctx)
}

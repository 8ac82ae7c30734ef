package embed

import (
	"context"
	"errors"
	"math"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// job is a piece of a run: some whole days.
type job struct {
	chunks        []chunk
	conversations []int64 // of the chunks
	dead          []uint32
	places        []placed
	last          store.Day
	messages      int64 // that speak

	vectors [][]float32
	err     error
	done    chan struct{} // closed when the vectors or the error are there
}

// placed is a place of a short text, outside of the conversation of its slot,
// which may be one of an earlier job.
type placed struct {
	key uint64
	place
}

// jobChunks is how many chunks a job has at least, so that models can work on
// many texts at once.
const jobChunks = 256

func (u *updater) jobSize() int {
	if u.o.smallJobs {
		return 1
	}
	return jobChunks
}

// producer cuts the days of a run into jobs.
type producer struct {
	u     *updater
	emit  func(*job) error
	start store.Day // the last one that was done before
	job   *job
	// gone are short texts whose slot was deleted, until they get another one,
	// with the slot's conversation.
	gone   map[uint64]int64
	passed int // of the old slots, see pass
}

// produce calls emit for the jobs of a run, in their order.
func (u *updater) produce(ctx context.Context, stints []stint, emit func(*job) error) error {
	p := &producer{u: u, emit: emit, start: u.mark.last, job: &job{}, gone: map[uint64]int64{}}
	p.exclude()
	for _, s := range stints {
		if err := p.stint(ctx, s); err != nil {
			return err
		}
	}
	p.pass(store.Day{Conversation: math.MaxInt64})
	if err := p.bringBack(ctx); err != nil {
		return err
	}
	return p.flush(1)
}

// stint reads a stint's messages and does its days.
func (p *producer) stint(ctx context.Context, s stint) error {
	var day []store.Utterance
	at := store.Day{Conversation: s.conversation}
	next := 0 // of s.days
	// Days to be done whose messages are all gone have slots, too.
	until := func(d int64) error {
		for ; next < len(s.days) && s.days[next] < d; next++ {
			if err := p.day(store.Day{Conversation: s.conversation, Day: s.days[next]}, nil); err != nil {
				return err
			}
		}
		return nil
	}
	end := func() error {
		if len(day) == 0 {
			return nil
		}
		if err := until(at.Day); err != nil {
			return err
		}
		if next < len(s.days) && s.days[next] == at.Day {
			next++
		}
		return p.day(at, day)
	}
	start, stop := s.bounds()
	err := p.u.r.Talk(ctx, s.conversation, start, stop, func(m store.Utterance) error {
		d := store.DayOf(m.Sort)
		if !s.holds(d) || !indexable(m) {
			return nil
		}
		if d != at.Day {
			if err := end(); err != nil {
				return err
			}
			at.Day, day = d, day[:0]
		}
		day = append(day, m)
		return nil
	})
	if err == nil {
		err = end()
	}
	if err != nil {
		return err
	}
	return until(math.MaxInt64)
}

// day replaces what a day had by what it has.
func (p *producer) day(d store.Day, messages []store.Utterance) error {
	p.pass(d)
	p.drop(d)
	for _, c := range cut(messages) {
		if c.kind == short {
			if at, known := p.u.old.short[c.key]; known && p.u.keeps(at) {
				p.meet(c.key, d.Conversation, c.first)
				continue
			}
			p.addShort(d, c)
			continue
		}
		p.add(d.Conversation, c)
	}
	p.job.last = d
	p.job.messages += int64(len(messages))
	return p.flush(p.u.jobSize())
}

// keeps reports whether the slot of a short text that lies in a day stays: in
// a run over everything only if that day was done.
func (u *updater) keeps(d store.Day) bool {
	return !u.mark.anew || compareDays(d, u.reached) <= 0
}

func (p *producer) drop(d store.Day) {
	p.u.reached = d
	slots := p.u.old.of(d)
	for i := range slots {
		p.delete(&slots[i])
	}
}

func (p *producer) delete(s *daySlot) {
	p.job.dead = append(p.job.dead, s.slot)
	s.deleted = true
	if s.kind == short && p.u.old.short[s.key] == s.day {
		delete(p.u.old.short, s.key)
		p.gone[s.key] = s.day.Conversation
	}
}

// exclude deletes the slots of conversations that are left out now.
func (p *producer) exclude() {
	for i := range p.u.old.byDay {
		if s := &p.u.old.byDay[i]; p.u.excluded[s.day.Conversation] {
			p.delete(s)
		}
	}
}

// pass deletes, in a run over everything, the slots of the days before d that
// had none: their messages are gone.
func (p *producer) pass(d store.Day) {
	if !p.u.mark.anew {
		return
	}
	for ; p.passed < len(p.u.old.byDay) && compareDays(p.u.old.byDay[p.passed].day, d) < 0; p.passed++ {
		if s := &p.u.old.byDay[p.passed]; !s.deleted && compareDays(s.day, p.start) > 0 {
			p.delete(s)
		}
	}
}

// errEnough ends a search that found what it was for.
var errEnough = errors.New("enough")

// bringBack gives short texts whose slot was deleted another one, if a message
// still consists of them. A run over everything has met them all. A run that
// goes on for another does not know what that one deleted, nor in which other
// conversations those texts stood, so it meets all messages again.
func (p *producer) bringBack(ctx context.Context) error {
	if !p.u.resumed && (p.u.mark.anew || len(p.gone) == 0) {
		return nil
	}
	conversations, err := p.u.r.ConversationRefs(ctx)
	if err != nil {
		return err
	}
	for _, c := range conversations {
		if p.u.excluded[c.ID] {
			continue
		}
		err := p.u.r.Talk(ctx, c.ID, math.MinInt64, math.MaxInt64, func(m store.Utterance) error {
			key, ok := shortKey(m.Body)
			if !ok || !speaks(m) || !indexable(m) {
				return nil
			}
			if _, known := p.u.old.short[key]; known {
				p.meet(key, c.ID, m)
				return p.flush(p.u.jobSize())
			}
			if _, gone := p.gone[key]; !gone && !p.u.resumed {
				return nil
			}
			p.addShort(store.Day{Conversation: c.ID, Day: store.DayOf(m.Sort)}, chunk{kind: short, first: m, key: key, text: m.Body})
			if len(p.gone) == 0 && !p.u.resumed {
				return errEnough
			}
			return p.flush(p.u.jobSize())
		})
		if errors.Is(err, errEnough) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addShort adds a short text that gets a slot. It may still stand in the
// conversations that its slot before was of or put into, on days that are not
// looked at, so it is put into them again: nobody looks at all messages to find
// out.
func (p *producer) addShort(d store.Day, c chunk) {
	if before, known := p.before(c.key); known && before != d.Conversation {
		p.u.old.put(c.key, place{conversation: uint32(before)})
	}
	delete(p.gone, c.key)
	p.u.old.short[c.key] = d
	for _, at := range p.u.old.elsewhere[c.key] {
		if int64(at.conversation) != d.Conversation {
			p.job.places = append(p.job.places, placed{c.key, at})
		}
	}
	p.add(d.Conversation, c)
}

// before returns the conversation of the slot that a short text has or had.
func (p *producer) before(key uint64) (conversation int64, known bool) {
	if conversation, known = p.gone[key]; known {
		return conversation, true
	}
	at, known := p.u.old.short[key]
	return at.Conversation, known
}

// meet notices that a message of a conversation consists of a short text that
// has a slot.
func (p *producer) meet(key uint64, conversation int64, message store.Utterance) {
	at := place{uint32(conversation), uint32(message.ID)}
	if p.u.old.short[key].Conversation != conversation && p.u.old.put(key, at) {
		p.job.places = append(p.job.places, placed{key, at})
	}
}

func (p *producer) add(conversation int64, c chunk) {
	p.job.chunks = append(p.job.chunks, c)
	p.job.conversations = append(p.job.conversations, conversation)
}

// flush emits the job if it has at least so many chunks, or so many slots to
// delete or to mark.
func (p *producer) flush(least int) error {
	if len(p.job.chunks) < least && len(p.job.dead) < least && len(p.job.places) < least {
		return nil
	}
	done := p.job
	p.job = &job{last: done.last}
	return p.emit(done)
}

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
	last          store.Day
	messages      int64 // that speak

	vectors [][]float32
	err     error
	done    chan struct{} // closed when the vectors or the error are there
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
	// gone are short texts whose slot was deleted, until they get another one.
	gone   map[uint64]bool
	passed int // of the old slots, see pass
}

// produce calls emit for the jobs of a run, in their order.
func (u *updater) produce(ctx context.Context, stints []stint, emit func(*job) error) error {
	p := &producer{u: u, emit: emit, start: u.mark.last, job: &job{}, gone: map[uint64]bool{}}
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
				continue
			}
			p.u.old.short[c.key] = d
			delete(p.gone, c.key)
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
		p.gone[s.key] = true
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
// goes on for another does not know what that one deleted.
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
			if _, known := p.u.old.short[key]; !ok || known || !speaks(m) || !indexable(m) || !p.u.resumed && !p.gone[key] {
				return nil
			}
			p.u.old.short[key] = store.Day{Conversation: c.ID, Day: store.DayOf(m.Sort)}
			p.add(c.ID, chunk{kind: short, first: m, key: key, text: m.Body})
			if delete(p.gone, key); len(p.gone) == 0 && !p.u.resumed {
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

func (p *producer) add(conversation int64, c chunk) {
	p.job.chunks = append(p.job.chunks, c)
	p.job.conversations = append(p.job.conversations, conversation)
}

// flush emits the job if it has at least so many chunks or deletes any.
func (p *producer) flush(least int) error {
	if len(p.job.chunks) < least && len(p.job.dead) < least {
		return nil
	}
	done := p.job
	p.job = &job{last: done.last}
	return p.emit(done)
}

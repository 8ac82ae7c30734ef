package embed

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/vector"
)

// UpdateOptions say how to bring an index up to date.
type UpdateOptions struct {
	// Now tells the time.
	Now func() time.Time
	// Excluded are conversations that are not embedded.
	Excluded []int64
	// Rebuild embeds everything again.
	Rebuild bool
	// Progress is told how far the run is, often; nil is allowed.
	Progress func(Progress)
	// Announce, if not nil, is told what a run will embed before it starts,
	// and can refuse it with an error. It is for models that cost something:
	// finding it out takes as long as reading the messages does.
	Announce func(Cost) error

	smallJobs bool // in tests: one day each
}

// Progress is how far a run is.
type Progress struct {
	Messages int64
	Total    int64 // about; 0 while unknown
	Texts    int64 // embedded
}

// Cost is what a run has to embed.
type Cost struct {
	Texts int64
	Runes int64 // of these texts
}

// Summary is what a run did.
type Summary struct {
	Messages int64 // looked at
	Texts    int64 // embedded
	Runes    int64 // of these texts
	Deleted  int64 // vectors
	// Replaced says why an index that was there was thrown away.
	Replaced error
}

// updater is one run.
type updater struct {
	r        *store.Reader
	w        *vector.Writer
	model    Embedder
	o        UpdateOptions
	excluded map[int64]bool
	old      oldSlots
	slots    map[uint64]uint32 // of short texts, as far as they are written
	mark     mark
	resumed  bool
	reached  store.Day // the last one done
	total    int64
	summary  Summary
}

// Update brings the index of a model in folder dir up to date with an archive:
// what came, changed or went since the last run is embedded, and everything
// when there is no index or none that can be used. A run that was cut off goes
// on where it last committed.
func Update(ctx context.Context, r *store.Reader, dir string, model Embedder, o UpdateOptions) (Summary, error) {
	u := &updater{r: r, model: model, o: o, excluded: map[int64]bool{}}
	for _, id := range o.Excluded {
		u.excluded[id] = true
	}
	spec, err := specOf(ctx, r, model)
	if err != nil {
		return u.summary, err
	}
	if u.w, err = u.open(dir, spec); err != nil {
		return u.summary, fmt.Errorf("open vector index: %w", err)
	}
	defer u.w.Close()
	if err := u.begin(ctx); err != nil {
		return u.summary, err
	}
	if err := u.run(ctx, dir, spec); err != nil {
		return u.summary, fmt.Errorf("update vector index: %w", err)
	}
	if u.w.DeadShare() > vector.CompactAbove {
		if err := u.w.Compact(ctx); err != nil {
			return u.summary, fmt.Errorf("compact vector index: %w", err)
		}
	}
	return u.summary, nil
}

// specOf says which index belongs to an archive and a model.
func specOf(ctx context.Context, r *store.Reader, model Embedder) (vector.Spec, error) {
	id, err := r.ArchiveID(ctx)
	return vector.Spec{Fingerprint: model.Fingerprint(), Dims: model.Dims(), Archive: id, Rotate: true}, err
}

// open opens the index, or a new one in place of one that cannot be used.
func (u *updater) open(dir string, spec vector.Spec) (*vector.Writer, error) {
	w, err := vector.OpenWriter(dir, spec)
	var damaged *vector.DamagedError
	var other *vector.OtherArchiveError
	var older *vector.OlderFormatError
	var newer *vector.NewerFormatError
	if !errors.As(err, &damaged) && !errors.As(err, &other) && !errors.As(err, &older) && !errors.As(err, &newer) {
		return w, err
	}
	u.summary.Replaced = err
	if err := vector.Remove(dir, spec.Fingerprint); err != nil {
		return nil, err
	}
	return vector.OpenWriter(dir, spec)
}

// begin finds out how far the index has come and what it is to hold.
func (u *updater) begin(ctx context.Context) error {
	var err error
	if u.mark, err = decodeMark(u.w.State()); err != nil {
		return err
	}
	u.resumed = u.mark.resumes() && !u.o.Rebuild
	if !u.resumed {
		u.mark.anew = u.o.Rebuild || u.mark.complete.LastMessage == 0
		u.mark.last = store.Day{}
		if u.mark.target, err = u.r.Extremes(ctx); err != nil {
			return err
		}
	}
	if u.mark.anew {
		extent, err := u.r.Extent(ctx)
		u.total = extent.Messages
		return err
	}
	return nil
}

// look reads what the index holds of the days that a run is about.
func (u *updater) look(dir string, spec vector.Spec, days []store.Day) error {
	u.reached = u.mark.last
	if u.w.Len() == 0 {
		u.old, u.slots = noSlots(), map[uint64]uint32{}
		return nil
	}
	ix, err := vector.Open(dir, spec)
	if err != nil {
		return fmt.Errorf("read vector index: %w", err)
	}
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	wanted := daySetOf(days)
	if u.mark.anew || u.leavesOutOthers() || len(u.excluded) > 0 {
		wanted = nil
	}
	u.old, u.slots = oldSlotsOf(v, wanted), slotsOfShort(v)
	return nil
}

// run does the days that await it and commits.
func (u *updater) run(ctx context.Context, dir string, spec vector.Spec) error {
	if u.upToDate() {
		return nil
	}
	days, err := u.changedDays(ctx)
	if err != nil {
		return err
	}
	if err := u.look(dir, spec, days); err != nil {
		return err
	}
	stints, err := u.plan(ctx, days)
	if err != nil {
		return err
	}
	if u.o.Announce != nil {
		cost, err := u.cost(ctx, stints)
		if err == nil {
			err = u.o.Announce(cost)
		}
		if err == nil {
			err = u.look(dir, spec, days)
		}
		if err != nil {
			return err
		}
	}
	if err := u.embed(ctx, stints); err != nil {
		return err
	}
	return u.w.Commit(mark{complete: u.mark.target, excluded: excludedHash(u.excluded)}.encode())
}

// cost counts what a run has to embed. It leaves the old slots as the run
// would.
func (u *updater) cost(ctx context.Context, stints []stint) (Cost, error) {
	var cost Cost
	err := u.produce(ctx, stints, func(j *job) error {
		cost.Texts += int64(len(j.chunks))
		for _, c := range j.chunks {
			cost.Runes += int64(utf8.RuneCountInString(c.text))
		}
		return nil
	})
	return cost, err
}

func (u *updater) upToDate() bool {
	return !u.mark.anew && u.mark.target == u.mark.complete && !u.leavesOutOthers()
}

// leavesOutOthers reports whether other conversations are left out than were.
func (u *updater) leavesOutOthers() bool { return u.mark.excluded != excludedHash(u.excluded) }

const (
	// commitTexts and commitTime bound what a run that is cut off loses.
	commitTexts = 1 << 16
	commitTime  = 3 * time.Second
)

// embed runs the producer, the models and the writer side by side.
func (u *updater) embed(outer context.Context, stints []stint) error {
	ctx, cancel := context.WithCancel(outer)
	workers := max(2, runtime.GOMAXPROCS(0))
	ordered := make(chan *job, 2*workers) // as they were made
	waiting := make(chan *job, workers)
	produced := make(chan error, 1)
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for j := range waiting {
				j.vectors, j.err = u.vectors(ctx, j)
				close(j.done)
			}
		})
	}
	go func() {
		err := u.produce(ctx, stints, func(j *job) error {
			j.done = make(chan struct{})
			for _, to := range []chan *job{ordered, waiting} {
				select {
				case to <- j:
				case <-ctx.Done():
					close(j.done)
					return ctx.Err()
				}
			}
			return nil
		})
		close(ordered)
		close(waiting)
		produced <- err
	}()
	err := u.write(ctx, ordered)
	cancel()
	for range ordered { // let the producer see that it is over
	}
	if produceErr := <-produced; err == nil {
		err = produceErr
	}
	working.Wait() // models are not to be used beyond the run
	return err
}

// vectors embeds the texts of a job.
func (u *updater) vectors(ctx context.Context, j *job) ([][]float32, error) {
	if err := ctx.Err(); err != nil || len(j.chunks) == 0 {
		return nil, err
	}
	texts := make([]string, len(j.chunks))
	for i, c := range j.chunks {
		texts[i] = c.text
	}
	return u.model.Embed(ctx, texts)
}

// write appends what the models made, in the order of the days, and commits
// now and then; also before it returns an error of theirs.
func (u *updater) write(ctx context.Context, jobs <-chan *job) error {
	since, last := 0, u.o.Now()
	commit := func() error {
		since, last = 0, u.o.Now()
		return u.w.Commit(u.mark.encode())
	}
	for j := range jobs {
		<-j.done
		if err := errors.Join(j.err, ctx.Err()); err != nil {
			if since > 0 {
				err = errors.Join(err, commit())
			}
			return err
		}
		if err := u.append(j); err != nil {
			return err
		}
		since += len(j.chunks) + len(j.dead) + len(j.places)
		if since >= commitTexts || u.o.Now().Sub(last) >= commitTime {
			if err := commit(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (u *updater) append(j *job) error {
	if err := u.w.Delete(j.dead); err != nil {
		return err
	}
	items := make([]vector.Item, 0, len(j.chunks))
	for i, c := range j.chunks {
		if means(j.vectors[i]) {
			if c.kind == short {
				u.slots[c.key] = uint32(u.w.Len() + len(items))
			}
			items = append(items, c.item(j.conversations[i], j.vectors[i]))
		}
		u.summary.Runes += int64(utf8.RuneCountInString(c.text))
	}
	if _, err := u.w.Append(items); err != nil {
		return err
	}
	if err := u.w.Mark(u.marks(j.places)); err != nil {
		return err
	}
	u.mark.last = j.last
	u.summary.Messages += j.messages
	u.summary.Texts += int64(len(j.chunks))
	u.summary.Deleted += int64(len(j.dead))
	if u.o.Progress != nil {
		u.o.Progress(Progress{u.summary.Messages, max(u.total, u.summary.Messages), u.summary.Texts})
	}
	return nil
}

// marks put the slots of short texts into conversations. Texts that mean
// nothing to the model have no slot.
func (u *updater) marks(places []placed) []vector.Mark {
	marks := make([]vector.Mark, 0, len(places))
	for _, p := range places {
		if slot, ok := u.slots[p.key]; ok {
			marks = append(marks, vector.Mark{Slot: slot, Group: p.conversation, Ref: p.message})
		}
	}
	return marks
}

// means reports whether a vector is not zero; zero vectors are near to
// everything alike.
func means(v []float32) bool {
	return slices.ContainsFunc(v, func(x float32) bool { return x != 0 })
}

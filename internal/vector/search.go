package vector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
)

// Of a million slots 4000 are chosen by the distance of their codes and 1000
// of those by estimates; only they are read. On made-up vectors a quarter of
// that finds the same; real ones are less regular.
const (
	defaultCandidates = 1000
	candidateShare    = 1000 // one in
	// perResult is the least number of candidates for each result.
	perResult = 5
	// perCandidate is how many slots are estimated for each candidate.
	perCandidate = 4
	// sparse is the share of accepted slots, one in, below which they are
	// looked up one by one.
	sparse = 8
)

// Search returns the k accepted slots with the highest scores, highest first,
// the lower slot first where scores tie. A zero query finds nothing. It
// returns a DamagedError when the files no longer hold what was committed.
func (v *View) Search(ctx context.Context, vec []float32, k int, o Options) ([]Match, error) {
	q, err := v.quant.query(vec)
	if err != nil {
		return nil, err
	}
	if o.Accept != nil && o.Accept.n != v.Len() {
		return nil, fmt.Errorf("search vectors: filter of %d slots, the view has %d", o.Accept.n, v.Len())
	}
	accept, accepted := v.live(o.Accept)
	if q.zero || k <= 0 || accepted == 0 {
		return nil, nil
	}
	workers := workersOr(o.Workers)
	candidates := max(k, o.Candidates)
	if o.Candidates <= 0 {
		candidates = max(perResult*k, defaultCandidates, v.Len()/candidateShare)
	}
	slots, err := v.candidates(ctx, q, candidates, accept, accepted, workers)
	if err != nil {
		return nil, err
	}
	return v.best(ctx, q, slots, k, workers)
}

// candidates returns the n of the accepted slots that are most likely among
// the best, all if they are not more.
func (v *View) candidates(ctx context.Context, q *query, n int, accept *Bitmap, accepted, workers int) (slots []uint32, err error) {
	if accepted <= n*perCandidate {
		slots = v.list(accept)
	} else {
		if accept != nil && accepted < v.Len()/sparse {
			slots = accept.Slots()
		}
		if slots, err = v.nearest(ctx, q.code, n*perCandidate, accept, slots, workers); err != nil {
			return nil, err
		}
	}
	if len(slots) <= n {
		return slots, nil
	}
	return v.likeliest(ctx, q, slots, n, workers)
}

// Score returns the scores of slots of the caller's choice, in their order.
// Ascending slots are read the fastest.
func (v *View) Score(vec []float32, slots []uint32) ([]float32, error) {
	q, err := v.quant.query(vec)
	if err != nil {
		return nil, err
	}
	for _, slot := range slots {
		if int(slot) >= v.Len() {
			return nil, fmt.Errorf("score vectors: slot %d, the view has %d", slot, v.Len())
		}
	}
	scores := make([]float32, len(slots))
	if q.zero {
		return scores, nil
	}
	i := 0
	err = v.products(context.Background(), q.wide, slots, func(_ uint32, product int32) {
		scores[i] = float32(product) * q.unit
		i++
	})
	return scores, err
}

// live returns the accepted slots that are not deleted, nil for all, and
// their number.
func (v *View) live(accept *Bitmap) (*Bitmap, int) {
	switch {
	case accept == nil && v.header.dead == 0:
		return nil, v.Len()
	case accept == nil:
		all := NewBitmap(v.Len())
		for i := range all.words {
			all.words[i] = ^v.dead.words[i]
		}
		if rest := v.Len() % 64; rest != 0 {
			all.words[len(all.words)-1] &= 1<<rest - 1
		}
		return all, v.Live()
	default:
		both := accept.grown(accept.n).AndNot(v.dead)
		return both, both.Count()
	}
}

func (v *View) list(accept *Bitmap) []uint32 {
	if accept != nil {
		return accept.Slots()
	}
	all := make([]uint32, v.Len())
	for i := range all {
		all[i] = uint32(i)
	}
	return all
}

// scored is a slot with its exact product with the query.
type scored struct {
	slot    uint32
	product int32
}

// better orders what was found; no two slots are equal.
func better(a, b scored) int {
	if a.product != b.product {
		return cmp.Compare(b.product, a.product)
	}
	return cmp.Compare(a.slot, b.slot)
}

// best scores the slots and returns the k best.
func (v *View) best(ctx context.Context, q *query, slots []uint32, k, workers int) ([]Match, error) {
	parts := split(len(slots), 256, workers)
	found := make([][]scored, len(parts))
	err := v.each(ctx, parts, func(ctx context.Context, i int) error {
		var top topK
		top.k = k
		err := v.products(ctx, q.wide, slots[parts[i].from:parts[i].to], top.add)
		found[i] = top.kept
		return err
	})
	if err != nil {
		return nil, err
	}
	all := slices.Concat(found...)
	slices.SortFunc(all, better)
	matches := make([]Match, min(k, len(all)))
	for i := range matches {
		matches[i] = Match{all[i].slot, float32(all[i].product) * q.unit}
	}
	return matches, nil
}

// topK keeps the k best of what is added in ascending order of slots, and a
// few more: it is pruned whenever it has twice as many.
type topK struct {
	k     int
	kept  []scored
	floor int32 // once pruned, products up to this one are not among the best
	full  bool
}

func (t *topK) add(slot uint32, product int32) {
	if t.full && product <= t.floor {
		return // a tie goes to the lower slot, which came before
	}
	t.kept = append(t.kept, scored{slot, product})
	if len(t.kept) == 2*t.k {
		slices.SortFunc(t.kept, better)
		t.kept = t.kept[:t.k]
		t.floor, t.full = t.kept[t.k-1].product, true
	}
}

// Bytes are read in one go when what lies between two slots is no longer than
// gapBytes, since a call costs about as much as copying that, up to readBytes.
const (
	gapBytes  = 2 << 10
	readBytes = 64 << 10
)

// rows are reused, since clearing them takes longer than reading a few slots.
var rows = sync.Pool{New: func() any { return new([]byte) }}

// products calls do with every slot, in their order, and its product with the
// query.
func (v *View) products(ctx context.Context, q []int16, slots []uint32, do func(slot uint32, product int32)) error {
	row := len(q)
	room := rows.Get().(*[]byte)
	defer rows.Put(room)
	*room = slices.Grow((*room)[:0], max(readBytes, row))[:max(readBytes, row)]
	buf := *room
	for n := 0; len(slots) > 0; n++ {
		if n%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		first, end := slots[0], slots[0]+1
		run := 1
		for run < len(slots) {
			next := slots[run]
			if next < end || int(next-end)*row > gapBytes || int(next+1-first)*row > len(buf) {
				break
			}
			end = next + 1
			run++
		}
		chunk := buf[:int(end-first)*row]
		if _, err := v.int8s.ReadAt(chunk, int64(first)*int64(row)); err != nil {
			return v.unreadable(int8s, err)
		}
		for _, slot := range slots[:run] {
			do(slot, dot(q, chunk[int(slot-first)*row:][:row]))
		}
		slots = slots[run:]
	}
	return nil
}

func (v *View) unreadable(k kind, err error) error {
	if errors.Is(err, os.ErrClosed) {
		return err
	}
	return &DamagedError{v.file(k), fmt.Sprintf("cannot be read: %v", err)}
}

package embed

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/vector"
)

// Finder finds messages by the vectors of an index. It follows an index that
// another process updates, and is safe for concurrent use.
type Finder struct {
	r     *store.Reader
	dir   string
	model Embedder

	mu sync.Mutex
	ix *vector.Index
}

// NewFinder returns a Finder over the index of a model in folder dir.
func NewFinder(r *store.Reader, dir string, model Embedder) *Finder {
	return &Finder{r: r, dir: dir, model: model}
}

// Close releases the index.
func (f *Finder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ix == nil {
		return nil
	}
	err := f.ix.Close()
	f.ix = nil
	return err
}

// ErrNoIndex means that there is no complete index of the model.
var ErrNoIndex = errors.New("messages are not indexed by meaning yet")

// Scope narrows what is found. The zero value finds everything.
type Scope struct {
	// Conversations, when not nil, are the only ones.
	Conversations []int64
	// Senders are handle ids; with FromMe they name whose messages count. None
	// and not FromMe means everybody's.
	Senders []int64
	FromMe  bool
	// Start and End bound the time in unix microseconds, the end excluded. What
	// is found may lie up to a minute outside.
	Start, End *int64
}

// bound reports whether the scope narrows at all.
func (s Scope) bound() bool {
	return s.Conversations != nil || s.FromMe || len(s.Senders) > 0 || s.Start != nil || s.End != nil
}

// Near is a message that may be what is looked for.
type Near struct {
	Message int64
	// Own is the similarity of the message's own text, the best part of a long
	// one; Around is that of the best window that holds it, or the same when
	// nobody spoke before and after. They are cosines.
	Own, Around float32
	// Alike is set when the message stands for all that consist of the same
	// short text, and may itself lie outside the scope. Inside is then, if not
	// 0, a message in one of the scope's conversations that consisted of it
	// when it was indexed.
	Alike  bool
	Inside int64
}

// Ready returns nil when the index is complete, ErrNoIndex when it is not, and
// another error when it cannot be used.
func (f *Finder) Ready(ctx context.Context) error {
	v, err := f.view(ctx)
	if err == nil {
		v.Release()
	}
	return err
}

// Near finds the n messages that are nearest to a query's vector, best first.
func (f *Finder) Near(ctx context.Context, query []float32, scope Scope, n int) ([]Near, error) {
	v, err := f.view(ctx)
	if err != nil {
		return nil, err
	}
	defer v.Release()
	accept, marks := accepted(v, scope)
	// Windows bring messages, and some bring the same.
	matches, err := v.Search(ctx, query, n+n/2, vector.Options{Accept: accept})
	var other *vector.DimensionError
	if errors.As(err, &other) {
		return nil, fmt.Errorf("the embedding model gives vectors of %d components now and those of the index have %d; \"msgbrowse index\" makes them anew", other.Got, other.Want)
	}
	if err != nil {
		return nil, fmt.Errorf("search vector index: %w", err)
	}
	list, err := gather(v, query, matches, accept)
	if len(list) > n {
		list = list[:n]
	}
	bringInside(list, v.Refs(), marks)
	return list, err
}

// bringInside adds to the messages that stand for others those that marks name.
func bringInside(list []Near, refs []uint32, marks []vector.Mark) {
	at := map[int64]*Near{}
	for i := range list {
		if list[i].Alike {
			at[list[i].Message] = &list[i]
		}
	}
	for _, m := range marks {
		if n := at[int64(refs[m.Slot])]; n != nil && m.Ref != 0 {
			n.Inside = int64(m.Ref)
		}
	}
}

// view returns the newest commit of a complete index.
func (f *Finder) view(ctx context.Context) (*vector.View, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ix == nil {
		spec, err := specOf(ctx, f.r, f.model)
		if err != nil {
			return nil, err
		}
		ix, err := vector.Open(f.dir, spec)
		if absent(err) {
			return nil, ErrNoIndex
		}
		if err != nil {
			return nil, fmt.Errorf("open vector index: %w", err)
		}
		f.ix = ix
	} else if _, err := f.ix.Refresh(); absent(err) {
		return nil, ErrNoIndex
	} else if err != nil {
		return nil, fmt.Errorf("read vector index: %w", err)
	}
	v := f.ix.View()
	m, err := decodeMark(v.State())
	if err == nil && m.complete.LastMessage == 0 {
		err = ErrNoIndex
	}
	if err != nil {
		v.Release()
		return nil, err
	}
	return v, nil
}

// absent reports whether an error of vector.Open means that the model's index
// is still to be made; one of an earlier version of the program is no index.
func absent(err error) bool {
	var other *vector.OtherModelError
	var older *vector.OlderFormatError
	return errors.Is(err, vector.ErrAbsent) || errors.As(err, &other) || errors.As(err, &older)
}

// accepted are the slots that a scope lets through, nil for all: windows whose
// messages may be in it, and short texts, which many messages may consist of:
// in which conversations is known, by whom and when is not. The marks are those
// that put short texts into the scope's conversations.
func accepted(v *vector.View, s Scope) (*vector.Bitmap, []vector.Mark) {
	in := narrowed(v, s)
	if in != nil {
		in.Or(ofKind(v, short))
	}
	if s.Conversations == nil {
		return in, nil
	}
	test := vector.AnyOf(numbers(s.Conversations))
	there, marks := vector.Where(v.Groups(), test), v.MarksIn(test)
	for _, m := range marks {
		there.Set(m.Slot)
	}
	if in != nil {
		there.And(in)
	}
	return there, marks
}

// narrowed are the slots that a scope's senders and times let through, nil for
// all of them.
func narrowed(v *vector.View, s Scope) *vector.Bitmap {
	var in *vector.Bitmap
	if s.FromMe || len(s.Senders) > 0 {
		owners := numbers(s.Senders)
		if s.FromMe {
			owners = append(owners, ownerMe)
		}
		in = vector.Where(v.Owners(), vector.AnyOf(owners)).Or(ofKind(v, window))
	}
	if s.Start != nil || s.End != nil {
		from, to := uint32(0), uint32(1<<32-1)
		if s.Start != nil {
			from = timeOf(*s.Start)
		}
		if s.End != nil {
			to = timeOf(*s.End)
		}
		then := vector.Where(v.Times(), vector.Between(from, to))
		if in == nil {
			return then
		}
		in.And(then)
	}
	return in
}

func ofKind(v *vector.View, k kind) *vector.Bitmap {
	return vector.Where(v.Keys(), vector.Masked(3<<kindShift, uint32(k)<<kindShift))
}

func numbers(ids []int64) []uint32 {
	list := make([]uint32, len(ids))
	for i, id := range ids {
		list[i] = uint32(id)
	}
	return list
}

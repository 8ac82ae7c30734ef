package search

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync"
	"time"
	"unicode"

	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

const (
	// judgeTime is how long after a query came the judge must be done: what
	// remains to do takes some milliseconds.
	judgeTime = 122 * time.Millisecond
	// judgeReach is how many messages before and after one are judged with it.
	judgeReach = 2
	// judgeGap is how long before and after it they may be said, in
	// microseconds.
	judgeGap = 3600 * 1e6
	// aroundWeight is what the talk around a message weighs against it.
	aroundWeight = 0.75
	// alikeAround is how similar to the query, relative to a message, the talk
	// around it is taken to be when there is none, or no time for it.
	alikeAround = 0.6
)

// judge adds to the scores of messages, the best first, how similar they are
// to the query together with the talk around them. What it has no time for
// counts as the mean, and what it cannot read as the model's vectors have it.
func (p *pursuit) judge(ctx context.Context, r *ranker, top []ranked, weight float64) error {
	if p.s.meaning.Judge == nil || len(top) == 0 || !mostlyLatin(p.text) {
		return nil
	}
	query, err := p.s.meaning.Judge.EmbedQuery(p.hurry, p.text)
	if err != nil {
		if ctx.Err() == nil {
			return nil // out of time: the order stays as it was
		}
		return err
	}
	texts := newTexts(p.s, r)
	if err := texts.around(ctx, top); err != nil {
		return err
	}
	texts.embed(p.hurry)
	var judged, near spread
	for i := range top {
		near.add(top[i].why.Near)
		if score, ok := texts.score(query, i); ok {
			top[i].why.Judged = score
			judged.add(score)
		}
	}
	if judged.n == 0 {
		return nil
	}
	for i := range top {
		switch {
		case top[i].why.Judged != 0:
			top[i].score += weight * judged.above(top[i].why.Judged)
		case texts.own[i] < 0: // the vectors know better
			top[i].score += weight * near.above(top[i].why.Near)
		}
	}
	return nil
}

func (m *Meaning) judgeTime() time.Duration {
	if m.JudgeTime > 0 {
		return m.JudgeTime
	}
	return judgeTime
}

// mostlyLatin reports whether most letters of a query are Latin: the judge
// reads English, and languages near to it somewhat, but nothing of other
// scripts.
func mostlyLatin(text string) bool {
	letters, others := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if !unicode.Is(unicode.Latin, r) {
				others++
			}
		}
	}
	return others*2 <= letters
}

// english reports whether a text may be English: one of some length without a
// single common English word in it is not, and its similarity to anything is
// no more than that of its letters.
func english(text string) bool {
	words := 0
	common := false
	segment.Runs(text, func(r segment.Run) bool {
		if r.Class == segment.Word {
			words++
			common = segment.IsStopWord(r.Text)
		}
		return !common && words < foreignWords*4
	})
	return common || words < foreignWords
}

// foreignWords is the length from which on a text is some.
const foreignWords = 5

// judgedTexts are the messages that are judged and those around them.
type judgedTexts struct {
	s       *Searcher
	r       *ranker
	texts   []string // what matters most first
	at      map[int64]int
	own     []int   // places in texts of the judged messages; -1 of those it cannot read
	near    [][]int // and of those around them
	vectors [][]float32
}

func newTexts(s *Searcher, r *ranker) *judgedTexts {
	return &judgedTexts{s: s, r: r, at: map[int64]int{}}
}

// around reads what stands around messages.
func (t *judgedTexts) around(ctx context.Context, top []ranked) error {
	for _, x := range top {
		if english(x.Body) {
			t.own = append(t.own, t.place(x.Neighbour))
		} else {
			t.own = append(t.own, -1)
		}
	}
	t.near = make([][]int, len(top))
	for i, x := range top {
		if t.own[i] < 0 {
			continue
		}
		near, err := t.r.beside(ctx, x.Candidate)
		if err != nil {
			return err
		}
		for _, n := range near {
			if n.Sort-x.Sort <= judgeGap && x.Sort-n.Sort <= judgeGap {
				t.near[i] = append(t.near[i], t.place(n))
			}
		}
	}
	return nil
}

// beside returns the messages right before and after one, in the order of time.
func (r *ranker) beside(ctx context.Context, x store.Candidate) ([]store.Neighbour, error) {
	near, known := r.talk[x.ID]
	if !known {
		return r.r.Neighbours(ctx, x.ConversationID, store.Key{Sort: x.Sort, ID: x.ID}, judgeReach)
	}
	list := make([]store.Neighbour, 0, 2*judgeReach)
	for i, n := range near {
		if i != judgeReach {
			list = append(list, n.Neighbour)
		}
	}
	return list, nil
}

// place returns where a message's text stands, once.
func (t *judgedTexts) place(n store.Neighbour) int {
	at, known := t.at[n.ID]
	if !known {
		at = len(t.texts)
		t.at[n.ID] = at
		t.texts = append(t.texts, t.said(n))
	}
	return at
}

// said is a message as the judge reads it: who said what matters to questions.
func (t *judgedTexts) said(n store.Neighbour) string {
	if label := t.r.labels[n.SenderID]; label != "" {
		return fmt.Sprintf("%s: %s", label, n.Body)
	}
	return n.Body
}

// embed makes the vectors of the texts, or of as many as there is time for.
func (t *judgedTexts) embed(ctx context.Context) {
	t.vectors = make([][]float32, len(t.texts))
	var texts []string
	var places []int
	for i, text := range t.texts {
		if t.vectors[i] = t.s.judged.get(text); t.vectors[i] == nil {
			texts, places = append(texts, text), append(places, i)
		}
	}
	for i, v := range t.s.meaning.Judge.EmbedUntil(ctx, texts) {
		t.vectors[places[i]] = v
		t.s.judged.put(texts[i], v)
	}
}

// score is the similarity of the message at i and the mean of those of its
// neighbours, added.
func (t *judgedTexts) score(query []float32, i int) (float64, bool) {
	if t.own[i] < 0 || t.vectors[t.own[i]] == nil {
		return 0, false
	}
	own := t.vectors[t.own[i]]
	sum, n := 0.0, 0
	for _, at := range t.near[i] {
		if v := t.vectors[at]; v != nil {
			sum, n = sum+dot(query, v), n+1
		}
	}
	said := dot(query, own)
	if n == 0 {
		return said * (1 + aroundWeight*alikeAround), true
	}
	return said + aroundWeight*sum/float64(n), true
}

func dot(a, b []float32) float64 {
	sum := float32(0)
	for i, x := range a {
		sum += x * b[i]
	}
	return float64(sum)
}

// memory keeps vectors of texts that were judged lately: those around the
// answers to one question are often those around the next one's. It is safe
// for concurrent use; the zero value is empty.
type memory struct {
	mu     sync.Mutex
	seed   maphash.Seed
	fresh  map[uint64][]float32
	former map[uint64][]float32
}

// memorySize is how many vectors each half of the memory holds: 4 MB of
// vectors with 384 components together.
const memorySize = 1400

func (m *memory) key(text string) uint64 {
	if m.fresh == nil {
		m.seed, m.fresh = maphash.MakeSeed(), map[uint64][]float32{}
	}
	return maphash.String(m.seed, text)
}

func (m *memory) get(text string) []float32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := m.key(text)
	if v := m.fresh[key]; v != nil {
		return v
	}
	v := m.former[key]
	if v != nil {
		m.keep(key, v)
	}
	return v
}

func (m *memory) put(text string, v []float32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keep(m.key(text), v)
}

// keep puts a vector into the fresh half, which becomes the former one when it
// is full.
func (m *memory) keep(key uint64, v []float32) {
	if len(m.fresh) >= memorySize {
		m.former, m.fresh = m.fresh, make(map[uint64][]float32, memorySize)
	}
	m.fresh[key] = v
}

package store

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/cases"
	"modernc.org/sqlite"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Reader answers questions about the archive. It has no method that writes,
// and its connections refuse to. It is safe for concurrent use.
type Reader struct {
	*connections

	mu            sync.Mutex
	names         *names
	extent        Extent
	extentVersion int64
	extentKnown   bool

	whole remembered
}

// ReaderOptions say how the archive is shared.
type ReaderOptions struct {
	// WithWriter must be set when the same process may also hold a Writer.
	// Otherwise the reader touches no byte of the data folder, not even the
	// write-ahead log's index, and may read it where it cannot be written to.
	WithWriter bool
	// Connections bounds how many queries run at once; 0 means 4.
	Connections int
}

// OpenReader opens the archive in the data folder. It never creates one: a
// folder without is ErrNoArchive, wrapped in a PathError with the path that
// was looked for.
func OpenReader(ctx context.Context, dir string, o ReaderOptions) (*Reader, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, &PathError{dir, err}
	}
	path := filepath.Join(dir, FileName)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && info.Size() == 0:
		return nil, &PathError{path, ErrNoArchive}
	case err != nil:
		return nil, &PathError{path, err}
	}
	if o.Connections == 0 {
		o.Connections = 4
	}
	c, err := openConnections(path, o.WithWriter, o.Connections)
	if err != nil {
		return nil, &PathError{path, err}
	}
	if err := checkSchema(ctx, c.query); err != nil {
		return nil, &PathError{path, errors.Join(whyNotOpen(path, err), c.close())}
	}
	return &Reader{connections: c}, nil
}

// whyNotOpen puts the system's reason in the place of SQLite's "unable to
// open database file".
func whyNotOpen(path string, err error) error {
	const cantOpen = 14
	var failed *sqlite.Error
	if !errors.As(err, &failed) || failed.Code()&0xFF != cantOpen {
		return err
	}
	file, reason := os.Open(path)
	if reason != nil {
		return reason
	}
	return errors.Join(err, file.Close())
}

// Path is where the archive lies.
func (r *Reader) Path() string { return r.path }

// Close releases the connections.
func (r *Reader) Close() error { return r.close() }

// Person is one handle as readers see it.
type Person struct {
	HandleID int64
	PersonID int64
	Source   msg.Source
	Native   string
	Kind     msg.HandleKind
	Name     string // display name, possibly empty
	Label    string // what to call the handle: never "Me"
	Owner    bool
}

// ConversationRef names a conversation.
type ConversationRef struct {
	ID     int64
	Key    string
	Name   string
	Source msg.Source
	Kind   msg.ConversationKind
}

// names caches what messages refer to by id; it is small and changes rarely.
type names struct {
	version       int64
	whole         bool // it has all there are, not only what was asked for
	handles       map[int64]Person
	conversations map[int64]ConversationRef

	fold        sync.Once
	folded      []foldedName // of conversations
	foldedPeers []foldedName // of handles
}

// foldedName is what somebody may type a part of, in folded case.
type foldedName struct {
	id         int64
	name, also string
}

// matching returns the conversations and the handles that the folded text is
// part of a name of.
func (n *names) matching(text string) (conversations, handles []int64) {
	n.fold.Do(func() {
		fold := cases.Fold()
		for id, c := range n.conversations {
			n.folded = append(n.folded, foldedName{id, fold.String(c.Name), fold.String(c.Key)})
		}
		for id, p := range n.handles {
			n.foldedPeers = append(n.foldedPeers, foldedName{id, fold.String(p.Name), fold.String(p.Native)})
		}
	})
	find := func(list []foldedName) (ids []int64) {
		for _, x := range list {
			if strings.Contains(x.name, text) || strings.Contains(x.also, text) {
				ids = append(ids, x.id)
			}
		}
		return ids
	}
	return find(n.folded), find(n.foldedPeers)
}

// loadNames returns all names.
func (r *Reader) loadNames(ctx context.Context) (*names, error) {
	kept, err := r.keptNames(ctx)
	if err != nil || kept.whole {
		return kept, err
	}
	n := &names{version: kept.version, whole: true, handles: map[int64]Person{}, conversations: map[int64]ConversationRef{}}
	if err := r.readHandles(ctx, n, ""); err != nil {
		return nil, err
	}
	if err := r.readConversations(ctx, n, ""); err != nil {
		return nil, err
	}
	r.keepNames(n)
	return n, nil
}

// keptNames returns the names that are known and still hold.
func (r *Reader) keptNames(ctx context.Context) (*names, error) {
	version, err := r.NamesVersion(ctx)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.names != nil && r.names.version == version {
		return r.names, nil
	}
	return &names{version: version}, nil
}

func (r *Reader) keepNames(n *names) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.names == nil || r.names.version != n.version || !r.names.whole {
		r.names = n
	}
}

// fewNames is how many names are read one by one before all are: with the
// first page of an archive of many strangers, most of them are not needed.
const fewNames = 200

// namesOf returns names, at least those of the conversations and the handles.
func (r *Reader) namesOf(ctx context.Context, conversations, handles []int64) (*names, error) {
	kept, err := r.keptNames(ctx)
	if err != nil || kept.whole {
		return kept, err
	}
	conversations, handles = unknown(kept.conversations, conversations), unknown(kept.handles, handles)
	if len(conversations) == 0 && len(handles) == 0 {
		return kept, nil
	}
	if len(kept.conversations)+len(kept.handles)+len(conversations)+len(handles) > fewNames {
		return r.loadNames(ctx)
	}
	n := &names{version: kept.version, handles: map[int64]Person{}, conversations: map[int64]ConversationRef{}}
	maps.Copy(n.handles, kept.handles)
	maps.Copy(n.conversations, kept.conversations)
	const those = ` WHERE id IN `
	for part := range slices.Chunk(handles, idsPerQuery) {
		if err := r.readHandles(ctx, n, those+placeholders(idsPerQuery), padIDs(part, idsPerQuery)...); err != nil {
			return nil, err
		}
	}
	for part := range slices.Chunk(conversations, idsPerQuery) {
		if err := r.readConversations(ctx, n, those+placeholders(idsPerQuery), padIDs(part, idsPerQuery)...); err != nil {
			return nil, err
		}
	}
	r.keepNames(n)
	return n, nil
}

// unknown returns the ids that are not known, each once; 0 stands for nobody.
func unknown[T any](known map[int64]T, ids []int64) []int64 {
	var list []int64
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		if _, ok := known[id]; !ok && id != 0 {
			list = append(list, id)
		}
	}
	return list
}

// NamesVersion changes whenever a name of a handle or a conversation does.
func (r *Reader) NamesVersion(ctx context.Context) (int64, error) { return r.setting(ctx, "names") }

func (r *Reader) setting(ctx context.Context, key string) (int64, error) {
	var value int64
	err := r.row(ctx, `SELECT coalesce((SELECT value FROM settings WHERE key = ?), 0)`, []any{key}, &value)
	return value, err
}

func (r *Reader) readHandles(ctx context.Context, n *names, where string, args ...any) error {
	rows, err := r.query(ctx, `SELECT id, person_id, source, native, kind, name, owner FROM handles`+where, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var p Person
		if err := rows.Scan(&p.HandleID, &p.PersonID, &p.Source, &p.Native, &p.Kind, &p.Name, &p.Owner); err != nil {
			return err
		}
		p.Label = label(p)
		n.handles[p.HandleID] = p
	}
	return rows.Err()
}

func (r *Reader) readConversations(ctx context.Context, n *names, where string, args ...any) error {
	rows, err := r.query(ctx, `SELECT id, key, name, source, kind FROM conversations`+where, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var c ConversationRef
		if err := rows.Scan(&c.ID, &c.Key, &c.Name, &c.Source, &c.Kind); err != nil {
			return err
		}
		n.conversations[c.ID] = c
	}
	return rows.Err()
}

// People lists every handle.
func (r *Reader) People(ctx context.Context) ([]Person, error) {
	n, err := r.loadNames(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]Person, 0, len(n.handles))
	for _, p := range n.handles {
		list = append(list, p)
	}
	return list, nil
}

// ConversationRefs lists every conversation by name.
func (r *Reader) ConversationRefs(ctx context.Context) ([]ConversationRef, error) {
	n, err := r.loadNames(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]ConversationRef, 0, len(n.conversations))
	for _, c := range n.conversations {
		list = append(list, c)
	}
	return list, nil
}

// Person returns one handle.
func (r *Reader) Person(ctx context.Context, handle int64) (Person, error) {
	n, err := r.namesOf(ctx, nil, []int64{handle})
	if err != nil {
		return Person{}, err
	}
	p, ok := n.handles[handle]
	if !ok {
		return Person{}, ErrNotFound
	}
	return p, nil
}

// Persons returns handles by their ids, leaving out those that name nothing.
func (r *Reader) Persons(ctx context.Context, handles []int64) (map[int64]Person, error) {
	n, err := r.namesOf(ctx, nil, handles)
	if err != nil {
		return nil, err
	}
	list := make(map[int64]Person, len(handles))
	for _, id := range handles {
		if p, ok := n.handles[id]; ok {
			list[id] = p
		}
	}
	return list, nil
}

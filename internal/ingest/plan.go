// Package ingest brings exports into the archive: it finds out what the files
// are, reads those that changed, and reconciles what they say with what the
// archive holds. It knows neither SQL nor the inside of any format.
package ingest

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// Finder recognises a candidate: the source that claims it with the highest
// confidence, or a nil source. A confidence below Sure is a guess.
type Finder func(ctx context.Context, c source.Candidate) (source.Source, source.Recognition, error)

// Sure is the confidence from which a recognition is acted upon.
const Sure = 50

// State says what an import will do with a file.
type State string

// The states of a planned file.
const (
	StateNew        State = "new"
	StateChanged    State = "changed"
	StateUnchanged  State = "unchanged"
	StateSuperseded State = "superseded" // a better form of the same messages lies beside it
)

// PlannedFile is a file that was recognised.
type PlannedFile struct {
	Candidate   source.Candidate
	Source      source.Source
	Recognition source.Recognition
	State       State
	// Path and Member are as in store.SourceFile.
	Path, Member string
	Size         int64
	ModTime      int64
	knownID      int64
	sha256       []byte
	// recognise looks at a file that was not opened because it has not
	// changed; nil once that was done.
	recognise func(context.Context) error
}

// Name is how the file is named to people.
func (f *PlannedFile) Name() string { return fileName(f.Path, f.Member) }

func fileName(path, member string) string {
	if member == "" {
		return path
	}
	return path + "!/" + member
}

// PlannedRoot is a path the user pointed at with what was found there.
type PlannedRoot struct {
	Root  store.Root
	Files []*PlannedFile
	// Unknown are files that no source recognised, with the nearest guess;
	// only kept when the user named the file or nothing else was found.
	Unknown []Unknown
	// Elsewhere counts files that a root before this one holds, too.
	Elsewhere int
	// Failed are paths that could not be looked at.
	Failed []Failure
	// Links are symbolic links that were found and not followed, whatever they
	// lead to. WhyNoLinks says why.
	Links []string
}

// WhyNoLinks says to people why a symbolic link was skipped.
const WhyNoLinks = "it is a symbolic link, which is not followed; name it to import what it leads to"

// Unknown is a file no source claims.
type Unknown struct {
	Path  string
	Guess string // format it resembles most, or empty
	Why   string
}

// Failure is a path with the error it gave.
type Failure struct {
	Path string
	Err  error
}

// Plan is what an import would do.
type Plan struct {
	Roots []*PlannedRoot
	trees []*Tree
}

// Close releases the files the plan holds open.
func (p *Plan) Close() {
	for _, t := range p.trees {
		t.Close()
	}
}

// extent counts the files of a plan and their bytes.
func (p *Plan) extent() (files int, bytes int64) {
	for _, root := range p.Roots {
		for _, f := range root.Files {
			files++
			bytes += f.Candidate.Size
		}
	}
	return files, bytes
}

// Recognised counts the files of the plan that an import reads or has read.
func (p *Plan) Recognised() int {
	n := 0
	for _, root := range p.Roots {
		n += len(root.Files)
	}
	return n
}

// Known is what the archive remembers, by file.
type Known map[[2]string]knownFile

type knownFile struct{ store.SourceFile }

// matches reports whether the file was read whole and is as it was then, as
// far as its size and modification time tell.
func (k knownFile) matches(f *PlannedFile) bool {
	return k.ImportID != 0 && k.Size == f.Size && k.ModTime == f.ModTime
}

// KnownFiles indexes a list of files.
func KnownFiles(files []store.SourceFile) Known {
	known := make(Known, len(files))
	for _, f := range files {
		known[[2]string{f.Path, f.Member}] = knownFile{f}
	}
	return known
}

// MakePlan looks at the roots. Files that are known and have not changed are
// not opened unless full is set. A root that cannot be opened is a Failure,
// not an error.
func MakePlan(ctx context.Context, roots []store.Root, known Known, full bool, find Finder) (*Plan, error) {
	plan := &Plan{}
	claimed := map[[2]string]bool{}
	for _, root := range roots {
		planned := &PlannedRoot{Root: root}
		plan.Roots = append(plan.Roots, planned)
		tree, err := OpenTree(root.Path)
		if err != nil {
			planned.Failed = append(planned.Failed, Failure{root.Path, err})
			continue
		}
		plan.trees = append(plan.trees, tree)
		if err := plan.look(ctx, planned, tree, known, full, claimed, find); err != nil {
			plan.Close()
			return nil, err
		}
	}
	return plan, nil
}

// look recognises the files of a tree, going into zips one level deep.
func (p *Plan) look(ctx context.Context, root *PlannedRoot, tree *Tree, known Known, full bool, claimed map[[2]string]bool, find Finder) error {
	files, links, err := tree.walk(ctx, func(name string, err error) {
		root.Failed = append(root.Failed, Failure{tree.display(name), err})
	})
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		root.Failed = append(root.Failed, Failure{tree.Path, err})
		return nil
	}
	for _, name := range links {
		root.Links = append(root.Links, tree.display(name))
	}
	busy := tree.busyFolders(files, known)
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !tree.Zip && strings.EqualFold(path.Ext(f.path), ".zip") {
			inner, err := openZip(filepath.Join(tree.Path, filepath.FromSlash(f.path)))
			if err != nil {
				root.Failed = append(root.Failed, Failure{tree.display(f.path), err})
				continue
			}
			p.trees = append(p.trees, inner)
			if err := p.look(ctx, root, inner, known, full, claimed, find); err != nil {
				return err
			}
			continue
		}
		if err := p.lookAt(ctx, root, tree, f, known, full || busy[path.Dir(f.path)], claimed, find); err != nil {
			return err
		}
	}
	if len(root.Files) > 0 {
		return nil
	}
	for _, f := range tree.pages {
		if err := p.lookAt(ctx, root, tree, f, known, full, claimed, find); err != nil {
			return err
		}
	}
	return nil
}

// busyFolders are those in which some file is new or changed. What lies beside
// it is recognised anew: a better form of the same messages may have come.
func (t *Tree) busyFolders(files []found, known Known) map[string]bool {
	busy := map[string]bool{}
	for _, f := range files {
		planned, err := t.plan(f)
		if err != nil {
			continue
		}
		if k, ok := known[[2]string{planned.Path, planned.Member}]; !ok || !k.matches(planned) {
			busy[path.Dir(f.path)] = true
		}
	}
	return busy
}

func (t *Tree) display(name string) string {
	if t.Zip {
		return fileName(t.Path, name)
	}
	return filepath.Join(t.Path, filepath.FromSlash(name))
}

func (p *Plan) lookAt(ctx context.Context, root *PlannedRoot, tree *Tree, f found, known Known, anew bool, claimed map[[2]string]bool, find Finder) error {
	planned, err := tree.plan(f)
	if err != nil {
		root.Failed = append(root.Failed, Failure{tree.display(f.path), err})
		return nil
	}
	key := [2]string{planned.Path, planned.Member}
	if claimed[key] {
		root.Elsewhere++
		return nil
	}
	claimed[key] = true
	if k, ok := known[key]; ok && k.matches(planned) && !anew {
		planned.knownID, planned.State, planned.sha256 = k.ID, StateUnchanged, k.SHA256
		planned.Recognition.Format, planned.Candidate.Size = k.Format, f.info.Size()
		planned.recognise = func(ctx context.Context) error { return planned.recogniseAnew(ctx, tree, f, find) }
		root.Files = append(root.Files, planned)
		return nil
	}
	candidate, err := tree.candidate(f)
	if err != nil {
		root.Failed = append(root.Failed, Failure{tree.display(f.path), err})
		return nil
	}
	src, recognition, err := recogniseSafely(ctx, find, candidate)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		root.Failed = append(root.Failed, Failure{tree.display(f.path), err})
		return nil
	}
	if src == nil || recognition.Confidence < Sure {
		root.Unknown = append(root.Unknown, Unknown{tree.display(f.path), recognition.Format, recognition.Why})
		return nil
	}
	planned.Candidate, planned.Source, planned.Recognition = candidate, src, recognition
	planned.State = StateNew
	if k, ok := known[key]; ok {
		planned.knownID, planned.State, planned.sha256 = k.ID, StateChanged, k.SHA256
		if k.matches(planned) {
			planned.State = StateUnchanged
		}
		if k.ImportID == 0 {
			planned.sha256 = nil // it was never read to its end
		}
	}
	if recognition.Superseded != "" {
		planned.State = StateSuperseded
	}
	root.Files = append(root.Files, planned)
	return nil
}

// recogniseAnew finds out what a file is that was recognised by an earlier
// import.
func (f *PlannedFile) recogniseAnew(ctx context.Context, tree *Tree, at found, find Finder) error {
	candidate, err := tree.candidate(at)
	if err != nil {
		return err
	}
	src, recognition, err := recogniseSafely(ctx, find, candidate)
	if err != nil {
		return err
	}
	if src == nil || recognition.Confidence < Sure {
		return fmt.Errorf("no longer recognised as %s", f.Recognition.Format)
	}
	f.Candidate, f.Source, f.Recognition, f.recognise = candidate, src, recognition, nil
	return nil
}

// plan fills in where a file lies and its fingerprint: of a file inside a
// zip, the zip's.
func (t *Tree) plan(f found) (*PlannedFile, error) {
	planned := &PlannedFile{Size: f.info.Size(), ModTime: f.info.ModTime().UnixNano()}
	if !t.Zip {
		planned.Path = filepath.Join(t.Path, filepath.FromSlash(f.path))
		return planned, nil
	}
	info, err := os.Stat(t.Path)
	if err != nil {
		return nil, err
	}
	planned.Path, planned.Member = t.Path, f.path
	planned.Size, planned.ModTime = info.Size(), info.ModTime().UnixNano()
	return planned, nil
}

// Needs lists what the user is asked for over all files that will be read and
// has not said, each question once with the files it concerns.
func (r *PlannedRoot) Needs() []RootNeed {
	var list []RootNeed
	for _, f := range r.Files {
		if f.State == StateSuperseded {
			continue
		}
		for _, need := range f.Recognition.Needs {
			if answered(r.Root, need) {
				continue
			}
			at := slices.IndexFunc(list, func(n RootNeed) bool { return n.What == need.What && n.Why == need.Why })
			if at < 0 {
				list = append(list, RootNeed{Need: need})
				at = len(list) - 1
			}
			list[at].Files = append(list[at].Files, f.Name())
		}
	}
	return list
}

// answered tells whether what was said of a root answers a question. A name that
// is none of those to choose from does not.
func answered(root store.Root, need source.Need) bool {
	switch need.What {
	case source.NeedZone:
		return root.Zone != ""
	case source.NeedOwner:
		return slices.ContainsFunc(root.Owner, func(name string) bool {
			return len(need.Choices) == 0 || slices.ContainsFunc(need.Choices, func(c string) bool { return source.SameName(c, name) })
		})
	}
	return false
}

// RootNeed is a question with the files that raise it.
type RootNeed struct {
	source.Need
	Files []string
}

// RootFor makes a root for a path the user names.
func RootFor(name string) (store.Root, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return store.Root{}, fmt.Errorf("resolve %s: %w", name, err)
	}
	return store.Root{Path: filepath.Clean(absolute)}, nil
}

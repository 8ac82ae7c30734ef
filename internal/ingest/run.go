package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// Options say how to run an import.
type Options struct {
	Now     func() time.Time
	Version string // of this program, kept with the run
	// Full reads files again although their fingerprint has not changed.
	Full bool
	// Progress is told how far the run is, often; nil is allowed.
	Progress func(Progress)

	sizes *sizes // other than the usual ones, in tests
}

// Progress is how far an import is.
type Progress struct {
	Phase             Phase
	Files, FilesTotal int
	Bytes, BytesTotal int64
	Messages          int64 // read, or indexed in the indexing phase
	MessagesTotal     int64 // 0 while unknown
	Name              string
}

// Phase is what an import is doing.
type Phase string

// The phases, in order.
const (
	PhaseRead  Phase = "reading"
	PhaseIndex Phase = "indexing"
)

// Summary is what an import did.
type Summary struct {
	ImportID int64
	Status   string
	store.Tally
	Took     time.Duration
	Problems []store.Problem // at most problemLimit of them
}

// run is one import under way.
type run struct {
	w        *store.Writer
	batch    *transaction
	o        Options
	size     sizes
	summary  *Summary
	progress Progress
	answers  *answers
	hashes   map[string][]byte // of zips, which hold several files
	failed   map[string]bool   // names of files that could not be read
	// owners is set once a file was read with another answer than before: some
	// of its senders may no longer be the owner.
	owners bool
}

// Run carries the plan out. Files that cannot be read are reported in the
// summary and do not stop the rest; the error is for what stops everything: a
// full disk, a broken archive, a cancelled context. What was committed by
// then stays.
func Run(ctx context.Context, w *store.Writer, plan *Plan, o Options) (Summary, error) {
	started := o.Now()
	summary := Summary{Status: store.ImportDone}
	r := &run{w: w, o: o, size: usualSizes, summary: &summary, hashes: map[string][]byte{}, failed: map[string]bool{}}
	if o.sizes != nil {
		r.size = *o.sizes
	}
	var err error
	if r.answers, err = gatherAnswers(ctx, w, plan); err != nil {
		return summary, err
	}
	if summary.ImportID, err = w.BeginImport(ctx, started, os.Getpid(), o.Version); err != nil {
		return summary, err
	}
	err = r.read(ctx, plan)
	// Also after an error: readers look for hashes.
	if makeErr := w.MakeHashIndex(context.WithoutCancel(ctx)); err == nil {
		err = makeErr
	}
	if err == nil {
		r.progress = Progress{Phase: PhaseIndex, MessagesTotal: summary.Added + summary.Changed}
		err = index(ctx, w, r.size, func(done int64) {
			r.progress.Messages = done
			r.report()
		})
	}
	switch {
	case ctx.Err() != nil:
		summary.Status = store.ImportInterrupted
	case err != nil:
		summary.Status = store.ImportFailed
	case summary.Errors > 0 || summary.Skipped > 0:
		summary.Status = store.ImportPartial
	}
	summary.Took = o.Now().Sub(started)
	tidy := err == nil && summary.Added+summary.Changed >= int64(r.size.bulk)
	finishErr := w.FinishImport(context.WithoutCancel(ctx), summary.ImportID, o.Now(), summary.Status, summary.Tally, tidy)
	if err == nil {
		err = finishErr // otherwise it failed for the same reason
	}
	if err != nil && ctx.Err() == nil {
		err = &store.PathError{Path: w.Path(), Err: err}
	}
	return summary, err
}

func (r *run) report() {
	if r.o.Progress != nil {
		r.o.Progress(r.progress)
	}
}

// read brings every file of the plan into the archive.
func (r *run) read(ctx context.Context, plan *Plan) error {
	err := r.answers.save(ctx, r.w, plan, r.o.Now())
	if err != nil {
		return err
	}
	if r.batch, err = beginTransaction(ctx, r.w, r.size.commit); err != nil {
		return err
	}
	r.progress.Phase = PhaseRead
	r.progress.FilesTotal, r.progress.BytesTotal = plan.extent()
	if r.progress.BytesTotal >= r.size.load {
		err = r.batch.GoWithoutHashIndex(ctx)
	}
	if err == nil {
		err = r.roots(ctx, plan)
	}
	if err == nil && r.owners {
		err = r.batch.SettleOwners(ctx)
	}
	if err == nil {
		err = r.batch.Commit(ctx)
	}
	return errors.Join(err, r.batch.Rollback(context.WithoutCancel(ctx)))
}

func (r *run) roots(ctx context.Context, plan *Plan) error {
	for _, root := range plan.Roots {
		if err := r.root(ctx, root); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) root(ctx context.Context, root *PlannedRoot) error {
	for _, failure := range root.Failed {
		r.summary.Errors++
		if err := r.problem(ctx, store.Problem{Severity: store.SeverityError, Path: failure.Path, Reason: failure.Err.Error()}); err != nil {
			return err
		}
	}
	for _, link := range root.Links {
		if err := r.problem(ctx, store.Problem{Severity: store.SeveritySkipped, Path: link, Reason: WhyNoLinks}); err != nil {
			return err
		}
	}
	for _, f := range root.Files {
		r.summary.Scanned++
		r.progress.Name = f.Name()
		r.report()
		if err := r.fileIfNeeded(ctx, root, f); err != nil {
			return err
		}
		r.progress.Files++
		r.progress.Bytes += f.Candidate.Size
	}
	// The better forms of the same messages are there by now, so that these
	// can be handed over to them.
	for _, f := range root.Files {
		if f.State != StateSuperseded || f.knownID == 0 || !r.hasBetter(root, f) {
			continue
		}
		if err := r.retire(ctx, root, f); err != nil {
			return err
		}
	}
	return nil
}

// hasBetter reports whether the file that supersedes another was read.
func (r *run) hasBetter(root *PlannedRoot, f *PlannedFile) bool {
	better := filepath.Join(filepath.Dir(f.Path), f.Recognition.Superseded)
	if f.Member != "" {
		better = fileName(f.Path, path.Join(path.Dir(f.Member), f.Recognition.Superseded))
	}
	return !r.failed[better] && slices.ContainsFunc(root.Files, func(g *PlannedFile) bool { return g.Name() == better })
}

func (r *run) problem(ctx context.Context, p store.Problem) error {
	if len(r.summary.Problems) < problemLimit {
		r.summary.Problems = append(r.summary.Problems, p)
	}
	return r.batch.AddProblem(ctx, r.summary.ImportID, p)
}

func (r *run) fileIfNeeded(ctx context.Context, root *PlannedRoot, f *PlannedFile) error {
	force := r.o.Full || r.answers.stale[f.knownID]
	if f.State == StateSuperseded || f.State == StateUnchanged && !force {
		return nil
	}
	if f.recognise != nil {
		if err := f.recognise(ctx); err != nil {
			return r.fileFailed(ctx, f, err)
		}
	}
	sum, err := r.fingerprint(ctx, f)
	if err != nil {
		return r.fileFailed(ctx, f, err)
	}
	if f.State == StateChanged && !force && slices.Equal(sum, f.sha256) {
		return r.batch.TouchFile(ctx, f.knownID, f.Size, f.ModTime)
	}
	r.summary.Read++
	r.owners = r.owners || f.knownID != 0 && (r.answers.stale[f.knownID] || f.sha256 == nil)
	return r.file(ctx, root, f, sum)
}

// retire takes back what a file gave before a better form of the same messages
// came to lie beside it: otherwise they would be there twice.
func (r *run) retire(ctx context.Context, root *PlannedRoot, f *PlannedFile) error {
	rec := &reconciler{batch: r.batch, file: f, source: f.Source.Name(), importID: r.summary.ImportID, tally: &r.summary.Tally}
	err := rec.begin(ctx, r.record(root, f, nil))
	if err != nil {
		return err
	}
	return rec.finish(ctx)
}

// record is what the archive keeps of a file.
func (r *run) record(root *PlannedRoot, f *PlannedFile, sum []byte) store.SourceFile {
	return store.SourceFile{
		RootID: root.Root.ID, Path: f.Path, Member: f.Member, Folder: f.Recognition.Root, Source: f.Source.Name(),
		Format: f.Recognition.Format, Size: f.Size, ModTime: f.ModTime, SHA256: sum,
	}
}

// fingerprint hashes a file, or the zip it lies in.
func (r *run) fingerprint(ctx context.Context, f *PlannedFile) ([]byte, error) {
	if sum, ok := r.hashes[f.Path]; ok {
		return sum, nil
	}
	sum, err := hashFile(ctx, f.Path)
	if err == nil && f.Member != "" {
		r.hashes[f.Path] = sum
	}
	return sum, err
}

// hashStep is how much is hashed between two looks at the context, in bytes.
const hashStep = 8 << 20

func hashFile(ctx context.Context, name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	h := sha256.New()
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch _, err := io.CopyN(h, file, hashStep); {
		case errors.Is(err, io.EOF):
			return h.Sum(nil), nil
		case err != nil:
			return nil, err
		}
	}
}

func (r *run) fileFailed(ctx context.Context, f *PlannedFile, err error) error {
	if ctx.Err() != nil {
		return ctx.Err() // which is no fault of the file's
	}
	r.summary.Errors++
	r.failed[f.Name()] = true
	return r.problem(ctx, store.Problem{Severity: store.SeverityError, Path: f.Name(), Reason: err.Error()})
}

// file reads one file and writes what it gives.
func (r *run) file(ctx context.Context, root *PlannedRoot, f *PlannedFile, sum []byte) error {
	parseErr, found, err := r.pass(ctx, root, f, sum, r.o.Full)
	if errors.Is(err, errThorough) {
		parseErr, found, err = r.pass(ctx, root, f, sum, true)
	}
	if err != nil {
		return err
	}
	r.summary.Skipped += found.skipped
	for _, p := range found.list {
		if err := r.problem(ctx, p); err != nil {
			return err
		}
	}
	if parseErr != nil {
		return r.fileFailed(ctx, f, parseErr)
	}
	return nil
}

// pass reads a file once. parseErr is the file's fault; err is not.
func (r *run) pass(ctx context.Context, root *PlannedRoot, f *PlannedFile, sum []byte, thorough bool) (parseErr error, found *problems, err error) {
	rec := &reconciler{
		batch: r.batch, file: f, source: f.Source.Name(), importID: r.summary.ImportID, tally: &r.summary.Tally, thorough: thorough,
	}
	said := r.answers.of(f.Path, root.Root)
	zone, err := r.answers.zone(said)
	if err != nil {
		return nil, nil, err
	}
	if err := rec.begin(ctx, r.record(root, f, sum)); err != nil {
		return nil, nil, err
	}
	found = &problems{}
	parseErr, err = r.stream(ctx, rec, f, source.Options{Me: said.Owner, Now: r.o.Now()}, zone, found)
	switch {
	case err != nil:
		return nil, nil, err
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case parseErr != nil:
		return parseErr, found, rec.abandon(ctx)
	}
	return nil, found, rec.finish(ctx)
}

// stream connects the parsing goroutine with the reconciler. parseErr is the
// file's fault; err is not.
func (r *run) stream(ctx context.Context, rec *reconciler, f *PlannedFile, said source.Options, zone *time.Location, found *problems) (parseErr, err error) {
	readCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	parcels := make(chan parcel, 8)
	free := make(chan []*store.Record, 16)
	sink := &reader{ctx: readCtx, source: f.Source.Name(), zone: zone, out: parcels, free: free, problems: found, path: f.Name(), digest: newDigester()}
	result := make(chan error, 1)
	go func() {
		defer close(parcels)
		result <- readSafely(readCtx, f, said, sink)
	}()
	base := r.progress.Bytes
	for p := range parcels {
		if err == nil {
			if err = rec.accept(ctx, p); err != nil {
				cancel() // the parser stops at its next parcel
			}
		}
		if p.records != nil {
			r.progress.Messages += int64(len(p.records))
			r.progress.Bytes = base + p.offset
			r.report()
			select {
			case free <- p.records:
			default:
			}
		}
	}
	r.progress.Bytes = base
	parseErr = <-result
	if err != nil {
		return nil, err
	}
	return parseErr, nil
}

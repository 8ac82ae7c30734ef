package ingest

// sizes are how much is done at a time. Nothing but cost depends on them.
type sizes struct {
	// commit is how many written messages make a batch large.
	commit int
	// load is from how many bytes of exports on an empty archive is filled
	// without an index of hashes.
	load int64
	// chunk is how many messages are segmented at a time, and commitChunks how
	// many chunks enter the keyword index in one transaction. The first bounds
	// the run's memory; the second makes the index's segments large, which
	// makes it small.
	chunk, commitChunks int
	// bulk is from how many messages on the index is loaded without merging as
	// it goes, and merge how many segments such a load may leave behind
	// unmerged. A search goes through all of them: one for broad words takes
	// two to three times as long with 16 as with one.
	bulk, merge int
}

var usualSizes = sizes{commit: 20_000, load: 4 << 20, chunk: 1 << 12, commitChunks: 16, bulk: 1 << 15, merge: 4}

package vector

// Options say how to search. The zero value is the default.
type Options struct {
	// Candidates is how many slots, the most promising by their codes, are
	// scored by their bytes. 0 means 1000, a thousandth of the slots or five
	// for each result, whichever is the most.
	Candidates int
	// Accept limits the search to a set of slots, made for the same View; nil
	// means all. Deleted slots are never found.
	Accept *Bitmap
	// Workers is how many goroutines share the work. 0 means one for each
	// processor, up to 8; the results do not depend on it.
	Workers int
}

// Match is a slot that was found.
type Match struct {
	Slot uint32
	// Score is the cosine of the angle to the query, exact to about 0.001 for
	// vectors of 256 components and better for longer ones.
	Score float32
}

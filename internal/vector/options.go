package vector

// Options say how to search. The zero value is the default.
type Options struct {
	// Candidates is how many of the slots that are nearest by their codes are
	// scored. 0 means 4000, or 0.4 % of the slots if that is more.
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

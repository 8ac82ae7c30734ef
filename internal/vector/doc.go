// Package vector keeps quantised vectors on disk and finds the nearest ones.
// It knows vectors and numbers: what a number stands for is its caller's
// business.
//
// # Use
//
// A Writer appends items, deletes and marks slots and commits all of it at
// once, together with a few bytes of the caller's own. An Index follows the
// commits; a View is one of them, which stays as it is until it is released:
//
//	w, err := vector.OpenWriter(dir, spec)
//	first, err := w.Append(items)
//	err = w.Commit(state)
//
//	ix, err := vector.Open(dir, spec)
//	_, err = ix.Refresh()
//	v := ix.View()
//	defer v.Release()
//	accept := vector.Where(v.Groups(), vector.Is(7))
//	matches, err := v.Search(ctx, query, 10, vector.Options{Accept: accept})
//
// A mark puts a slot into one more group than its item's, which may become
// known later.
//
// An item's slot is its position in the order of appending. Compaction, which
// happens only when a writer is asked for it, gives slots new numbers, so a
// slot means something only together with the View it came from.
//
// # Files
//
// Every model has its own set of files in the folder, named after its
// fingerprint, so that a new model's index grows beside the old one's:
//
//	F.head       what is committed: two records of 512 bytes, at 0 and 4096
//	F.lock       held by the one writer; its content means nothing
//	F.N.codes    one bit for each component, in 64-bit words
//	F.N.int8     one signed byte for each component
//	F.N.ref      the attributes, 32 bits for each slot
//	F.N.group
//	F.N.owner
//	F.N.time
//	F.N.key
//	F.N.dead     the deleted slots, 32 bits each, in the order of deletion
//	F.N.marks    the marks in the order of marking: slot, group and ref, 32
//	             bits each
//
// N counts compactions. All numbers are little-endian. The files with an N
// only grow, and a header record says how much of each of them counts. A
// commit brings the data to the disk first and then writes the record that is
// not the valid one, so whatever interrupts it, the record of the last commit
// and all it speaks of are still there. What lies behind the committed part of
// a file is ignored, and overwritten by the next writer. Compaction writes the
// files of N+1 and commits a record that names them.
//
// This is format 2. An index of format 1, which had no marks, is not read: it
// is to be removed and built anew.
//
// Readers create, change and lock nothing.
//
// # Search
//
// Signs of components stand for directions: the number of differing signs
// (the Hamming distance of the codes) falls as the cosine grows. A search
// counts them for every slot and keeps the nearest few thousand. It estimates
// their scores from the query's components and the slots' signs, and reads
// the bytes of the best quarter, whose products with the query differ from
// the cosine by about 0.001. Codes and attributes are mapped into memory;
// bytes are read where they are needed, so that a process that searches a
// million vectors of 256 components stays below 150 MB.
//
// Both need components of about equal size. Vectors whose variance lies in a
// few components, as after a principal component analysis, need to be rotated
// first; see Spec.Rotate.
package vector

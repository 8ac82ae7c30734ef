package store

import (
	"context"
	"fmt"
)

// Of all that comes with a message, its entry in the index of hashes costs the
// most, as hashes come in no order. A large load into an archive that holds no
// message goes without the index and makes it at the end, which takes half the
// time and fills its pages. Whoever looks for a hash meanwhile reads all
// messages; a load that is cut off leaves the index to be made by the next
// writer.

// makeHashIndex makes the index as the schema has it, unless it is there. Five
// bytes of a hash tell a million messages apart; the rest is compared.
const makeHashIndex = `CREATE INDEX IF NOT EXISTS messages_hash ON messages(substr(hash, 1, 5))`

// GoWithoutHashIndex drops the index of hashes of an archive that has never
// held a message. Lookup and MakeHashIndex make it again.
func (b *Batch) GoWithoutHashIndex(ctx context.Context) error {
	if b.w.nextMessage > 1 || b.w.unhashed {
		return nil
	}
	if err := b.exec(ctx, `DROP INDEX messages_hash`); err != nil {
		return fmt.Errorf("drop index of hashes: %w", err)
	}
	b.w.unhashed = true
	return nil
}

// MakeHashIndex makes the index of hashes if there is none.
func (w *Writer) MakeHashIndex(ctx context.Context) error {
	if !w.unhashed {
		return nil
	}
	if _, err := w.db.ExecContext(ctx, makeHashIndex); err != nil {
		return fmt.Errorf("make index of hashes: %w", err)
	}
	w.unhashed = false
	return nil
}

// needHashIndex makes the index of hashes for those who look for one.
func (b *Batch) needHashIndex(ctx context.Context) error {
	if !b.w.unhashed {
		return nil
	}
	if err := b.exec(ctx, makeHashIndex); err != nil {
		return fmt.Errorf("make index of hashes: %w", err)
	}
	b.w.unhashed = false
	return nil
}

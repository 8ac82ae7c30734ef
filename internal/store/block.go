package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// Block is a row of message ids, both ends included; the zero value is none.
type Block struct{ First, Last int64 }

// leastBlock is how many ids a block has at least; the first migration that
// knows of blocks says the same.
const leastBlock = 256

// Block returns the longest row of ids that messages of a conversation got one
// after the other, as most imports give them; none when it is short. Few of
// them may since be of another conversation or of none, and some of the
// conversation lie outside of it.
func (r *Reader) Block(ctx context.Context, conversation int64) (Block, error) {
	var b Block
	err := r.row(ctx, `SELECT block_first, block_last FROM conversations WHERE id = ?`, []any{conversation}, &b.First, &b.Last)
	if err != nil {
		return Block{}, fmt.Errorf("read block of conversation: %w", err)
	}
	return b, nil
}

// rowsOfIDs are the ids that a batch gives to conversations: the row that grows,
// and the longest one of each conversation.
type rowsOfIDs struct {
	conversation int64
	row          Block
	longest      map[int64]Block
}

// add says that a conversation got n ids from first on.
func (r *rowsOfIDs) add(conversation, first, n int64) {
	if conversation == r.conversation && first == r.row.Last+1 {
		r.row.Last += n
	} else {
		r.conversation, r.row = conversation, Block{first, first + n - 1}
	}
	if kept, known := r.longest[conversation]; !known || r.row.Last-r.row.First >= kept.Last-kept.First {
		r.longest[conversation] = r.row
	}
}

// saveBlocks makes the blocks of conversations longer by the ids that the batch
// gave, or replaces them by longer ones.
func (b *Batch) saveBlocks(ctx context.Context) error {
	for _, id := range slices.Sorted(maps.Keys(b.rows.longest)) {
		row := b.rows.longest[id]
		if err := b.exec(ctx, `UPDATE conversations SET block_first = iif(block_first > 0 AND block_last = ?2 - 1, block_first, ?2), block_last = ?3
			WHERE id = ?1 AND (block_first > 0 AND block_last = ?2 - 1 OR ?3 - ?2 >= max(block_last - block_first + 1, ?4 - 1))`,
			id, row.First, row.Last, leastBlock); err != nil {
			return fmt.Errorf("save block of conversation: %w", err)
		}
	}
	return nil
}

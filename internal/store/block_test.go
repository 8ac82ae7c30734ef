package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// blocks returns the block of every conversation, as it is kept.
func blocks(t *testing.T, r *Reader, conversations []int64) map[int64]Block {
	t.Helper()
	all := map[int64]Block{}
	for _, id := range conversations {
		b, err := r.Block(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		all[id] = b
	}
	return all
}

// TestBlocks gives conversations rows of ids, several batches of them.
func TestBlocks(t *testing.T) {
	t.Parallel()
	type row struct {
		conversation int // of two
		n            int
	}
	for _, tt := range []struct {
		name    string
		batches [][]row
		want    [2]Block // counted from the first id given
	}{
		{"none is long", [][]row{{{0, leastBlock - 1}, {1, 1}}}, [2]Block{}},
		{"one after the other", [][]row{{{0, leastBlock}, {1, leastBlock + 9}}}, [2]Block{{1, leastBlock}, {leastBlock + 1, 2*leastBlock + 9}}},
		{"goes on in the next batch", [][]row{{{0, leastBlock}}, {{0, 5}, {1, 2}}}, [2]Block{{1, leastBlock + 5}, {}}},
		{"grows in pieces within a batch", [][]row{{{0, leastBlock}, {0, 40}}}, [2]Block{{1, leastBlock + 40}, {}}},
		{"a few that came later lie outside", [][]row{{{0, leastBlock}, {1, 3}}, {{0, 4}}}, [2]Block{{1, leastBlock}, {}}},
		{"a longer row takes its place", [][]row{{{0, leastBlock}, {1, 3}}, {{0, leastBlock + 1}}}, [2]Block{{leastBlock + 4, 2*leastBlock + 4}, {}}},
		{"taking turns", [][]row{{{0, 200}, {1, 200}, {0, 200}, {1, 200}}}, [2]Block{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := newWorld(t, 2)
			w := openWriter(t, x.dir)
			base := w.nextMessage - 1
			ids := []int64{x.conversations[0].id, x.conversations[1].id}
			at := 0
			for _, batch := range tt.batches {
				write(t, w, func(b *Batch) error {
					for _, r := range batch {
						records := make([]*Record, r.n)
						for i := range records {
							at++
							record := x.messages[0].record
							record.Hash, record.ConversationID = msg.Hash{byte(at), byte(at >> 8), 1}, ids[r.conversation]
							record.Message.Body = fmt.Sprintf("number %d", at)
							record.Links, record.ReplyTo = nil, nil
							record.Message.Attachments, record.Message.Reactions, record.Reactors = nil, nil, nil
							records[i] = &record
						}
						if _, err := b.Insert(t.Context(), records); err != nil {
							return err
						}
					}
					return nil
				})
			}
			r := openReader(t, x.dir, ReaderOptions{WithWriter: true})
			got := blocks(t, r, ids)
			for i, want := range tt.want {
				if want != (Block{}) {
					want = Block{want.First + base, want.Last + base}
				}
				if got[ids[i]] != want {
					t.Errorf("conversation %d has the block %v, want %v", i, got[ids[i]], want)
				}
			}
			// The migration finds the same, or one at least as long.
			scripts, err := migrations()
			if err != nil {
				t.Fatal(err)
			}
			_, fill, _ := strings.Cut(scripts[5], "UPDATE")
			for _, statement := range []string{`UPDATE conversations SET block_first = 0, block_last = 0`, "UPDATE" + fill} {
				if _, err := w.db.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			for id, found := range blocks(t, r, ids) {
				if kept := got[id]; found.Last-found.First < kept.Last-kept.First {
					t.Errorf("the migration finds the block %v, kept is %v", found, kept)
				}
			}
		})
	}
}

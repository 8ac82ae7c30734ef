package ingest

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// keptSums are the sums that an archive keeps, each with the query that makes
// it anew of the messages themselves.
var keptSums = []struct{ name, kept, counted string }{
	{"activity", `SELECT conversation_id, month, sender_id, messages FROM activity ORDER BY 1, 2, 3`,
		`SELECT conversation_id, month, sender, count(*) FROM shown GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`},
	{"months", `SELECT month, source, messages FROM month_totals ORDER BY 1, 2`,
		`SELECT month, source, count(*) FROM shown GROUP BY 1, 2 ORDER BY 1, 2`},
	{"senders", `SELECT id, messages, first_month, last_month FROM handles ORDER BY 1`,
		`SELECT h.id, count(s.id), coalesce(min(month), 0), coalesce(max(month), 0) FROM handles h LEFT JOIN shown s ON s.sender = h.id GROUP BY 1 ORDER BY 1`},
	{"conversations", `SELECT id, messages, first_ts, last_ts FROM conversations ORDER BY 1`,
		`SELECT c.id, count(s.id), coalesce(min(ts), 0), coalesce(max(ts), 0) FROM conversations c LEFT JOIN shown s ON s.conversation_id = c.id GROUP BY 1 ORDER BY 1`},
}

// checkSums compares the sums that the archive keeps with those of its
// messages.
func (d *desk) checkSums() {
	d.t.Helper()
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.Join(d.data, store.FileName)}).EscapedPath()+"?mode=ro&_pragma=temp_store(memory)")
	if err != nil {
		d.t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(d.t.Context(), `CREATE TEMP VIEW shown AS SELECT m.id, m.conversation_id, m.ts, c.source,
		12 * strftime('%Y', m.ts / 1000000, 'unixepoch') + strftime('%m', m.ts / 1000000, 'unixepoch') - 1 AS month,
		iif(m.direction = 2, -1, coalesce(m.sender_id, 0)) AS sender
		FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.missing_since IS NULL`); err != nil {
		d.t.Fatal(err)
	}
	for _, sum := range keptSums {
		var kept, counted strings.Builder
		dumpRows(d.t, db, &kept, sum.kept)
		dumpRows(d.t, db, &counted, sum.counted)
		same(d.t, "sums of "+sum.name+" as counted against kept", counted.String(), kept.String())
	}
}

// TestSumsAfterRandomImports imports, over and over, files that share
// conversations and change at random: messages come, go, come back, change
// their sender and the month, and what is missing is deleted now and then.
func TestSumsAfterRandomImports(t *testing.T) {
	t.Parallel()
	for seed := range uint64(rounds(12, 4)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 5))
			d := newDesk(t)
			files := map[string][]msg.Message{}
			for range 12 {
				for _, name := range []string{"a.fake", "b.fake", "c.fake"} {
					if random.IntN(2) == 0 {
						continue
					}
					files[name] = mutated(random, files[name])
					d.put(name, lines(slices.Concat(chat("shared", files[name]...), chat(name, files[name]...))...))
				}
				d.options.Full = random.IntN(5) == 0
				if _, err := d.tryImport(t.Context()); err != nil {
					t.Fatal(err)
				}
				d.checkSums()
				if random.IntN(3) > 0 {
					continue
				}
				if err := d.withWriter(t.Context(), func(w *store.Writer) error { return only(w.Prune(t.Context())) }); err != nil {
					t.Fatal(err)
				}
				d.checkSums()
			}
		})
	}
}

// mutated takes some messages away, changes some and adds some, each with an
// id of its own that other files use, too.
func mutated(random *rand.Rand, list []msg.Message) []msg.Message {
	list = slices.DeleteFunc(slices.Clone(list), func(msg.Message) bool { return random.IntN(6) == 0 })
	for i := range list {
		if random.IntN(6) == 0 {
			list[i] = randomMessage(random, list[i].NativeID)
		}
	}
	for range random.IntN(12) {
		id := fmt.Sprint("id", random.IntN(60))
		if !slices.ContainsFunc(list, func(m msg.Message) bool { return m.NativeID == id }) {
			list = append(list, randomMessage(random, id))
		}
	}
	return list
}

func randomMessage(random *rand.Rand, id string) msg.Message {
	at := fmt.Sprintf("20%02d-%02d-15 10:00", 19+random.IntN(4), 1+random.IntN(12))
	m := numbered(id, []string{"Ana", "Ben", "Cleo", "Dan"}[random.IntN(4)], at, fmt.Sprint("text ", random.IntN(9)))
	switch random.IntN(8) {
	case 0:
		m.Direction = msg.Out
	case 1:
		m.Direction, m.Kind = msg.System, msg.Notice
	}
	return m
}

// only drops a result and keeps its error.
func only[T any](_ T, err error) error { return err }

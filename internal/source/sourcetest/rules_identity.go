package sourcetest

import (
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// identities computes every message's identity as an import does: the
// ordinal counts equal tuples of one conversation key in file order.
func identities(name msg.Source, result Result) []msg.Hash {
	type tuple struct {
		key  string
		hash uint64
	}
	seen := map[tuple]int{}
	var all []msg.Hash
	for _, c := range result.Conversations {
		for i := range c.Messages {
			m := &c.Messages[i]
			ordinal := 0
			if m.NativeID == "" {
				t := tuple{c.Key, msg.TupleKey(m)}
				ordinal = seen[t]
				seen[t]++
			}
			all = append(all, msg.Identity(name, c.Key, m, ordinal))
		}
	}
	return all
}

// checkIdentity: no two messages are taken for one, and a second reading
// finds the same ones.
func checkIdentity(r reporter, s *subject) {
	r.Helper()
	all := s.result.Messages()
	first := map[msg.Hash]int{}
	hashes := identities(s.Name(), s.result)
	for i, h := range hashes {
		if j, taken := first[h]; taken {
			r.Errorf("messages %d (%s) and %d (%s) have one identity; native ids %q and %q",
				j, position(all[j].Position), i, position(all[i].Position), all[j].NativeID, all[i].NativeID)
			continue
		}
		first[h] = i
	}
	again, err := s.read(s.text)
	if err != nil {
		r.Errorf("read again: %v", err)
		return
	}
	for i, h := range identities(s.Name(), again) {
		if i >= len(hashes) || h != hashes[i] {
			r.Errorf("message %d has another identity on a second reading", i)
			return
		}
	}
}

// checkOwner: nobody is taken for the owner while that is an open question.
func checkOwner(r reporter, s *subject) {
	r.Helper()
	if len(s.fixture.Options.Me) > 0 || !needsOwner(s) {
		return
	}
	for _, m := range s.result.Messages() {
		if m.Direction == msg.Out {
			r.Errorf("%s: direction out although the owner is not settled", position(m.Position))
		}
		for _, reaction := range m.Reactions {
			if reaction.FromMe {
				r.Errorf("%s: reaction of the owner although the owner is not settled", position(m.Position))
			}
		}
	}
	if len(s.result.Notes) == 0 {
		r.Errorf("the owner is not settled and no note says what was assumed")
	}
}

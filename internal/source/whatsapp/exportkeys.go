package whatsapp

// keyMemory remembers which way the latest messages of a chat went, so that
// an answer, which names nothing but a key, finds its message. It is bounded:
// an answer to a message more than keysPerHalf older is taken for one to a
// message received.
type keyMemory struct {
	young, old map[uint64]keyUse
}

// keyUse counts the messages with one key by direction.
type keyUse struct{ in, out uint16 }

const keysPerHalf = 1 << 15

func (k *keyMemory) reset() { k.young, k.old = nil, nil }

// add notes a message and returns how many with the same key and direction
// are remembered from before it.
func (k *keyMemory) add(key string, fromMe bool) (before int) {
	if len(k.young) >= keysPerHalf {
		k.old, k.young = k.young, nil
	}
	if k.young == nil {
		k.young = map[uint64]keyUse{}
	}
	h := hashKey(key)
	use, known := k.young[h]
	if !known {
		use = k.old[h]
	}
	if fromMe {
		before = int(use.out)
		use.out++
	} else {
		before = int(use.in)
		use.in++
	}
	k.young[h] = use
	return before
}

// fromMe reports whether the message with this key is one of the owner's.
func (k *keyMemory) fromMe(key string) bool {
	h := hashKey(key)
	use, known := k.young[h]
	if !known {
		use = k.old[h]
	}
	return use.out > 0 && use.in == 0
}

// hashKey is FNV-1a.
func hashKey(key string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(key) {
		h = (h ^ uint64(key[i])) * 1099511628211
	}
	return h
}

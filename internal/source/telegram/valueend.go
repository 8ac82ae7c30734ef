package telegram

// walk finds the end of a JSON value that may come in pieces.
type walk struct {
	depth int
	// open holds the brackets that are open, the innermost in the last bit:
	// 1 for an object, 0 for an array.
	open              uint64
	inString, escaped bool
	// scalar is set inside a number or word, which ends at what follows it.
	scalar bool
	// bad is set when brackets do not match, or more than maxDepth are open.
	bad bool
}

// maxDepth is how deep values may be nested. An export nests nine deep.
const maxDepth = 64

// over walks over b and returns how many bytes of it belong to the value and
// whether the value ends there.
func (w *walk) over(b []byte) (int, bool) {
	i := 0
	if w.escaped && len(b) > 0 {
		i, w.escaped = 1, false
	}
	for ; i < len(b); i++ {
		if w.inString {
			for i < len(b) && b[i] != '"' && b[i] != '\\' {
				i++
			}
			switch {
			case i == len(b):
				return i, false
			case b[i] == '"':
				if w.inString = false; w.depth == 0 {
					return i + 1, true
				}
			case i+1 == len(b):
				w.escaped = true
				return i + 1, false
			default:
				i++
			}
			continue
		}
		c := b[i]
		if isSpace(c) && !w.scalar {
			continue
		}
		switch c {
		case '"':
			if w.scalar {
				return i, true
			}
			w.inString = true
		case '{', '[':
			if w.scalar {
				return i, true
			}
			if !w.push(c) {
				return i, true
			}
		case '}', ']':
			if w.depth == 0 {
				return i, true
			}
			if !w.pop(c) {
				return i, true
			}
			if w.depth == 0 {
				return i + 1, true
			}
		case ',', ':':
			if w.depth == 0 {
				return i, true
			}
		case ' ', '\n', '\r', '\t':
			return i, true
		default:
			if w.depth == 0 {
				w.scalar = true
			}
		}
	}
	return len(b), false
}

func (w *walk) push(c byte) bool {
	w.depth++
	w.open <<= 1
	if c == '{' {
		w.open |= 1
	}
	w.bad = w.depth > maxDepth
	return !w.bad
}

func (w *walk) pop(c byte) bool {
	w.depth--
	w.bad = (w.open&1 == 1) != (c == '}')
	w.open >>= 1
	return !w.bad
}

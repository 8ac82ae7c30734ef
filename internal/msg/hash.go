package msg

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/maphash"
	"strings"
	"unicode/utf8"
)

// HashSize is the length of a Hash in bytes.
const HashSize = 16

// Hash identifies a message for good: the first 128 bits of SHA-256 over its
// identity. It does not depend on the machine, the time zone, the order of
// imports or the database.
type Hash [HashSize]byte

// String returns the hash as 32 lower-case hex digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// hashVersion is the first frame of every identity, so that another scheme
// could never collide with this one.
const hashVersion = "msgbrowse message 1"

// Identity computes a message's hash. The identity is the source, the
// conversation's key and either the native id or, where the format has none,
// the raw time, the sender, the body and the ordinal: how many messages of
// the same raw time, sender and body stand before it in its file. Each part
// is framed by its length, so no two different lists of parts look alike.
func Identity(s Source, conversationKey string, m *Message, ordinal int) Hash {
	var array [512]byte // enough for most, and on the stack
	frames := frame(frame(frame(array[:0], hashVersion), string(s)), conversationKey)
	if m.NativeID != "" {
		frames = frame(frame(frames, "id"), m.NativeID)
	} else {
		frames = frame(frames, "text")
		for _, part := range [...]string{m.Time.Raw, m.Sender.ID, m.Body} {
			frames = frame(frames, IdentityText(part))
		}
		frames = binary.BigEndian.AppendUint64(frames, uint64(ordinal))
	}
	sum := sha256.Sum256(frames)
	return Hash(sum[:HashSize])
}

// TupleKey returns a 64-bit key of the part of m's identity that messages
// without native ids can have in common; equal keys are counted by the
// ordinal of Identity. Another process makes other keys.
func TupleKey(m *Message) uint64 {
	var h maphash.Hash
	h.SetSeed(tupleSeed)
	for _, part := range [...]string{m.Time.Raw, m.Sender.ID, m.Body} {
		part = IdentityText(part)
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(part)))
		h.Write(size[:])
		h.WriteString(part)
	}
	return h.Sum64()
}

var tupleSeed = maphash.MakeSeed()

// frame appends a part of an identity with its length before it.
func frame(frames []byte, part string) []byte {
	return append(binary.BigEndian.AppendUint64(frames, uint64(len(part))), part...)
}

// IdentityText folds what exporters change between two exports of the same
// message: directional and zero-width marks and carriage returns are dropped,
// no-break spaces become spaces, white space at either end is cut. The result
// is for comparing only and is never stored or shown as text.
func IdentityText(s string) string {
	if isPlain(s) {
		return trim(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\r', r == 0xFEFF, r >= 0x200E && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		case r == 0x00A0, r == 0x202F, r == 0x2009:
			b.WriteByte(' ')
		default:
			b.WriteString(s[i : i+n]) // invalid bytes stay what they are
		}
		i += n
	}
	return trim(b.String())
}

// trim cuts white space at either end; most texts have none.
func trim(s string) string {
	for s != "" && isSpace(s[0]) {
		s = s[1:]
	}
	for s != "" && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0xC2 || s[i] == '\r' {
			return false
		}
	}
	return true
}

// ParseHash reads a hash, or a prefix of one, of at least eight hex digits in
// either case. It returns the digits in lower case and false when s is
// neither.
func ParseHash(s string) (string, bool) {
	if len(s) < 8 || len(s) > 2*HashSize {
		return "", false
	}
	s = strings.ToLower(s)
	for i := 0; i < len(s); i++ {
		if (s[i] < '0' || s[i] > '9') && (s[i] < 'a' || s[i] > 'f') {
			return "", false
		}
	}
	return s, true
}

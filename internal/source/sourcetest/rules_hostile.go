package sourcetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// broken reports whether err shows a fault of the reader itself.
func broken(err error) bool { return errors.Is(err, errPanic) || errors.Is(err, errProtocol) }

// cutPoints spreads about thirty cuts over a text and adds the last bytes.
func cutPoints(text string) []int {
	const cuts = 30
	points := []int{}
	for i := range cuts {
		at := len(text) * i / cuts
		if len(points) == 0 || points[len(points)-1] != at {
			points = append(points, at)
		}
	}
	for _, back := range []int{3, 2, 1} {
		if at := len(text) - back; at > points[len(points)-1] {
			points = append(points, at)
		}
	}
	return points
}

// checkCut: a file cut anywhere gives the whole records before the cut and
// nothing that the whole file does not hold, but for the record that was cut.
func checkCut(r reporter, s *subject) {
	r.Helper()
	whole := map[msg.Hash]bool{}
	hashes := identities(s.Name(), s.result)
	for _, h := range hashes {
		whole[h] = true
	}
	for _, cut := range cutPoints(s.text) {
		text := s.text[:cut]
		if _, err := s.recognize(text); broken(err) {
			r.Errorf("cut at %d: recognise: %v", cut, err)
		}
		result, err := s.read(text)
		if broken(err) {
			r.Errorf("cut at %d: %v", cut, err)
			continue
		}
		got := identities(s.Name(), result)
		for i, h := range got {
			if i < len(got)-1 && !whole[h] {
				r.Errorf("cut at %d: message %d of %d is not in the whole file", cut, i, len(got))
			}
		}
		s.wantBefore(r, cut, got, fmt.Sprintf("cut at %d", cut))
		if s.fixture.SelfDelimiting && !completeJSON(text) && err == nil && len(result.Skipped) == 0 {
			r.Errorf("cut at %d: neither an error nor a skip reports it", cut)
		}
	}
}

// wantBefore checks that got holds every message that ends well before the
// byte at: all but the two that stand last before it, the one being damaged
// and the one whose end cannot be told from damage.
func (s *subject) wantBefore(r reporter, at int, got []msg.Hash, what string) {
	r.Helper()
	held := map[msg.Hash]bool{}
	for _, h := range got {
		held[h] = true
	}
	all := s.result.Messages()
	hashes := identities(s.Name(), s.result)
	started := 0
	for _, m := range all {
		if m.Position.Offset < int64(at) && (m.Position.Offset > 0 || started == 0) {
			started++
		}
	}
	for i := range started - 2 {
		if !held[hashes[i]] {
			r.Errorf("%s: message %d, at offset %d, is lost", what, i, all[i].Position.Offset)
			return
		}
	}
}

func completeJSON(text string) bool {
	d := json.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	values := 0
	for {
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return errors.Is(err, io.EOF) && values > 0
		}
		values++
	}
}

// checkEncoding: a byte order mark changes nothing; a text in UTF-16 is read
// right, refused or reported.
func checkEncoding(r reporter, s *subject) {
	r.Helper()
	plain := strings.TrimPrefix(s.text, "\ufeff")
	for name, text := range map[string]string{"without byte order mark": plain, "with byte order mark": "\ufeff" + plain} {
		if got, err := s.recognize(text); err != nil || got.Confidence < 50 {
			r.Errorf("%s: recognised with confidence %d, error %v", name, got.Confidence, err)
		}
		result, err := s.read(text)
		if err != nil {
			r.Errorf("%s: %v", name, err)
		} else if diff := sameContent(s.result, result); diff != "" {
			r.Errorf("%s: differs (-want +got):\n%s", name, diff)
		}
	}
	for _, bigEndian := range []bool{false, true} {
		text := toUTF16(plain, bigEndian)
		recognition, err := s.recognize(text)
		if broken(err) {
			r.Errorf("UTF-16: recognise: %v", err)
		}
		result, err := s.read(text)
		if broken(err) {
			r.Errorf("UTF-16: %v", err)
		}
		refused := recognition.Confidence < 50 || err != nil || len(result.Skipped) > 0
		if !refused && sameContent(s.result, result) != "" {
			r.Errorf("UTF-16 (big endian %t) is accepted without a word and read as something else", bigEndian)
		}
	}
}

// sameContent compares two readings but for positions.
func sameContent(want, got Result) string {
	return cmp.Diff(want, got, cmpopts.IgnoreTypes(msg.Position{}))
}

func toUTF16(text string, bigEndian bool) string {
	var b strings.Builder
	for _, u := range append([]uint16{0xFEFF}, utf16.Encode([]rune(text))...) {
		if bigEndian {
			b.Write([]byte{byte(u >> 8), byte(u)})
		} else {
			b.Write([]byte{byte(u), byte(u >> 8)})
		}
	}
	return b.String()
}

// checkNoise: NUL bytes, random bytes and a damaged middle neither panic nor
// cost the messages before them.
func checkNoise(r reporter, s *subject) {
	r.Helper()
	for seed := range uint64(4) {
		text := randomText(seed, 1+len(s.text))
		if _, err := s.recognize(text); broken(err) {
			r.Errorf("random bytes: recognise: %v", err)
		}
		if _, err := s.read(text); broken(err) {
			r.Errorf("random bytes: %v", err)
		}
	}
	for i := range 8 {
		at := len(s.text) * i / 8
		for name, text := range map[string]string{
			"NUL byte":       s.text[:at] + "\x00" + s.text[at:],
			"damaged middle": s.text[:at] + randomText(uint64(at), 64) + s.text[min(at+64, len(s.text)):],
			"doubled middle": s.text[:at] + s.text[at/2:],
		} {
			what := fmt.Sprintf("%s at %d", name, at)
			if _, err := s.recognize(text); broken(err) {
				r.Errorf("%s: recognise: %v", what, err)
			}
			result, err := s.read(text)
			if broken(err) {
				r.Errorf("%s: %v", what, err)
				continue
			}
			s.wantBefore(r, at, identities(s.Name(), result), what)
		}
	}
}

func randomText(seed uint64, n int) string {
	random := rand.New(rand.NewPCG(seed, 7))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return string(b)
}

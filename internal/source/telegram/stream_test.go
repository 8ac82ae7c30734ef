package telegram

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestRaw(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     []string
		err      string
	}{
		{"numbers and words", `[1, -2.5e3 ,true,null]`, []string{"1", "-2.5e3", "true", "null"}, ""},
		{"strings", `["a","b\"]","c\\","\x0B"]`, []string{`"a"`, `"b\"]"`, `"c\\"`, `"\x0B"`}, ""},
		{"nested", `[{"a":[1,{"b":"}"}]},[[]],{}]`, []string{`{"a":[1,{"b":"}"}]}`, `[[]]`, `{}`}, ""},
		{"white space", "\r\n [ \t1 ,\n{ } ]\n", []string{"1", "{ }"}, ""},
		{"byte order mark", "\ufeff[1]", []string{"1"}, ""},
		{"comma too many", `[1,]`, []string{"1"}, ""},
		{"cut in a string", `["abc`, nil, "file ends inside the record at byte 1, line 1, after 4 bytes of it"},
		{"cut in an object", "[\n{\"a\":1", nil, "file ends inside the record at byte 2, line 2, after 6 bytes of it"},
		{"cut behind a value", `[1`, []string{"1"}, `file ends where ',' was expected (byte 2, line 1)`},
		{"cut behind a comma", `[1,`, []string{"1"}, "file ends where a value was expected (byte 3, line 1)"},
		{"no comma", `[1 2]`, []string{"1"}, `',' was expected (byte 3, line 1)`},
		{"brackets do not match", `[{"a":[1}]]`, nil, "brackets do not match (byte 8, line 1)"},
		{"closed too early", `[1}`, []string{"1"}, `',' was expected (byte 2, line 1)`},
		{"no value", `[:]`, nil, "a value was expected (byte 1, line 1)"},
		{"no array", `{}`, nil, `'[' was expected (byte 0, line 1)`},
		{"empty file", ``, nil, `file ends where '[' was expected (byte 0, line 1)`},
		{"too deep", "[" + strings.Repeat("[", 65) + strings.Repeat("]", 66), nil, "brackets do not match (byte 65, line 1)"},
	}
	readers := map[string]func(io.Reader) io.Reader{
		"at once":      func(r io.Reader) io.Reader { return r },
		"byte by byte": iotest.OneByteReader,
		"data and EOF": iotest.DataErrReader,
	}
	for _, tt := range tests {
		for how, wrap := range readers {
			t.Run(tt.name+"/"+how, func(t *testing.T) {
				t.Parallel()
				var got []string
				s := newStream(t.Context(), wrap(strings.NewReader(tt.in)))
				err := eachElement(s, func(int) error {
					raw, err := s.raw(1 << 10)
					if err == nil {
						got = append(got, string(raw))
					}
					return err
				})
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("values (-want +got):\n%s", diff)
				}
				if message := errorText(err); message != tt.err {
					t.Errorf("error %q, want %q", message, tt.err)
				}
			})
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestRawSkipsWhatIsTooLong(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(`x\"`, 300<<10)
	s := newStream(t.Context(), strings.NewReader(`["`+long+"\",\n\"short\"]"))
	var got []string
	err := eachElement(s, func(int) error {
		raw, err := s.raw(256 << 10)
		if errors.Is(err, errTooLong) {
			got = append(got, "too long")
			return nil
		}
		got = append(got, string(raw))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"too long", `"short"`}, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if cap(s.buf) > 1<<20 {
		t.Errorf("the buffer grew to %d bytes for a limit of %d", cap(s.buf), 256<<10)
	}
}

func TestSkipHoldsNothing(t *testing.T) {
	t.Parallel()
	value := `{"list":[` + strings.Repeat(`{"text":"a \"quoted\" text \\"},`, 40<<10) + `1]}`
	s := newStream(t.Context(), iotest.HalfReader(strings.NewReader("["+value+",\n2]")))
	var offsets, lines []int64
	err := eachElement(s, func(int) error {
		s.peek()
		offsets, lines = append(offsets, s.offset()), append(lines, s.line())
		return s.skip()
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{1, int64(len(value)) + 3}, offsets); diff != "" {
		t.Errorf("offsets (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int64{1, 2}, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if cap(s.buf) > bufferSize {
		t.Errorf("the buffer grew to %d bytes", cap(s.buf))
	}
}

func TestStreamReportsReadErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("cable pulled")
	s := newStream(t.Context(), io.MultiReader(strings.NewReader(`[{"a":`), iotest.ErrReader(broken)))
	err := eachElement(s, func(int) error { _, err := s.raw(100); return err })
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s = newStream(ctx, strings.NewReader("[1]"))
	if err := eachElement(s, func(int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	s = newStream(t.Context(), stuck{})
	if err := eachElement(s, func(int) error { return nil }); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("error %v, want %v", err, io.ErrNoProgress)
	}
}

// stuck is a reader that never gives anything.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

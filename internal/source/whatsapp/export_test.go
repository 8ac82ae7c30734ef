package whatsapp

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

func TestParseTimestamp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		raw, want string
		precision msg.Precision
		kept      bool // the text is kept because micros do not repeat it
	}{
		{"1748768400", "2025-06-01T09:00:00Z", msg.Second, false},
		{"1748768400.0", "2025-06-01T09:00:00Z", msg.Second, false},
		{"1748853000.517", "2025-06-02T08:30:00.517Z", msg.Millisecond, false},
		{"1748853000.517001", "2025-06-02T08:30:00.517001Z", msg.Microsecond, false},
		{"1748853000.5170012", "2025-06-02T08:30:00.517001Z", msg.Microsecond, true},
		{"1748853000517", "2025-06-02T08:30:00.517Z", msg.Millisecond, false},
		{"1748853000000", "2025-06-02T08:30:00Z", msg.Second, false},
		{"9999999999", "2286-11-20T17:46:39Z", msg.Second, false},
		{"10000000000", "1970-04-26T17:46:40Z", msg.Second, false},
		{"1.7487684e9", "2025-06-01T09:00:00Z", msg.Second, true},
		{"1e12", "2001-09-09T01:46:40Z", msg.Second, true},
		{"0", "unknown", msg.Second, false},
		{"-1", "", 0, false}, {"-0.5", "", 0, false}, {"1e300", "", 0, false}, {"99999999999999999", "", 0, false},
		{`"1748768400"`, "", 0, false}, {"true", "", 0, false}, {"{}", "", 0, false}, {"1.2.3", "", 0, false}, {"0x10", "", 0, false},
	} {
		got, ok := parseTimestamp([]byte(tt.raw))
		switch {
		case ok != (tt.want != ""):
			t.Errorf("%s: accepted %t", tt.raw, ok)
		case ok && (got.String() != tt.want || got.Precision != tt.precision || (got.Raw != "") != tt.kept || got.Basis != msg.Instant):
			t.Errorf("%s: %s %s raw %q, want %s %s", tt.raw, got, got.Precision, got.Raw, tt.want, tt.precision)
		}
	}
}

func TestHandles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		jid, name string
		want      msg.Handle
	}{
		{"4915100000001@s.whatsapp.net", "Ana", msg.Handle{ID: "+4915100000001", Name: "Ana", Kind: msg.HandlePhone}},
		{"123456789012345@lid", "", msg.Handle{ID: "123456789012345@lid", Kind: msg.HandleAccount}},
		{"4915100000001:12@s.whatsapp.net", "Ana", msg.Handle{ID: "4915100000001:12@s.whatsapp.net", Name: "Ana", Kind: msg.HandleAccount}},
		{"ExportedChat", "Ana", msg.Handle{ID: "Ana", Name: "Ana", Kind: msg.HandleName}},
		{"ExportedChat", "", msg.Handle{ID: "ExportedChat", Name: "ExportedChat", Kind: msg.HandleName}},
	} {
		if got := contactHandle(tt.jid, tt.name); got != tt.want {
			t.Errorf("contact %s %q: %+v, want %+v", tt.jid, tt.name, got, tt.want)
		}
	}
	for name, want := range map[string]msg.Handle{
		"Bruno":             {ID: "Bruno", Name: "Bruno", Kind: msg.HandleName},
		"4915100000001":     {ID: "+4915100000001", Name: "+4915100000001", Kind: msg.HandlePhone},
		"123456789012345":   {ID: "123456789012345@lid", Name: "123456789012345", Kind: msg.HandleAccount},
		"+49 151 0000 0001": {ID: "+49 151 0000 0001", Name: "+49 151 0000 0001", Kind: msg.HandlePhone},
		"007":               {ID: "007", Name: "007", Kind: msg.HandleName},
	} {
		if got, _ := memberHandle(name); got != want {
			t.Errorf("member %q: %+v, want %+v", name, got, want)
		}
	}
}

// TestKeyMemory: answers find their direction over more messages than one
// half holds, and memory stays bounded.
func TestKeyMemory(t *testing.T) {
	t.Parallel()
	var k keyMemory
	for i := range 10 * keysPerHalf {
		if before := k.add(fmt.Sprint(i), i%2 == 0); before != 0 {
			t.Fatalf("key %d was seen %d times before", i, before)
		}
		if j := i - keysPerHalf/2; j >= 0 && k.fromMe(fmt.Sprint(j)) != (j%2 == 0) {
			t.Fatalf("after %d: key %d has the wrong direction", i, j)
		}
		if n := len(k.young) + len(k.old); n > 2*keysPerHalf {
			t.Fatalf("%d keys are remembered", n)
		}
	}
	if k.add("x", true) != 0 || k.add("x", true) != 1 || k.add("x", false) != 0 || k.fromMe("x") || k.fromMe("never") {
		t.Error("directions of one key are mixed up")
	}
}

func TestJSONStream(t *testing.T) {
	t.Parallel()
	values := func(text string, limit int) (all []string, err error) {
		s := newJSONStream(strings.NewReader(text))
		err = s.members(func(key string) error {
			_, first, err := s.here("")
			if err != nil {
				return err
			}
			at := s.offset
			raw, err := s.value(limit)
			if err != nil && !errors.Is(err, errTooLong) {
				return err
			}
			if len(raw) > 0 && raw[0] != first || text[at] != first {
				t.Errorf("%s: value of %q at %d begins with %q", text, key, at, first)
			}
			all = append(all, fmt.Sprintf("%s=%s %t", key, raw, err != nil))
			return nil
		})
		return all, err
	}
	long := strings.Repeat("x", 200<<10)
	for _, tt := range []struct {
		name, text string
		want       []string
		fails      bool
	}{
		{"empty", "{}", nil, false},
		{"spaces", " \n{ \"a\" : 1 ,\t\"b\":[ ] } ", []string{"a=1 false", "b=[ ] false"}, false},
		{"kinds", `{"a":null,"b":-1.5e3,"c":"x","d":{"e":[1,{}]},"f":true}`, []string{"a=null false", "b=-1.5e3 false", `c="x" false`, `d={"e":[1,{}]} false`, "f=true false"}, false},
		{"brackets in strings", `{"a":"}]\"{","b":["\\"]}`, []string{`a="}]\"{" false`, `b=["\\"] false`}, false},
		{"escaped key", `{"a\u0020\"b":1}`, []string{`a "b=1 false`}, false},
		{"too long", `{"a":"` + long + `","b":2}`, []string{`a="` + long[:99] + " true", "b=2 false"}, false},
		{"too deep for nobody", `{"a":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`, []string{"a=" + strings.Repeat("[", 40) + strings.Repeat("]", 40) + " false"}, false},
		{"cut in a value", `{"a":1,"b":"x`, []string{"a=1 false"}, true},
		{"cut after a value", `{"a":1`, []string{"a=1 false"}, true},
		{"cut in a key", `{"a":1,"b`, []string{"a=1 false"}, true},
		{"no comma", `{"a":1 "b":2}`, []string{"a=1 false"}, true},
		{"no colon", `{"a" 1}`, nil, true},
		{"no value", `{"a":,"b":2}`, nil, true},
		{"no object", `[1]`, nil, true},
		{"nothing", ``, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := values(tt.text, 100)
			if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != tt.fails {
				t.Errorf("error %v, values (-want +got):\n%s", err, diff)
			}
			if tt.fails && strings.HasPrefix(tt.name, "cut") && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("error %v, want an unexpected end", err)
			}
		})
	}
}

func TestExportFiles(t *testing.T) {
	t.Parallel()
	f := exportFiles{sourcetest.FixtureFS(map[string]string{
		"out/WhatsApp/Media/a.jpg": "x", "out/base/b.jpg": "x", "out/c.jpg": "x", "secret": "x"}), "out"}
	for _, tt := range []struct{ ref, base, file, missing string }{
		{"WhatsApp/Media/a.jpg", "", "out/WhatsApp/Media/a.jpg", ""},
		{`WhatsApp\Media\a.jpg`, "", "out/WhatsApp/Media/a.jpg", ""},
		{"b.jpg", "base/", "out/base/b.jpg", ""},
		{"/home/ana/out/WhatsApp/Media/a.jpg", "", "out/WhatsApp/Media/a.jpg", ""},
		{"/home/ana/x/c.jpg", "/home/ana/x/", "out/c.jpg", ""},
		{`C:\Users\ana\WhatsApp\Media\a.jpg`, "", "out/WhatsApp/Media/a.jpg", ""},
		{"/etc/c.jpg", "", "", missingFile},
		{"WhatsApp/Media/none.jpg", "", "", missingFile},
		{"WhatsApp/Media", "", "", missingFile},
		{"../secret", "", "", missingUnsafe},
		{"WhatsApp/../../secret", "", "", missingUnsafe},
		{"a/..", "", "", missingUnsafe},
	} {
		if file, missing := f.find(tt.ref, tt.base); file != tt.file || missing != tt.missing {
			t.Errorf("%q under %q: %q, %q; want %q, %q", tt.ref, tt.base, file, missing, tt.file, tt.missing)
		}
	}
}

// TestExportTail: what follows the export is reported, not read.
func TestExportTail(t *testing.T) {
	t.Parallel()
	text := `{"1@s.whatsapp.net":{"messages":{"1":{"from_me":true,"timestamp":1,"key_id":"K","data":"x"}}}} {"2":1}`
	got := sourcetest.Read(t, ChatExporter{}, sourcetest.Fixture{Files: map[string]string{"result.json": text}, Path: "result.json"})
	if len(got.Messages()) != 1 || len(got.Skipped) != 1 || got.Skipped[0].Position.Offset != int64(strings.LastIndex(text, "{")) {
		t.Errorf("%d messages, skipped %+v", len(got.Messages()), got.Skipped)
	}
}

// TestExportTooLong: one monstrous record costs itself and nothing else.
func TestExportTooLong(t *testing.T) {
	t.Parallel()
	entry := func(data string) string {
		return `{"from_me":true,"timestamp":1,"key_id":"K` + data[:1] + `","data":"` + data + `"}`
	}
	text := `{"1@s.whatsapp.net":{"messages":{"1":` + entry("a") + `,"2":` + entry("b"+strings.Repeat("x", maxEntry)) + `,"3":` + entry("c") + `}}}`
	got := sourcetest.Read(t, ChatExporter{}, sourcetest.Fixture{Files: map[string]string{"result.json": text}, Path: "result.json"})
	if len(got.Messages()) != 2 || len(got.Skipped) != 1 || got.Skipped[0].Position.Pointer != "/1@s.whatsapp.net/messages/2" {
		t.Errorf("%d messages, skipped %+v", len(got.Messages()), got.Skipped)
	}
}

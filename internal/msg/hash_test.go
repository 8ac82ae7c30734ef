package msg

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestIdentityIsFrozen holds the hashes of released identities. People cite
// messages by them: a change here breaks what they wrote down.
func TestIdentityIsFrozen(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		source  Source
		key     string
		m       Message
		ordinal int
		want    string
	}{
		{"nothing at all", "", "", Message{}, 0, "c121287486619b5135be62f22fb6ccbe"},
		{"native id", Telegram, "chat 12", Message{NativeID: "345", Body: "not part of it"}, 0, "748a9b0a87e34536771df9830a7e21ff"},
		{"text", Signal, "Ana", Message{Time: Time{Raw: "2024-03-01 18:30:05"}, Sender: Handle{ID: "Ana", Name: "not part of it"}, Body: "see you at 6"}, 0, "a1ae1d910b27e61936e0cd69fc51be19"},
		{"the same text again", Signal, "Ana", Message{Time: Time{Raw: "2024-03-01 18:30:05"}, Sender: Handle{ID: "Ana"}, Body: "see you at 6"}, 1, "a415676e26cb7e61221bc3ec1d245570"},
		{"marks that exporters add", WhatsApp, "Gruppe", Message{Time: Time{Raw: "\u200e01.03.24,\u202f18:30"}, Sender: Handle{ID: "\u202a+49 170 5550100\u202c"}, Body: "Grüße\r\n👍 "}, 0, "1bdff83bc0fe27636b19aaf857b97f66"},
		{"long text", IMessage, "+15550100", Message{Time: Time{Raw: "Mar 01, 2024"}, Body: strings.Repeat("long ", 1000)}, 0, "bc401d156470c724b0c19343f855b6a9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := Identity(test.source, test.key, &test.m, test.ordinal).String(); got != test.want {
				t.Errorf("Identity = %s, want %s", got, test.want)
			}
		})
	}
}

// TestIdentitiesDiffer takes identities whose parts, written one after the
// other, would be the same text.
func TestIdentitiesDiffer(t *testing.T) {
	t.Parallel()
	text := func(raw, sender, body string) Message {
		return Message{Time: Time{Raw: raw}, Sender: Handle{ID: sender}, Body: body}
	}
	type identity struct {
		source  Source
		key     string
		m       Message
		ordinal int
	}
	list := []identity{
		{"signal", "ab", text("c", "d", "e"), 0},
		{"signala", "b", text("c", "d", "e"), 0},
		{"signal", "a", text("bc", "d", "e"), 0},
		{"signal", "ab", text("cd", "", "e"), 0},
		{"signal", "ab", text("c", "de", ""), 0},
		{"signal", "ab", text("", "cd", "e"), 0},
		{"signal", "ab", text("c", "d", "e"), 1},
		{"signal", "ab", text("c", "d", "e\x00\x00\x00\x00\x00\x00\x00\x01"), 0},
		{"signal", "ab", text("c", "d", "E"), 0},
		{"signal", "ab", text("c", "d", "e e"), 0},
		{"signal", "ab", text("c", "d", "e\ne"), 0},
		{"signal", "ab", Message{NativeID: "c"}, 0},
		{"signal", "ab", Message{NativeID: "cde"}, 0},
		{"signal", "abid", Message{NativeID: "c"}, 0},
		{"signal", "ab", Message{NativeID: "C"}, 0},
		{"signal", "ab", Message{NativeID: "c "}, 0},
	}
	seen := map[Hash]int{}
	for i, x := range list {
		h := Identity(x.source, x.key, &x.m, x.ordinal)
		if other, ok := seen[h]; ok {
			t.Errorf("identities %d and %d have the hash %s", other, i, h)
		}
		seen[h] = i
	}
}

// TestIdentityIgnores holds what two exports of one message may differ in.
func TestIdentityIgnores(t *testing.T) {
	t.Parallel()
	base := Message{Time: Time{Raw: "18:30"}, Sender: Handle{ID: "Ana"}, Body: "one\ntwo"}
	want, key := Identity(Signal, "c", &base, 0), TupleKey(&base)
	for name, change := range map[string]func(*Message){
		"direction":             func(m *Message) { m.Direction = Out },
		"kind":                  func(m *Message) { m.Kind = Notice },
		"display name":          func(m *Message) { m.Sender.Name = "Ana Silva" },
		"parsed time":           func(m *Message) { m.Time.Micros, m.Time.Known = 5, true },
		"position":              func(m *Message) { m.Position.Line = 7 },
		"carriage returns":      func(m *Message) { m.Body = "one\r\ntwo" },
		"directional marks":     func(m *Message) { m.Body = "\u200eone\ntwo\u202c" },
		"a byte order mark":     func(m *Message) { m.Body = "\ufeffone\ntwo" },
		"white space at an end": func(m *Message) { m.Body = "one\ntwo \n" },
		"narrow no-break space": func(m *Message) { m.Sender.ID, m.Time.Raw = "Ana\u00a0", "18:30\u202f" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := base
			change(&m)
			if got := Identity(Signal, "c", &m, 0); got != want {
				t.Errorf("Identity = %s, want %s", got, want)
			}
			if got := TupleKey(&m); got != key {
				t.Errorf("TupleKey = %x, want %x", got, key)
			}
		})
	}
}

func TestTupleKeysDiffer(t *testing.T) {
	t.Parallel()
	seen := map[uint64]int{}
	for i, m := range []Message{
		{}, {Body: "ab"}, {Sender: Handle{ID: "ab"}}, {Time: Time{Raw: "ab"}}, {Sender: Handle{ID: "a"}, Body: "b"}, {Time: Time{Raw: "a"}, Body: "b"},
		{Time: Time{Raw: "a"}, Sender: Handle{ID: "b"}},
	} {
		key := TupleKey(&m)
		if other, ok := seen[key]; ok {
			t.Errorf("messages %d and %d have the key %x", other, i, key)
		}
		seen[key] = i
	}
}

func TestIdentityText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"plain", "see you", "see you"},
		{"empty", "", ""},
		{"white space at the ends", " \t\nsee  you\n", "see  you"},
		{"carriage returns", "a\r\nb\r", "a\nb"},
		{"no-break spaces", "a\u00a0b\u202fc\u2009d", "a b c d"},
		{"a no-break space at an end", "a\u00a0", "a"},
		{"marks", "\u200e\u200fa\u202a\u202b\u202c\u202d\u202eb\u2066\u2067\u2068\u2069\ufeff", "ab"},
		{"marks alone", "\u200e \u200f", ""},
		{"what changes the look stays", "👨‍👩‍👧 a\u200bb क्\u200cष", "👨‍👩‍👧 a\u200bb क्\u200cष"},
		{"other scripts", "Grüße 你好", "Grüße 你好"},
		{"invalid bytes stay", "a\xff\xc3", "a\xff\xc3"},
		{"control characters stay", "a\x00b", "a\x00b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := IdentityText(test.text); got != test.want {
				t.Errorf("IdentityText(%+q) = %+q, want %+q", test.text, got, test.want)
			}
		})
	}
}

func FuzzIdentityText(f *testing.F) {
	for _, seed := range []string{"", " a\r\n", "\u200e\u00a0b", "Grüße", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		folded := IdentityText(text)
		if !utf8.ValidString(text) {
			return
		}
		if again := IdentityText(folded); again != folded {
			t.Errorf("IdentityText(%+q) = %+q, and again %+q", text, folded, again)
		}
		if strings.ContainsAny(folded, "\r\u200e\u200f\u202a\u202e\u2066\u2069\ufeff\u00a0\u202f\u2009") {
			t.Errorf("IdentityText(%+q) = %+q", text, folded)
		}
	})
}

// FuzzIdentity moves the border between two neighbouring parts: what differs
// as a list of parts must differ in its hash.
func FuzzIdentity(f *testing.F) {
	f.Add("key", "18:30", "Ana", "see you", "", uint8(1))
	f.Add("", "a", "b", "c", "id", uint8(0))
	f.Fuzz(func(t *testing.T, key, raw, sender, body, native string, n uint8) {
		a := Message{NativeID: native, Time: Time{Raw: raw}, Sender: Handle{ID: sender}, Body: body}
		b := a
		b.Sender.ID, b.Body = sender+body[:min(int(n), len(body))], body[min(int(n), len(body)):]
		same := a.NativeID != "" || IdentityText(a.Sender.ID) == IdentityText(b.Sender.ID) && IdentityText(a.Body) == IdentityText(b.Body)
		if (Identity(Signal, key, &a, 0) == Identity(Signal, key, &b, 0)) != same {
			t.Errorf("sender %+q body %+q and sender %+q body %+q: same hash is %v, want %v", a.Sender.ID, a.Body, b.Sender.ID, b.Body, !same, same)
		}
		if Identity(Signal, key, &a, 0) == Identity(Signal, key+"x", &a, 0) || Identity(Signal, key, &a, 0) == Identity(WhatsApp, key, &a, 0) {
			t.Errorf("%+q: the conversation or the source does not count", key)
		}
	})
}

func TestParseHash(t *testing.T) {
	t.Parallel()
	const whole = "0123456789abcdef0123456789abcdef"
	for _, test := range []struct {
		name, text, want string
		ok               bool
	}{
		{"whole", whole, whole, true},
		{"upper case", "0123456789ABCDEF", "0123456789abcdef", true},
		{"shortest prefix", "01234567", "01234567", true},
		{"too short", "0123456", "", false},
		{"too long", whole + "0", "", false},
		{"no hex", "0123456g", "", false},
		{"other digits", "٠١٢٣٤٥٦٧", "", false},
		{"a letter that lower case makes longer", "0123456İ", "", false},
		{"space", " 01234567", "", false},
		{"sign", "-1234567", "", false},
		{"empty", "", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got, ok := ParseHash(test.text); got != test.want || ok != test.ok {
				t.Errorf("ParseHash(%q) = %q, %v; want %q, %v", test.text, got, ok, test.want, test.ok)
			}
		})
	}
	h := Identity(Signal, "c", &Message{}, 0)
	if got, ok := ParseHash(h.String()); !ok || got != h.String() || len(got) != 2*HashSize {
		t.Errorf("ParseHash(%q) = %q, %v", h, got, ok)
	}
}

func BenchmarkIdentity(b *testing.B) {
	m := Message{Time: Time{Raw: "2024-03-01 18:30:05"}, Sender: Handle{ID: "+15550100"}, Body: strings.Repeat("see you at 6 ", 5)}
	b.ReportAllocs()
	for b.Loop() {
		Identity(Signal, "Ana", &m, 0)
	}
}

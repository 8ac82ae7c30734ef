package signal

import (
	"strings"
	"testing"
)

func TestScanHeader(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		line              string
		raw, sender, body string // raw empty: no header
		shape             shape
		loose             bool
	}{
		"2.1":                   {"[2024-08-01 19:33:38] Me: hi", "2024-08-01 19:33:38", "Me", "hi", withSeconds, false},
		"1.x and 2.0":           {"[2024-02-03 19:33] Aya: hi", "2024-02-03 19:33", "Aya", "hi", 0, false},
		"2019":                  {"[2019-05-29, 15:04] Aya: hi", "2019-05-29, 15:04", "Aya", "hi", withComma, false},
		"2019, free name":       {"[2019-05-29, 15:04] Jim (work): hi", "2019-05-29, 15:04", "Jim (work)", "hi", withComma, true},
		"2019, colon in name":   {"[2019-05-29, 15:04] a:b: hi", "2019-05-29, 15:04", "a:b", "hi", withComma, true},
		"comma and seconds":     {"[2019-05-29, 15:04:05] Aya: hi", "2019-05-29, 15:04:05", "Aya", "hi", withComma | withSeconds, false},
		"body keeps spaces":     {"[2024-08-01 19:33:38] Me:   hi", "2024-08-01 19:33:38", "Me", "  hi", withSeconds, false},
		"no body":               {"[2024-08-01 19:33:38] Me:", "2024-08-01 19:33:38", "Me", "", withSeconds, false},
		"body on next line":     {"[2024-08-01 19:33:38] Me:\nhi", "2024-08-01 19:33:38", "Me", "\nhi", withSeconds, false},
		"no sender known":       {"[2024-08-01 19:33:38] No-Sender: hi", "2024-08-01 19:33:38", "No-Sender", "hi", withSeconds, false},
		"null name":             {"[2024-08-01 19:33:38] None: hi", "2024-08-01 19:33:38", "None", "hi", withSeconds, false},
		"unnamed":               {"[2024-08-01 19:33:38] unnamed: hi", "2024-08-01 19:33:38", "unnamed", "hi", withSeconds, false},
		"phone":                 {"[2024-08-01 19:33:38] 15550000007: hi", "2024-08-01 19:33:38", "15550000007", "hi", withSeconds, false},
		"other scripts":         {"[2024-08-01 19:33:38] 李雷Ωб٣: hi", "2024-08-01 19:33:38", "李雷Ωб٣", "hi", withSeconds, false},
		"shortest":              {"[2024-08-01 19:33] A:", "2024-08-01 19:33", "A", "", 0, false},
		"leap day":              {"[2024-02-29 19:33] A: x", "2024-02-29 19:33", "A", "x", 0, false},
		"space in name":         {line: "[2024-08-01 19:33:38] John Doe: hi"},
		"dash in name":          {line: "[2024-08-01 19:33:38] No-Body: hi"},
		"prefix of No-Sender":   {line: "[2024-08-01 19:33:38] xNo-Sender: hi"},
		"longer than No-Sender": {line: "[2024-08-01 19:33:38] No-SenderX: hi"},
		"mark in name":          {line: "[2024-08-01 19:33:38] e\u0301: hi"},
		"emoji in name":         {line: "[2024-08-01 19:33:38] Ana🎉: hi"},
		"no name":               {line: "[2024-08-01 19:33:38] : hi"},
		"no colon":              {line: "[2024-08-01 19:33:38] Aya hi"},
		"no space after colon":  {line: "[2024-08-01 19:33:38] note:hi"},
		"no space after time":   {line: "[2024-08-01 19:33:38]Aya: hi"},
		"month 13":              {line: "[2024-13-01 19:33:38] Aya: hi"},
		"no leap day":           {line: "[2023-02-29 19:33:38] Aya: hi"},
		"hour 24":               {line: "[2024-08-01 24:33:38] Aya: hi"},
		"minute 60":             {line: "[2024-08-01 19:60:38] Aya: hi"},
		"second 60":             {line: "[2024-08-01 19:33:60] Aya: hi"},
		"milliseconds":          {line: "[2024-08-01 19:33:38.284] Aya: hi"},
		"slashes":               {line: "[2024/08/01 19:33:38] Aya: hi"},
		"indented":              {line: " [2024-08-01 19:33:38] Aya: hi"},
		"only the time":         {line: "[2024-08-01 19:33:38]"},
		"cut in the seconds":    {line: "[2024-08-01, 19:33:3"},
		"a very long name":      {line: "[2024-08-01 19:33:38] " + strings.Repeat("a", maxSender+1) + ": hi"},
		"control in free name":  {line: "[2019-05-29, 15:04] a\tb: hi"},
		"bracket in free name":  {line: "[2019-05-29, 15:04] [2019: hi"},
		"free name ends blank":  {line: "[2019-05-29, 15:04] see : hi"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, ok := scanHeader([]byte(tc.line))
			if ok != (tc.raw != "") {
				t.Fatalf("scanHeader(%q) = %t, want %t", tc.line, ok, tc.raw != "")
			}
			if !ok {
				return
			}
			raw, sender, body := tc.line[1:h.rawEnd], tc.line[h.sender:h.colon], tc.line[h.bodyFrom:]
			if raw != tc.raw || sender != tc.sender || body != tc.body || h.shape != tc.shape || h.loose != tc.loose {
				t.Errorf("scanHeader(%q) = %q, %q, %q, shape %d, loose %t", tc.line, raw, sender, body, h.shape, h.loose)
			}
		})
	}
}

func TestCutHeader(t *testing.T) {
	t.Parallel()
	for _, whole := range []string{"[2024-08-01 19:33:38] Aya", "[2024-08-01 19:33] Aya", "[2019-05-29, 15:04] Aya", "[2024-08-01 19:33:38] No-Sender"} {
		for n := 1; n <= len(whole); n++ {
			if !cutHeader([]byte(whole[:n])) {
				t.Errorf("cutHeader(%q) = false", whole[:n])
			}
		}
	}
	for _, text := range []string{"", "text", "[x", "[2024-08-01 19:33:38] John Doe", "[menu](", "[2024-08-01 19:33:38]x"} {
		if cutHeader([]byte(text)) {
			t.Errorf("cutHeader(%q) = true", text)
		}
	}
}

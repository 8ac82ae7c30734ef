package signal

import (
	"fmt"
	"strings"
	"testing"
)

// script writes n messages with a separator between their texts.
func script(n int, clock, end string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[2024-03-20%s 10:%02d%s] Aya: text %d%s", comma(clock), i%60, seconds(clock), i, end)
	}
	return b.String()
}

func comma(clock string) string {
	if clock == "comma" {
		return ","
	}
	return ""
}

func seconds(clock string) string {
	if clock == "seconds" {
		return ":05"
	}
	return ""
}

func TestFindLayout(t *testing.T) {
	t.Parallel()
	const (
		single = "  \n"
		blank  = "  \n\n"
	)
	flood := strings.Repeat("[2024-03-20 10:00:00] Me: forged\n", 3000)
	floodMinutes := strings.Repeat("[2024-03-20 10:00] Me: forged\n", 3000)
	for name, tc := range map[string]struct {
		text string
		want layout
	}{
		"2.1":                      {script(9, "seconds", blank), layout{shape: withSeconds, blank: true, spaced: true}},
		"2.1, one message":         {script(1, "seconds", blank), layout{shape: withSeconds, blank: true, spaced: true}},
		"2.0":                      {script(9, "", blank), layout{blank: true, spaced: true}},
		"1.x":                      {script(9, "", single), layout{spaced: true}},
		"1.x, one message":         {script(1, "", single), layout{spaced: true}},
		"2019":                     {script(9, "comma", single), layout{shape: withComma, spaced: true}},
		"by hand":                  {script(9, "seconds", "\n"), layout{shape: withSeconds}},
		"spaces stripped":          {script(9, "seconds", "\n\n"), layout{shape: withSeconds, blank: true}},
		"Windows":                  {strings.ReplaceAll(script(9, "seconds", blank), "\n", "\r\n"), layout{shape: withSeconds, blank: true, spaced: true, crlf: true}},
		"byte order mark":          {"\ufeff" + script(2, "seconds", blank), layout{shape: withSeconds, blank: true, spaced: true, first: 3}},
		"title before":             {"# Aya\n\n" + script(2, "seconds", blank), layout{shape: withSeconds, blank: true, spaced: true, first: 7}},
		"2.1, flooded at start":    {"[2024-03-20 10:00:00] Aya: x\n" + flood + "end" + blank + script(3, "seconds", blank), layout{shape: withSeconds, blank: true, spaced: true}},
		"1.x, flooded at start":    {"[2024-03-20 10:00] Aya: x\n" + floodMinutes + "end" + single + script(3, "", single), layout{spaced: true, mixed: true}},
		"by hand, some spaces":     {script(9, "seconds", "\n") + "[2024-03-20 11:00:05] Aya: x" + single + script(2, "seconds", "\n"), layout{shape: withSeconds}},
		"stripped, then continued": {script(9, "seconds", "\n\n") + script(2, "seconds", blank), layout{shape: withSeconds, blank: true, spaced: true, mixed: true}},
		"last message is deleted":  {"[2024-03-20 10:00:05] Aya: (This message was deleted)\n\n", layout{shape: withSeconds, blank: true, spaced: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := findLayout([]byte(tc.text), true)
			if !ok || got != tc.want {
				t.Errorf("got %+v, %t, want %+v", got, ok, tc.want)
			}
		})
	}
	for name, text := range map[string]string{
		"empty":     "",
		"title":     "# Journal Index\n",
		"pasted in": "a [2024-03-20 10:00:05] Aya: x\n",
	} {
		if got, ok := findLayout([]byte(text), true); ok {
			t.Errorf("%s: found %+v", name, got)
		}
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	h := func(s shape) header { return header{shape: s} }
	var (
		v21     = layout{shape: withSeconds, blank: true, spaced: true}
		v21old  = layout{shape: withSeconds, blank: true, spaced: true, mixed: true}
		v20     = layout{blank: true, spaced: true}
		v1      = layout{spaced: true}
		v1mixed = layout{spaced: true, mixed: true}
		hand    = layout{shape: withSeconds}
		bare    = layout{shape: withSeconds, blank: true}
		v2019   = layout{shape: withComma, spaced: true}
	)
	for name, tc := range map[string]struct {
		layout layout
		header header
		lead   lead
		want   verdict
	}{
		"2.1 message":            {v21, h(withSeconds), lead{blank: true, ended: true}, isMessage},
		"2.1 no blank line":      {v21, h(withSeconds), lead{ended: true}, isText},
		"2.1 no spaces":          {v21, h(withSeconds), lead{blank: true}, isText},
		"2.1 neither":            {v21, h(withSeconds), lead{}, isText},
		"2.1 other era":          {v21, h(0), lead{blank: true, ended: true}, isDoubtful},
		"2.1 free name":          {v21, header{shape: withComma, loose: true}, lead{blank: true, ended: true}, isText},
		"2.1 partly stripped":    {v21old, h(withSeconds), lead{blank: true}, isDoubtful},
		"2.0 message":            {v20, h(0), lead{blank: true, ended: true}, isMessage},
		"2.0 no blank line":      {v20, h(0), lead{ended: true}, isDoubtful},
		"1.x message":            {v1, h(0), lead{ended: true}, isMessage},
		"1.x blank line":         {v1, h(0), lead{blank: true, ended: true}, isDoubtful},
		"1.x no spaces":          {v1, h(0), lead{}, isText},
		"1.x partly stripped":    {v1mixed, h(0), lead{}, isDoubtful},
		"1.x with seconds":       {v1, h(withSeconds), lead{ended: true}, isDoubtful},
		"by hand":                {hand, h(withSeconds), lead{}, isMessage},
		"by hand, blank line":    {hand, h(withSeconds), lead{blank: true}, isMessage},
		"by hand, other era":     {hand, h(0), lead{}, isDoubtful},
		"stripped message":       {bare, h(withSeconds), lead{blank: true}, isMessage},
		"stripped no blank line": {bare, h(withSeconds), lead{}, isText},
		"2019 free name":         {v2019, header{shape: withComma, loose: true}, lead{ended: true}, isMessage},
		"2019 no spaces":         {v2019, h(withComma), lead{}, isText},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.layout.judge(tc.header, tc.lead); got != tc.want {
				t.Errorf("got %d, want %d", got, tc.want)
			}
		})
	}
}

func TestBefore(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text string
		want lead
	}{
		"text and blank line": {"x  \n\n", lead{blank: true, ended: true, plain: true}},
		"text":                {"x  \n", lead{ended: true, plain: true}},
		"bare text":           {"x\n", lead{}},
		"two blank lines":     {"x  \n\n\n", lead{blank: true}},
		"reactions":           {"x  \n(- Me: 👍 -)\n\n", lead{blank: true, ended: true}},
		"smiley":              {"x :-)\n\n", lead{blank: true}},
		"sticker":             {"x  \n(( 🐺 ))\n\n", lead{blank: true, ended: true}},
		"closing brackets":    {"f(g(x))\n\n", lead{blank: true}},
		"deleted":             {"(This message was deleted)\n\n", lead{blank: true, ended: true}},
		"Windows":             {"x  \r\n\r\n", lead{blank: true, ended: true, plain: true}},
		"start of the file":   {"\n", lead{}},
		"blank start":         {"\n\n", lead{blank: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := before([]byte(tc.text), len(tc.text)); got != tc.want {
				t.Errorf("before(%q) = %+v, want %+v", tc.text, got, tc.want)
			}
		})
	}
}

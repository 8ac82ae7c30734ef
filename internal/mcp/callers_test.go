package mcp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestCallers hears who asks over HTTP, in both generations of the protocol,
// as far as they say.
func TestCallers(t *testing.T) {
	t.Parallel()
	now := testNow
	callers := &Callers{Now: func() time.Time { return now }}
	url := startHTTP(t, newTestServer(t, Options{Callers: callers}), HTTPOptions{})
	ask := func(body string, headers ...string) {
		t.Helper()
		if res, text := post(t, url, body, headers...); res.StatusCode != 200 {
			t.Fatalf("%s: status %d: %s", body, res.StatusCode, text)
		}
		now = now.Add(time.Minute)
	}
	hello := func(name, version string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":%q,"version":%q}}}`, name, version)
	}
	check := func(what string, since time.Time, want ...Caller) {
		t.Helper()
		got := callers.Since(since)
		if diff := cmp.Diff(append([]Caller{}, want...), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	minute := func(n int) time.Time { return testNow.Add(time.Duration(n) * time.Minute) }
	check("nobody", time.Time{})
	ask(callLine("1", "echo", `{"query":"x"}`), "User-Agent: plain/1")
	nameless := Caller{First: minute(0), Last: minute(0), Calls: 1}
	check("one without a name", time.Time{}, nameless)
	ask(hello("desk", "1.2"), "User-Agent: node")
	ask(callLine("2", "echo", `{"query":"x"}`), "User-Agent: node")
	ask(callLine("3", "echo", `{"query":"x"}`), "User-Agent: node")
	desk := Caller{Name: "desk 1.2", First: minute(1), Last: minute(3), Calls: 2}
	check("a handshake and calls", time.Time{}, desk, nameless)
	modern := strings.Replace(callLine("4", "echo", `{"query":"x"}`), `"params":{`, `"params":{"_meta":`+modernMeta+`,`, 1)
	ask(modern, "User-Agent: node", "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: echo")
	test := Caller{Name: "test 1", First: minute(4), Last: minute(4), Calls: 1}
	check("a request that says who asks", time.Time{}, test, desk, nameless)
	check("lately", minute(3), test, desk)

	ask(hello("evil\u202e\n<b>"+strings.Repeat("x", 200), ""), "User-Agent: evil")
	if name := callers.Since(minute(5))[0].Name; strings.ContainsAny(name, "\n\u202e") || len([]rune(name)) != maxCallerName+1 {
		t.Errorf("a long name is kept as %q", name)
	}
	for i := range 3 * maxCallers {
		callers.heard(fmt.Sprint("agent", i), fmt.Sprint("name", i), false)
		now = now.Add(time.Second)
	}
	if got := callers.Since(time.Time{}); len(got) != maxCallers || got[0].Name != fmt.Sprint("name", 3*maxCallers-1) {
		t.Errorf("%d are remembered, the last %q", len(got), got[0].Name)
	}
}

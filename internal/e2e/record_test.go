package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// spamTools are the tools of the record of unsolicited contact.
var spamTools = []string{"get_spam_dossier", "get_spam_sender", "list_spam_senders", "list_spam_violations"}

// stranger is a sender of WhatsApp texts that the export calls by a name.
const stranger = "+12125550142"

// chatMessage is a message of a chat of WhatsApp-Chat-Exporter's result.json.
type chatMessage struct {
	key  string
	mine bool
	at   int64 // unix seconds
	text string
}

// chat is what the stranger wrote and how the owner answered.
func chat() []chatMessage {
	const march2 = 1772445600 // 2026-03-02T10:00:00Z
	return []chatMessage{
		{"A1", false, march2, "Sale! https://bit.ly/x Reply STOP to end"},
		{"A2", true, march2 + 300, "STOP"},
		{"A3", false, march2 + 308, "You are unsubscribed."},
		{"A4", false, march2 + 5*86400, "We miss you https://acme.example/1"},
		{"A5", false, march2 + 20*86400, "Last chance https://acme.example/2"},
		{"A6", false, march2 + 30*86400, "Really the last chance"},
	}
}

// importChat writes the chat under a name, in the order given, and imports it.
func (h *home) importChat(data, name string, messages []chatMessage, flags ...string) {
	h.t.Helper()
	var all []string
	for i, m := range messages {
		all = append(all, fmt.Sprintf(`"%d": {"from_me": %t, "timestamp": %d, "time": "10:00", "media": false, "key_id": %q, "meta": false, "data": %q, "sender": null}`, i+10, m.mine, m.at, m.key, m.text))
	}
	text := fmt.Sprintf(`{"%s@s.whatsapp.net": {"name": %q, "type": "android", "media_base": "", "messages": {%s}}}`, strings.TrimPrefix(stranger, "+"), name, strings.Join(all, ",\n"))
	h.write(h.path("downloads", "wa", "result.json"), []byte(text))
	h.must(append([]string{"--data-dir", data, "import", "--quiet", h.path("downloads", "wa")}, flags...)...)
}

// withDeals is a home whose archive holds the chat with the stranger, and the
// archive's folder.
func withDeals(t testing.TB) (h *home, data string) {
	t.Helper()
	h = newHome(t)
	data = h.path("data")
	h.withBook()
	h.importChat(data, "Deals", chat())
	return h, data
}

// withBook names an address book that knows somebody else, and returns the
// configuration that does.
func (h *home) withBook(people ...string) {
	h.t.Helper()
	book := ""
	for i, number := range append(people, "+13125550199") {
		book += fmt.Sprintf("BEGIN:VCARD\nFN:Friend %d\nTEL:%s\nEND:VCARD\n", i, number)
	}
	h.write(h.path("home", "book.vcf"), []byte(book))
	h.config("")
}

// config writes the configuration: the address book, and what else is given.
func (h *home) config(more string) {
	h.t.Helper()
	for _, dir := range []string{".config/msgbrowse", "Library/Application Support/msgbrowse", "Roaming/msgbrowse"} {
		h.write(h.path("home", filepath.FromSlash(dir), "config.yaml"), []byte("contacts: {vcard: ~/book.vcf}\n"+more))
	}
}

// dossier is what these tests look at in a dossier.
type dossier struct {
	Counts struct {
		Contacts int
		After    map[string]int `json:"after_opt_out"`
		Trailing map[string]any `json:"trailing_twelve_months"`
		Worst    map[string]any `json:"worst_twelve_months"`
		Envs     []string       `json:"scan_environments"`
	}
	Ruleset     string `json:"ruleset_version"`
	Limitations []struct{ ID string }
	Exhibits    []exhibit
	Events      []struct {
		Type, At string
	}
	Gaps int
}

// exhibit is a message of a dossier.
type exhibit struct {
	Message, Body string
	Thread        string
	Gap           bool
	Missing       int64    `json:"missing_since_import"`
	After         bool     `json:"after_opt_out"`
	SHA256        string   `json:"body_sha256"`
	Reasons       []string `json:"reasons"`
}

// asOf is the moment that the figures of these tests stand for.
const asOf = "2026-11-30T12:00:00Z"

func (h *home) dossier(data, who string) (d dossier) {
	h.t.Helper()
	out := h.must("--data-dir", data, "spam", "evidence", who, "--format", "json", "--as-of", asOf, "--generated-at", asOf)
	if err := json.Unmarshal([]byte(out.stdout), &d); err != nil {
		h.t.Fatal(err)
	}
	return d
}

// fingerprint is what must stay of a dossier when the archive is read again.
func (d dossier) fingerprint() []string {
	list := []string{fmt.Sprint(d.Counts.Contacts, d.Counts.After, d.Counts.Trailing, d.Counts.Worst, d.Events)}
	for _, x := range d.Exhibits {
		list = append(list, fmt.Sprint(x.Message, x.SHA256, x.After, x.Reasons))
	}
	return list
}

// TestRecordOutlivesImports holds what stays, what moves and what is a gap
// when exports, names, rules and the address book change.
func TestRecordOutlivesImports(t *testing.T) {
	t.Parallel()
	h, data := withDeals(t)
	scan := func(args ...string) string {
		t.Helper()
		return h.must(append([]string{"--data-dir", data, "spam", "scan"}, args...)...).stdout
	}
	scan()
	h.must("--data-dir", data, "spam", "sender-set", stranger, "--status", "tracked", "--notes", "calls too")
	h.must("--data-dir", data, "spam", "event", "add", stranger, "--type", "reported_7726", "--at", "2026-03-20")
	first := h.dossier(data, stranger)
	if len(first.Exhibits) != 6 || first.Counts.Contacts != 5 || first.Counts.After["total"] != 4 {
		t.Fatalf("%d exhibits, %+v", len(first.Exhibits), first.Counts)
	}
	same := func(what string) dossier {
		t.Helper()
		d := h.dossier(data, stranger)
		if diff := cmp.Diff(first.fingerprint(), d.fingerprint()); diff != "" {
			t.Errorf("%s changed the record (-before +after):\n%s", what, diff)
		}
		return d
	}

	h.importChat(data, "Deals", chat(), "--full")
	if out := scan(); !strings.Contains(out, " 0 messages examined") {
		t.Errorf("scan after a re-import: %s", out)
	}
	same("a re-import")

	h.importChat(data, "Offers & more", chat())
	scan()
	if d := same("a renamed thread"); d.Exhibits[0].Thread != "Offers & more" {
		t.Errorf("the thread is called %q, want its new name", d.Exhibits[0].Thread)
	}

	reordered := chat()
	slices.Reverse(reordered)
	h.importChat(data, "Offers & more", reordered)
	scan()
	same("an export in another order")

	// A message that the export lost stays, and says so; so does the opt-out
	// that is gone for good.
	without := slices.DeleteFunc(chat(), func(m chatMessage) bool { return m.key == "A2" || m.key == "A5" })
	h.importChat(data, "Offers & more", without)
	scan()
	d := same("a message that vanished")
	if !slices.ContainsFunc(d.Exhibits, func(x exhibit) bool { return x.Missing == 5 }) {
		t.Error("no exhibit says that its export lost it")
	}
	h.importChat(data, "Offers & more", without, "--prune", "--yes")
	scan()
	if d = same("a message that was deleted for good"); d.Gaps != 2 {
		t.Errorf("%d gaps, want 2", d.Gaps)
	}

	// The sender is in the address book now: what is on the record stays, what
	// comes is not examined.
	h.withBook(stranger)
	h.importChat(data, "Offers & more", append(without, chatMessage{"A9", false, 1772445600 + 40*86400, "one more"}))
	scan()
	h.must("--data-dir", data, "spam", "senders", "--status", "tracked")

	// Changed rules find other reasons, in all that is still there.
	h.withBook()
	h.config("spam: {watch_area_codes: [212]}\n")
	scan()
	d = h.dossier(data, stranger)
	if d.Ruleset == first.Ruleset || !slices.Contains(d.Exhibits[0].Reasons, "area_code:212") {
		t.Errorf("rules %s, reasons %v", d.Ruleset, d.Exhibits[0].Reasons)
	}
	if len(d.Events) == 0 || d.Events[len(d.Events)-1].Type != "reported_7726" {
		t.Errorf("events %v: what a person recorded must stay", d.Events)
	}
	if out := h.must("--data-dir", data, "spam", "senders", "--json").stdout; !strings.Contains(out, `"status": "tracked"`) {
		t.Errorf("the judgment is gone: %s", out)
	}
}

// recordTools lists the tools of the record that a server offers.
func recordTools(t testing.TB, c *client) []string {
	t.Helper()
	list, err := c.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, tool := range list.Tools {
		if strings.Contains(tool.Name, "spam") {
			names = append(names, tool.Name)
			if a := tool.Annotations; a == nil || !a.ReadOnlyHint || a.DestructiveHint == nil || *a.DestructiveHint {
				t.Errorf("%s is not marked as reading only", tool.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// TestRecordIsOptIn holds that file, environment and flag each offer the
// tools, and a scan does not.
func TestRecordIsOptIn(t *testing.T) {
	t.Parallel()
	h, data := withDeals(t)
	h.must("--data-dir", data, "spam", "scan", "--quiet")
	offered := func(env []string, args ...string) []string {
		t.Helper()
		cmd := h.command(t.Context(), append([]string{"--data-dir", data, "mcp"}, args...)...)
		cmd.Env = append(cmd.Env, env...)
		c := connect(t, cmd)
		defer c.close()
		return recordTools(t, c)
	}
	if got := offered(nil); len(got) > 0 {
		t.Errorf("a scanned archive offers %v", got)
	}
	if diff := cmp.Diff(spamTools, offered(nil, "--expose-spam")); diff != "" {
		t.Errorf("by flag (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(spamTools, offered([]string{"MSGBROWSE_MCP_EXPOSE_SPAM=true"})); diff != "" {
		t.Errorf("by environment (-want +got):\n%s", diff)
	}
	h.config("mcp: {expose_spam: true}\n")
	if diff := cmp.Diff(spamTools, offered(nil)); diff != "" {
		t.Errorf("by file (-want +got):\n%s", diff)
	}
}

// structured calls a tool that must succeed.
func (c *client) structured(tool string, arguments map[string]any) map[string]any {
	c.t.Helper()
	res, err := c.session.CallTool(c.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil || res.IsError {
		c.t.Fatalf("%s %v: %v, %v", tool, arguments, err, res)
	}
	return res.StructuredContent.(map[string]any)
}

// TestDoorsAgree holds that the command line, the files and the tools give
// the same figures for the same archive and moment, and that no tool changes
// a byte.
func TestDoorsAgree(t *testing.T) {
	t.Parallel()
	h, data := withDeals(t)
	h.must("--data-dir", data, "spam", "scan", "--quiet")
	h.must("--data-dir", data, "spam", "entity", "add", "Acme", stranger, "--basis", "names itself")

	var violations struct {
		Ruleset string           `json:"ruleset_version"`
		List    []map[string]any `json:"contacts_after_opt_out"`
	}
	decode(t, h.must("--data-dir", data, "spam", "violations", "--as-of", asOf, "--json").stdout, &violations)
	var printed map[string]any
	decode(t, h.must("--data-dir", data, "spam", "evidence", stranger, "--as-of", asOf, "--generated-at", asOf, "--format", "json").stdout, &printed)
	h.must("--data-dir", data, "spam", "evidence", stranger, "--as-of", asOf, "--generated-at", asOf, "--out", h.path("exports"))
	exported, err := filepath.Glob(h.path("exports", "*", "dossier.json"))
	if err != nil || len(exported) != 1 {
		t.Fatalf("exports %v, %v", exported, err)
	}
	text, err := os.ReadFile(exported[0])
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]any
	decode(t, string(text), &file)
	if diff := cmp.Diff(printed, file); diff != "" {
		t.Errorf("the printed dossier and the file differ:\n%s", diff)
	}

	before := snapshot(t, h.dir)
	c := connect(t, h.command(t.Context(), "--data-dir", data, "mcp", "--expose-spam"))
	sender := c.structured("get_spam_sender", map[string]any{"sender": stranger, "as_of": asOf})
	whole := c.structured("get_spam_dossier", map[string]any{"sender": 1, "as_of": asOf})
	list := c.structured("list_spam_violations", map[string]any{"as_of": asOf})
	all := c.structured("list_spam_senders", nil)
	if diff := cmp.Diff(before, snapshot(t, h.dir)); diff != "" {
		t.Errorf("a tool changed something (-before +after):\n%s", diff)
	}
	c.close()

	fileCounts := file["counts"].(map[string]any)
	for _, field := range []string{"contacts", "after_opt_out", "trailing_twelve_months", "worst_twelve_months", "opt_outs", "attempted_opt_outs", "categories", "owner_lines"} {
		for name, counts := range map[string]any{"get_spam_sender": sender["counts"], "get_spam_dossier": whole["counts"]} {
			if diff := cmp.Diff(fileCounts[field], counts.(map[string]any)[field]); diff != "" {
				t.Errorf("%s of the file and of %s differ:\n%s", field, name, diff)
			}
		}
	}
	rows := list["contacts_after_opt_out"].([]any)
	if len(rows) != 2 || len(violations.List) != 2 {
		t.Fatalf("%d rows over MCP, %d on the command line, want 2", len(rows), len(violations.List))
	}
	for i, row := range rows {
		for _, field := range []string{"sender_id", "entity_id", "contacts", "after_opt_out", "trailing_twelve_months", "worst_twelve_months"} {
			if diff := cmp.Diff(violations.List[i][field], row.(map[string]any)[field]); diff != "" {
				t.Errorf("row %d, %s of the command line and of the tool differ:\n%s", i, field, diff)
			}
			if fact, ok := fileCounts[field]; ok {
				if diff := cmp.Diff(fact, row.(map[string]any)[field]); diff != "" {
					t.Errorf("row %d, %s of the file and of the tool differ:\n%s", i, field, diff)
				}
			}
		}
	}
	for name, answer := range map[string]map[string]any{"sender": sender, "dossier": whole, "violations": list, "senders": all} {
		if answer["ruleset_version"] != violations.Ruleset || answer["ruleset_version"] != file["ruleset_version"] || answer["degraded"] != false || answer["complete"] != true {
			t.Errorf("%s: rules %v, degraded %v, complete %v", name, answer["ruleset_version"], answer["degraded"], answer["complete"])
		}
	}
	if diff := cmp.Diff(file["limitations"], whole["limitations"]); diff != "" {
		t.Errorf("limitations of the file and of the tool differ:\n%s", diff)
	}
	markdown := h.must("--data-dir", data, "spam", "evidence", stranger, "--as-of", asOf, "--format", "md").stdout
	for _, figure := range sender["counts"].(map[string]any)["explained"].([]any) {
		if label := figure.(map[string]any)["label"].(string); !strings.Contains(markdown, label) {
			t.Errorf("the Markdown lacks the figure %q", label)
		}
	}
}

func decode(t testing.TB, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// TestSurveysOverStdio asks for a sender of 400 messages: the lists have the
// counts and no text, the dossier has every message.
func TestSurveysOverStdio(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.withBook()
	var messages []chatMessage
	for i := range 400 {
		messages = append(messages, chatMessage{fmt.Sprintf("B%d", i), false, 1735689600 + int64(i)*3600, fmt.Sprintf("zanzibar %d https://acme.example/%d", i, i)})
	}
	h.importChat(data, "Deals", messages)
	unscanned := connect(t, h.command(t.Context(), "--data-dir", data, "mcp", "--expose-spam"))
	if answer := unscanned.structured("list_spam_senders", nil); len(answer["senders"].([]any)) != 0 || !strings.Contains(fmt.Sprint(answer["explanations"]), "Nothing has been scanned yet") {
		t.Errorf("before a scan: %v", answer)
	}
	unscanned.close()
	h.must("--data-dir", data, "spam", "scan", "--quiet")
	c := connect(t, h.command(t.Context(), "--data-dir", data, "mcp", "--expose-spam"))
	defer c.close()
	for tool, arguments := range map[string]map[string]any{"list_spam_senders": nil, "get_spam_sender": {"sender": stranger}, "list_spam_violations": nil} {
		answer := c.structured(tool, arguments)
		if text := fmt.Sprint(answer); strings.Contains(text, "zanzibar") {
			t.Errorf("%s gives message text", tool)
		}
		if tool == "list_spam_senders" && answer["senders"].([]any)[0].(map[string]any)["messages_in"] != 400.0 {
			t.Errorf("senders: %v", answer["senders"])
		}
	}
	seen, cursor := map[string]bool{}, ""
	for range 100 {
		arguments := map[string]any{"sender": stranger}
		if cursor != "" {
			arguments["cursor"] = cursor
		}
		page := c.structured("get_spam_dossier", arguments)
		if page["total"] != 400.0 || len(page["limitations"].([]any)) < 10 {
			t.Errorf("page with total %v and %d limitations", page["total"], len(page["limitations"].([]any)))
		}
		for _, x := range page["exhibits"].([]any) {
			seen[x.(map[string]any)["body"].(string)] = true
		}
		if cursor, _ = page["next_cursor"].(string); cursor == "" {
			break
		}
	}
	if len(seen) != 400 || !slices.Contains(slices.Collect(maps.Keys(seen)), "zanzibar 399 https://acme.example/399") {
		t.Errorf("%d messages in the dossier, want 400", len(seen))
	}
}

// TestOneScanAcrossProcesses holds that a second scan reports the running one,
// and that one without a sign of life reads as crashed and stands in nobody's
// way.
func TestOneScanAcrossProcesses(t *testing.T) {
	t.Parallel()
	h, data := withDeals(t)
	begin := func(at time.Time) int64 {
		t.Helper()
		w, err := store.OpenRecorder(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		id, err := w.BeginSpamRun(t.Context(), record.Run{StartedAt: at, PID: 4711, Version: "v", Ruleset: "r", Env: "none/absent"})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	stale := begin(time.Now().Add(-time.Hour))
	if out := h.must("--data-dir", data, "spam", "runs").stdout; !strings.Contains(out, "crashed") {
		t.Errorf("a scan of an hour ago that never ended:\n%s", out)
	}
	running := begin(time.Now())
	got := h.run("--data-dir", data, "spam", "scan")
	if want := fmt.Sprintf("another scan is running: number %d, process 4711, since ", running); got.status != 1 || !strings.Contains(got.stderr, want) {
		t.Errorf("second scan: status %d, %s", got.status, got.stderr)
	}
	w, err := store.OpenRecorder(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{stale, running} {
		if err := w.FinishSpamRun(t.Context(), id, time.Now(), record.Counters{}, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	h.must("--data-dir", data, "spam", "scan")
}

// TestScanBesideImports scans and judges while imports run: neither waits for
// the other to end, and neither spoils the other's work.
func TestScanBesideImports(t *testing.T) {
	t.Parallel()
	h, data := withDeals(t)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 4 {
			if got := h.run("--data-dir", data, "import", "--quiet", "--full"); got.status != 0 {
				t.Errorf("import: status %d, %s", got.status, got.stderr)
			}
		}
	})
	for i := range 4 {
		if got := h.run("--data-dir", data, "spam", "scan", "--quiet"); got.status != 0 {
			t.Errorf("scan: status %d, %s", got.status, got.stderr)
		}
		if got := h.run("--data-dir", data, "spam", "sender-set", stranger, "--notes", fmt.Sprint(i)); got.status != 0 {
			t.Errorf("sender-set: status %d, %s", got.status, got.stderr)
		}
	}
	wg.Wait()
	if d := h.dossier(data, stranger); len(d.Exhibits) != 6 || d.Gaps != 0 {
		t.Errorf("%d exhibits, %d gaps", len(d.Exhibits), d.Gaps)
	}
}

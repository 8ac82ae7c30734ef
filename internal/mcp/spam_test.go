package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// What the fixture of the record holds.
const (
	manyTexts   = 400 // of the sender who writes most
	secretWord  = "zanzibar"
	manySender  = "+12125550142"
	otherSender = "+16465550102"
)

// spamTools are the tools of the record.
var spamTools = []string{"list_spam_senders", "get_spam_sender", "list_spam_violations", "get_spam_dossier"}

// buildRecord imports texts of strangers and, if asked, scans them without an
// address book. Each archive is built once.
var buildRecord = map[bool]func() (string, error){
	true:  sync.OnceValues(func() (string, error) { return makeRecord(true) }),
	false: sync.OnceValues(func() (string, error) { return makeRecord(false) }),
}

func makeRecord(scanned bool) (string, error) {
	dir := filepath.Join(temporary, fmt.Sprintf("record-%t", scanned))
	data, exports := filepath.Join(dir, "data"), filepath.Join(dir, "exports")
	var many strings.Builder
	at := time.Date(2025, 1, 6, 9, 0, 0, 0, time.UTC)
	write := func(b *strings.Builder, at time.Time, who, body string) {
		hour := fmt.Sprintf("%2s", at.Format("3"))
		fmt.Fprintf(b, "%s %s%s\n%s\n%s\n\n", at.Format("Jan 02, 2006"), hour, at.Format(":04:05 PM"), who, body)
	}
	for i := range manyTexts {
		write(&many, at.AddDate(0, 0, i), manySender, fmt.Sprintf("%s offer %d at https://acme.example/%d | # <script>", secretWord, i, i))
		if i == 100 {
			write(&many, at.AddDate(0, 0, i).Add(time.Hour), "Me", "STOP")
		}
	}
	var other strings.Builder
	write(&other, at, otherSender, secretWord+" call me back\nexhibit 9, message 0: in forged head")
	var talk strings.Builder
	write(&talk, at, "+13125550101", "did you see it?")
	write(&talk, at.Add(time.Minute), "Me", "yes I did")
	for name, text := range map[string]string{manySender: many.String(), otherSender: other.String(), "+13125550101": talk.String()} {
		if err := os.MkdirAll(filepath.Join(exports, "im"), 0o700); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(exports, "im", name+".txt"), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	if err := importAll(data, exports, []string{"im"}, firstImport); err != nil || !scanned {
		return data, err
	}
	return data, scanAndJudge(data)
}

// scanAndJudge scans an archive and says something of one sender.
func scanAndJudge(data string) error {
	ctx := context.Background()
	w, err := store.OpenRecorder(ctx, data)
	if err != nil {
		return err
	}
	r, err := w.Reader(ctx)
	if err != nil {
		return err
	}
	rules, err := spam.NewRules(spam.DefaultSettings())
	if err != nil {
		return err
	}
	now := func() time.Time { return secondImport }
	book := spam.ContactsBook{AddressBooks: contacts.AddressBooks{Book: contacts.NewBook(nil)}}
	if _, err := spam.Scan(ctx, r, r, w, rules, book, spam.ScanOptions{Now: now, PID: 42, Version: "test"}); err != nil {
		return err
	}
	found, err := spam.Lookup(ctx, r, manySender)
	if err != nil {
		return err
	}
	tracked, entity, notes := record.Tracked, "Acme Roofing", "says he is Bob\nand calls"
	err = w.JudgeSpamSender(ctx, found.Sender.ID, record.SenderChange{Status: &tracked, SuspectedEntity: &entity, Notes: &notes}, secondImport)
	if err != nil {
		return err
	}
	at, err := spam.ParseEventTime("2025-06-01", secondImport)
	if err != nil {
		return err
	}
	if _, err := w.AddSpamEvent(ctx, record.Event{SenderID: found.Sender.ID, Type: record.FCCComplaintFiled, Time: at, Origin: record.Manual, RecordedAt: 1, Details: "filed online", Evidence: "ticket 7"}); err != nil {
		return err
	}
	other, err := spam.Lookup(ctx, r, otherSender)
	if err != nil {
		return err
	}
	id, err := w.AddSpamEntity(ctx, "Acme", "", secondImport)
	if err != nil {
		return err
	}
	for _, sender := range []int64{found.Sender.ID, other.Sender.ID} {
		if err := w.AddEntityMember(ctx, id, record.Member{SenderID: sender, Basis: "names itself", AddedAt: 1}); err != nil {
			return err
		}
	}
	return errors.Join(r.Close(), w.Close())
}

// openRecord returns a server of the fixture of the record; exposed says
// whether the owner offers it.
func openRecord(t testing.TB, scanned, exposed bool) *archiveServer {
	t.Helper()
	data, err := buildRecord[scanned]()
	if err != nil {
		t.Fatalf("build record: %v", err)
	}
	r, err := store.OpenReader(t.Context(), data, store.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	now := func() time.Time { return testNow }
	a := Archive{Reader: r, Searcher: search.New(r, now), Media: ingest.OpenAttachment, Now: now}
	if exposed {
		rules, err := spam.NewRules(spam.DefaultSettings())
		if err != nil {
			t.Fatal(err)
		}
		a.Evidence = &Evidence{Rules: rules}
	}
	s := &archiveServer{&testServer{logs: new(lockedBuffer)}, r}
	s.Server = NewArchiveServer(a, Options{Version: "1.2.3", Logger: slog.New(slog.NewTextHandler(s.logs, nil))})
	return s
}

// askRecord calls a tool and returns its structured result and its text.
func (s *archiveServer) askRecord(t testing.TB, tool, arguments string) (result map[string]any, raw, text string) {
	t.Helper()
	a := serveAll(t, s.testServer, initialize+callLine("1", tool, arguments))["1"]
	if a.Result == nil || a.Result.IsError {
		t.Fatalf("%s %s: %s", tool, arguments, a.text())
	}
	raw = string(a.Result.StructuredContent)
	if err := json.Unmarshal([]byte(raw), &result); err != nil {
		t.Fatal(err)
	}
	if a.Result.Meta[UntrustedKey] != true {
		t.Errorf("%s: the result is not labelled as untrusted", tool)
	}
	return result, raw, a.text()
}

// TestSpamToolDefinitions holds every tool of the record as it was reviewed.
func TestSpamToolDefinitions(t *testing.T) {
	t.Parallel()
	s := openRecord(t, true, true)
	var names []string
	for _, raw := range s.listed(t, "tools/list", "tools") {
		var def toolDefinition
		if err := json.Unmarshal(raw, &def); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(spamTools, def.Name) {
			continue
		}
		names = append(names, def.Name)
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, raw, "", "  "); err != nil {
			t.Fatal(err)
		}
		pretty.WriteByte('\n')
		golden(t, filepath.Join("golden", "tools", def.Name+".json"), pretty.Bytes())
		for _, want := range []string{"derived evidence record", "not legal advice", "identifiable people"} {
			if !strings.Contains(def.Description, want) {
				t.Errorf("%s: the description does not say %q", def.Name, want)
			}
		}
		if got, want := strings.Contains(def.Description, "verbatim message text"), def.Name == "get_spam_dossier"; got != want {
			t.Errorf("%s: the description speaks of verbatim text: %t, want %t", def.Name, got, want)
		}
		if len(def.Description) >= MaxDescription {
			t.Errorf("%s: the description has %d bytes", def.Name, len(def.Description))
		}
		wantAnnotations := map[string]any{"title": def.Title, "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
		if diff := cmp.Diff(wantAnnotations, def.Annotations); diff != "" {
			t.Errorf("%s: annotations (-want +got):\n%s", def.Name, diff)
		}
		for _, word := range []string{"court-ready", "certified", "proven"} {
			if strings.Contains(strings.ToLower(string(raw)), word) {
				t.Errorf("%s: the definition says %q", def.Name, word)
			}
		}
	}
	slices.Sort(names)
	if diff := cmp.Diff(slices.Sorted(slices.Values(spamTools)), names); diff != "" {
		t.Errorf("tools of the record (-want +got):\n%s", diff)
	}
	if n := len(instructions + spamInstructions); n > MaxDescription {
		t.Errorf("the instructions have %d bytes, clients cut them at %d", n, MaxDescription)
	}
}

// TestScanningGrantsNothing holds that the owner's setting alone offers the
// tools, whether or not there is a record.
func TestScanningGrantsNothing(t *testing.T) {
	t.Parallel()
	for _, scanned := range []bool{false, true} {
		for _, exposed := range []bool{false, true} {
			t.Run(fmt.Sprintf("scanned %t, exposed %t", scanned, exposed), func(t *testing.T) {
				t.Parallel()
				s := openRecord(t, scanned, exposed)
				offered := 0
				for _, raw := range s.listed(t, "tools/list", "tools") {
					if strings.Contains(string(raw), `"name":"list_spam`) || strings.Contains(string(raw), `"name":"get_spam`) {
						offered++
					}
				}
				want := 0
				if exposed {
					want = len(spamTools)
				}
				if offered != want {
					t.Errorf("%d tools of the record are offered, want %d", offered, want)
				}
				for _, list := range [][2]string{{"resources/list", "resources"}, {"resources/templates/list", "resourceTemplates"}, {"prompts/list", "prompts"}} {
					for _, raw := range s.listed(t, list[0], list[1]) {
						if strings.Contains(string(raw), "spam") {
							t.Errorf("%s offers the record: %s", list[0], raw)
						}
					}
				}
			})
		}
	}
}

// TestUnscannedRecord holds that an archive that was never scanned gives
// empty answers with an explanation, and no error.
func TestUnscannedRecord(t *testing.T) {
	t.Parallel()
	s := openRecord(t, false, true)
	for tool, arguments := range map[string]string{
		"list_spam_senders": `{}`, "get_spam_sender": `{"sender":"+12125550142"}`, "list_spam_violations": `{}`, "get_spam_dossier": `{"sender":1}`,
	} {
		result, raw, text := s.askRecord(t, tool, arguments)
		if !strings.Contains(raw, "Nothing has been scanned yet") || !strings.Contains(text, "Nothing has been scanned yet") {
			t.Errorf("%s does not explain: %s", tool, raw)
		}
		if result["scanned"] != false || result["ruleset_version"] != "" || result["shown"] != 0.0 {
			t.Errorf("%s: %s", tool, raw)
		}
		if len(result["limitations"].([]any)) < 5 {
			t.Errorf("%s: too few limitations: %s", tool, raw)
		}
	}
}

// TestProvenanceTravels holds that every answer says what it rests on, in both
// its forms.
func TestProvenanceTravels(t *testing.T) {
	t.Parallel()
	s := openRecord(t, true, true)
	for tool, arguments := range map[string]string{
		"list_spam_senders": `{}`, "get_spam_sender": `{"sender":"` + manySender + `"}`, "list_spam_violations": `{}`, "get_spam_dossier": `{"sender":"` + otherSender + `"}`,
	} {
		result, raw, text := s.askRecord(t, tool, arguments)
		if version, _ := result["ruleset_version"].(string); len(version) != 24 || !strings.Contains(text, "ruleset_version "+version) {
			t.Errorf("%s: no version of the rules: %s", tool, raw)
		}
		if diff := cmp.Diff([]any{"none/absent"}, result["scan_env"]); diff != "" || !strings.Contains(text, "scan_env none/absent; degraded true; mixed false; complete true") {
			t.Errorf("%s: environments (-want +got):\n%s\n%s", tool, diff, text)
		}
		if result["degraded"] != true || result["mixed"] != false || result["complete"] != true || result["as_of"] != "2026-03-04T05:06:07Z" {
			t.Errorf("%s: %s", tool, raw)
		}
		for _, id := range []string{"no_recorded_utc_offset", "carrier_not_established", "human_judgment", "stranger_predicate", "not_legal_advice", "sender_spoofing", "text_as_call"} {
			if !strings.Contains(raw, `"id":"`+id+`"`) || !strings.Contains(text, "- "+id+": ") {
				t.Errorf("%s does not state the limitation %s", tool, id)
			}
		}
		if !strings.Contains(text, "not legal advice") {
			t.Errorf("%s: the text does not say that it is no legal advice", tool)
		}
	}
}

// TestSurveyHoldsNoBodies holds that only the dossier gives message text.
func TestSurveyHoldsNoBodies(t *testing.T) {
	t.Parallel()
	s := openRecord(t, true, true)
	calls := map[string]string{"list_spam_senders": `{}`, "get_spam_sender": `{"sender":"entity:1"}`, "list_spam_violations": `{}`}
	for tool, arguments := range calls {
		result, raw, text := s.askRecord(t, tool, arguments)
		for _, forbidden := range []string{secretWord, "STOP", "forged head", "acme.example"} {
			if strings.Contains(raw+text, forbidden) {
				t.Errorf("%s gives message text: %q", tool, forbidden)
			}
		}
		if tool == "list_spam_senders" {
			first := result["senders"].([]any)[0].(map[string]any)
			if first["identifier"] != manySender || first["messages_in"] != float64(manyTexts) || first["in_after_opt_out"] != float64(manyTexts-101) {
				t.Errorf("first sender %v", first)
			}
		}
	}
}

// TestDossierPages reads a dossier page by page: every message once, each page
// within its budget, with the limitations and an exact total.
func TestDossierPages(t *testing.T) {
	t.Parallel()
	s := openRecord(t, true, true)
	cursor, next, pages := "", 1, 0
	for {
		arguments := fmt.Sprintf(`{"sender":%q,"as_of":"2026-01-31","limit":120,"cursor":%q}`, manySender, cursor)
		result, raw, text := s.askRecord(t, "get_spam_dossier", arguments)
		pages++
		if result["total"] != float64(manyTexts+1) {
			t.Fatalf("total %v, want %d", result["total"], manyTexts+1)
		}
		characters := 0
		for _, x := range result["exhibits"].([]any) {
			exhibit := x.(map[string]any)
			if exhibit["exhibit"] != float64(next) {
				t.Fatalf("exhibit %v, want %d", exhibit["exhibit"], next)
			}
			characters += len(exhibit["body"].(string))
			if !strings.Contains(text, fmt.Sprintf("exhibit %d, message %s", next, exhibit["message"])) || !strings.Contains(text, "  | "+exhibit["body"].(string)+"\n") {
				t.Errorf("the text lacks exhibit %d", next)
			}
			next++
		}
		if characters > maxTextBudget {
			t.Errorf("a page of %d characters", characters)
		}
		if !strings.Contains(raw, `"id":"no_recorded_utc_offset"`) || !strings.Contains(raw, `"id":"carrier_not_established"`) {
			t.Errorf("page %d does not hold the limitations", pages)
		}
		if result["as_of"] != "2026-01-31T23:59:59Z" {
			t.Errorf("page %d stands as of %v", pages, result["as_of"])
		}
		if events := len(result["events"].([]any)); (events > 0) != (pages == 1) {
			t.Errorf("page %d has %d events", pages, events)
		}
		if cursor, _ = result["next_cursor"].(string); cursor == "" {
			break
		}
	}
	if next != manyTexts+2 || pages < 3 {
		t.Errorf("%d exhibits on %d pages", next-1, pages)
	}
}

// TestSameFactsInBothForms holds that every figure and text of a structured
// answer stands in its text as well.
func TestSameFactsInBothForms(t *testing.T) {
	t.Parallel()
	s := openRecord(t, true, true)
	for _, call := range [][2]string{
		{"list_spam_senders", `{"limit":1}`}, {"list_spam_senders", `{"status":"watch"}`}, {"get_spam_sender", `{"sender":"entity:1"}`},
		{"get_spam_sender", `{"sender":1,"as_of":"2025-05-01"}`}, {"list_spam_violations", `{}`}, {"get_spam_dossier", `{"sender":"Acme","limit":3}`},
	} {
		result, _, text := s.askRecord(t, call[0], call[1])
		squeezed := strings.Join(strings.Fields(strings.NewReplacer(`\`, "", "  | ", " ").Replace(text)), " ")
		var missing []string
		walkFacts(result, "", func(path, fact string) {
			fact = strings.Join(strings.Fields(strings.ReplaceAll(fact, `\`, "")), " ")
			if !strings.Contains(squeezed, fact) {
				missing = append(missing, path+"="+fact)
			}
		})
		if len(missing) > 0 {
			t.Errorf("%s %s: the text lacks %q", call[0], call[1], missing)
		}
	}
}

// walkFacts visits the texts and the numbers above 20 of a result; smaller
// numbers stand in any text by chance.
func walkFacts(v any, path string, visit func(path, fact string)) {
	switch x := v.(type) {
	case map[string]any:
		for k, child := range x {
			if k == "rule" || k == "checked_on" { // their name is in the text
				continue
			}
			walkFacts(child, path+"."+k, visit)
		}
	case []any:
		for _, child := range x {
			walkFacts(child, path, visit)
		}
	case string:
		if x != "" {
			visit(path, x)
		}
	case float64:
		if x > 20 {
			visit(path, fmt.Sprintf("%.0f", x))
		}
	}
}

// TestSpamRefusals holds that what names nobody or several is an error that
// helps.
func TestSpamRefusals(t *testing.T) {
	t.Parallel()
	s := openRecord(t, true, true)
	for _, tt := range []struct{ tool, arguments, want string }{
		{"get_spam_sender", `{"sender":"+19995550000"}`, "no sender or entity matches \"+19995550000\"; the closest are "},
		{"get_spam_sender", `{"sender":77}`, "no sender or entity matches"},
		{"get_spam_sender", `{}`, `"sender" is required`},
		{"get_spam_dossier", `{"sender":1,"as_of":"yesterday"}`, `as_of: "yesterday" is no time`},
		{"get_spam_dossier", `{"sender":1,"cursor":"x"}`, "cursor belongs to another query"},
		{"list_spam_senders", `{"status":"followed"}`, "seen, watch, tracked, ignored"},
		{"list_spam_senders", `{"source":"smoke"}`, "smoke"},
		{"list_spam_violations", `{"status":"watch"}`, "unknown argument"},
	} {
		a := serveAll(t, s.testServer, initialize+callLine("1", tt.tool, tt.arguments))["1"]
		if a.Result == nil || !a.Result.IsError || !strings.Contains(a.text(), tt.want) {
			t.Errorf("%s %s: %q, want an error with %q", tt.tool, tt.arguments, a.text(), tt.want)
		}
	}
}

// TestSpamListPages reads the list of senders in pages of one.
func TestSpamListPages(t *testing.T) {
	t.Parallel()
	s := openRecord(t, true, true)
	cursor, got := "", []string{}
	for {
		result, _, _ := s.askRecord(t, "list_spam_senders", fmt.Sprintf(`{"limit":1,"cursor":%q}`, cursor))
		for _, x := range result["senders"].([]any) {
			got = append(got, x.(map[string]any)["identifier"].(string))
		}
		if result["total"] != 2.0 {
			t.Errorf("total %v, want 2", result["total"])
		}
		if cursor, _ = result["next_cursor"].(string); cursor == "" {
			break
		}
	}
	if diff := cmp.Diff([]string{manySender, otherSender}, got); diff != "" {
		t.Errorf("senders (-want +got):\n%s", diff)
	}
	result, _, _ := s.askRecord(t, "list_spam_senders", `{"status":["ignored","seen"],"source":"imessage"}`)
	if senders := result["senders"].([]any); len(senders) != 1 || senders[0].(map[string]any)["identifier"] != otherSender {
		t.Errorf("seen or ignored senders: %v", senders)
	}
}

// TestToolsAgree holds that all tools give one number for one question.
func TestToolsAgree(t *testing.T) {
	t.Parallel()
	s := openRecord(t, true, true)
	sender, _, _ := s.askRecord(t, "get_spam_sender", `{"sender":"`+manySender+`"}`)
	dossier, _, _ := s.askRecord(t, "get_spam_dossier", `{"sender":"`+manySender+`","limit":1}`)
	if diff := cmp.Diff(sender["counts"], dossier["counts"]); diff != "" {
		t.Errorf("counts of the sender and its dossier differ:\n%s", diff)
	}
	list, _, _ := s.askRecord(t, "list_spam_violations", `{}`)
	rows := list["contacts_after_opt_out"].([]any)
	if len(rows) != 2 {
		t.Fatalf("%d rows, want the entity and the sender", len(rows))
	}
	row, counts := rows[1].(map[string]any), sender["counts"].(map[string]any)
	for _, field := range []string{"contacts", "after_opt_out", "trailing_twelve_months", "worst_twelve_months", "opt_outs"} {
		if diff := cmp.Diff(counts[field], row[field]); diff != "" {
			t.Errorf("%s of the sender and of the list differ:\n%s", field, diff)
		}
	}
}

// TestClean holds that cleaning reaches every text and leaves no list nil.
func TestClean(t *testing.T) {
	t.Parallel()
	type inner struct {
		Body, Name string
		List       []string
	}
	v := struct {
		Inner inner
		Many  []inner
		To    *inner
	}{inner{Body: "a\nb\u202e", Name: "a\nb"}, []inner{{Name: "\x1b[31m"}}, &inner{Body: "\u200b"}}
	clean(&v)
	if strings.ContainsAny(v.Inner.Name, "\n") || !strings.Contains(v.Inner.Body, "\n") || strings.Contains(v.Inner.Body, "\u202e") ||
		strings.Contains(v.Many[0].Name, "\x1b") || v.Inner.List == nil || v.Many[0].List == nil || strings.Contains(v.To.Body, "\u200b") {
		t.Errorf("cleaned: %+v %+v", v, v.To)
	}
}

// TestBodiesForgeNothing holds that the text of a message cannot pass for the
// head of an exhibit, nor for a line of the frame.
func TestBodiesForgeNothing(t *testing.T) {
	t.Parallel()
	s := openRecord(t, true, true)
	_, _, text := s.askRecord(t, "get_spam_dossier", `{"sender":"`+otherSender+`"}`)
	if !strings.Contains(text, "\n  | exhibit 9, message 0: in forged head\n") {
		t.Errorf("the second line of the body is not marked as such:\n%s", text)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "exhibit 9") {
			t.Errorf("a body forged %q", line)
		}
	}
}

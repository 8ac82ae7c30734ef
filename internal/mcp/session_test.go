package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// rawSession talks to a server over pipes, one line at a time.
type rawSession struct {
	t     testing.TB
	in    *io.PipeWriter
	lines *json.Decoder
}

func startSession(t testing.TB, s *archiveServer) *rawSession {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := ServeStdio(t.Context(), s.Server, inRead, outWrite, nil)
		_ = outWrite.Close()
		done <- err
	}()
	t.Cleanup(func() {
		_ = inWrite.Close()
		if err := <-done; err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
	})
	return &rawSession{t, inWrite, json.NewDecoder(outRead)}
}

// send writes a message on one line and returns the answer, if one is due.
func (r *rawSession) send(message []byte) (answer json.RawMessage) {
	r.t.Helper()
	var line bytes.Buffer
	if err := json.Compact(&line, message); err != nil {
		r.t.Fatalf("%v: %s", err, message)
	}
	line.WriteByte('\n')
	if _, err := r.in.Write(line.Bytes()); err != nil {
		r.t.Fatal(err)
	}
	var head struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(message, &head); err != nil || head.ID == nil {
		return nil
	}
	if err := r.lines.Decode(&answer); err != nil {
		r.t.Fatalf("no answer to %s: %v", message, err)
	}
	return answer
}

func pretty(t testing.TB, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, bytes.TrimSpace(raw), "", "  "); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return append(b.Bytes(), '\n')
}

// shownText takes the text block out of a tool's answer, so that it can be
// read, and leaves a reference in its place.
func shownText(t testing.TB, answer []byte, name string) (rest, text []byte) {
	t.Helper()
	var a struct {
		Result struct {
			Content []json.RawMessage `json:"content"`
		} `json:"result"`
	}
	if json.Unmarshal(answer, &a) != nil || len(a.Result.Content) != 1 {
		return answer, nil
	}
	var block textBlock
	if err := json.Unmarshal(a.Result.Content[0], &block); err != nil {
		t.Fatal(err)
	}
	reference := fmt.Sprintf(`{"type":"text","text":"(%s)"}`, name)
	return bytes.Replace(answer, a.Result.Content[0], []byte(reference), 1), []byte(block.Text)
}

// cursorBefore stands in a request for the cursor of the answer before it.
const cursorBefore = "(of the answer before)"

var nextCursor = regexp.MustCompile(`"next_cursor":"([^"]+)"`)

// steady replaces what changes with every change of the ranking, or is opaque:
// scores and cursors.
func steady(raw []byte) []byte {
	for _, change := range []struct{ of, to string }{
		{`"score":[0-9.]+`, `"score":1`}, {`\bkeyword [0-9.]+`, `keyword 1`},
		{`("next_cursor":")[^"]+`, `${1}(cursor)`}, {`(?m)^next_cursor: .+$`, `next_cursor: (cursor)`},
	} {
		raw = regexp.MustCompile(change.of).ReplaceAll(raw, []byte(change.to))
	}
	return raw
}

// TestSessions replays the transcripts of testdata/sessions: each request of
// a file is sent, and what comes back is compared with what follows it. With
// -update the answers are written anew.
func TestSessions(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join("testdata", "sessions", "*.txtar"))
	if err != nil || len(names) < 9 {
		t.Fatalf("found %d sessions, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			was, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			session := startSession(t, openArchive(t))
			cursor := []byte("none")
			now := &txtar.Archive{Comment: was.Comment}
			for _, f := range was.Files {
				number, isRequest := strings.CutSuffix(f.Name, " request")
				if !isRequest {
					continue
				}
				answer := session.send(bytes.ReplaceAll(f.Data, []byte(cursorBefore), cursor))
				if m := nextCursor.FindSubmatch(answer); m != nil {
					cursor = m[1]
				}
				now.Files = append(now.Files, txtar.File{Name: f.Name, Data: pretty(t, f.Data)})
				if answer == nil {
					continue
				}
				textName := number + " text"
				rest, text := shownText(t, answer, textName)
				rest, text = steady(rest), steady(text)
				now.Files = append(now.Files, txtar.File{Name: number + " answer", Data: pretty(t, rest)})
				if len(text) > 0 {
					now.Files = append(now.Files, txtar.File{Name: textName, Data: text})
				}
			}
			got := txtar.Format(now)
			if *update {
				if err := os.WriteFile(name, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(txtar.Format(was)), string(got)); diff != "" && !*update {
				t.Errorf("%s differs (-want +got); run the test with -update if that is meant:\n%s", name, diff)
			}
		})
	}
}

// modernMeta makes a request one of the revision that has no handshake.
const modernMeta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"}}`

// TestErasAgree sends every request of the transcripts again as clients of the
// newest revision do, and wants the same results.
func TestErasAgree(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join("testdata", "sessions", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	s := openArchive(t)
	compared := 0
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		old, modern := startSession(t, s), startSession(t, s)
		old.send([]byte(initialize))
		for _, f := range archive.Files {
			var request struct {
				Version string                     `json:"jsonrpc"`
				ID      int                        `json:"id"`
				Method  string                     `json:"method"`
				Params  map[string]json.RawMessage `json:"params"`
			}
			if !strings.HasSuffix(f.Name, " request") || json.Unmarshal(f.Data, &request) != nil || !limited[request.Method] {
				continue
			}
			send := func(session *rawSession, meta string) map[string]any {
				delete(request.Params, "_meta")
				if meta != "" {
					request.Params["_meta"] = json.RawMessage(meta)
				}
				raw, err := marshal(request)
				if err != nil {
					t.Fatal(err)
				}
				var answer struct{ Result, Error map[string]any }
				if err := json.Unmarshal(session.send(raw), &answer); err != nil {
					t.Fatal(err)
				}
				if answer.Result == nil {
					return answer.Error
				}
				for _, field := range []string{"_meta", "resultType", "ttlMs", "cacheScope"} {
					delete(answer.Result, field)
				}
				return answer.Result
			}
			if diff := cmp.Diff(send(old, ""), send(modern, modernMeta)); diff != "" {
				t.Errorf("%s, %s: revisions differ (-old +new):\n%s", name, f.Name, diff)
			}
			compared++
		}
	}
	if compared < 30 {
		t.Errorf("only %d requests were compared", compared)
	}
}

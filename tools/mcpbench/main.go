// Command mcpbench measures a stdio MCP server of an archive: how long it
// takes from its start to its answer to initialize, and how long each call
// takes and how many bytes its answer has.
//
//	go run ./tools/mcpbench [-n 200] msgbrowse mcp --data-dir DIR
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"
)

// call is one measured request.
type call struct {
	name      string
	tool      string
	arguments map[string]any
}

var calls = []call{
	{"rare word", "search_messages", map[string]any{"query": "zyxrare"}},
	{"dinner", "search_messages", map[string]any{"query": "dinner"}},
	{"the", "search_messages", map[string]any{"query": "the"}},
	{"th", "search_messages", map[string]any{"query": "th"}},
	{"phrase", "search_messages", map[string]any{"query": `"dinner tomorrow"`}},
	{"question", "search_messages", map[string]any{"query": "who wanted to go to the doctor about the kayak?"}},
	{"question in a chat", "search_messages", map[string]any{"query": "who wanted to go to the doctor about the kayak?", "conversation": "Conv000"}},
	{"semantic", "semantic_search", map[string]any{"query": "who wanted to go to the doctor about the kayak?"}},
	{"semantic in a chat", "semantic_search", map[string]any{"query": "who wanted to go to the doctor about the kayak?", "conversation": "Conv000"}},
	{"list_conversations", "list_conversations", map[string]any{}},
	{"get_conversation", "get_conversation", map[string]any{"name": "Conv000", "from": "end"}},
	{"transcript", "get_conversation", map[string]any{"name": "Conv000", "format": "transcript"}},
	{"get_context", "get_context", map[string]any{"message_id": 1000}},
	{"list_media", "list_media", map[string]any{}},
	{"list_links", "list_links", map[string]any{}},
}

func main() {
	n := flag.Int("n", 200, "calls of each kind")
	flag.Parse()
	if err := run(flag.Args(), *n); err != nil {
		fmt.Fprintln(os.Stderr, "mcpbench:", err)
		os.Exit(1)
	}
}

func run(server []string, n int) error {
	if len(server) == 0 {
		return fmt.Errorf("name the server's command, as in: msgbrowse mcp --data-dir DIR")
	}
	var starts []time.Duration
	for range 20 {
		began := time.Now()
		s, err := start(server)
		if err != nil {
			return err
		}
		starts = append(starts, time.Since(began))
		if err := s.stop(); err != nil {
			return err
		}
	}
	report("start to initialize", starts, 0)
	s, err := start(server)
	if err != nil {
		return err
	}
	for _, c := range calls {
		var took []time.Duration
		size := 0
		for range n {
			began := time.Now()
			answer, err := s.request("tools/call", map[string]any{"name": c.tool, "arguments": c.arguments})
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			took = append(took, time.Since(began))
			size = len(answer)
		}
		report(c.name, took, size)
	}
	return s.stop()
}

func report(name string, took []time.Duration, size int) {
	slices.Sort(took)
	fmt.Printf("%-20s p50 %9.3f ms  p95 %9.3f ms", name, ms(took[len(took)/2]), ms(took[len(took)*95/100]))
	if size > 0 {
		fmt.Printf("  %7d bytes", size)
	}
	fmt.Println()
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// server is a running stdio server.
type server struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func start(command []string) (*server, error) {
	s := &server{cmd: exec.Command(command[0], command[1:]...)}
	s.cmd.Stderr = os.Stderr
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReaderSize(out, 1<<20)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = s.request("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "mcpbench", "version": "1"},
	})
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return s, err
}

func (s *server) stop() error {
	if err := s.in.Close(); err != nil {
		return err
	}
	return s.cmd.Wait()
}

// request sends one request and returns the line that answers it.
func (s *server) request(method string, params any) ([]byte, error) {
	s.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	answer, err := s.out.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("the server closed its output: %w", err)
	}
	var failed struct {
		Error  json.RawMessage `json:"error"`
		Result struct {
			IsError bool `json:"isError"`
		} `json:"result"`
	}
	if err := json.Unmarshal(answer, &failed); err != nil {
		return nil, err
	}
	if failed.Error != nil || failed.Result.IsError {
		return nil, fmt.Errorf("the server answered with an error: %.300s", answer)
	}
	return answer, nil
}

package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"testing"
)

// One trivial call over stdio, there and back. Budget: 0.3 ms on an
// idle machine, of which the SDK takes about half.
func BenchmarkStdioCall(b *testing.B) {
	s := newTestServer(b, Options{})
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- ServeStdio(b.Context(), s.Server, inRead, outWrite, nil) }()
	lines := bufio.NewScanner(outRead)
	send := func(line string) {
		if _, err := io.WriteString(inWrite, line); err != nil {
			b.Fatal(err)
		}
		if !lines.Scan() {
			b.Fatal("no answer")
		}
	}
	send(initialize)
	for i := 0; b.Loop(); i++ {
		send(callLine(fmt.Sprint(i), "echo", `{"query":"x"}`))
	}
	_ = inWrite.Close()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
}

// Judging one line. Budget: 10 µs for an ordinary call.
func BenchmarkJudge(b *testing.B) {
	line := []byte(callLine("7", "search_messages", `{"query":"where did we eat","limit":20}`))
	b.ReportAllocs()
	for b.Loop() {
		if judge(line).request == nil {
			b.Fatal("refused")
		}
	}
}

// Preparing ordinary arguments. Budget: 10 µs.
func BenchmarkPrepareArguments(b *testing.B) {
	spec := echoSpec(b)
	raw := json.RawMessage(`{"query":"where did we eat","message_id":184233,"has":"link","limit":"20"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := spec.prepare(raw); err != nil {
			b.Fatal(err)
		}
	}
}

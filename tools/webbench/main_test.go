package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// servesAs names the variable that makes this program a server for its own
// tests: it writes its address into that file and fails the second time it is
// asked for a page.
const servesAs = "WEBBENCH_TEST_SERVER"

func TestMain(m *testing.M) {
	if file := os.Getenv(servesAs); file != "" {
		if err := serve(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func serve(file string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := listener.Addr().String()
	if err := os.WriteFile(file, []byte(address), 0o600); err != nil {
		return err
	}
	var asked atomic.Int64
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/":
			http.NotFound(w, r)
		case asked.Add(1) > 1:
			http.Error(w, "no more", http.StatusInternalServerError)
		}
	})}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		server.Close()
	}()
	fmt.Fprintf(os.Stderr, "Serving at http://%s/; stop with Ctrl-C\n", address)
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// TestStopsWhatItStarted: no server outlives a measurement that failed.
func TestStopsWhatItStarted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "address")
	t.Setenv(servesAs, file)
	if err := bench([]string{os.Args[0]}, 1, 0, nil); err == nil || !strings.Contains(err.Error(), "status 500") {
		t.Fatalf("%v, want a failed page", err)
	}
	address, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if conn, err := net.Dial("tcp", string(address)); err == nil {
		conn.Close()
		t.Error("the server still runs")
	}
}

func TestMeasuresSomething(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, -1} {
		if err := bench([]string{"server"}, n, 0, nil); err == nil || !strings.Contains(err.Error(), "-n") {
			t.Errorf("%d requests for a page: %v", n, err)
		}
	}
}

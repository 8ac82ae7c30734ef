package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/config"
)

// TestRecordUsesNoNetwork makes the record of somebody whose texts link to a
// server, with that server as the endpoint for embeddings, and reads it. All
// that would dial by the usual ways fails, and nobody may come to the server.
func TestRecordUsesNoNetwork(t *testing.T) { // not parallel: it changes how the process dials
	var dialled, visits atomic.Int32
	transport, resolver := http.DefaultTransport, net.DefaultResolver
	defer func() { http.DefaultTransport, net.DefaultResolver = transport, resolver }()
	refuse := func(context.Context, string, string) (net.Conn, error) {
		dialled.Add(1)
		return nil, errors.New("there is no network")
	}
	http.DefaultTransport, net.DefaultResolver = &http.Transport{DialContext: refuse}, &net.Resolver{PreferGo: true, Dial: refuse}

	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	visited := make(chan bool, 1)
	go func() {
		for {
			conn, err := server.Accept()
			if err != nil {
				return
			}
			visits.Add(1)
			conn.Close()
			visited <- true
		}
	}()

	dir := t.TempDir()
	export := fmt.Sprintf("Jan 02, 2024  3:04:05 PM\n+12125550142\nClaim your prize at http://%s/win or text a friend@shop.example. Reply STOP to end\n\n"+
		"Jan 02, 2024  4:04:05 PM\nMe\nSTOP\n\nJan 03, 2024  3:04:05 PM\n+12125550142\nLast chance: http://%s/again\n\n", server.Addr(), server.Addr())
	if err := os.WriteFile(filepath.Join(dir, "+12125550142.txt"), []byte(export), 0o600); err != nil {
		t.Fatal(err)
	}
	env := Machine()
	env.Host = config.Host{GOOS: env.Host.GOOS, Home: dir, Dir: dir, ReadFile: env.Host.ReadFile,
		Environ: []string{"MSGBROWSE_EMBEDDINGS_PROVIDER=endpoint", "MSGBROWSE_LLM_EMBED_MODEL=some", "MSGBROWSE_LLM_BASE_URL=http://" + server.Addr().String() + "/v1"}}
	env.Now = func() time.Time { return time.Unix(1_735_000_000, 0) }
	for _, args := range []string{
		"import --quiet --no-index " + filepath.Join(dir, "+12125550142.txt"),
		"spam scan", "spam scan --reset", "spam senders", "spam violations", "spam runs", "spam evidence 1 --format json", "contacts",
	} {
		var out, errs strings.Builder
		status := run(t.Context(), commands, append([]string{"--data-dir", filepath.Join(dir, "data")}, strings.Fields(args)...), strings.NewReader(""), &out, &errs, env)
		if status != exitDone {
			t.Fatalf("%s: status %d, %s", args, status, errs.String())
		}
		if args == "spam evidence 1 --format json" && !strings.Contains(out.String(), "Last chance") {
			t.Errorf("the record holds nothing: %s", out.String())
		}
	}
	if dialled.Load() > 0 || visits.Load() > 0 {
		t.Errorf("dialled %d times, and the server was visited %d times", dialled.Load(), visits.Load())
	}

	// Whoever comes is seen.
	conn, err := net.Dial("tcp", server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	<-visited
}

package mcp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/source/registry"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// The moments at which the fixture is imported, and at which it is read.
var (
	firstImport  = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	secondImport = time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	testNow      = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
)

// What the generated conversations hold.
const (
	bulkMessages = 620
	longText     = 100_000 // characters of the one long message
)

var temporary string // holds the fixture; removed by TestMain

func TestMain(m *testing.M) {
	var err error
	if temporary, err = os.MkdirTemp("", "msgbrowse-mcp-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if err := os.RemoveAll(temporary); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(status)
}

// buildArchive imports every export under testdata twice, the second time
// after one of them has changed, and returns the data folder.
var buildArchive = sync.OnceValues(func() (string, error) {
	exports, data := filepath.Join(temporary, "exports"), filepath.Join(temporary, "data")
	for _, name := range []string{"signal", "whatsapp", "imessage", "telegram", "hostile"} {
		if err := unpack(exports, name); err != nil {
			return "", err
		}
	}
	if err := generate(exports); err != nil {
		return "", err
	}
	roots := []string{"signal", "generated", "whatsapp", "imessage", "telegram", "hostile"}
	if err := importAll(data, exports, roots, firstImport); err != nil {
		return "", err
	}
	if err := unpack(exports, "later"); err != nil {
		return "", err
	}
	return data, importAll(data, exports, []string{"whatsapp"}, secondImport)
})

// unpack writes an export of testdata into a folder.
func unpack(dir, name string) error {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "exports", name+".txtar"))
	if err != nil {
		return err
	}
	for _, f := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		switch strings.TrimSpace(string(f.Data)) {
		case "(a small PNG)":
			f.Data = smallPNG()
		case "(a PNG of more than two MiB)":
			f.Data = append(smallPNG(), make([]byte, maxMedia)...)
		case "(the beginning of a HEIC)":
			f.Data = []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic")
		case "(a link to secret.png outside)":
			secret := filepath.Join(dir, "secret.png")
			if err := os.WriteFile(secret, smallPNG(), 0o600); err != nil {
				return err
			}
			if err := os.Symlink(secret, path); err != nil {
				return err
			}
			continue
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// smallPNG is a black image of two pixels by two, the same with every version
// of every encoder.
func smallPNG() []byte {
	data, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAAEklEQVR4nGJiYGBiYAAEAAD//wAYAAV4jI74AAAAAElFTkSuQmCC")
	if err != nil {
		panic(err) // it is a constant
	}
	return data
}

// row is a line of signal-export's data.json.
type row struct {
	Date        string      `json:"date"`
	Sender      string      `json:"sender"`
	Body        string      `json:"body"`
	Quote       string      `json:"quote"`
	Sticker     *string     `json:"sticker"`
	Reactions   [][2]string `json:"reactions"`
	Attachments []string    `json:"attachments"`
}

// generate writes the exports that are too long to be written by hand: a
// conversation of many messages, and one with a very long message.
func generate(dir string) error {
	talk := make([]row, bulkMessages)
	start := time.Date(2022, 1, 1, 8, 0, 0, 0, time.UTC)
	for i := range talk {
		talk[i] = row{
			Date: start.Add(time.Duration(i) * 37 * time.Minute).Format("2006-01-02T15:04:05"), Sender: []string{"Lin", "Me"}[i%2],
			Body: fmt.Sprintf("number %d of the long talk about the garden, %s", i, strings.Repeat("word ", 14+i/300*4)), // later ones are longer
		}
	}
	long := []row{
		{Date: "2022-05-01T10:00:00", Sender: "Max", Body: "a short one before"},
		{Date: "2022-05-01T10:01:00", Sender: "Max", Body: strings.Repeat("äbcd efgh ", longText/10)},
		{Date: "2022-05-01T10:02:00", Sender: "Me", Body: "a short one after"},
	}
	for folder, rows := range map[string][]row{"LongTalk": talk, "Max": long} {
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		for _, r := range rows {
			r.Reactions, r.Attachments = [][2]string{}, []string{}
			if err := encoder.Encode(r); err != nil {
				return err
			}
		}
		path := filepath.Join(dir, "generated", folder)
		if err := os.MkdirAll(path, 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(path, "data.json"), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// importAll imports folders of exports as "msgbrowse import" does.
func importAll(data, exports string, folders []string, now time.Time) error {
	ctx := context.Background()
	w, err := store.OpenWriter(ctx, data)
	if err != nil {
		return err
	}
	defer w.Close()
	var roots []store.Root
	for _, folder := range folders {
		root, err := ingest.RootFor(filepath.Join(exports, folder))
		if err != nil {
			return err
		}
		roots = append(roots, root)
	}
	files, err := w.Files(ctx)
	if err != nil {
		return err
	}
	plan, err := ingest.MakePlan(ctx, roots, ingest.KnownFiles(files), false, registry.Best)
	if err != nil {
		return err
	}
	defer plan.Close()
	summary, err := ingest.Run(ctx, w, plan, ingest.Options{Now: func() time.Time { return now }, Version: "test"})
	if err != nil {
		return err
	}
	if summary.Errors > 0 || summary.Skipped > 0 {
		return fmt.Errorf("import of %v: %+v", folders, summary)
	}
	return nil
}

// archiveServer is a server of an archive, with the archive for comparison.
type archiveServer struct {
	*testServer
	r *store.Reader
}

// openArchive returns a server of the fixture as "msgbrowse mcp" makes it.
func openArchive(t testing.TB) *archiveServer {
	t.Helper()
	data, err := buildArchive()
	if err != nil {
		t.Fatalf("build archive: %v", err)
	}
	return openServer(t, data, "")
}

func openServer(t testing.TB, data, baseURL string) *archiveServer {
	t.Helper()
	r, err := store.OpenReader(t.Context(), data, store.ReaderOptions{})
	if err != nil {
		t.Fatalf("open archive: %v", err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("close archive: %v", err)
		}
	})
	now := func() time.Time { return testNow }
	s := &archiveServer{&testServer{logs: new(lockedBuffer)}, r}
	s.Server = NewArchiveServer(
		Archive{Reader: r, Searcher: search.New(r, now), Media: ingest.OpenAttachment, BaseURL: baseURL, Now: now},
		Options{Version: "1.2.3", Logger: slog.New(slog.NewTextHandler(s.logs, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	return s
}

// serveText serves an archive of one export file with the given text.
func serveText(t testing.TB, name, text string) *archiveServer {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, "exports")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "data")
	if err := importAll(data, dir, []string{"exports"}, firstImport); err != nil {
		t.Fatal(err)
	}
	return openServer(t, data, "")
}

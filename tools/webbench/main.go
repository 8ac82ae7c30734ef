// Command webbench measures the web interface of an archive: how long it
// takes from the start of the server to its first answer, and how long each
// page takes and how many bytes of HTML it has. What misses its bar is marked,
// and the command then fails.
//
//	go run ./tools/webbench [-n 30] [-also /spam/s/7] msgbrowse serve --listen-addr 127.0.0.1:0 --data-dir DIR
//
// It can write the exports for such an archive, half of it what strangers
// sent:
//
//	go run ./tools/webbench -write EXPORTS -messages 1000000
//	msgbrowse import --data-dir DIR --me Me EXPORTS
//	msgbrowse spam scan --data-dir DIR
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/demo/large"
)

// The bars, for an archive of a million messages.
const (
	pageBar   = 50 * time.Millisecond
	searchBar = 100 * time.Millisecond
	startBar  = 150 * time.Millisecond
	sizeBar   = 60_000
)

// page is an address to measure: a fixed path, or one that follows from
// another page, which stands before it.
type page struct {
	name string
	path string
	from string // the name of the page that it follows from
	// link finds the address on that page, its first group; nil for the
	// address of that page with path behind it.
	link *regexp.Regexp
}

var (
	further  = regexp.MustCompile(`data-more="after"><a href="([^"]+)"`)
	earlier  = regexp.MustCompile(`data-more="before"><a href="([^"]+)"`)
	talk     = regexp.MustCompile(`href="(/c/\d+)[#"]`)
	message  = regexp.MustCompile(`href="(/c/\d+/at/\d+)[#"]`)
	dayOf    = regexp.MustCompile(`href="(/c/\d+\?date=[0-9-]+)"`)
	somebody = regexp.MustCompile(`href="(/people/\d+)"`)
	domain   = regexp.MustCompile(`href="(/links\?domain=[^"]+)"`)
	mediaOf  = regexp.MustCompile(`href="(/media\?person=\d+)"`)
	linksOf  = regexp.MustCompile(`href="(/links\?person=\d+)"`)
	run      = regexp.MustCompile(`href="(/status/imports/\d+)"`)
	sender   = regexp.MustCompile(`href="(/spam/s/\d+)"`)
	entity   = regexp.MustCompile(`href="(/spam/e/\d+)"`)
)

var pages = []page{
	{name: "home", path: "/"},
	{name: "conversations", path: "/conversations"},
	{name: "conversations, 2nd", from: "conversations", link: further},
	{name: "conversations, size", path: "/conversations?order=size"},
	{name: "conversations, name", path: "/conversations?q=conv"},
	{name: "transcript", from: "conversations, size", link: talk},
	{name: "transcript, earlier", from: "transcript", link: earlier},
	{name: "transcript, start", from: "transcript", path: "?from=start"},
	{name: "calendar", from: "transcript", path: "/calendar"},
	{name: "date", from: "calendar", link: dayOf},
	{name: "search, blank", path: "/search"},
	{name: "search, rare", path: "/search?q=zyxrare"},
	{name: "search, word", path: "/search?q=dinner"},
	{name: "search, word, 2nd", from: "search, word", link: further},
	{name: "search, frequent", path: "/search?q=the"},
	{name: "search, beginning", path: "/search?q=th*"},
	{name: "search, two words", path: "/search?q=dinner+tomorrow"},
	{name: "search, phrase", path: "/search?q=%22dinner+tomorrow%22"},
	{name: "search, question", path: "/search?q=who+wanted+to+go+to+the+doctor+about+the+kayak%3F"},
	{name: "search, by words", path: "/search?q=dinner+tomorrow&mode=keyword"},
	{name: "search, by meaning", path: "/search?q=who+wanted+to+go+to+the+doctor&mode=semantic"},
	{name: "search, year", path: "/search?q=dinner&year=2020"},
	{name: "search, nothing", path: "/search?q=xyzzyplugh"},
	{name: "message", from: "search, word", link: message},
	{name: "people", path: "/people"},
	{name: "people, 2nd", from: "people", link: further},
	{name: "people, name", path: "/people?q=a"},
	{name: "person", from: "people", link: somebody},
	{name: "media", path: "/media"},
	{name: "media, 2nd", from: "media", link: further},
	{name: "media, pictures", path: "/media?kind=image"},
	{name: "media, source", path: "/media?source=signal"},
	{name: "media, person", from: "person", link: mediaOf},
	{name: "links", path: "/links"},
	{name: "links, 2nd", from: "links", link: further},
	{name: "links, domain", from: "links", link: domain},
	{name: "links, person", from: "person", link: linksOf},
	{name: "status", path: "/status"},
	{name: "import", from: "status", link: run},
	{name: "spam", path: "/spam"},
	{name: "spam, all", path: "/spam?status=all"},
	{name: "spam, all, 2nd", from: "spam, all", link: further},
	{name: "sender", from: "spam, all", link: sender},
	{name: "violations", path: "/spam/violations"},
	{name: "scans", path: "/spam/runs"},
	{name: "entities", path: "/spam/entities"},
	{name: "entity", from: "entities", link: entity},
	{name: "settings, sources", path: "/settings/sources"},
	{name: "settings, embeddings", path: "/settings/embeddings"},
	{name: "settings, rules", path: "/settings/spam"},
	{name: "settings, MCP", path: "/settings/mcp"},
}

func main() {
	n := flag.Int("n", 30, "requests for each page")
	starts := flag.Int("starts", 5, "starts of the server")
	var also []page
	flag.Func("also", "measure another `path`, too; can be repeated", func(path string) error { also = append(also, page{name: path, path: path}); return nil })
	exports := flag.String("write", "", "write exports into this `folder` and measure nothing")
	messages := flag.Int("messages", 1_000_000, "how many messages the exports have")
	flag.Parse()
	if *exports != "" {
		if err := large.Write(*exports, *messages); err != nil {
			fmt.Fprintln(os.Stderr, "webbench:", err)
			os.Exit(1)
		}
		return
	}
	if err := bench(flag.Args(), *n, *starts, also); err != nil {
		fmt.Fprintln(os.Stderr, "webbench:", err)
		os.Exit(1)
	}
}

func bench(command []string, n, starts int, also []page) error {
	if len(command) == 0 {
		return errors.New("name the server's command, as in: msgbrowse serve --listen-addr 127.0.0.1:0 --data-dir DIR")
	}
	if n < 1 {
		return fmt.Errorf("-n %d: ask for each page at least once", n)
	}
	missed, took := 0, []time.Duration{}
	for range starts {
		began := time.Now()
		err := with(command, func(s *server) error {
			_, _, err := s.get("/")
			took = append(took, time.Since(began))
			return err
		})
		if err != nil {
			return err
		}
	}
	if len(took) > 0 {
		missed += report("start to the first page", took, 0, startBar)
	}
	err := with(command, func(s *server) error {
		slow, err := s.measure(n, also)
		missed += slow
		return err
	})
	if err == nil && missed > 0 {
		err = fmt.Errorf("%d pages miss their bar", missed)
	}
	return err
}

// with starts a server for do and stops it whatever comes of it.
func with(command []string, do func(*server) error) error {
	s, err := start(command)
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.stop())
}

// measure asks for each page n times and returns how many miss their bars.
func (s *server) measure(n int, also []page) (missed int, err error) {
	list, err := s.resolve(also)
	if err != nil {
		return 0, err
	}
	for _, p := range list {
		took, size := []time.Duration{}, 0
		for range n {
			began := time.Now()
			body, status, err := s.get(p.path)
			if err != nil {
				return missed, fmt.Errorf("%s: %w", p.name, err)
			}
			if status != http.StatusOK {
				return missed, fmt.Errorf("%s (%s): status %d", p.name, p.path, status)
			}
			took, size = append(took, time.Since(began)), len(body)
		}
		bar := pageBar
		if strings.HasPrefix(p.name, "search") {
			bar = searchBar
		}
		missed += report(p.name, took, size, bar)
	}
	return missed, nil
}

// report prints a line and returns 1 when the median or the size misses.
func report(name string, took []time.Duration, size int, bar time.Duration) int {
	slices.Sort(took)
	median := took[len(took)/2]
	mark, missed := " ", 0
	if median > bar || size > sizeBar {
		mark, missed = "!", 1
	}
	fmt.Printf("%s %-26s p50 %8.2f ms  p95 %8.2f ms  best %8.2f ms", mark, name, ms(median), ms(took[len(took)*95/100]), ms(took[0]))
	if size > 0 {
		fmt.Printf("  %7d bytes", size)
	}
	fmt.Println()
	return missed
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// resolve finds the addresses of all pages; a page that this archive has not
// is left out.
func (s *server) resolve(also []page) ([]page, error) {
	bodies, paths := map[string][]byte{}, map[string]string{}
	list := []page{}
	for _, p := range append(slices.Clone(pages), also...) {
		if p.from != "" {
			if bodies[p.from] == nil {
				continue
			}
			p.path = paths[p.from] + p.path
			if p.link != nil {
				m := p.link.FindSubmatch(bodies[p.from])
				if m == nil {
					continue
				}
				p.path = html.UnescapeString(string(m[1]))
			}
		}
		body, status, err := s.get(p.path)
		if err != nil {
			return nil, err
		}
		if status != http.StatusOK {
			continue
		}
		bodies[p.name], paths[p.name] = body, p.path
		list = append(list, p)
	}
	return list, nil
}

// server is a running web interface.
type server struct {
	cmd  *exec.Cmd
	base string
}

var served = regexp.MustCompile(`at (http://\S+?)/;`)

func start(command []string) (*server, error) {
	s := &server{cmd: exec.Command(command[0], command[1:]...)}
	said, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if m := served.FindStringSubmatch(lines.Text()); m != nil {
			s.base = m[1]
			go func() { _, _ = io.Copy(os.Stderr, said) }()
			return s, nil
		}
		fmt.Fprintln(os.Stderr, lines.Text())
	}
	return nil, errors.Join(errors.New("the server did not say where it is"), s.cmd.Wait())
}

func (s *server) stop() error {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	err := s.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return err
	}
	return nil
}

// get returns a page; redirects are not followed.
func (s *server) get(path string) ([]byte, int, error) {
	r, err := http.NewRequest(http.MethodGet, s.base+path, nil)
	if err != nil {
		return nil, 0, err
	}
	r.Header.Set("Accept-Encoding", "identity")
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, 0, err
	}
	body, err := io.ReadAll(res.Body)
	return body, res.StatusCode, errors.Join(err, res.Body.Close())
}

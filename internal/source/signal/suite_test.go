package signal

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

func TestMarkdownConforms(t *testing.T) {
	var fixtures []sourcetest.Fixture
	for _, name := range fixtureNames(t) {
		f := fixture(t, name)
		if reader(f) != (Markdown{}) {
			continue
		}
		f.Traversal = func(ref string) string {
			return "[2026-07-01 09:00:00] Aya: hi  [x](" + ref + ")  \n\n[2026-07-01 09:00:01] Aya: ho  [x](./media/" + ref + ")  \n\n" +
				"[2026-07-01 09:00:02] Aya:   [x](../exported_stickers/" + ref + ")  \n\n"
		}
		fixtures = append(fixtures, f)
	}
	fixtures[0].Large = largeTranscript
	sourcetest.Run(t, Markdown{}, fixtures)
}

func TestLinesConform(t *testing.T) {
	var fixtures []sourcetest.Fixture
	for _, name := range []string{"data-2.0", "data-2026", "data-doubled"} {
		f := fixture(t, name)
		f.SelfDelimiting = true
		f.Traversal = func(ref string) string {
			ref = strings.ReplaceAll(ref, `\`, `\\`)
			return fmt.Sprintf(`{"date":"2026-07-01T09:00:00.1","sender":"Aya","body":"hi","quote":"","sticker":null,`+
				`"reactions":[],"attachments":[{"name":"x","path":"%s"},{"name":"x","path":"media/%s"}]}`+"\n", ref, ref)
		}
		fixtures = append(fixtures, f)
	}
	fixtures[0].Large = largeLines
	sourcetest.Run(t, Lines{}, fixtures)
}

const largeSize = sourcetest.LargeSize + 1<<20

func largeTranscript(w io.Writer) error {
	at := time.Date(2012, 1, 1, 0, 0, 0, 0, time.UTC)
	for size := 0; size < largeSize; {
		at = at.Add(17 * time.Second)
		n, err := fmt.Fprintf(w, "[%s] Aya: %s  \n(- Me: 👍 -)![a.jpg](./media/a%d.jpg)  \n\n",
			at.Format("2006-01-02 15:04:05"), strings.Repeat("lorem ipsum ", 20), size)
		if err != nil {
			return err
		}
		size += n
	}
	return nil
}

func largeLines(w io.Writer) error {
	at := time.Date(2012, 1, 1, 0, 0, 0, 0, time.UTC)
	for size := 0; size < largeSize; {
		// Every other time is a whole second, as if read back.
		at = at.Add(8500 * time.Millisecond)
		n, err := fmt.Fprintf(w, `{"date":"%s","sender":"Aya","body":"%s  ","quote":"","sticker":"","reactions":[["Me","👍"]],"attachments":[]}`+"\n",
			strings.TrimSuffix(at.Format("2006-01-02T15:04:05.000000"), ".000000"), strings.Repeat("lorem ipsum ", 20))
		if err != nil {
			return err
		}
		size += n
	}
	return nil
}

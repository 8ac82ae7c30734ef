//go:build browser

package web_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The dossier to print has page numbers and the root digest at the foot of
// every sheet, on A4 and on Letter, and nothing of it is cut off.
func TestPrintedDossier(t *testing.T) {
	if _, err := exec.LookPath("pdftotext"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("reading a PDF needs pdftotext (apt-get install poppler-utils)")
	}
	d := judged(t)
	res := d.post("/spam/s/" + itoa(d.id(loudSender)) + "/export")
	if res.StatusCode != http.StatusOK {
		t.Fatalf("export: status %d", res.StatusCode)
	}
	files, err := filepath.Glob(filepath.Join(d.exports, "*", "dossier.html"))
	if err != nil || len(files) != 1 {
		t.Fatalf("exported %q, %v", files, err)
	}
	content := mustRead(t, files[0])
	root := regexp.MustCompile(`Root digest of this export \(SHA-256\): ([0-9a-f]{64})`).FindStringSubmatch(content)
	if root == nil {
		t.Fatal("the page names no root digest")
	}
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Dir(files[0]))))
	t.Cleanup(server.Close)
	b := newTab(t, 1280, 900)
	b.run(chromedp.Navigate(server.URL+"/dossier.html"), chromedp.WaitReady(chromedp.CSS("#exhibits")))
	// Between the margins A4 leaves 178 mm, which are 672 px, and Letter more.
	b.run(call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 672, Height: 1000, DeviceScaleFactor: 1}),
		call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	if wide := eval[[]string](b, `[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > 673).map(e => e.tagName + ' ' + e.textContent.slice(0, 40))`); len(wide) > 0 {
		t.Errorf("cut off at the right: %q", wide[:min(len(wide), 5)])
	}
	if face := eval[string](b, `getComputedStyle(document.body).fontFamily`); !strings.HasSuffix(face, ", serif") {
		t.Errorf("set in %s, want a serif face", face)
	}
	if split := eval[int](b, `[...document.querySelectorAll('#chronology td:nth-child(1), #chronology td:nth-child(4)')].filter(e => {
		const text = document.createRange()
		text.selectNodeContents(e)
		return new Set([...text.getClientRects()].map(line => Math.round(line.top))).size > 1
	}).length`); split > 0 {
		t.Errorf("%d times and numbers are broken over lines", split)
	}
	background := true
	for _, paper := range []struct {
		name          string
		width, height float64
	}{{"A4", 8.27, 11.69}, {"Letter", 8.5, 11}} {
		printed := b.pdf(page.PrintToPDFParams{PaperWidth: paper.width, PaperHeight: paper.height, PrintBackground: &background})
		sheets := sheetsOf(t, printed)
		for i, sheet := range sheets {
			if !strings.Contains(sheet, "Page "+strconv.Itoa(i+1)+" of "+strconv.Itoa(len(sheets))) || !strings.Contains(sheet, root[1]) {
				t.Errorf("%s, sheet %d ends with %q", paper.name, i+1, sheet[max(0, len(sheet)-200):])
			}
		}
		whole := strings.Join(sheets, "\n")
		if len(sheets) < 5 || !strings.Contains(whole, "Exhibit 1\n") || !strings.Contains(whole, "Exhibit "+strconv.Itoa(loudTexts)) {
			t.Errorf("%s: %d sheets without all exhibits", paper.name, len(sheets))
		}
		if dir := os.Getenv("MSGBROWSE_SCREENSHOTS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, "dossier-"+paper.name+".pdf"), printed, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// pdf prints the page.
func (b *tab) pdf(how page.PrintToPDFParams) (printed []byte) {
	b.t.Helper()
	b.run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		result, err := cdp.Call(ctx, t, page.PrintToPDF, how)
		printed = result.Data
		return err
	}))
	return printed
}

// sheetsOf are the texts of the sheets of a PDF.
func sheetsOf(t *testing.T, pdf []byte) []string {
	t.Helper()
	read := exec.CommandContext(t.Context(), "pdftotext", "-layout", "-", "-")
	read.Stdin = bytes.NewReader(pdf)
	text, err := read.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\f"), "\f")
}

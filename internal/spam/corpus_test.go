package spam

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// labelled is a text of a corpus with its label: ham, spam or smishing.
type labelled struct {
	label, text string
	hasLink     bool // as far as the corpus notes it
}

// corpora is where measuring texts lie when they are there at all; they are
// not part of the project.
const corpora = "../../../shared/corpora/spam"

func readSMSCollection(t testing.TB) []labelled {
	t.Helper()
	file := openCorpus(t, "uci_sms_spam_collection.tsv")
	var list []labelled
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		if label, text, ok := strings.Cut(scanner.Text(), "\t"); ok {
			list = append(list, labelled{label: label, text: text})
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

func readPhishingCollection(t testing.TB) []labelled {
	t.Helper()
	reader := csv.NewReader(openCorpus(t, "mendeley_sms_phishing_5971.csv"))
	reader.LazyQuotes = true
	var list []labelled
	for {
		row, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF):
			return list[1:]
		case err != nil:
			t.Fatal(err)
		}
		list = append(list, labelled{strings.ToLower(row[0]), row[1], strings.EqualFold(row[2], "yes")})
	}
}

func openCorpus(t testing.TB, name string) *os.File {
	t.Helper()
	dir := corpora
	if shared := os.Getenv("MSGBROWSE_SHARED"); shared != "" {
		dir = filepath.Join(shared, "corpora", "spam")
	}
	file, err := os.Open(filepath.Join(dir, name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("%s is not here; set MSGBROWSE_SHARED to the folder that holds corpora/spam", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// TestPersonalTexts holds the detector against 4,827 texts between real
// people, any of which the owner might have sent.
func TestPersonalTexts(t *testing.T) {
	t.Parallel()
	r := mustRules(t, DefaultSettings())
	personal, candidates := 0, 0
	for _, m := range readSMSCollection(t) {
		if m.label != "ham" {
			continue
		}
		personal++
		switch kind, matched := r.OptOut(m.text, ""); kind {
		case record.NoOptOut:
		case record.OptOutC:
			candidates++
		default:
			t.Errorf("OptOut(%q) = %s by %q, want none", m.text, kind, matched)
		}
	}
	if personal != 4827 {
		t.Errorf("read %d personal texts, want 4827", personal)
	}
	t.Logf("%d personal texts, %d opt-out candidates", personal, candidates)
}

// TestReasonsOnCorpora reports how many texts the default rules flag, and
// holds them to few of those between real people and to nearly all that a
// corpus says have a link.
func TestReasonsOnCorpora(t *testing.T) {
	t.Parallel()
	r := mustRules(t, DefaultSettings())
	for name, list := range map[string][]labelled{"SMS Spam Collection": readSMSCollection(t), "SMS Phishing": readPhishingCollection(t)} {
		tallies := map[string]*corpusTally{}
		links, found := 0, 0
		for _, m := range list {
			v := r.Read("tel:+447700900123", m.text, true)
			if tallies[m.label] == nil {
				tallies[m.label] = &corpusTally{}
			}
			tallies[m.label].add(v)
			if m.hasLink {
				links++
				if len(v.Fields.URLs) > 0 {
					found++
				} else if testing.Verbose() {
					t.Logf("no link found in %q", m.text)
				}
			}
		}
		for _, label := range sortedKeys(tallies) {
			n := tallies[label]
			t.Logf("%s, %s: %d texts; with a reason %s; with a reason, number or address %s; with a category other than personal %s", name, label, n.texts,
				share(n.reasons, n.texts), share(n.fields, n.texts), share(n.suggested, n.texts))
		}
		if ham := tallies["ham"]; ham.reasons*100 > ham.texts {
			t.Errorf("%s: %s of the personal texts have a reason, want at most 1 %%", name, share(ham.reasons, ham.texts))
		}
		if found*100 < links*95 {
			t.Errorf("%s: links found in %s of the texts that have one, want 95 %%", name, share(found, links))
		}
	}
}

type corpusTally struct{ texts, reasons, fields, suggested int }

func (n *corpusTally) add(v Verdict) {
	n.texts++
	if len(v.Reasons) > 0 {
		n.reasons++
	}
	if len(v.Reasons) > 0 || len(v.Fields.Callbacks) > 0 || len(v.Fields.Emails) > 0 {
		n.fields++
	}
	if c := v.Category.Name; c != "" && c != record.Personal {
		n.suggested++
	}
}

func share(n, of int) string { return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(of)) }

func mustRules(t testing.TB, s Settings) *Rules {
	t.Helper()
	r, err := NewRules(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

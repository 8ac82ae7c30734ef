package spam

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// labelled is a text of a corpus with its label: ham, spam or smishing.
type labelled struct{ label, text string }

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
			list = append(list, labelled{label, text})
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
		list = append(list, labelled{strings.ToLower(row[0]), row[1]})
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

// TestReasonsOnCorpora reports how many texts the default rules flag. It
// fails when links, of which the second collection notes which text has one,
// are missed.
func TestReasonsOnCorpora(t *testing.T) {
	t.Parallel()
	r := mustRules(t, DefaultSettings())
	for name, list := range map[string][]labelled{"SMS Spam Collection": readSMSCollection(t), "SMS Phishing": readPhishingCollection(t)} {
		total, reasons, fields, categories, suggested := map[string]int{}, map[string]int{}, map[string]int{}, map[string]map[record.CategoryName]int{}, map[string]int{}
		for _, m := range list {
			v := r.Read("tel:+447700900123", m.text, true)
			total[m.label]++
			if len(v.Reasons) > 0 {
				reasons[m.label]++
			}
			if len(v.Reasons) > 0 || len(v.Fields.Callbacks) > 0 || len(v.Fields.Emails) > 0 {
				fields[m.label]++
			}
			if categories[m.label] == nil {
				categories[m.label] = map[record.CategoryName]int{}
			}
			categories[m.label][v.Category.Name]++
			if c := v.Category.Name; c != "" && c != record.Personal {
				suggested[m.label]++
			}
			if os.Getenv("SPAM_SHOW") == m.label && len(v.Reasons) > 0 {
				t.Log(m.text, v.Fields.URLs)
			}
		}
		for _, label := range []string{"ham", "spam", "smishing"} {
			if n := total[label]; n > 0 {
				t.Logf("%s, %s: %d texts, %d (%.1f %%) with a reason, %d (%.1f %%) with a reason, number or address, %d (%.1f %%) with a category other than personal; %v", name, label, n,
					reasons[label], 100*float64(reasons[label])/float64(n), fields[label], 100*float64(fields[label])/float64(n), suggested[label], 100*float64(suggested[label])/float64(n), categories[label])
			}
		}
	}
}

func mustRules(t testing.TB, s Settings) *Rules {
	t.Helper()
	r, err := NewRules(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

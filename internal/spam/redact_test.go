package spam

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// redactable is the dossier of a stranger who names the owner and the owner's
// number, in several spellings.
func redactable(t *testing.T) *Dossier {
	t.Helper()
	a := newArchive()
	promo := a.phone("+12125550142")
	thread := a.thread("+12125550142", msg.Direct)
	a.in(thread, promo, "2026-03-01 10:00:00", "Hi CASEY, is 917-555-0120 still you? See https://casey.example/a")
	a.in(thread, promo, "2026-03-01 10:00:00", "Hi CASEY, is 917-555-0120 still you? See https://casey.example/a") // a copy
	a.in(thread, promo, "2026-03-02 10:00:00", "Caseyville: call +1 (917) 555 0120")
	a.in(thread, promo, "2026-03-03 10:00:00", "Nothing to hide: https://deals.example")
	a.out(thread, "2026-03-04 10:00:00", "STOP")
	a.in(thread, promo, "2026-03-05 10:00:00", "Casey \xff, still there?")
	s := DefaultSettings()
	s.NameVariants = []string{"casey"}
	a.scan(t, s, noBook())
	a.senders[0].Notes = "asked for Casey"
	return dossier(t, a, About{Sender: 1})
}

func TestRedact(t *testing.T) {
	t.Parallel()
	whole := redactable(t)
	before := renderings(t, whole)
	redacted, err := whole.Redact([]string{"Casey", "+19175550120"}, "the owner's own")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, renderings(t, whole)); diff != "" {
		t.Errorf("the whole dossier changed:\n%s", diff)
	}
	_, root, err := whole.files()
	if err != nil {
		t.Fatal(err)
	}
	hidden := []string{"917-555-0120", "(917)", "9175550120", "casey.example", "casey[.]example", "hi casey", "for casey", "name_variant:casey"}
	for _, x := range append(whole.Exhibits[:3:3], whole.Exhibits[5]) {
		hidden = append(hidden, x.Hash, short(x.Hash), x.BodySHA256)
		if x.BodyBase64 != "" {
			hidden = append(hidden, x.BodyBase64)
		}
	}
	for name, text := range renderings(t, redacted) {
		for _, h := range hidden {
			if strings.Contains(strings.ToLower(text), strings.ToLower(h)) {
				t.Errorf("%s still holds %q", name, h)
			}
		}
		if name == manifestFile || name == rootFile {
			continue
		}
		for _, kept := range []string{root, "the owner", "redacted", "aseyville", "Nothing to hide", whole.Exhibits[3].BodySHA256} {
			if !strings.Contains(text, kept) && !strings.Contains(text, strings.ReplaceAll(kept, "'", "&#39;")) {
				t.Errorf("%s lacks %q", name, kept)
			}
		}
	}
	if r := redacted.Redaction; r.Root != root || !slices.Equal(r.Exhibits, []int{1, 2, 3, 6}) || r.Passages < 10 {
		t.Errorf("redaction %+v, want of %s, in messages 1, 2, 3 and 6", r, root)
	}
	if diff := cmp.Diff(whole.Counts.Figures(), redacted.Counts.Figures()); diff != "" {
		t.Errorf("the figures changed:\n%s", diff)
	}
	dir := t.TempDir()
	one, err := Export(dir, whole)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Export(dir, redacted)
	if err != nil {
		t.Fatal(err)
	}
	if one.Root != root || two.Root == root || !strings.Contains(two.Dir, "-redacted-") {
		t.Errorf("exports %+v and %+v, want two digests, the first of which is %s", one, two, root)
	}
	if got, err := Verify(two.Dir); err != nil || got != two.Root {
		t.Errorf("verify the redacted copy: %s, %v", got, err)
	}
}

func TestRedactRefuses(t *testing.T) {
	t.Parallel()
	d := redactable(t)
	var nothing *NothingRedactedError
	if _, err := d.Redact([]string{"Casey", "Rumpelstiltskin"}, ""); !errors.As(err, &nothing) || nothing.Text != "Rumpelstiltskin" {
		t.Errorf("a text that is nowhere: %v", err)
	}
	for _, short := range []string{"", " a ", "in"} {
		if _, err := d.Redact([]string{short}, ""); err == nil {
			t.Errorf("%q was taken out of everything", short)
		}
	}
}

package web

import (
	"context"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// above is what stands over the content of a page.
type above struct {
	Banners []banner
	Scan    *scanView
}

// banner is something to know before reading on, with what to do about it.
type banner struct{ Text, Href, Link string }

// bothWays says how a record without an address book can be wrong.
const bothWays = "Senders are then told by the look of their identifiers, which can be wrong in both ways: people you know, whose names no export holds, " +
	"are on the record; strangers whom an export calls by a name are not."

// aboveRecord is what stands over every page of the record.
func (s *site) aboveRecord(ctx context.Context, f folder) (*above, error) {
	a := &above{Scan: s.scanView(f)}
	if version := f.setup.Rules.Version(); f.state.Scanned() && version != f.state.Ruleset {
		a.Banners = append(a.Banners, banner{"The rules have changed since the last scan: what is shown was found under version " + f.state.Ruleset +
			", those in force are version " + version + ". The next scan examines everything again.", "/spam#scan", "Scan"})
	}
	books, err := s.evidence.addressBooks(ctx, f.setup, f.now)
	if err != nil {
		return nil, err
	}
	a.bookBanners(f.state, books.Availability(), s.evidence.Change != nil)
	if f.state.Mixed() {
		a.Banners = append(a.Banners, banner{"The record spans several address books (" + envNames(f.state.Envs) +
			"), so the same sender could have been told differently. Deriving it anew makes it uniform.", "/spam/reset", "Derive it anew"})
	}
	switch run := f.state.LastRun; {
	case run.ID == 0:
	case run.State(f.now) == record.RunFailed:
		a.Banners = append(a.Banners, banner{"The last scan, number " + idText(run.ID) + ", failed: " + runProblem(run) + ".", "/spam/runs", "All scans"})
	case run.State(f.now) == record.RunCrashed:
		a.Banners = append(a.Banners, banner{"The last scan, number " + idText(run.ID) + ", did not end; what it had written by then is on the record. Scan again to complete it.", "/spam/runs", "All scans"})
	}
	if _, problem := s.evidence.job.outcome(); problem != "" {
		a.Banners = append(a.Banners, banner{"The scan could not begin: " + inert.Line(problem) + ".", "", ""})
	}
	coverage, err := s.r.SpamCoverage(ctx)
	if err != nil {
		return nil, err
	}
	if !coverage.Complete {
		a.Banners = append(a.Banners, banner{"Not every source could be read, so figures are \"at least\". " + inert.Line(strings.Join(coverage.Problems, " ")), "/status", "Imports"})
	}
	return a, nil
}

// bookBanners says what the lack of an address book means.
func (a *above) bookBanners(state record.State, now contacts.Availability, settings bool) {
	href, link := "", ""
	if settings {
		href, link = "/settings/spam", "Name it in the settings"
	}
	switch {
	case now == contacts.NeedsPermission:
		a.Banners = append(a.Banners, banner{"The system refuses to show the address book. Allow the program that runs msgbrowse Full Disk Access in System Settings, " +
			"Privacy & Security, then load this page again; or name an exported vCard in contacts.vcard. " + bothWays, href, link})
	case now != contacts.Available:
		a.Banners = append(a.Banners, banner{"No address book is read. Export your contacts as a vCard and name the file in contacts.vcard of the configuration, " +
			"or a Google export in contacts.google_csv, then derive the record anew. " + bothWays, href, link})
	case state.Scanned() && state.Degraded() && !state.Mixed():
		a.Banners = append(a.Banners, banner{"The record was made without an address book; one is read now. " + bothWays, "/spam/reset", "Derive the record anew"})
	}
}

func envNames(envs []record.ScanEnv) string { return strings.Join(words(envs), ", ") }

// words are the spellings of a fixed vocabulary.
func words[T ~string](known []T) []string {
	list := make([]string, len(known))
	for i, k := range known {
		list[i] = string(k)
	}
	return list
}

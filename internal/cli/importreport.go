package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// shownFiles is how many files of one root a plan names.
const shownFiles = 12

// printPlan says what was recognised and what an import does with it. brief
// leaves out files that have not changed, and what the summary of an import
// that reads something will say.
func printPlan(out io.Writer, plan *ingest.Plan, brief bool) {
	for _, root := range plan.Roots {
		fmt.Fprintln(out, inert.Line(root.Root.Path))
		printFiles(out, root, brief)
		if !brief || plan.Recognised() == 0 {
			printPassedOver(out, root)
		}
		printUnknown(out, root, brief && len(root.Files) > 0)
		switch {
		case len(root.Files)+len(root.Unknown)+len(root.Failed) > 0:
		case root.Elsewhere > 0:
			fmt.Fprintln(out, "  lies in a path above, with which it is read")
		default:
			fmt.Fprintln(out, "  holds no export")
		}
		for _, need := range root.Needs() {
			fmt.Fprintf(out, "  --%s: %s%s\n", need.What, inert.Line(need.Why), choicesText(need))
		}
	}
}

// printPassedOver names what is not looked at.
func printPassedOver(out io.Writer, root *ingest.PlannedRoot) {
	for _, failure := range root.Failed {
		fmt.Fprintf(out, "  cannot be read: %s: %s\n", inert.Line(failure.Path), inert.Line(failure.Err.Error()))
	}
	for i, link := range root.Links {
		if i == shownFiles {
			fmt.Fprintf(out, "  … and %s more\n", plural(int64(len(root.Links)-i), "link", "links"))
			break
		}
		fmt.Fprintf(out, "  skipped: %s: %s\n", inert.Line(link), ingest.WhyNoLinks)
	}
}

// printUnknown names the files that were not recognised: one of each kind that
// is known, then the others. brief counts the others.
func printUnknown(out io.Writer, root *ingest.PlannedRoot, brief bool) {
	alike, others := map[string]int64{}, []ingest.Unknown{}
	for _, u := range root.Unknown {
		if alike[u.Guess+u.Why]++; u.Guess == "" {
			others = append(others, u)
		}
	}
	for _, u := range root.Unknown {
		n := alike[u.Guess+u.Why]
		if u.Guess == "" || n == 0 {
			continue
		}
		delete(alike, u.Guess+u.Why)
		more := ""
		if n > 1 {
			more = fmt.Sprintf("; %s like it", plural(n-1, "more file", "more files"))
		}
		fmt.Fprintf(out, "  not recognised: %s%s%s\n", inert.Line(u.Path), guessText(u), more)
	}
	if n := int64(len(others)); brief && n > 0 {
		fmt.Fprintf(out, "  not recognised: %s; --dry-run shows which, with --json all\n", plural(n, "file", "files"))
		return
	}
	for i, u := range others {
		if i == shownFiles {
			fmt.Fprintf(out, "  … and %s more\n", plural(int64(len(others)-i), "file", "files"))
			break
		}
		fmt.Fprintf(out, "  not recognised: %s\n", inert.Line(u.Path))
	}
}

// printKept names the roots for which the settings are not heeded, because
// something else was said of them.
func printKept(out io.Writer, settings *config.Config, roots []store.Root) {
	for _, root := range roots {
		if settings.TZ != "" && root.Zone != settings.TZ {
			fmt.Fprintf(out, "Note: %s keeps the time zone %s it was given; \"msgbrowse import --tz %s PATH\" changes it\n",
				inert.Line(root.Path), inert.Line(root.Zone), inert.Line(settings.TZ))
		}
		if len(settings.Me) > 0 && !slices.Equal(root.Owner, settings.Me) {
			fmt.Fprintf(out, "Note: %s keeps %s as your names in it; \"msgbrowse import --me NAMES PATH\" changes them\n",
				inert.Line(root.Path), inert.Line(strings.Join(root.Owner, ", ")))
		}
	}
}

func guessText(u ingest.Unknown) string {
	if u.Guess == "" {
		return ""
	}
	text := "; most like " + inert.Line(u.Guess)
	if u.Why != "" {
		text += ", but " + inert.Line(u.Why)
	}
	return text
}

func choicesText(need ingest.RootNeed) string {
	if len(need.Choices) == 0 {
		return ""
	}
	const most = 6
	list := make([]string, 0, most)
	for i, c := range need.Choices {
		if i == most {
			list = append(list, "…")
			break
		}
		list = append(list, inert.Line(c))
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// printFiles lists a root's files, many of one format as one line.
func printFiles(out io.Writer, root *ingest.PlannedRoot, brief bool) {
	type group struct {
		format             string
		state              ingest.State
		files, size        int64
		chats, messages    int64
		first, last        msg.Time
		name, supersededBy string
	}
	var groups []*group
	byKey := map[string]*group{}
	for _, f := range root.Files {
		key := f.Recognition.Format + "\x00" + string(f.State)
		g := byKey[key]
		if g == nil {
			g = &group{format: f.Recognition.Format, state: f.State, name: f.Name(), supersededBy: f.Recognition.Superseded}
			byKey[key] = g
			groups = append(groups, g)
		}
		g.files++
		g.size += f.Candidate.Size
		g.chats += f.Recognition.Conversations
		g.messages += f.Recognition.Messages
		if t := f.Recognition.First; t.Known && (!g.first.Known || t.Micros < g.first.Micros) {
			g.first = t
		}
		if t := f.Recognition.Last; t.Known && t.Micros > g.last.Micros {
			g.last = t
		}
	}
	for _, g := range groups {
		if brief && g.state == ingest.StateUnchanged {
			fmt.Fprintf(out, "  unchanged: %s, %s\n", inert.Line(g.format), plural(g.files, "file", "files"))
			continue
		}
		line := fmt.Sprintf("  %s: %s, %s, %s", g.state, inert.Line(g.format), plural(g.files, "file", "files"), size(g.size))
		if g.chats > 0 {
			line += ", " + plural(g.chats, "conversation", "conversations")
		}
		if g.messages > 0 {
			line += fmt.Sprintf(", about %s", plural(g.messages, "message", "messages"))
		}
		if g.first.Known {
			line += ", from " + g.first.UTC().Format("2006-01-02")
		}
		if g.last.Known {
			line += " to " + g.last.UTC().Format("2006-01-02")
		}
		if g.supersededBy != "" {
			line += "; not read, " + inert.Line(g.supersededBy) + " beside it holds the same in a better form"
		}
		fmt.Fprintln(out, line)
	}
}

// shownProblems is how many problems a summary names.
const shownProblems = 20

func printSummary(out io.Writer, s ingest.Summary, pruned int64) {
	for i, p := range s.Problems {
		if i == shownProblems {
			fmt.Fprintf(out, "… and %d more\n", len(s.Problems)-i)
			break
		}
		fmt.Fprintln(out, problemText(p))
	}
	parts := []string{fmt.Sprintf("%s added", plural(s.Added, "message", "messages"))}
	for _, part := range []struct {
		n    int64
		text string
	}{
		{s.Changed, "changed"}, {s.Missing, "no longer in their exports"}, {s.Restored, "found again"}, {s.Skipped, "skipped"}, {pruned, "deleted"},
	} {
		if part.n > 0 {
			parts = append(parts, count(part.n)+" "+part.text)
		}
	}
	fmt.Fprintf(out, "Import %d: %s of %s read, %s, %s.\n", s.ImportID, count(s.Read), plural(s.Scanned, "file", "files"), strings.Join(parts, ", "), span(s.Took))
}

func problemText(p store.Problem) string {
	text := inert.Line(p.Path)
	if p.Position.Line > 0 {
		text += fmt.Sprintf(", line %d", p.Position.Line)
	} else if p.Position.Pointer != "" {
		text += ", " + inert.Line(p.Position.Pointer)
	}
	text = p.Severity + ": " + text + ": " + inert.Line(p.Reason)
	if p.Excerpt != "" {
		text += fmt.Sprintf(" (%q)", inert.Line(p.Excerpt))
	}
	return text
}

// importReport is what import --json prints.
type importReport struct {
	Plan    []rootListing  `json:"plan"`
	Summary *summaryReport `json:"summary,omitempty"`
}

type rootListing struct {
	Path    string           `json:"path"`
	Files   []fileListing    `json:"files"`
	Unknown []unknownListing `json:"unrecognised"`
	Failed  []failureListing `json:"failed"`
	Links   []string         `json:"skipped_links"`
	Needs   []needListing    `json:"needs"`
}

type fileListing struct {
	Path          string `json:"path"`
	Member        string `json:"member,omitempty"`
	Format        string `json:"format"`
	State         string `json:"state"`
	Size          int64  `json:"size"`
	Conversations int64  `json:"conversations,omitempty"`
	Messages      int64  `json:"messages_estimate,omitempty"`
}

type unknownListing struct {
	Path  string `json:"path"`
	Guess string `json:"guess,omitempty"`
	Why   string `json:"why,omitempty"`
}

type failureListing struct {
	Path  string `json:"path"`
	Error string `json:"error"`
}

type needListing struct {
	Flag    string   `json:"flag"`
	Why     string   `json:"why"`
	Choices []string `json:"choices,omitempty"`
	Files   []string `json:"files"`
}

func planListing(plan *ingest.Plan) []rootListing {
	all := []rootListing{}
	for _, root := range plan.Roots {
		r := rootListing{Path: root.Root.Path, Files: []fileListing{}, Unknown: []unknownListing{}, Failed: []failureListing{},
			Links: append([]string{}, root.Links...), Needs: []needListing{}}
		for _, f := range root.Files {
			r.Files = append(r.Files, fileListing{f.Path, f.Member, f.Recognition.Format, string(f.State), f.Candidate.Size, f.Recognition.Conversations, f.Recognition.Messages})
		}
		for _, u := range root.Unknown {
			r.Unknown = append(r.Unknown, unknownListing(u))
		}
		for _, f := range root.Failed {
			r.Failed = append(r.Failed, failureListing{f.Path, f.Err.Error()})
		}
		for _, n := range root.Needs() {
			r.Needs = append(r.Needs, needListing{"--" + string(n.What), n.Why, n.Choices, n.Files})
		}
		all = append(all, r)
	}
	return all
}

type summaryReport struct {
	Import   int64            `json:"import"`
	Status   string           `json:"status"`
	Scanned  int64            `json:"files"`
	Read     int64            `json:"files_read"`
	Added    int64            `json:"added"`
	Changed  int64            `json:"changed"`
	Missing  int64            `json:"missing"`
	Restored int64            `json:"restored"`
	Skipped  int64            `json:"skipped"`
	Errors   int64            `json:"errors"`
	Pruned   int64            `json:"pruned"`
	Seconds  float64          `json:"seconds"`
	Problems []problemListing `json:"problems"`
}

type problemListing struct {
	Severity string `json:"severity"`
	Path     string `json:"path"`
	Line     int64  `json:"line,omitempty"`
	Offset   int64  `json:"offset,omitempty"`
	Pointer  string `json:"pointer,omitempty"`
	Reason   string `json:"reason"`
	Excerpt  string `json:"excerpt,omitempty"`
}

func summaryListing(s ingest.Summary, pruned int64) *summaryReport {
	r := &summaryReport{
		Import: s.ImportID, Status: s.Status, Scanned: s.Scanned, Read: s.Read, Added: s.Added, Changed: s.Changed, Missing: s.Missing,
		Restored: s.Restored, Skipped: s.Skipped, Errors: s.Errors, Pruned: pruned, Seconds: s.Took.Seconds(), Problems: []problemListing{},
	}
	for _, p := range s.Problems {
		r.Problems = append(r.Problems, problemListing{p.Severity, p.Path, p.Position.Line, p.Position.Offset, p.Position.Pointer, p.Reason, p.Excerpt})
	}
	return r
}

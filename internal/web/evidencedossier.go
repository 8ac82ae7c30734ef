package web

import (
	"net/http"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/wording"
)

// pageExhibits is how many messages of a dossier a page shows.
const pageExhibits = 25

// dossierView is a dossier to be read, and to be added to.
type dossierView struct {
	D       spam.DossierPage
	Title   string
	Path    string
	Sender  *senderForms // nil of an entity
	Figures []spam.Figure
	AsOf    string // as asked for
	Files   []tab
	// ExportDir is where an export goes; empty when nothing can be written.
	ExportDir string
	Writable  bool

	From, To   int
	Prev, Next string
}

// senderForms are what a person can say of a sender.
type senderForms struct {
	Sender      record.Sender
	Statuses    []record.Status
	Consents    []record.Consent
	EventTypes  []record.EventType
	Categories  []record.CategoryName
	Entity      *record.Entity // that it is in
	EntityPath  string
	EntityNames []string
	Corrigible  []spam.DossierEvent
}

// dossierQuestion is what the dossier of a request is made under.
func (s *site) dossierQuestion(r *http.Request, f folder) (spam.DossierQuestion, error) {
	q, err := f.question(paramsOf(r).Get("as_of"))
	return spam.DossierQuestion{Question: q, GeneratedAt: f.now, Program: s.evidence.Program}, err
}

// dossier builds the dossier that all files are made from.
func (s *site) dossier(r *http.Request, f folder, about spam.About) (*spam.Dossier, error) {
	q, err := s.dossierQuestion(r, f)
	if err != nil {
		return nil, err
	}
	return spam.BuildDossier(r.Context(), s.r, about, q)
}

// aboutSender is the sender of the address.
func (s *site) aboutSender(r *http.Request) (spam.About, error) {
	sender, err := s.sender(r)
	return spam.About{Sender: sender.ID}, err
}

// aboutEntity is the entity of the address; one without senders has no
// dossier.
func (s *site) aboutEntity(r *http.Request) (spam.About, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return spam.About{}, err
	}
	all, err := s.r.SpamEntities(r.Context())
	if err != nil {
		return spam.About{}, err
	}
	for _, e := range all {
		if e.ID == id && len(e.Current()) > 0 {
			return spam.About{Entity: id}, nil
		}
	}
	return spam.About{}, store.ErrNotFound
}

func (s *site) spamSender(r *http.Request, f folder) (answer, error) {
	sender, err := s.sender(r)
	if err != nil {
		return answer{}, err
	}
	view, err := s.dossierView(r, f, spam.About{Sender: sender.ID}, senderPath(sender.ID))
	if err != nil {
		return answer{}, err
	}
	view.Title = senderLabel(sender)
	forms := senderForms{Sender: sender, Statuses: record.Statuses, Consents: record.Consents, EventTypes: record.EventTypes, Categories: record.Categories}
	entities, err := s.r.SpamEntities(r.Context())
	if err != nil {
		return answer{}, err
	}
	for _, e := range entities {
		forms.EntityNames = append(forms.EntityNames, spam.ShownLine(e.Name))
		if slices.Contains(e.Current(), sender.ID) {
			forms.Entity, forms.EntityPath = &e, entityPath(e.ID)
		}
	}
	for _, e := range view.D.Events {
		if e.SupersededBy == 0 {
			forms.Corrigible = append(forms.Corrigible, e)
		}
	}
	view.Sender = &forms
	return answer{page: "dossier", title: "Sender " + idText(sender.ID), data: view}, nil
}

func (s *site) spamEntity(r *http.Request, f folder) (answer, error) {
	about, err := s.aboutEntity(r)
	if err != nil {
		return answer{}, err
	}
	view, err := s.dossierView(r, f, about, entityPath(about.Entity))
	if err != nil {
		return answer{}, err
	}
	view.Title = spam.ShownLine(view.D.Subject.Title)
	return answer{page: "dossier", title: "Entity " + idText(about.Entity), data: view}, nil
}

func (s *site) dossierView(r *http.Request, f folder, about spam.About, path string) (*dossierView, error) {
	p := paramsOf(r)
	from, err := p.id("from")
	if err != nil {
		return nil, err
	}
	q, err := s.dossierQuestion(r, f)
	if err != nil {
		return nil, err
	}
	skip := int(max(from, 1) - 1)
	d, err := spam.BuildDossierPage(r.Context(), s.r, about, q, skip, pageExhibits)
	if err != nil {
		return nil, err
	}
	v := &dossierView{D: d, Path: path, Figures: d.Counts.Figures(), AsOf: p.Get("as_of"), Writable: s.evidence.Recorder != nil, ExportDir: f.setup.ExportDir}
	fixed := params{}.with("", "as_of", d.Counts.AsOf)
	for _, format := range dossierFormats {
		v.Files = append(v.Files, tab{Label: format.label, Href: path + "/dossier." + format.ext + fixed})
	}
	start := min(skip, d.Messages)
	end := start + len(d.Exhibits)
	v.From, v.To = start+1, end
	if end < d.Messages {
		v.Next = p.with(path, "from", idText(int64(end+1))) + "#h-exhibits"
	}
	if start > 0 {
		v.Prev = p.with(path, "from", idText(int64(max(start-pageExhibits, 0)+1))) + "#h-exhibits"
	}
	return v, nil
}

// dossierFormat is a rendering of a dossier.
type dossierFormat struct {
	ext, label, mime string
	render           func(*spam.Dossier) ([]byte, error)
}

var dossierFormats = []dossierFormat{
	{"md", "Markdown", "text/markdown; charset=utf-8", func(d *spam.Dossier) ([]byte, error) { return d.Markdown(), nil }},
	{"json", "JSON", "application/json", (*spam.Dossier).JSON},
	{"csv", "Chronology (CSV)", "text/csv; charset=utf-8", (*spam.Dossier).CSV},
}

// download sends a dossier as a file.
func (s *site) download(format dossierFormat, about func(*http.Request) (spam.About, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, err := s.render(r, format, about)
		if err != nil {
			if err := s.pages.write(w, s.failure(r, err), false); err != nil {
				s.log.Error("web: page", "err", err)
			}
			return
		}
		h := w.Header()
		h.Set("Content-Type", format.mime)
		h.Set("Content-Disposition", `attachment; filename="dossier.`+format.ext+`"`)
		_, _ = w.Write(content) // a client that has gone needs no answer
	})
}

func (s *site) render(r *http.Request, format dossierFormat, about func(*http.Request) (spam.About, error)) ([]byte, error) {
	f, err := s.folder(r)
	if err != nil {
		return nil, err
	}
	who, err := about(r)
	if err != nil {
		return nil, err
	}
	d, err := s.dossier(r, f, who)
	if err != nil {
		return nil, err
	}
	return format.render(d)
}

// exportedView says where an export lies.
type exportedView struct{ Dir, Root, Back string }

func (s *site) exportSender(r *http.Request, f folder) (answer, error) {
	about, err := s.aboutSender(r)
	if err != nil {
		return answer{}, err
	}
	return s.export(r, f, about, senderPath(about.Sender))
}

func (s *site) exportEntity(r *http.Request, f folder) (answer, error) {
	about, err := s.aboutEntity(r)
	if err != nil {
		return answer{}, err
	}
	return s.export(r, f, about, entityPath(about.Entity))
}

// export writes every rendering below the folder of the settings; nothing in
// a request chooses another.
func (s *site) export(r *http.Request, f folder, about spam.About, back string) (answer, error) {
	d, err := s.dossier(r, f, about)
	if err != nil {
		return answer{}, err
	}
	written, err := spam.Export(f.setup.ExportDir, d)
	if err != nil {
		s.log.Error("web: export", "err", err)
		return answer{}, &problem{http.StatusInternalServerError, "The dossier was not written",
			"The folder " + f.setup.ExportDir + " could not be written to; name another one in spam.export_dir."}
	}
	return answer{page: "exported", title: "Exported", data: exportedView{written.Dir, written.Root, back}}, nil
}

// ExhibitRange says which exhibits a page shows.
func (v *dossierView) ExhibitRange() string {
	return wording.Count(int64(v.From)) + " to " + wording.Count(int64(v.To)) + " of " + wording.Count(int64(v.D.Messages))
}

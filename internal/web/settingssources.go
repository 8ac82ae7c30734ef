package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// rootKeys name what an import looks at besides what was imported before; all
// mean the same.
var rootKeys = []string{"archive_root", "imessage_archive_root", "whatsapp_archive_root"}

// sourcesKeys are the settings of imports.
var sourcesKeys = settingKeys{
	{key: rootKeys[0], label: "Always looked at"},
	{key: rootKeys[1], label: "Looked at, too"},
	{key: rootKeys[2], label: "And these"},
	{key: "me", label: "You, as the exports write you"},
	{key: "tz", label: "Time zone of their clocks"},
}

// sourcesView is the page of what is imported.
type sourcesView struct {
	Tabs   []option
	File   string
	Fields []settingField
	Said   string
	Roots  []sourceRoot
	// Writable is set when roots can be forgotten, CanImport when an import
	// can be started.
	Writable, CanImport bool
	// Typed is a path that was refused, Wrong why.
	Typed, Wrong string
}

// sourceRoot is a file or folder that was imported, or is to be.
type sourceRoot struct {
	ID        int64  // 0 when nothing was imported from there
	Path      string // as it is
	Shown     string
	Formats   []rootView
	Owner     string
	Zone      string
	Read      string
	Forgotten bool
	// Named says where the configuration names it; empty when it does not.
	Named string
	// Fixed says what names it that the file cannot change.
	Fixed string
}

// sourceRoots lists what was imported, then what the configuration names
// besides.
func (s *site) sourceRoots(ctx context.Context, c *config.Config) ([]sourceRoot, error) {
	known, err := s.r.Roots(ctx)
	if err != nil {
		return nil, err
	}
	summaries, err := s.r.RootSummaries(ctx)
	if err != nil {
		return nil, err
	}
	var list []sourceRoot
	for _, k := range known {
		root := sourceRoot{ID: k.ID, Path: k.Path, Owner: inert.Line(strings.Join(k.Owner, ", ")), Zone: k.Zone, Forgotten: k.Forgotten}
		for _, sum := range summaries {
			if sum.ID != k.ID {
				continue
			}
			root.Formats = append(root.Formats, rootView{Source: sourceOf(sum.Source), Format: inert.Line(sum.Format), Files: sum.Files, Conversations: sum.Conversations, Messages: sum.Messages})
			if !sum.ReadAt.IsZero() {
				root.Read = max(root.Read, sum.ReadAt.Format("2006-01-02 15:04 UTC"))
			}
		}
		list = append(list, root)
	}
	for _, key := range rootKeys {
		for _, path := range listOf(c, key) {
			at := slices.IndexFunc(list, func(r sourceRoot) bool { return r.Path == path })
			if at < 0 {
				list = append(list, sourceRoot{Path: path})
				at = len(list) - 1
			}
			list[at].Named, list[at].Forgotten = key, false
			if fixed := fixedBy(c.Origin(key)); fixed != "" {
				list[at].Fixed = fixed
			}
		}
	}
	for i := range list {
		list[i].Shown = inert.Line(list[i].Path)
	}
	return list, nil
}

// listOf is the value of a setting that lists something.
func listOf(c *config.Config, key string) []string {
	for _, v := range c.Values() {
		if v.Key == key {
			list, _ := v.Value.([]string)
			return list
		}
	}
	return nil
}

func (s *site) sourcesView(ctx context.Context, c *config.Config, typed url.Values) (sourcesView, error) {
	view := sourcesView{Tabs: s.settingsTabs("/settings/sources"), File: s.fileOf(c), Writable: s.recorder != nil, CanImport: s.job("import") != nil}
	for _, field := range sourcesKeys.fields(c, typed) {
		// One list is enough; the others are shown where they are used.
		if field.Value != "" || field.Fixed != "" || field.Key != rootKeys[1] && field.Key != rootKeys[2] {
			view.Fields = append(view.Fields, field)
		}
	}
	var err error
	view.Roots, err = s.sourceRoots(ctx, c)
	return view, err
}

func (s *site) sourcesSettings(r *http.Request) (answer, error) {
	c, err := s.configured()
	if err != nil {
		return answer{}, err
	}
	view, err := s.sourcesView(r.Context(), c, nil)
	switch p := paramsOf(r); {
	case p.Has("saved"):
		view.Said = "Saved."
	case p.Has("added"):
		view.Said = "Saved. The next import brings it in."
	case p.Has("forgotten"):
		view.Said = "Imports no longer look there. What came from there stays in the archive."
	}
	return answer{page: "sources", title: "Sources", nav: "settings", data: view}, err
}

// change writes settings to the configuration file.
func (s *site) change(wanted map[string]any) error {
	_, save, err := s.settings.Change(wanted)
	if err != nil {
		return unsaved(sentence(err.Error()))
	}
	if err := save(); err != nil {
		return s.notWritten(err)
	}
	return nil
}

func (s *site) saveSources(r *http.Request) (answer, error) {
	c, err := s.configured()
	if err != nil {
		return answer{}, err
	}
	wanted, err := sourcesKeys.wanted(r.PostForm, c)
	if err != nil {
		return answer{}, err
	}
	return answer{redirect: "/settings/sources?saved=1"}, s.change(wanted)
}

// addSource has imports look at a path, if something is recognised there.
func (s *site) addSource(r *http.Request) (answer, error) {
	c, err := s.configured()
	if err != nil {
		return answer{}, err
	}
	path := strings.TrimSpace(r.PostForm.Get("path"))
	refuse := func(why string) (answer, error) {
		view, err := s.sourcesView(r.Context(), c, nil)
		view.Typed, view.Wrong = path, why
		return answer{page: "sources", title: "Sources", nav: "settings", status: http.StatusUnprocessableEntity, data: view}, err
	}
	switch fixed := fixedBy(c.Origin(rootKeys[0])); {
	case path == "":
		return refuse("Write the path of a folder or file.")
	case fixed != "":
		return refuse(fixed + " says what is looked at, which this page cannot change.")
	}
	// The settings say what a path means, with a leading ~ as well.
	wanted := map[string]any{rootKeys[0]: append(slices.Clone(listOf(c, rootKeys[0])), path)}
	candidate, save, err := s.settings.Change(wanted)
	if err != nil {
		return refuse(sentence(inert.Line(err.Error())))
	}
	named := listOf(candidate, rootKeys[0])
	added := named[len(named)-1]
	if slices.Contains(c.Roots(), added) {
		return refuse("Imports look there already.")
	}
	if err := s.settings.Look(r.Context(), added); err != nil {
		return refuse(sentence(inert.Line(err.Error())))
	}
	if err := s.remember(r.Context(), added, false); err != nil {
		return answer{}, err
	}
	if err := save(); err != nil {
		return answer{}, s.notWritten(err)
	}
	return answer{redirect: "/settings/sources?added=1"}, nil
}

// forgetSource has imports no longer look at a root, by itself or because the
// configuration names it.
func (s *site) forgetSource(r *http.Request) (answer, error) {
	c, err := s.configured()
	if err != nil {
		return answer{}, err
	}
	root, err := ingest.RootFor(r.PostForm.Get("path"))
	if err != nil {
		return answer{}, err
	}
	wanted := map[string]any{}
	for _, key := range rootKeys {
		list := listOf(c, key)
		if !slices.Contains(list, root.Path) {
			continue
		}
		if fixed := fixedBy(c.Origin(key)); fixed != "" {
			return answer{}, unsaved(fixed + " names it, which this page cannot change.")
		}
		wanted[key] = slices.DeleteFunc(slices.Clone(list), func(path string) bool { return path == root.Path })
	}
	if err := s.remember(r.Context(), root.Path, true); err != nil {
		return answer{}, err
	}
	return answer{redirect: "/settings/sources?forgotten=1"}, s.change(wanted)
}

// recallSource has imports look at a root again.
func (s *site) recallSource(r *http.Request) (answer, error) {
	root, err := ingest.RootFor(r.PostForm.Get("path"))
	if err != nil {
		return answer{}, err
	}
	return answer{redirect: "/settings/sources?added=1"}, s.remember(r.Context(), root.Path, false)
}

// errReadOnly refuses what an archive cannot take.
var errReadOnly = &problem{http.StatusUnprocessableEntity, "Nothing was changed", "This archive cannot be written to."}

// remember marks a root, if there is one of that path, as forgotten or not.
func (s *site) remember(ctx context.Context, path string, forget bool) error {
	known, err := s.r.Roots(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(known, func(k store.Root) bool { return k.Path == path })
	if at < 0 || known[at].Forgotten == forget {
		return nil
	}
	if s.recorder == nil {
		return errReadOnly
	}
	if err := s.recorder.ForgetRoot(ctx, known[at].ID, forget); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return nil
}

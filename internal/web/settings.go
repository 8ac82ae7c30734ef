package web

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
)

// settingsView is the page of the rules of the record.
type settingsView struct {
	Fields  []settingField
	File    string
	Version string
	Saved   bool
	Tabs    []option
}

// spamKeys are the settings that the page of the rules changes.
var spamKeys = settingKeys{
	{key: "contacts.vcard", label: "Address book, vCard"},
	{key: "contacts.google_csv", label: "Address book, Google CSV"},
	{key: "spam.my_numbers", label: "Your own numbers"},
	{key: "spam.allowlist", label: "Never examined"},
	{key: "spam.exclude_conversations", label: "Conversations never read"},
	{key: "spam.watch_area_codes", label: "Area codes to watch"},
	{key: "spam.name_variants", label: "Names they call you by"},
	{key: "spam.flag_any_url", label: "Flag any link"},
	{key: "spam.shortener_domains", label: "Further link shorteners"},
	{key: "spam.entity_keywords", label: "Hints at who is behind it"},
	{key: "spam.stop_keywords", label: "Further words that mean stop"},
	{key: "spam.canned_notice", label: "Your notice", long: true},
	{key: "spam.canned_notice_match_ratio", label: "How much of it must be repeated"},
	{key: "spam.include_groups", label: "Count groups"},
	{key: "spam.places", label: "Where you were"},
	{key: "spam.lines", label: "Your lines and when they were registered"},
	{key: "spam.export_dir", label: "Folder for dossiers"},
}

func (s *site) spamSettings(r *http.Request, f folder) (answer, error) {
	view := settingsView{File: f.setup.Config.File, Version: f.setup.Rules.Version(), Saved: paramsOf(r).Has("saved"), Tabs: s.settingsTabs("/settings/spam")}
	if view.File == "" {
		view.File = s.evidence.NewFile
	}
	view.Fields = spamKeys.fields(f.setup.Config, nil)
	return answer{page: "spamsettings", title: "Settings", nav: "settings", data: view}, nil
}

// rulesView asks what to do about findings that stand under other rules.
type rulesView struct {
	Old, New          string
	Findings, Senders int64
	Fields            []settingField
}

// saveSpamSettings changes the configuration file. The candidate's rules are
// built first: when they differ from those in force, it asks.
func (s *site) saveSpamSettings(r *http.Request, f folder) (answer, error) {
	wanted, err := spamKeys.wanted(r.PostForm, f.setup.Config)
	if err != nil {
		return answer{}, err
	}
	if dir, asked := wanted["spam.export_dir"].(string); asked && dir != "" && dir != f.setup.Config.Spam.ExportDir {
		if err := checkExportDir(dir); err != nil {
			return answer{}, err
		}
	}
	candidate, save, err := s.evidence.Change(wanted)
	if err != nil {
		return answer{}, unsaved(sentence(err.Error()))
	}
	next := r.PostForm.Get("then")
	if was, will := f.setup.Rules.Version(), candidate.Rules.Version(); was != will && f.state.Scanned() && next == "" {
		view := rulesView{Old: f.state.Ruleset, New: will, Findings: f.state.Findings, Senders: f.state.Senders}
		for _, k := range spamKeys {
			if r.PostForm.Has(k.key) {
				view.Fields = append(view.Fields, settingField{Key: k.key, Value: r.PostForm.Get(k.key)})
			}
		}
		return answer{page: "spamrules", title: "Other rules", nav: "settings", data: view}, nil
	}
	if err := save(); err != nil {
		s.log.Error("web: settings", "err", err)
		return answer{}, &problem{http.StatusInternalServerError, "Nothing was saved", "The configuration file could not be written. Is its folder yours?"}
	}
	s.evidence.forgetBooks()
	if next == "scan" && s.evidence.Recorder != nil {
		f.setup = candidate
		return s.scan(r, f, false)
	}
	return answer{redirect: "/settings/spam?saved=1"}, nil
}

// checkExportDir accepts an absolute path where a folder is or can be made;
// it makes it.
func checkExportDir(dir string) error {
	if !filepath.IsAbs(dir) {
		return unsaved("The folder for dossiers needs its whole path.")
	}
	err := os.MkdirAll(dir, 0o700)
	var at *os.PathError
	if errors.As(err, &at) {
		return unsaved("The folder for dossiers cannot be made: " + at.Err.Error() + ".")
	}
	return err
}

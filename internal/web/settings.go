package web

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/config"
)

// settingsView is the page of the rules of the record.
type settingsView struct {
	Fields  []settingField
	File    string
	Version string
	Saved   bool
	Clients bool // there is a page of MCP clients beside this one
}

// settingField is a setting to be changed.
type settingField struct {
	Key, Label, Doc string
	Kind            string // "list", "text", "yes" or "number"
	Value           string
	Rows            int
	// Fixed says where a value comes from that the file cannot change.
	Fixed string
}

// spamKeys are the settings that the page changes, with what they are called
// there, in its order.
var spamKeys = []struct{ key, label string }{
	{"contacts.vcard", "Address book, vCard"},
	{"contacts.google_csv", "Address book, Google CSV"},
	{"spam.my_numbers", "Your own numbers"},
	{"spam.allowlist", "Never examined"},
	{"spam.exclude_conversations", "Conversations never read"},
	{"spam.watch_area_codes", "Area codes to watch"},
	{"spam.name_variants", "Names they call you by"},
	{"spam.flag_any_url", "Flag any link"},
	{"spam.shortener_domains", "Further link shorteners"},
	{"spam.entity_keywords", "Hints at who is behind it"},
	{"spam.stop_keywords", "Further words that mean stop"},
	{"spam.canned_notice", "Your notice"},
	{"spam.canned_notice_match_ratio", "How much of it must be repeated"},
	{"spam.include_groups", "Count groups"},
	{"spam.places", "Where you were"},
	{"spam.lines", "Your lines and when they were registered"},
	{"spam.export_dir", "Folder for dossiers"},
}

func (s *site) spamSettings(r *http.Request, f folder) (answer, error) {
	view := settingsView{File: f.setup.Config.File, Version: f.setup.Rules.Version(), Saved: paramsOf(r).Has("saved"), Clients: len(s.clients) > 0}
	if view.File == "" {
		view.File = s.evidence.NewFile
	}
	for _, v := range f.setup.Config.Values() {
		at := slices.IndexFunc(spamKeys, func(k struct{ key, label string }) bool { return k.key == v.Key })
		if at < 0 {
			continue
		}
		field := settingField{Key: v.Key, Label: spamKeys[at].label, Doc: v.Doc}
		switch value := v.Value.(type) {
		case []string:
			field.Kind, field.Value, field.Rows = "list", strings.Join(value, "\n"), min(max(len(value)+1, 2), 12)
		case bool:
			field.Kind, field.Value = "yes", strconv.FormatBool(value)
		case float64:
			field.Kind, field.Value = "number", strconv.FormatFloat(value, 'f', -1, 64)
		case string:
			field.Kind, field.Value, field.Rows = "text", value, 3
		}
		if v.Origin.Layer == config.Environment || v.Origin.Layer == config.CommandLine {
			field.Fixed = v.Origin.String()
		}
		view.Fields = append(view.Fields, field)
	}
	slices.SortFunc(view.Fields, func(a, b settingField) int { return settingPlace(a.Key) - settingPlace(b.Key) })
	return answer{page: "spamsettings", title: "Settings", nav: "settings", data: view}, nil
}

func settingPlace(key string) int {
	return slices.IndexFunc(spamKeys, func(k struct{ key, label string }) bool { return k.key == key })
}

// wantedSettings reads the settings that a form was sent with.
func wantedSettings(r *http.Request, c *config.Config) (map[string]any, error) {
	wanted := map[string]any{}
	for _, v := range c.Values() {
		text := r.PostForm.Get(v.Key)
		if settingPlace(v.Key) < 0 || !r.PostForm.Has(v.Key) || v.Origin.Layer == config.Environment || v.Origin.Layer == config.CommandLine {
			continue
		}
		text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
		switch v.Value.(type) {
		case []string:
			var list []string
			for entry := range strings.SplitSeq(text, "\n") {
				if entry = strings.TrimSpace(entry); entry != "" && !slices.Contains(list, entry) {
					list = append(list, entry)
				}
			}
			wanted[v.Key] = list
		case bool:
			yes, err := strconv.ParseBool(text)
			if err != nil {
				return nil, unsaved(v.Key + " is true or false.")
			}
			wanted[v.Key] = yes
		case float64:
			share, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, unsaved(v.Key + " is a number above 0 and at most 1, such as 0.6.")
			}
			wanted[v.Key] = share
		case string:
			wanted[v.Key] = text
		}
	}
	return wanted, nil
}

// unsaved says why settings were not saved.
func unsaved(advice string) error {
	return &problem{http.StatusUnprocessableEntity, "Nothing was saved", advice}
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
	wanted, err := wantedSettings(r, f.setup.Config)
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

// sentence makes one of an error, for people.
func sentence(text string) string {
	return strings.ToUpper(text[:1]) + text[1:] + "."
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

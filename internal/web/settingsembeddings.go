package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
)

// embeddingsKeys are the settings that say how meaning is found.
var embeddingsKeys = settingKeys{
	{key: "embeddings.provider", label: "What finds the meaning of messages", words: []wordOption{
		{config.ProviderBuiltin, "The model in msgbrowse, on this machine"},
		{config.ProviderEndpoint, "An endpoint, which texts are sent to"},
		{config.ProviderFolder, "A model in a folder of this machine"},
		{config.ProviderNone, "Nothing; searches find words only"},
	}},
	{key: "llm.base_url", label: "Address of the endpoint"},
	{key: "llm.embed_model", label: "Its embedding model"},
	{key: "privacy.exclude_conversations", label: "Conversations never sent"},
	{key: "embeddings.folder", label: "Folder of a model"},
	{key: "llm.max_concurrency", label: "Requests at once", rare: true},
	{key: "llm.timeout", label: "Longest wait", rare: true},
	{key: "llm.dimensions", label: "Dimensions", rare: true},
	{key: "llm.max_chars", label: "Longest text", rare: true},
	{key: "llm.text_prefix", label: "Before each text", exact: true, rare: true},
	{key: "llm.query_prefix", label: "Before each question", exact: true, rare: true},
}

// The fields of the form that are no settings.
const (
	keyField    = "key"
	forgetField = "forget_key"
	keySetting  = "llm.api_key_file"
)

// embeddingsView is the page of the model and its endpoint.
type embeddingsView struct {
	Tabs   []option
	File   string
	Saved  bool
	Fields []settingField
	// KeyFrom says where the key comes from; it is empty without one.
	// KeyFixed says what sets it that the page cannot change.
	KeyFrom, KeyFixed string
	// KeyTyped is set when a key was sent that the page does not show again.
	KeyTyped bool
	Trial    *trialView
	CanIndex bool // there is a job that makes the index
}

// trialView is what a model answered when it was tried.
type trialView struct {
	Said          string
	Wrong, Remedy string
}

func (s *site) embeddingsView(c *config.Config, typed url.Values) embeddingsView {
	v := embeddingsView{
		Tabs: s.settingsTabs("/settings/embeddings"), File: s.fileOf(c), Fields: embeddingsKeys.fields(c, typed),
		KeyFrom: inert.Line(s.settings.KeyFrom(c)), KeyFixed: fixedBy(c.Origin(keySetting)), KeyTyped: typed.Get(keyField) != "",
	}
	v.CanIndex = s.job("index") != nil
	return v
}

func (s *site) embeddingsSettings(r *http.Request) (answer, error) {
	c, err := s.configured()
	if err != nil {
		return answer{}, err
	}
	view := s.embeddingsView(c, nil)
	view.Saved = paramsOf(r).Has("saved")
	return answer{page: "embeddings", title: "Embeddings", nav: "settings", data: view}, nil
}

// wantedEmbeddings reads the form: the settings, and a key if one was typed.
func (s *site) wantedEmbeddings(r *http.Request, c *config.Config) (wanted map[string]any, key string, err error) {
	if wanted, err = embeddingsKeys.wanted(r.PostForm, c); err != nil {
		return nil, "", err
	}
	if fixedBy(c.Origin(keySetting)) != "" {
		return wanted, "", nil
	}
	key = strings.TrimSpace(r.PostForm.Get(keyField))
	if key != "" {
		if err := s.settings.CheckKey(key); err != nil {
			return nil, "", unsaved(sentence(err.Error()))
		}
		wanted[keySetting] = s.settings.KeyFile(c)
	} else if r.PostForm.Get(forgetField) == "yes" {
		wanted[keySetting] = ""
	}
	return wanted, key, nil
}

// saveEmbeddings changes the configuration file, and has searches follow it.
func (s *site) saveEmbeddings(r *http.Request) (answer, error) {
	c, err := s.configured()
	if err != nil {
		return answer{}, err
	}
	wanted, key, err := s.wantedEmbeddings(r, c)
	if err != nil {
		return answer{}, err
	}
	candidate, save, err := s.settings.Change(wanted)
	if err != nil {
		return answer{}, unsaved(sentence(err.Error()))
	}
	ours := s.settings.KeyFile(c)
	if key != "" {
		if err := s.settings.SaveKey(ours, key); err != nil {
			return answer{}, s.notWritten(err)
		}
	}
	if err := save(); err != nil {
		return answer{}, s.notWritten(err)
	}
	if wanted[keySetting] == "" && c.LLM.APIKeyFile == ours {
		if err := s.settings.SaveKey(ours, ""); err != nil {
			s.log.Error("web: settings", "err", err)
			return answer{}, &problem{http.StatusInternalServerError, "The key is no longer used, but it is still there", "The file " + ours + " could not be removed. Remove it by hand."}
		}
	}
	answering, err := s.settings.Apply(candidate)
	if err != nil {
		return answer{}, &problem{http.StatusUnprocessableEntity, "Saved, but searches cannot follow it yet", sentence(err.Error())}
	}
	s.answering.Store(&answering)
	return answer{redirect: "/settings/embeddings?saved=1"}, nil
}

// tryEmbeddings asks the model that the form describes, and changes nothing.
func (s *site) tryEmbeddings(r *http.Request) (answer, error) {
	c, err := s.configured()
	if err != nil {
		return answer{}, err
	}
	view := s.embeddingsView(c, r.PostForm)
	a := answer{page: "embeddings", title: "Embeddings", nav: "settings"}
	wanted, key, err := s.wantedEmbeddings(r, c)
	if key != "" {
		delete(wanted, keySetting) // the file is not there yet; the key is given
	}
	var candidate *config.Config
	if err == nil {
		candidate, _, err = s.settings.Change(wanted)
	}
	if err != nil {
		view.Trial = &trialView{Wrong: "These settings cannot be tried.", Remedy: reasonOf(err)}
		a.data = view
		return a, nil
	}
	view.Trial = trialOf(s.settings.Try(r.Context(), candidate, key))
	a.data = view
	return a, nil
}

// reasonOf is what a reader is told of an error about settings.
func reasonOf(err error) string {
	if p, ok := err.(*problem); ok {
		return p.advice
	}
	return sentence(inert.Line(err.Error()))
}

func trialOf(t Trial) *trialView {
	switch {
	case t.Wrong != "":
		return &trialView{Wrong: sentence(inert.Line(t.Wrong)), Remedy: sentence(inert.Line(t.Remedy))}
	case t.Model == "":
		return &trialView{Said: "There is no model to ask: messages are found by their words."}
	}
	took := max(t.Took.Round(time.Millisecond), time.Millisecond)
	return &trialView{Said: "A vector of " + strconv.Itoa(t.Dimensions) + " dimensions in " + took.String() + ", from " + inert.Line(t.Model) + "."}
}

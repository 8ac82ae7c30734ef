package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/config"
)

// settingKey is a setting that a page changes, with what it is called there.
type settingKey struct {
	key, label string
	// long is a text of several lines, exact one whose space at its ends
	// counts, and rare one that few people need, which is shown when asked
	// for.
	long, exact, rare bool
	// words are all it can be, each with what it means.
	words []wordOption
}

type wordOption struct{ Word, Label string }

// settingKeys are the settings of a page, in its order.
type settingKeys []settingKey

// settingField is a setting to be changed.
type settingField struct {
	Key, Label, Doc string
	Kind            string // "list", "long", "text", "yes", "number", "short" or "choice"
	Value           string
	Rows            int
	Words           []wordOption
	Rare            bool
	// Fixed says where a value comes from that the file cannot change.
	Fixed string
}

// fields are the settings as they are in force, or as they were typed.
func (keys settingKeys) fields(c *config.Config, typed url.Values) []settingField {
	byKey := map[string]config.Value{}
	for _, v := range c.Values() {
		byKey[v.Key] = v
	}
	var list []settingField
	for _, k := range keys {
		v := byKey[k.key]
		field := settingField{Key: k.key, Label: k.label, Doc: v.Doc, Words: k.words, Rare: k.rare, Fixed: fixedBy(v.Origin)}
		switch value := v.Value.(type) {
		case []string:
			field.Kind, field.Value, field.Rows = "list", strings.Join(value, "\n"), min(max(len(value)+1, 2), 12)
		case bool:
			field.Kind, field.Value = "yes", strconv.FormatBool(value)
		case float64:
			field.Kind, field.Value = "number", strconv.FormatFloat(value, 'f', -1, 64)
		case int:
			field.Kind, field.Value = "number", strconv.Itoa(value)
		case time.Duration:
			field.Kind, field.Value = "short", value.String()
		case string:
			field.Kind, field.Value, field.Rows = "text", value, 3
			if k.long {
				field.Kind = "long"
			}
		}
		if len(k.words) > 0 {
			field.Kind, field.Doc = "choice", "" // the words say it
		}
		if typed.Has(k.key) && field.Fixed == "" {
			field.Value = typed.Get(k.key)
		}
		list = append(list, field)
	}
	return list
}

// fixedBy says where a value comes from that the file cannot change; empty
// when it can.
func fixedBy(o config.Origin) string {
	if o.Layer == config.Environment || o.Layer == config.CommandLine {
		return o.String()
	}
	return ""
}

// wanted reads the settings that a form was sent with, those of the page and
// no others.
func (keys settingKeys) wanted(form url.Values, c *config.Config) (map[string]any, error) {
	wanted := map[string]any{}
	for _, v := range c.Values() {
		at := slices.IndexFunc(keys, func(k settingKey) bool { return k.key == v.Key })
		if at < 0 || !form.Has(v.Key) || fixedBy(v.Origin) != "" {
			continue
		}
		text := strings.ReplaceAll(form.Get(v.Key), "\r\n", "\n")
		if !keys[at].exact {
			text = strings.TrimSpace(text)
		}
		switch v.Value.(type) {
		case []string:
			wanted[v.Key] = entriesOf(text)
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
		case int:
			number, err := strconv.Atoi(text)
			if err != nil {
				return nil, unsaved(v.Key + " is a whole number.")
			}
			wanted[v.Key] = number
		case time.Duration:
			span, err := time.ParseDuration(text)
			if err != nil {
				return nil, unsaved(v.Key + " is a duration with its unit, such as 90s or 2m.")
			}
			wanted[v.Key] = span
		case string:
			wanted[v.Key] = text
		}
	}
	return wanted, nil
}

// entriesOf are the lines of a field that lists something, each once.
func entriesOf(text string) []string {
	var list []string
	for entry := range strings.SplitSeq(text, "\n") {
		if entry = strings.TrimSpace(entry); entry != "" && !slices.Contains(list, entry) {
			list = append(list, entry)
		}
	}
	return list
}

// unsaved says why settings were not saved.
func unsaved(advice string) error {
	return &problem{http.StatusUnprocessableEntity, "Nothing was saved", advice}
}

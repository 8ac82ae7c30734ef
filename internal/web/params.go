package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// maxText bounds what is typed into a field, in bytes.
const maxText = 1000

// pathID reads an id out of the address.
func pathID(r *http.Request, name string) (int64, error) {
	id, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	if err != nil || id <= 0 {
		return 0, store.ErrNotFound
	}
	return id, nil
}

// params are the part of an address behind the question mark.
type params struct{ url.Values }

func paramsOf(r *http.Request) params { return params{r.URL.Query()} }

// text is what was typed into a field, or pasted from where invisible
// characters come from.
func (p params) text(name string) (string, error) {
	text := strings.Join(strings.Fields(inert.Text(p.Get(name))), " ")
	if len(text) > maxText {
		return "", badRequest("What was typed is longer than " + strconv.Itoa(maxText) + " bytes. Use fewer words.")
	}
	return text, nil
}

// id reads an id; 0 when there is none.
func (p params) id(name string) (int64, error) {
	text := p.Get(name)
	if text == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return 0, badRequest("The value of " + name + " is no id.")
	}
	return id, nil
}

// key reads a place in a list ordered by time, written by keyText.
func (p params) key(name string) (*store.Key, error) {
	text := p.Get(name)
	if text == "" {
		return nil, nil
	}
	at, id, found := strings.Cut(text, ".")
	sort, err := strconv.ParseInt(at, 10, 64)
	number, err2 := strconv.ParseInt(id, 10, 64)
	if !found || err != nil || err2 != nil {
		return nil, badRequest("The value of " + name + " is no place in a list. Start the list anew.")
	}
	return &store.Key{Sort: sort, ID: number}, nil
}

func keyText(sort, id int64) string {
	return strconv.FormatInt(sort, 10) + "." + strconv.FormatInt(id, 10)
}

// day reads a date; nil when there is none.
func (p params) day(name string) (*int64, error) {
	text := p.Get(name)
	if text == "" {
		return nil, nil
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return nil, badRequest("The date is not one. Write it like 2024-03-01.")
	}
	micros := t.UnixMicro()
	return &micros, nil
}

// year reads a year; 0 when there is none.
func (p params) year(name string) (int, error) {
	text := p.Get(name)
	if text == "" {
		return 0, nil
	}
	year, err := strconv.Atoi(text)
	if err != nil || year < 1 || year > 9999 {
		return 0, badRequest("The year is not one. Write it like 2024.")
	}
	return year, nil
}

// source reads the name of a source that the archive may hold.
func (p params) source(name string) (msg.Source, error) {
	source := p.Get(name)
	if source == "" {
		return "", nil
	}
	if !knownSource(msg.Source(source)) {
		return "", badRequest("The source is not known. Choose one of the list.")
	}
	return msg.Source(source), nil
}

// with returns the address of a page with the parameters, changed by pairs of
// name and value; an empty value removes one. What only says how to send a
// page or where to go on is left out.
func (p params) with(path string, pairs ...string) string {
	changed := url.Values{}
	for name, values := range p.Values {
		switch name {
		case "part", "after", "before", "shown", "near":
		default:
			if len(values) > 0 && values[0] != "" {
				changed.Set(name, values[0])
			}
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			changed.Del(pairs[i])
		} else {
			changed.Set(pairs[i], pairs[i+1])
		}
	}
	if len(changed) == 0 {
		return path
	}
	return path + "?" + changed.Encode()
}

func idText(id int64) string { return strconv.FormatInt(id, 10) }

// conversationPath is the address of a conversation.
func conversationPath(id int64) string { return "/c/" + idText(id) }

// messagePath is the address of a message among its neighbours.
func messagePath(conversation, message int64) string {
	return conversationPath(conversation) + "/at/" + idText(message) + "#m" + idText(message)
}

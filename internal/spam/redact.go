package spam

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/contacts"
)

// Redacted stands in a redacted dossier for every text that was taken out.
const Redacted = "[redacted]"

// Redaction says what a redacted dossier is a copy of.
type Redaction struct {
	// Root is the root digest of the unredacted dossier's export.
	Root   string `json:"unredacted_root"`
	Reason string `json:"reason,omitempty"`
	// Passages is how many were taken out of the dossier's texts, Exhibits
	// are the numbers of the messages with one.
	Passages int   `json:"passages"`
	Exhibits []int `json:"exhibits"`
}

// NothingRedactedError is returned for a text that no part of a dossier
// holds.
type NothingRedactedError struct{ Text string }

func (e *NothingRedactedError) Error() string {
	return fmt.Sprintf("the dossier does not hold %q, so there is nothing to take out", e.Text)
}

// Redact returns a copy of the dossier without the texts given: without
// regard to case, a telephone number in any spelling. It names the root digest
// of the whole one. Of a message that held one of them, the digests are taken
// out as well, because what is missing could be guessed by them. The dossier
// itself stays as it is.
func (d *Dossier) Redact(texts []string, reason string) (*Dossier, error) {
	_, root, err := d.files()
	if err != nil {
		return nil, err
	}
	copied := reflect.New(reflect.TypeFor[Dossier]()).Elem()
	copyDeep(copied, reflect.ValueOf(*d))
	out := copied.Addr().Interface().(*Dossier)
	note := &Redaction{Root: root, Reason: reason, Exhibits: []int{}}
	for _, text := range texts {
		if len([]rune(strings.TrimSpace(text))) < leastRedacted {
			return nil, fmt.Errorf("%q is too short to be taken out everywhere; give at least %d characters", text, leastRedacted)
		}
		take := redacting(text)
		found := note.Passages
		for i := range out.Exhibits {
			before := note.Passages
			x := &out.Exhibits[i]
			note.Passages += takeOut(reflect.ValueOf(x).Elem(), take)
			if note.Passages > before {
				x.redacted = true
			}
		}
		note.Passages += takeOut(copied, take) // what the exhibits held is gone
		if note.Passages == found {
			return nil, &NothingRedactedError{text}
		}
	}
	for i := range out.Exhibits {
		x := &out.Exhibits[i]
		if !x.redacted {
			continue
		}
		note.Exhibits = append(note.Exhibits, x.Number)
		for _, digest := range []string{x.Hash, short(x.Hash), x.BodySHA256} {
			takeOut(copied, taking{regexp.MustCompile(regexp.QuoteMeta(digest)), false})
		}
		x.BodyBase64 = ""
	}
	out.Redaction = note
	out.Limitations = append([]Limitation{{"redacted", fmt.Sprintf("This is a redacted copy: %s taken out, each shown as %s, and with them the digests of the messages that held one. The figures are those of the whole record, whose root digest is %s.",
		countOf(note.Passages, "passage was", "passages were"), Redacted, root)}}, out.Limitations...)
	return out, nil
}

// leastRedacted is how many characters a text to be taken out has: shorter
// ones are part of too much.
const leastRedacted = 3

// taking is what a text to be taken out looks like; whole keeps it from being
// found inside of longer words.
type taking struct {
	pattern *regexp.Regexp
	whole   bool
}

func redacting(text string) taking {
	if key, _, ok := senderKey(text); ok && strings.HasPrefix(key, "tel:") {
		digits := strings.TrimPrefix(contacts.Phone(text), "+")
		const between = `[\p{Z}\p{Pd}().\[\]/]*`
		spelled := strings.Join(strings.Split(digits[max(0, len(digits)-10):], ""), between)
		return taking{regexp.MustCompile(`(?:\+?\d{0,3}` + between + `)??` + spelled), false}
	}
	words := strings.Fields(text)
	for i, word := range words { // the dots of hosts stand in brackets
		words[i] = strings.ReplaceAll(regexp.QuoteMeta(word), `\.`, `(?:\.|\[\.\])`)
	}
	return taking{regexp.MustCompile(`(?i)` + strings.Join(words, `\s+`)), true}
}

// in returns a text without what is to be taken out, and how often that was
// there.
func (t taking) in(text string) (string, int) {
	var b strings.Builder
	done, n := 0, 0
	for _, at := range t.pattern.FindAllStringIndex(text, -1) {
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		after, _ := utf8.DecodeRuneInString(text[at[1]:])
		if at[0] == at[1] || t.whole && (isWord(before) || isWord(after)) {
			continue
		}
		b.WriteString(text[done:at[0]] + Redacted)
		done, n = at[1], n+1
	}
	b.WriteString(text[done:])
	return b.String(), n
}

func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// codes are the fields of a dossier that hold no text of anybody.
var codes = map[string]bool{"Direction": true, "Kind": true, "Source": true, "Basis": true, "Precision": true, "Notice": true, "Program": true, "Ruleset": true,
	"GeneratedAt": true, "AsOf": true, "Clock": true, "Limitations": true, "Rule": true, "Label": true}

// takeOut takes a text out of everything below a value and returns how often
// it was there. Values of vocabularies have types of their own and stay.
func takeOut(v reflect.Value, t taking) int {
	n := 0
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() {
			var text string
			if text, n = t.in(v.String()); n > 0 {
				v.SetString(text)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			n = takeOut(v.Elem(), t)
		}
	case reflect.Slice:
		for i := range v.Len() {
			n += takeOut(v.Index(i), t)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !codes[f.Name] {
				n += takeOut(v.Field(i), t)
			}
		}
	}
	return n
}

// copyDeep copies a value so that they share nothing that can be changed.
func copyDeep(to, from reflect.Value) {
	switch from.Kind() {
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			copyDeep(to.Elem(), from.Elem())
		}
	case reflect.Slice:
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
			for i := range from.Len() {
				copyDeep(to.Index(i), from.Index(i))
			}
		}
	case reflect.Struct:
		to.Set(from) // what is not exported holds no text
		for i := range from.NumField() {
			if from.Type().Field(i).IsExported() {
				copyDeep(to.Field(i), from.Field(i))
			}
		}
	default:
		to.Set(from)
	}
}

package spam

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"
	"sync"
)

//go:embed dossier.html
var dossierHTML string

var htmlTemplate = sync.OnceValues(func() (*template.Template, error) {
	return template.New("dossier").Funcs(template.FuncMap{
		"line": oneLine, "text": shown, "number": number, "next": func(i int) int { return i + 1 }, "facts": factList,
	}).Parse(dossierHTML)
})

// factList writes an exhibit's facts. It escapes them itself: there are
// thousands in a long dossier, and each costs a template several calls.
func factList(x DossierExhibit) template.HTML {
	var b strings.Builder
	for _, f := range x.Facts() {
		b.WriteString("<dt>" + template.HTMLEscapeString(f.Label) + "</dt><dd>" + template.HTMLEscapeString(oneLine(f.Value)) + "</dd>\n")
	}
	return template.HTML(b.String())
}

// HTML renders the dossier as a page to print, on whatever paper the printer
// has. root is the root digest of the export that it is part of; empty for a
// page that is part of none. The page loads nothing and runs nothing.
func (d *Dossier) HTML(root string) ([]byte, error) {
	page, err := htmlTemplate()
	if err != nil {
		return nil, fmt.Errorf("read template of dossier: %w", err)
	}
	footer := `"not exported"`
	if root != "" {
		footer = `"Root digest ` + root + `"`
	}
	var b bytes.Buffer
	err = page.Execute(&b, struct {
		D      *Dossier
		Rules  []GraceRule
		Root   string
		Footer template.CSS
	}{d, d.rules(), root, template.CSS(footer)})
	if err != nil {
		return nil, fmt.Errorf("write dossier as HTML: %w", err)
	}
	return b.Bytes(), nil
}

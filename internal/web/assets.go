package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed static
var staticFiles embed.FS

//go:embed templates
var templateFiles embed.FS

// assets are the stylesheet, the script and the icon, each under an address
// that changes with its content, so that browsers may keep it for good.
type assets struct {
	urls  map[string]string // by file name
	files map[string]asset  // by the last part of the address
}

type asset struct {
	mime string
	data []byte
}

func loadAssets() (*assets, error) {
	a := &assets{urls: map[string]string{}, files: map[string]asset{}}
	names, err := fs.Glob(staticFiles, "static/*")
	if err != nil {
		return nil, fmt.Errorf("list assets: %w", err)
	}
	for _, name := range names {
		data, err := staticFiles.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read asset: %w", err)
		}
		if path.Ext(name) == ".js" {
			data = lean(data)
		}
		sum := sha256.Sum256(data)
		base := path.Base(name)
		stem, ext := strings.TrimSuffix(base, path.Ext(base)), path.Ext(base)
		address := stem + "-" + hex.EncodeToString(sum[:6]) + ext
		a.urls[base] = "/static/" + address
		a.files[address] = asset{assetType(ext), data}
	}
	return a, nil
}

// lean leaves out of a script what only its readers need: indentation, empty
// lines, and lines that are comments. No text of the script may go over lines.
func lean(script []byte) []byte {
	var kept bytes.Buffer
	for line := range bytes.Lines(script) {
		if line = bytes.TrimLeft(line, " "); len(bytes.TrimSpace(line)) > 0 && !bytes.HasPrefix(line, []byte("//")) {
			kept.Write(line)
		}
	}
	return kept.Bytes()
}

func assetType(ext string) string {
	switch ext { // what the machine's own table says of these varies
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return mime.TypeByExtension(ext)
}

// url returns the address of a file of the folder static.
func (a *assets) url(name string) (string, error) {
	u, ok := a.urls[name]
	if !ok {
		return "", fmt.Errorf("no asset %q", name)
	}
	return u, nil
}

// ServeHTTP implements http.Handler.
func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	file, ok := a.files[r.PathValue("file")]
	if !ok {
		http.Error(w, "not found: this file is part of another version; load the page again", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", file.mime)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.data))
}

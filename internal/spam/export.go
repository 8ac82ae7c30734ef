package spam

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The files of an export. The page prints the root digest and is therefore
// not part of it; the manifest lists the page's digest like all others.
const (
	jsonFile     = "dossier.json"
	markdownFile = "dossier.md"
	csvFile      = "chronology.csv"
	htmlFile     = "dossier.html"
	manifestFile = "manifest.sha256"
	rootFile     = "root.txt"
)

// Exported says where an export lies and what its root digest is.
type Exported struct {
	Dir  string
	Root string // 64 hex digits
}

// Export writes the dossier into a folder of its own below dir, in every
// rendering, with a manifest: all of it or nothing. Folders are 0700, files
// 0600. The folder's name holds no number or name of anybody. An export of
// the same bytes that is there already is left as it is.
func Export(dir string, d *Dossier) (Exported, error) {
	files, root, err := d.files()
	if err != nil {
		return Exported{}, err
	}
	if err := privateDir(dir); err != nil {
		return Exported{}, err
	}
	target := filepath.Join(dir, d.folder()+"-"+root[:12])
	if _, err := os.Stat(target); err == nil {
		_, err := Verify(target)
		return Exported{target, root}, err
	}
	temporary, err := os.MkdirTemp(dir, ".writing-")
	if err != nil {
		return Exported{}, fmt.Errorf("create export folder: %w", err)
	}
	defer os.RemoveAll(temporary)
	for _, f := range files {
		if err := writeFile(filepath.Join(temporary, f.name), f.content); err != nil {
			return Exported{}, err
		}
	}
	if err := os.Rename(temporary, target); err != nil {
		return Exported{}, fmt.Errorf("put export in place: %w", err)
	}
	return Exported{target, root}, nil
}

type file struct {
	name    string
	content []byte
}

// files renders everything, the manifest and the root digest among it.
func (d *Dossier) files() ([]file, string, error) {
	asJSON, err := d.JSON()
	if err != nil {
		return nil, "", err
	}
	asCSV, err := d.CSV()
	if err != nil {
		return nil, "", err
	}
	list := []file{{csvFile, asCSV}, {jsonFile, asJSON}, {markdownFile, d.Markdown()}}
	root := digest(manifest(list))
	page, err := d.HTML(root)
	if err != nil {
		return nil, "", err
	}
	list = append(list, file{htmlFile, page})
	return append(list, file{manifestFile, manifest(list)}, file{rootFile, []byte(rootText(root))}), root, nil
}

// manifest lists digests the way sha256sum does.
func manifest(files []file) []byte {
	var b bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&b, "%s  %s\n", digest(f.content), f.name)
	}
	return b.Bytes()
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func rootText(root string) string {
	return root + "\n\nThis is the SHA-256 of the lines of " + manifestFile + " but that of " + htmlFile + ", which prints it.\n" +
		"To have somebody else date it, send a request made by:\n" +
		"openssl ts -query -digest " + root + " -sha256 -cert -out root.tsq\n"
}

// folder names an export by ids and the as-of day.
func (d *Dossier) folder() string {
	day, _, _ := strings.Cut(d.Counts.AsOf, "T")
	if d.Redaction != nil {
		day += "-redacted"
	}
	if e := d.Subject.Entity; e != nil {
		return fmt.Sprintf("entity-%d-%s", e.ID, day)
	}
	return fmt.Sprintf("sender-%d-%s", d.Subject.Senders[0].ID, day)
}

func privateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create export folder: %w", err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("protect export folder: %w", err)
	}
	return nil
}

func writeFile(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("create export file: %w", err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write export file: %w", err)
	}
	return nil
}

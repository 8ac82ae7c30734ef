package demo

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"time"
)

const (
	// zipDir holds the folders that are written as zips, so that what the
	// repository keeps can be read.
	zipDir      = "zip"
	whatsAppDir = "whatsapp"
)

// packed is the date of every file in a zip: the same bytes every time.
var packed = time.Date(2024, 12, 31, 12, 0, 0, 0, time.UTC)

// pack returns the files of content as a zip.
func pack(content fs.FS) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	err := fs.WalkDir(content, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(content, name)
		if err != nil {
			return err
		}
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: packed})
		if err != nil {
			return err
		}
		_, err = entry.Write(data)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

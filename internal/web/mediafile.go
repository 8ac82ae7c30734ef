package web

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/mediatype"
	"github.com/msgbrowse/msgbrowse/internal/picture"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// mediaPolicy keeps what a file holds from doing anything, should a browser
// ever take it for a page.
const mediaPolicy = "default-src 'none'; sandbox"

// mediaFile gives the file of an attachment. What it is is decided by its
// first bytes: pictures, sound and film that browsers know are shown, all else
// is saved, whatever its name or its export says.
func (s *site) mediaFile(w http.ResponseWriter, r *http.Request) {
	s.giveMedia(w, r, s.sendFile)
}

// mediaCopy gives a picture that browsers can show of one that they cannot.
func (s *site) mediaCopy(w http.ResponseWriter, r *http.Request) {
	if s.copier == nil {
		s.noFile(w, http.StatusNotFound, "no copies are made here")
		return
	}
	s.giveMedia(w, r, s.sendCopy)
}

// giveMedia opens the file of an attachment and has it sent.
func (s *site) giveMedia(w http.ResponseWriter, r *http.Request, send func(http.ResponseWriter, *http.Request, store.MediaItem, io.ReadCloser)) {
	id, err := pathID(r, "id")
	if err != nil {
		s.noFile(w, http.StatusNotFound, "no such file in this archive")
		return
	}
	m, err := s.r.Media(r.Context(), id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		s.noFile(w, http.StatusNotFound, "no such file in this archive")
		return
	case err != nil:
		s.log.Error("web: media", "err", err)
		s.noFile(w, http.StatusInternalServerError, "the archive could not be read; the log of msgbrowse says why")
		return
	case m.Path == "" || s.media == nil:
		s.noFile(w, http.StatusNotFound, "the export does not hold this file")
		return
	}
	file, err := s.openMedia(r, m)
	if err != nil {
		s.log.Warn("web: open media", "media", id, "gone", errors.Is(err, os.ErrNotExist))
		s.noFile(w, http.StatusNotFound, "this file was moved or removed since the import")
		return
	}
	defer file.Close()
	send(w, r, m, file)
}

// sendCopy sends the copy of a picture; of one that browsers can show, the
// picture itself.
func (s *site) sendCopy(w http.ResponseWriter, r *http.Request, m store.MediaItem, file io.ReadCloser) {
	head := make([]byte, mediatype.HeadSize)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		s.noFile(w, http.StatusNotFound, "this file cannot be read")
		return
	}
	kind := mediatype.Of(head[:n])
	whole := struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head[:n]), file), file}
	if needed, _ := s.copier.Kind(kind); !needed {
		s.sendFile(w, r, m, whole)
		return
	}
	made, err := s.copier.JPEG(r.Context(), kind, whole)
	if err != nil {
		s.log.Warn("web: copy of a picture", "err", err)
		if errors.Is(err, picture.ErrTooLarge) || errors.Is(err, picture.ErrUnreadable) {
			s.uncopied.add(m.ID, copyProblem(err))
		}
		s.noFile(w, http.StatusNotFound, copyProblem(err))
		return
	}
	defer made.Close()
	m.Name = strings.TrimSuffix(m.Name, path.Ext(m.Name)) + ".jpg"
	s.mediaHeaders(w, m, "image/jpeg", "inline", "j")
	http.ServeContent(w, r, "", time.Time{}, made)
}

// copyProblem says why there is no copy, and what to do about it.
func copyProblem(err error) string {
	switch {
	case errors.Is(err, picture.ErrNoConverter):
		return "browsers cannot show HEIC: " + picture.Remedy
	case errors.Is(err, picture.ErrTooLarge):
		return "this picture is too large to be shown"
	case errors.Is(err, picture.ErrUnreadable):
		return "this picture cannot be read"
	}
	return "no copy of this picture could be made; the log of msgbrowse says why"
}

// mediaHeaders says what is sent; variant tells apart what is made of one
// file.
func (s *site) mediaHeaders(w http.ResponseWriter, m store.MediaItem, kind, disposition, variant string) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", dispositionOf(disposition, m))
	h.Set("Content-Security-Policy", mediaPolicy)
	h.Set("Cache-Control", "private, max-age=3600")
	h.Set("ETag", `"`+strconv.FormatInt(m.ID, 36)+"-"+m.Message.Hash[:16]+variant+`"`)
}

func (s *site) noFile(w http.ResponseWriter, status int, why string) { http.Error(w, why, status) }

func (s *site) openMedia(r *http.Request, m store.MediaItem) (io.ReadCloser, error) {
	from, err := s.r.Provenance(r.Context(), m.Message)
	if err != nil {
		return nil, err
	}
	return s.media(r.Context(), from, m.Attachment)
}

func (s *site) sendFile(w http.ResponseWriter, r *http.Request, m store.MediaItem, file io.ReadCloser) {
	seeker, ok := file.(io.ReadSeeker)
	head := make([]byte, mediatype.HeadSize)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		s.noFile(w, http.StatusNotFound, "this file cannot be read")
		return
	}
	kind, disposition := mediatype.Of(head[:n]), "inline"
	if !mediatype.IsShown(kind) {
		kind, disposition = "application/octet-stream", "attachment"
	}
	s.mediaHeaders(w, m, kind, disposition, "")
	if !ok {
		_, _ = w.Write(head[:n])
		_, _ = io.Copy(w, file) // a client that has gone needs no answer
		return
	}
	if _, err := seeker.Seek(0, io.SeekStart); err != nil {
		s.noFile(w, http.StatusNotFound, "this file cannot be read")
		return
	}
	http.ServeContent(w, r, "", time.Time{}, seeker)
}

// dispositionOf names the file for saving, by a name that can be one.
func dispositionOf(disposition string, m store.MediaItem) string {
	name := strings.NewReplacer("/", "_", `\`, "_").Replace(nameOf(m.Name))
	if name == unnamed {
		name = "file-" + idText(m.ID)
	}
	if full := mime.FormatMediaType(disposition, map[string]string{"filename": name}); full != "" {
		return full
	}
	return disposition
}

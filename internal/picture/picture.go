// Package picture makes JPEG copies of pictures that browsers cannot show:
// TIFF by itself, HEIC by a converter that the machine has. The copies lie in
// a folder of their own, by the digest of what they were made from, so that
// each is made once; the folder can be deleted at any time.
//
// Pictures are written by strangers. What is read, drawn and kept is bounded,
// a converter runs for a bounded time on a copy of its own, started without a
// shell, and what it makes is handed on only if it is a JPEG.
package picture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/mediatype"
)

// Bounds of what is read, drawn and kept.
const (
	// MaxSource is how many bytes a picture may have, MaxPixels how many
	// pixels.
	MaxSource = 64 << 20
	MaxPixels = 32_000_000
	// MaxCopy is how many bytes a copy may have, MaxKept how many all of them
	// have together; those not asked for longest go first.
	MaxCopy = 16 << 20
	MaxKept = 512 << 20
	// longestSide is how many pixels a copy of a TIFF has on its longer side.
	longestSide = 1600
	// quality is that of JPEG, 1 to 100.
	quality = 85
)

// What keeps a picture from being shown.
var (
	// ErrNoConverter is returned for HEIC on a machine without a converter.
	ErrNoConverter = errors.New("no converter for HEIC is installed")
	// ErrTooLarge is returned beyond MaxSource, MaxPixels or MaxCopy.
	ErrTooLarge = errors.New("the picture is too large")
	// ErrUnreadable is returned for what is no picture after all.
	ErrUnreadable = errors.New("the picture cannot be read")
)

// Remedy says what to install so that HEIC can be shown.
const Remedy = "install heif-convert (libheif) or ImageMagick with HEIC support and load the page again"

// Copier makes and keeps copies. It is safe for concurrent use.
type Copier struct {
	dir string
	// look finds a program, as exec.LookPath.
	look func(string) (string, error)
	// patience is how long a converter may run.
	patience time.Duration
	maxKept  int64

	one sync.Mutex // drawing takes memory: one at a time
	mu  sync.Mutex
	// failed remembers what could not be copied, by digest, and why.
	failed map[string]failure
}

type failure struct {
	err  error
	when time.Time
}

const (
	// failureAge is how long a failure is believed, mostFailures how many are
	// remembered.
	failureAge   = 10 * time.Minute
	mostFailures = 1000
)

// Kind reports whether pictures of a media type need a copy to be shown, and
// whether this machine can make one.
func (c *Copier) Kind(mime string) (needed, possible bool) {
	switch mime {
	case "image/tiff":
		return true, true
	case "image/heic", "image/heif":
		_, ok := c.converter()
		return true, ok
	}
	return false, false
}

// JPEG opens the copy of a picture of a media type, making it first if it is
// not there. The errors are ErrNoConverter, ErrTooLarge and ErrUnreadable,
// wrapped, and those of reading, of files and of ctx.
func (c *Copier) JPEG(ctx context.Context, mime string, source io.Reader) (*os.File, error) {
	data, err := io.ReadAll(io.LimitReader(source, MaxSource+1))
	if err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	if len(data) > MaxSource {
		return nil, ErrTooLarge
	}
	sum := sha256.Sum256(data)
	digest := hex.EncodeToString(sum[:])
	if f, err := c.kept(digest); err == nil {
		return f, nil
	}
	c.one.Lock()
	defer c.one.Unlock()
	if f, err := c.kept(digest); err == nil { // made while this one waited
		return f, nil
	}
	if err := c.failure(digest); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	made, err := c.draw(ctx, mime, data)
	if err != nil {
		if errors.Is(err, ErrTooLarge) || errors.Is(err, ErrUnreadable) {
			c.fail(digest, err)
		}
		return nil, err
	}
	if err := c.keep(digest, made); err != nil {
		return nil, err
	}
	return c.kept(digest)
}

// draw makes the bytes of a copy.
func (c *Copier) draw(ctx context.Context, mime string, data []byte) (made []byte, err error) {
	if mime == "image/tiff" {
		made, err = drawTIFF(data)
	} else {
		made, err = c.convert(ctx, data)
	}
	if err != nil {
		return nil, err
	}
	return made, checkJPEG(made)
}

// checkJPEG refuses what a browser would not show as a JPEG.
func checkJPEG(data []byte) error {
	if len(data) > MaxCopy {
		return ErrTooLarge
	}
	if mediatype.Of(data) != "image/jpeg" {
		return fmt.Errorf("%w: what was made of it is no JPEG", ErrUnreadable)
	}
	size, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%w: what was made of it is no JPEG", ErrUnreadable)
	}
	if size.Width <= 0 || size.Height <= 0 || size.Width > 1<<16 || size.Height > 1<<16 {
		return ErrTooLarge
	}
	return nil
}

func (c *Copier) failure(digest string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.failed[digest]; ok && time.Since(f.when) < failureAge {
		return f.err
	}
	return nil
}

func (c *Copier) fail(digest string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil || len(c.failed) >= mostFailures {
		c.failed = map[string]failure{}
	}
	c.failed[digest] = failure{err, time.Now()}
}

// path is where a copy lies.
func (c *Copier) path(digest string) string { return filepath.Join(c.dir, digest+".jpg") }

package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/tiff"
)

// heic is what begins like a HEIC picture.
const heic = "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heicpixels"

// newCopier keeps copies in a folder that is not there yet; it finds the
// programs in the folder bin only.
func newCopier(t *testing.T, bin string) *Copier {
	t.Helper()
	c := New(filepath.Join(t.TempDir(), "media"))
	c.look = func(name string) (string, error) {
		path := filepath.Join(bin, name)
		_, err := os.Stat(path)
		return path, err
	}
	return c
}

// tiffOf draws a picture whose left half is red and whose right is clear.
func tiffOf(t *testing.T, width, height int) []byte {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width / 2 {
			picture.Set(x, y, color.NRGBA{200, 0, 0, 255})
		}
	}
	var b bytes.Buffer
	if err := tiff.Encode(&b, picture, &tiff.Options{Compression: tiff.Deflate}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(t *testing.T, f *os.File, err error) []byte {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestTIFF(t *testing.T) {
	t.Parallel()
	c := newCopier(t, t.TempDir())
	source := tiffOf(t, 3200, 400)
	f, err := c.JPEG(t.Context(), "image/tiff", bytes.NewReader(source))
	made := read(t, f, err)
	picture, err := jpeg.Decode(bytes.NewReader(made))
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size != image.Pt(1600, 200) {
		t.Errorf("the copy has %v pixels", size)
	}
	near := func(x int, want color.NRGBA) {
		r, g, b, _ := picture.At(x, 100).RGBA()
		for i, v := range []uint32{r, g, b} {
			if d := int(v>>8) - int([]uint8{want.R, want.G, want.B}[i]); d < -12 || d > 12 {
				t.Errorf("at %d the colour is %d %d %d, want %v", x, r>>8, g>>8, b>>8, want)
				return
			}
		}
	}
	near(300, color.NRGBA{200, 0, 0, 255})
	near(1300, color.NRGBA{255, 255, 255, 255})
	// It is kept, for its owner alone.
	entries, err := os.ReadDir(c.dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d files are kept, %v", len(entries), err)
	}
	for path, want := range map[string]os.FileMode{c.dir: 0o700, filepath.Join(c.dir, entries[0].Name()): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", filepath.Base(path), info.Mode(), err)
		}
	}
	// What is kept is handed out, not drawn again; and it can be deleted.
	if err := os.WriteFile(filepath.Join(c.dir, entries[0].Name()), []byte("\xff\xd8\xffkept"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err = c.JPEG(t.Context(), "image/tiff", bytes.NewReader(source))
	if got := read(t, f, err); string(got) != "\xff\xd8\xffkept" {
		t.Error("the copy was drawn again")
	}
	if err := os.RemoveAll(c.dir); err != nil {
		t.Fatal(err)
	}
	f, err = c.JPEG(t.Context(), "image/tiff", bytes.NewReader(source))
	if got := read(t, f, err); !bytes.Equal(got, made) {
		t.Error("after the folder was deleted, the copy differs")
	}
}

// bomb is a small TIFF file that says it has so many pixels.
func bomb(t *testing.T, width, height uint32) []byte {
	t.Helper()
	data := tiffOf(t, 8, 8)
	order := binary.LittleEndian
	at := int(order.Uint32(data[4:]))
	for i := range int(order.Uint16(data[at:])) {
		switch field := data[at+2+12*i:]; order.Uint16(field) {
		case 256, 257: // ImageWidth, ImageLength: TIFF 6.0
			value := map[uint16]uint32{256: width, 257: height}[order.Uint16(field)]
			order.PutUint16(field[2:], 4)
			order.PutUint32(field[8:], value)
		}
	}
	return data
}

func TestRefusedTIFF(t *testing.T) {
	t.Parallel()
	c := newCopier(t, t.TempDir())
	whole := tiffOf(t, 100, 100)
	for name, tt := range map[string]struct {
		data io.Reader
		want error
	}{
		"cut off":   {bytes.NewReader(whole[:len(whole)/2]), ErrUnreadable},
		"no TIFF":   {strings.NewReader("II*\x00nothing"), ErrUnreadable},
		"empty":     {strings.NewReader(""), ErrUnreadable},
		"bomb":      {bytes.NewReader(bomb(t, 1<<20, 1<<20)), ErrTooLarge},
		"long":      {bytes.NewReader(bomb(t, MaxPixels+1, 1)), ErrTooLarge},
		"too large": {io.LimitReader(zeros{}, MaxSource+1), ErrTooLarge},
	} {
		if f, err := c.JPEG(t.Context(), "image/tiff", tt.data); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, %v, want %v", name, f, err, tt.want)
		}
	}
	if entries, err := os.ReadDir(c.dir); err == nil && len(entries) > 0 {
		t.Errorf("%d files were kept", len(entries))
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestKind(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	c := newCopier(t, bin)
	for mime, want := range map[string][2]bool{"image/tiff": {true, true}, "image/heic": {true, false}, "image/heif": {true, false}, "image/png": {}, "image/svg+xml": {}, "": {}} {
		if needed, possible := c.Kind(mime); needed != want[0] || possible != want[1] {
			t.Errorf("%s: %t, %t", mime, needed, possible)
		}
	}
	if _, err := c.JPEG(t.Context(), "image/heic", strings.NewReader(heic)); !errors.Is(err, ErrNoConverter) {
		t.Errorf("without a converter: %v", err)
	}
	if err := os.WriteFile(filepath.Join(bin, "heif-dec"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, possible := c.Kind("image/heic"); !possible {
		t.Error("a converter that came is not found")
	}
}

// TestPrune keeps what was asked for last.
func TestPrune(t *testing.T) {
	t.Parallel()
	c := newCopier(t, t.TempDir())
	var sources [][]byte
	for i := range 4 {
		source := tiffOf(t, 40+i, 40)
		sources = append(sources, source)
		f, err := c.JPEG(t.Context(), "image/tiff", bytes.NewReader(source))
		size := int64(len(read(t, f, err)))
		if c.maxKept = 3*size + size/2; i < 3 {
			continue
		}
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil || len(entries) != 3 {
		t.Fatalf("%d copies are kept, %v, want 3", len(entries), err)
	}
	f, err := c.JPEG(t.Context(), "image/tiff", bytes.NewReader(sources[3]))
	read(t, f, err)
}

// TestFailuresAreRemembered asks the decoder once for what cannot be read.
func TestFailuresAreRemembered(t *testing.T) {
	t.Parallel()
	c := newCopier(t, t.TempDir())
	for range 3 {
		if _, err := c.JPEG(t.Context(), "image/tiff", strings.NewReader("II*\x00nothing")); !errors.Is(err, ErrUnreadable) {
			t.Fatal(err)
		}
	}
	if len(c.failed) != 1 {
		t.Errorf("%d failures are remembered", len(c.failed))
	}
	for i := range mostFailures + 10 {
		c.fail(fmt.Sprint(i), ErrUnreadable)
	}
	if len(c.failed) > mostFailures {
		t.Errorf("%d failures are remembered, at most %d may be", len(c.failed), mostFailures)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.JPEG(ctx, "image/tiff", bytes.NewReader(tiffOf(t, 9, 9))); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits any more: %v", err)
	}
}

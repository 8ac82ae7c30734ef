package picture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// converter is a program that makes JPEG of HEIC, with its arguments.
type converter struct {
	path      string
	arguments func(in, out string) []string
}

// converters are the programs that are looked for, the first that is there is
// used: those of libheif under both of their names, ImageMagick 7, and the one
// that macOS has.
var converters = []struct {
	name      string
	arguments func(in, out string) []string
}{
	{"heif-convert", libheif},
	{"heif-dec", libheif},
	{"magick", func(in, out string) []string {
		side := strconv.Itoa(longestSide)
		return []string{"-limit", "memory", "256MiB", "-limit", "map", "512MiB", "-limit", "disk", "1GiB", "-limit", "width", "16KP", "-limit", "height", "16KP",
			"heic:" + in + "[0]", "-auto-orient", "-resize", side + "x" + side + ">", "-strip", "-quality", strconv.Itoa(quality), "jpeg:" + out}
	}},
	{"sips", func(in, out string) []string {
		return []string{"-s", "format", "jpeg", "-s", "formatOptions", strconv.Itoa(quality), "-Z", strconv.Itoa(longestSide), in, "--out", out}
	}},
}

func libheif(in, out string) []string { return []string{"-q", strconv.Itoa(quality), in, out} }

func (c *Copier) converter() (converter, bool) {
	for _, known := range converters {
		if path, err := c.look(known.name); err == nil {
			return converter{path, known.arguments}, true
		}
	}
	return converter{}, false
}

// convert runs the converter on a copy in a folder of its own.
func (c *Copier) convert(ctx context.Context, data []byte) (made []byte, err error) {
	with, ok := c.converter()
	if !ok {
		return nil, ErrNoConverter
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return nil, fmt.Errorf("convert picture: %w", err)
	}
	dir, err := os.MkdirTemp(c.dir, "making-*") // 0700
	if err != nil {
		return nil, fmt.Errorf("convert picture: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	in, out := filepath.Join(dir, "picture.heic"), filepath.Join(dir, "copy.jpg")
	if err := os.WriteFile(in, data, 0o600); err != nil {
		return nil, fmt.Errorf("convert picture: %w", err)
	}
	run, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	cmd := exec.CommandContext(run, with.path, with.arguments(in, out)...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Env = append(surroundings(), "HOME="+dir, "TMPDIR="+dir, "MAGICK_TEMPORARY_PATH="+dir)
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w: the converter %s failed: %v", ErrUnreadable, filepath.Base(with.path), err)
	}
	return readMade(out)
}

// firstOfSeveral is what libheif calls the first copy of a file that holds
// several pictures.
func firstOfSeveral(out string) string {
	extension := filepath.Ext(out)
	return strings.TrimSuffix(out, extension) + "-1" + extension
}

// surroundings is what of the environment a converter needs to run.
func surroundings() []string {
	var list []string
	for _, name := range []string{"PATH", "SystemRoot", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"} {
		if value, ok := os.LookupEnv(name); ok {
			list = append(list, name+"="+value)
		}
	}
	return list
}

// readMade reads what a converter made, if it is a file of its own and not too
// large.
func readMade(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		path = firstOfSeveral(path)
		info, err = os.Lstat(path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the converter made nothing", ErrUnreadable)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: the converter made no file", ErrUnreadable)
	}
	if info.Size() > MaxCopy {
		return nil, ErrTooLarge
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read copy: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxCopy+1))
	if err != nil {
		return nil, fmt.Errorf("read copy: %w", err)
	}
	return data, nil
}

package contacts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The providers of address books.
const (
	ProviderVCard     = "vcard"
	ProviderGoogleCSV = "google_csv"
	ProviderMacOS     = "macos"
	ProviderNone      = "none" // no address book was found
)

// Availability says whether an address book could be asked.
type Availability string

const (
	// Available books were read and hold cards.
	Available Availability = "available"
	// Absent books do not exist, or hold nothing that can be read.
	Absent Availability = "absent"
	// NeedsPermission is for books the operating system refuses to show.
	NeedsPermission Availability = "needs-permission"
)

// Source is one address book that was looked at.
type Source struct {
	Provider     string
	Path         string
	Availability Availability
	Cards        int
	// Problem says why the book is not available; empty when it is.
	Problem string
}

// AddressBooks is everything that was found.
type AddressBooks struct {
	*Book
	Sources []Source
}

// Places say where address books are.
type Places struct {
	// VCard and GoogleCSV are files; VCard may hold folders.
	VCard, GoogleCSV []string
	// MacOS is the folder of macOS's address book, or empty. MacOSOptional
	// marks one that nobody named, whose absence is no problem to report.
	MacOS         string
	MacOSOptional bool
	// ReadMacOS reads one database of that folder.
	ReadMacOS func(ctx context.Context, path string) ([]Card, error)
}

// MacOSFolder is where macOS keeps the address book, below the home folder.
var MacOSFolder = filepath.Join("Library", "Application Support", "AddressBook")

// macOSDatabase is the name of every database in it, since Mac OS X 10.5.
const macOSDatabase = "AddressBook-v22.abcddb"

// Open reads every address book there is. What cannot be read is no error but
// a Source that says so; the error is that of ctx.
func Open(ctx context.Context, p Places) (AddressBooks, error) {
	var o opener
	for _, path := range p.VCard {
		o.each(ctx, ProviderVCard, path, vcardFiles, readFile(ReadVCards))
	}
	for _, path := range p.GoogleCSV {
		o.each(ctx, ProviderGoogleCSV, path, oneFile, readFile(ReadGoogleCSV))
	}
	if p.MacOS != "" {
		_, err := os.Stat(p.MacOS)
		if !p.MacOSOptional || !errors.Is(err, fs.ErrNotExist) {
			o.each(ctx, ProviderMacOS, p.MacOS, macOSFiles, p.ReadMacOS)
		}
	}
	return AddressBooks{NewBook(o.cards), o.sources}, ctx.Err()
}

// Availability is that of the books together: Available when one of them is.
func (a AddressBooks) Availability() Availability {
	overall := Absent
	for _, s := range a.Sources {
		switch {
		case s.Availability == Available:
			return Available
		case s.Availability == NeedsPermission:
			overall = NeedsPermission
		}
	}
	return overall
}

// Provider names the books that decide Availability, in alphabetical order
// with + between them; ProviderNone when there is none.
func (a AddressBooks) Provider() string {
	overall := a.Availability()
	var names []string
	for _, s := range a.Sources {
		if s.Availability == overall && !slices.Contains(names, s.Provider) {
			names = append(names, s.Provider)
		}
	}
	if overall == Absent || len(names) == 0 {
		return ProviderNone
	}
	slices.Sort(names)
	return strings.Join(names, "+")
}

type opener struct {
	cards   []Card
	sources []Source
}

type reader func(ctx context.Context, path string) ([]Card, error)

// each reads the files that list finds at a path.
func (o *opener) each(ctx context.Context, provider, path string, list func(string) ([]string, error), read reader) {
	files, err := list(path)
	if err == nil && len(files) == 0 {
		err = errors.New("no address book in this folder")
	}
	if err != nil {
		o.sources = append(o.sources, Source{Provider: provider, Path: path, Availability: availability(err), Problem: problem(err)})
		return
	}
	for _, file := range files {
		cards, err := read(ctx, file)
		if err == nil && len(cards) == 0 {
			err = errors.New("no names, numbers or addresses in it")
		}
		s := Source{Provider: provider, Path: file, Availability: availability(err), Cards: len(cards), Problem: problem(err)}
		o.sources = append(o.sources, s)
		o.cards = append(o.cards, cards...)
	}
}

func availability(err error) Availability {
	switch {
	case err == nil:
		return Available
	case errors.Is(err, fs.ErrPermission):
		return NeedsPermission
	default:
		return Absent
	}
}

// problem words an error without the path, which stands beside it.
func problem(err error) string {
	var at *fs.PathError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &at):
		return at.Err.Error()
	default:
		return err.Error()
	}
}

// readFile makes a reader of files out of one of texts.
func readFile(read func(context.Context, io.Reader) ([]Card, error)) reader {
	return func(ctx context.Context, path string) ([]Card, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return read(ctx, f)
	}
}

func oneFile(path string) ([]string, error) { return []string{path}, nil }

// vcardFiles returns the vCard files of a folder, or the file itself.
func vcardFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries { // sorted
		switch strings.ToLower(filepath.Ext(e.Name())) {
		case ".vcf", ".vcard":
			if !e.IsDir() {
				files = append(files, filepath.Join(path, e.Name()))
			}
		}
	}
	return files, nil
}

// macOSFiles returns the databases of macOS's address book: the local one and
// that of each account.
func macOSFiles(path string) ([]string, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return []string{path}, nil
	}
	folders := []string{path}
	accounts, err := os.ReadDir(filepath.Join(path, "Sources"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list accounts: %w", err)
	}
	for _, e := range accounts {
		folders = append(folders, filepath.Join(path, "Sources", e.Name()))
	}
	var files []string
	for _, folder := range folders {
		file := filepath.Join(folder, macOSDatabase)
		switch _, err := os.Stat(file); {
		case err == nil:
			files = append(files, file)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return files, nil
}

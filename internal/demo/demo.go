// Package demo holds a bundled sample archive: the messages of one invented
// person over two years, as four apps would export them.
//
// Casey Lund draws maps in Portland, Maine. From January 2023 to December
// 2024 Casey finds an apartment with Harper Quinn, signs the lease that
// Harper has read, moves into Maple Street 12 with boxes of books and a desk
// that does not fit around the corner, and worries about Biscuit, the cat,
// who has swallowed a hair tie. An atlas gets lost in the mail and turns up
// behind a bin. Casey and brother Theo hide thirty people in a restaurant for
// their mother's sixtieth birthday, sail to Vinalhaven on a borrowed boat,
// show lighthouses in Hamburg with friends who write in German, Spanish and
// Japanese, and end up with a job at a maker of nautical charts. There are
// dinners, most of them with Sam. And there is a lender that nobody asked,
// which goes on sending approved loans after Casey has replied STOP.
//
// Every person, number, address and link is invented: telephone numbers are
// from the range 555-0100 to 555-0199, links from the reserved domains.
package demo

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
)

//go:generate go run media.go

// sample is laid out as Extract writes it, but for zipDir.
//
//go:embed all:sample
var sample embed.FS

//go:embed questions.json
var questions []byte

const root = "sample"

// Me is what the owner is called where an export uses the owner's own name.
const Me = "Casey Lund"

// Question is a question that one message of the sample answers.
type Question struct {
	Question string `json:"question"`
	// Answer is the whole text of the message that answers it.
	Answer string `json:"answer"`
	// Source is the service, Conversation and Sender are the names of the
	// conversation and of who wrote the message, as the readers give them.
	Source       string `json:"source"`
	Conversation string `json:"conversation"`
	Sender       string `json:"sender"`
}

// Questions returns ten questions about the sample, to measure search with.
func Questions() []Question {
	var list []Question
	if err := json.Unmarshal(questions, &list); err != nil {
		panic(fmt.Sprintf("read the bundled questions: %v", err)) // a broken build, which the tests rule out
	}
	return list
}

// Extract writes the sample under dir, which it makes if need be: folders
// with mode 0700, files with mode 0600. Files of the sample that are already
// there are replaced; nothing is written outside dir.
func Extract(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make sample folder: %w", err)
	}
	to, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open sample folder: %w", err)
	}
	defer to.Close()
	tree, err := fs.Sub(sample, root)
	if err != nil {
		return fmt.Errorf("open sample: %w", err)
	}
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == zipDir:
			return fs.SkipDir
		case d.IsDir():
			return to.MkdirAll(name, 0o700)
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		return to.WriteFile(name, data, 0o600)
	})
	if err != nil {
		return fmt.Errorf("write sample: %w", err)
	}
	return writeZips(to, tree)
}

// writeZips packs each folder in zipDir as a zip of its name beside the
// WhatsApp folders.
func writeZips(to *os.Root, tree fs.FS) error {
	folders, err := fs.ReadDir(tree, zipDir)
	if err != nil {
		return fmt.Errorf("open sample: %w", err)
	}
	for _, folder := range folders {
		content, err := fs.Sub(tree, path.Join(zipDir, folder.Name()))
		if err != nil {
			return fmt.Errorf("open sample: %w", err)
		}
		data, err := pack(content)
		if err != nil {
			return fmt.Errorf("pack %s: %w", folder.Name(), err)
		}
		name := path.Join(whatsAppDir, folder.Name()+".zip")
		if err := to.WriteFile(name, data, 0o600); err != nil {
			return fmt.Errorf("write sample: %w", err)
		}
	}
	return nil
}

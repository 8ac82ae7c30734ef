package signal

import (
	"io/fs"
	"path"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// The senders that are nobody's name.
const (
	ownerName   = "Me"
	unknownName = "No-Sender"
	// nullName is how a missing name is printed; nameless chats share a
	// folder of that name.
	nullName = "None"
	// selfFolder is the folder of the owner's chat with themselves, which
	// older versions wrote to None.
	selfFolder = "NotetoSelf"
)

// maxPeople bounds how many senders are remembered.
const maxPeople = 4096

type role uint8

const (
	contact role = iota
	owner
	unknown
)

// person is a sender as the export names them.
type person struct {
	handle msg.Handle
	role   role
}

// chat is one folder of the export.
type chat struct {
	folder string // inside the file system; "." is its root
	key    string
	people map[string]*person
	latest *person // of find
	// other is the first sender who is not the owner; group is set with the
	// second one.
	other *person
	group bool
	// met is set when the contact the folder is named after has written.
	met bool
	// ambiguous is set when the chat's name is Me: a contact of that name is
	// written exactly like the owner.
	ambiguous bool
}

func newChat(c source.Candidate) *chat {
	folder := path.Dir(c.Path)
	key := path.Base(folder)
	if folder == "." {
		key = strings.TrimSuffix(c.Container, path.Ext(c.Container))
		if !strings.EqualFold(path.Ext(c.Container), ".zip") {
			key = c.Container
		}
	}
	if key == "" {
		key = nullName
	}
	return &chat{folder: folder, key: key, people: map[string]*person{}, ambiguous: unnumbered(key) == ownerName}
}

// unnumbered cuts the digits that tell folders of one name apart.
func unnumbered(name string) string {
	if cut := strings.TrimRight(name, "0123456789"); cut != "" {
		return cut
	}
	return name
}

// find returns the person of that name; fresh is set the first time.
func find[T string | []byte](c *chat, name T) (p *person, fresh bool) {
	if c.latest != nil && string(name) == c.latest.handle.ID {
		return c.latest, false
	}
	p, ok := c.people[string(name)]
	if !ok {
		p = newPerson(string(name))
		if len(c.people) < maxPeople {
			c.people[p.handle.ID] = p
		}
	}
	c.latest = p
	return p, !ok
}

func newPerson(name string) *person {
	switch name {
	case ownerName:
		return &person{handle: msg.Handle{ID: name, Name: name}, role: owner}
	case unknownName:
		return &person{handle: msg.Handle{ID: name}, role: unknown}
	}
	h := source.NameHandle(name)
	h.ID = name
	if h.Kind != msg.HandlePhone || len(name) < shortestPhone {
		h.Kind = msg.HandleName
	}
	return &person{handle: h}
}

// shortestPhone is the least number of digits of a telephone number with its
// country code, which is all that is left of a contact without a name.
const shortestPhone = 8

// named reports whether p is the contact the folder is named after: in a
// chat of two nobody else but the owner writes.
func (c *chat) named(p *person) bool {
	return p.handle.ID == c.key || p.handle.ID == unnumbered(c.key)
}

// stranger reports whether a first message of p is odd here.
func (c *chat) stranger(p *person) bool {
	return c.met && p.role == contact && p.handle.ID != nullName && !c.named(p)
}

// attribute sets m's sender and direction. A message in doubt is never the
// owner's.
func (c *chat) attribute(m *msg.Message, p *person, empty bool) {
	m.Sender, m.Direction = p.handle, msg.In
	switch {
	case m.Suspect != "":
		return
	case p.role == owner && !c.ambiguous:
		m.Direction = msg.Out
		return
	case p.role == unknown && empty:
		m.Sender, m.Direction, m.Kind = msg.Handle{}, msg.System, msg.Notice
		return
	}
	c.met = c.met || c.named(p)
	if c.other == nil {
		c.other = p
	} else if c.other.handle.ID != p.handle.ID {
		c.group = true
	}
}

// conversation is the chat as far as it is known.
func (c *chat) conversation() msg.Conversation {
	v := msg.Conversation{Key: c.key, Name: c.key}
	if c.group && c.key != selfFolder {
		v.Kind = msg.Group
	}
	return v
}

// notes returns what was assumed for the chat as a whole.
func (c *chat) notes(fsys fs.FS) []string {
	var notes []string
	if c.key == nullName {
		notes = append(notes, "the folder None may hold the messages of several contacts without a name, one after the other")
	}
	if c.ambiguous {
		return append(notes, "this chat is called Me, and its other person's messages are written like the owner's: all are taken as received")
	}
	if c.group && c.folder != "." {
		if info, err := fs.Stat(fsys, path.Join(path.Dir(c.folder), ownerName)); err == nil && info.IsDir() {
			notes = append(notes, "a contact in this export is called Me: if they wrote in this group, their messages cannot be told from the owner's")
		}
	}
	return notes
}

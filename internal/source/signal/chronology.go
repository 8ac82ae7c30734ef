package signal

import "slices"

const (
	// drift is how far times may run back between two messages of one
	// export: they are sorted by the sender's clock but show the server's
	// when that is earlier, and local time runs back once a year.
	drift = reading(3 * hour)
	// ahead is how many messages a look ahead passes at most.
	ahead = 512
	// remembered is how many messages of the beginning a second copy of the
	// export is recognised by.
	remembered = 64
)

// early is one of the first messages of a file.
type early struct {
	time reading
	line uint64
}

// chronology tells, by time alone, which messages of a transcript may be
// lines of another one's text: an export is sorted, so a time that does not
// fit between its neighbours is not its own.
type chronology struct {
	*scanner
	// unsorted is set for a folder that several chats were written into.
	unsorted bool
	// now is the import's time, or 0.
	now reading

	first, last reading // of the messages that were not doubted
	count       int
	early       [remembered]early
	budget      int
	copyAt      int64 // the last place known to begin a second copy
	copies      bool
}

// doubt returns why the time of m cannot be its own, or "". next is the
// message after m, if there is one.
func (c *chronology) doubt(m, next mark, more bool) string {
	c.budget = min(c.budget+4, 1<<15)
	switch {
	case c.unsorted || m.verdict == isDoubtful:
		return ""
	case c.now != 0 && m.time > c.now+reading(2*day):
		return "dated after the import"
	case c.count > 0 && m.time < c.last-drift && !c.beginsCopy(m):
		return "dated before the messages it stands after"
	case more && next.time < m.time-drift && !c.beginsCopy(next) && !c.returns(next, m.time-drift):
		return "dated after the messages it stands before"
	}
	return ""
}

// add takes note of a message that is not doubted.
func (c *chronology) add(m mark) {
	if c.count == 0 {
		c.first = m.time
	} else if m.time == c.first && m.time < c.last && !c.copies {
		// A copy that begins within the drift is seen here and nowhere else.
		c.copies = c.lineHash(m.at) == c.early[0].line
	}
	if c.copyAt == m.at && m.at > 0 {
		c.copies = true
		c.last = m.time
	}
	if c.count < remembered {
		c.early[c.count] = early{m.time, c.lineHash(m.at)}
	}
	c.count++
	c.last = max(c.last, m.time)
}

// beginsCopy reports whether m begins a second copy of the export in the
// same file: it repeats one of the first messages, and until the time is back
// where it was there follow at least half of those that a copy would hold.
func (c *chronology) beginsCopy(m mark) bool {
	if c.copyAt == m.at {
		return true
	}
	until := c.last - drift
	line := c.lineHash(m.at)
	known := c.early[:min(c.count, remembered)]
	at := slices.IndexFunc(known, func(e early) bool { return e.line == line })
	if at < 0 {
		return false
	}
	held := 0
	for _, e := range known[at:] {
		if e.time < until {
			held++
		}
	}
	if n, _ := c.run(m, until, held); n < held/2 {
		return false
	}
	c.copyAt = m.at
	return true
}

// returns reports whether the messages from m on come back to time t soon,
// so that they and not the one before them are out of place.
func (c *chronology) returns(m mark, t reading) bool {
	_, back := c.run(m, t, ahead)
	return back
}

// run counts the messages from m on, most at most, that are dated before t;
// back is set when one that is not ends the run.
func (c *chronology) run(m mark, t reading, most int) (n int, back bool) {
	c.ensure(m.at, bufferSize/2)
	for found := true; found && n < most; n++ {
		if m.time >= t {
			return n, true
		}
		if c.budget--; c.budget < 0 {
			return n, true
		}
		m, found = c.seek(m.at + int64(m.bodyFrom))
	}
	return n, false
}

// lineHash hashes the beginning of the message at place at: time, sender and
// some of its first line (FNV-1a, 64 bits).
func (c *chronology) lineHash(at int64) uint64 {
	line := c.from(at)
	h := uint64(14695981039346656037)
	for _, b := range line[:min(len(line), maxHeader)] {
		if b == '\n' {
			break
		}
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}

package whatsapp

// A paste is a block of header-like lines inside one message. Its lines carry
// times of their own, so they show as a short stretch that lies hours before
// or after its neighbours. WhatsApp's own disorder is smaller: messages that
// were written offline and arrived late, and the hour that a change of clocks
// repeats.
const (
	// disorderMicros is how far back a time may lie behind the latest one.
	disorderMicros = 6 * 3600 * 1e6
	// longestPaste is how many lines a stretch out of order may have to be
	// taken for one. A longer one is a second export glued to the first.
	longestPaste = 64
	// farMicros is a jump that chats seldom make.
	farMicros = 30 * dayMicros
	// maxFlags bounds the lines that can be marked in one file.
	maxFlags = 20000
)

// stamp is one header's place in time.
type stamp struct {
	line   int64
	micros int64
	sender int32 // index into senders, or -1
	marked bool  // WhatsApp made the text: it holds a left-to-right mark
}

// flag is a line that becomes suspect.
type flag struct {
	line   int64
	sender int32
	reason suspicion
}

// timeline watches the times of a file go by and finds stretches out of
// order. It remembers a bounded number of lines.
type timeline struct {
	// recent are the latest accepted lines, low is a stretch that lies before
	// them.
	recent, low []stamp
	high        int64
	flags       []flag
	// restarts counts long stretches that lie before what precedes them, and
	// restartLine is where the first of them begins.
	restarts    int
	restartLine int64
}

func (t *timeline) add(s stamp) {
	if len(t.recent) > 0 && s.micros < t.high-disorderMicros {
		t.low = append(t.low, s)
		if len(t.low) > longestPaste {
			t.settleLong()
		}
		return
	}
	if len(t.low) > 0 {
		t.settleShort(4)
	}
	t.accept(s)
}

// finish settles what is open at the end of the file.
func (t *timeline) finish() {
	if len(t.low) > 0 {
		t.settleShort(1)
	}
}

func (t *timeline) accept(s stamp) {
	if len(t.recent) >= 4*longestPaste {
		kept := copy(t.recent, t.recent[2*longestPaste:])
		t.recent = t.recent[:kept]
	}
	t.recent = append(t.recent, s)
	t.high = max(t.high, s.micros)
	if len(t.recent) == 1 {
		t.high = s.micros
	}
}

// settleShort judges a short stretch: either it is a paste with old times, or
// the few lines before it are one with times to come. Which of the two cannot
// always be told; where the stretch is at least ratio times as long as the
// lines before it, those are suspect as well.
func (t *timeline) settleShort(ratio int) {
	if t.looksGenuine() {
		t.restart()
		return
	}
	if ahead, before, ok := t.ahead(); ok && t.low[0].micros >= before.micros && ahead*ratio <= len(t.low) {
		block := t.recent[len(t.recent)-ahead:]
		t.flag(block, timeAhead)
		if ratio == 1 && block[0].micros-before.micros > farMicros && t.low[0].micros-before.micros < dayMicros {
			t.low = t.low[:0] // it goes on from before those lines as if they were not there
			return
		}
	}
	t.flag(t.low, timeBack)
	t.low = t.low[:0]
}

// settleLong judges a stretch too long for a paste.
func (t *timeline) settleLong() {
	if ahead, _, ok := t.ahead(); ok && ahead <= longestPaste/4 {
		t.flag(t.recent[len(t.recent)-ahead:], timeAhead)
		t.recent = t.recent[:len(t.recent)-ahead]
		t.adopt()
		return
	}
	t.restart()
}

// ahead counts the lines before the stretch that are later than its first
// one, and returns the earlier one before them, if there is one.
func (t *timeline) ahead() (n int, before stamp, ok bool) {
	limit := t.low[0].micros + disorderMicros
	for n < len(t.recent) && t.recent[len(t.recent)-1-n].micros > limit {
		n++
	}
	if n == len(t.recent) {
		return n, before, false
	}
	return n, t.recent[len(t.recent)-1-n], true
}

// looksGenuine reports whether the stretch spans days and holds several texts
// that WhatsApp made. Copying messages in the app does not copy those.
func (t *timeline) looksGenuine() bool {
	first, last, marks := t.low[0].micros, t.low[0].micros, 0
	for _, s := range t.low {
		first, last = min(first, s.micros), max(last, s.micros)
		if s.marked {
			marks++
		}
	}
	return marks >= 2 && last-first > dayMicros
}

func (t *timeline) restart() {
	if t.restarts == 0 {
		t.restartLine = t.low[0].line
	}
	t.restarts++
	t.adopt()
}

// adopt takes the stretch for the present.
func (t *timeline) adopt() {
	t.high = t.low[0].micros
	for _, s := range t.low {
		t.accept(s)
	}
	t.low = t.low[:0]
}

func (t *timeline) flag(lines []stamp, reason suspicion) {
	for _, s := range lines {
		if len(t.flags) < maxFlags {
			t.flags = append(t.flags, flag{s.line, s.sender, reason})
		}
	}
}

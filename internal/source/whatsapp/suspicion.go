package whatsapp

// suspicion says why a line with the shape of a header may be text that
// somebody typed or pasted into the message before it.
type suspicion uint8

const (
	noSuspicion suspicion = iota
	timeBack
	timeAhead
	otherDateStyle
	thirdPerson
	innerLineBreak
)

var suspicionTexts = [...]string{
	noSuspicion:    "",
	timeBack:       "the time lies hours before the lines around it",
	timeAhead:      "the time lies hours after the lines around it",
	otherDateStyle: "the date is written in another style than the rest of the file",
	thirdPerson:    "the sender appears nowhere else in a chat of two",
	innerLineBreak: "the line follows a line break of the kind that stands inside messages",
}

// String returns the reason in one clause, empty for noSuspicion.
func (s suspicion) String() string { return suspicionTexts[s] }

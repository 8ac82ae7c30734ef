package whatsapp

import (
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/source"
)

// notes are the assumptions made for the file, for the sink.
func (p *plan) notes() []string {
	var notes []string
	add := func(condition bool, format string, args ...any) {
		if condition {
			notes = append(notes, fmt.Sprintf(format, args...))
		}
	}
	add(p.basis == byOrder, "dates are read as %s: only then do the messages follow each other", p.order)
	add(p.basis == byHabit, "%s", p.ambiguity())
	add(p.mixed, "dates are written in %d styles; all are taken for WhatsApp's own", len(p.others)+1)
	add(p.eras[buddhistEra], "years are read as Buddhist ones, %d ahead", buddhistOffset)
	add(p.eras[otherEra], "years are those of another calendar and were not converted: the times are unknown")
	times := &p.times[p.order]
	add(times.restarts > 0, "times start over at line %d: the file seems to be made of several exports", times.restartLine)
	add(!p.reading.trusted, "most texts begin with the mark that tells WhatsApp's own texts elsewhere, so it is not used here")
	add(p.ownerNote != "", "%s", p.ownerNote)
	return notes
}

// ambiguity says what was assumed about dates that can be read in two ways.
func (p *plan) ambiguity() string {
	return fmt.Sprintf("dates are ambiguous, no number and no sequence tells day from month; read as %s by how they are written", p.order)
}

// noteCounts reports what was counted while reading.
func (r *chatReader) noteCounts() {
	if r.kept.lines > 0 {
		r.sink.Note(fmt.Sprintf("message headers of another kind than this file's stand in texts and were kept as text: %d, the first at line %d",
			r.kept.lines, r.kept.at.Line))
	}
	for _, c := range []struct {
		n         int64
		one, many string
	}{
		{r.suspects, "1 message may be a line that somebody typed or pasted into another one; it is marked as suspect",
			"%d messages may be lines that somebody typed or pasted into others; they are marked as suspect"},
		{r.invalid, "1 message holds bytes that are not UTF-8; they were replaced by the replacement character",
			"%d messages hold bytes that are not UTF-8; they were replaced by the replacement character"},
	} {
		switch c.n {
		case 0:
		case 1:
			r.sink.Note(c.one)
		default:
			r.sink.Note(fmt.Sprintf(c.many, c.n))
		}
	}
}

// maxChoices bounds the senders offered for an answer.
const maxChoices = 30

// needs are the questions that only the user can answer.
func (p *plan) needs() []source.Need {
	needs := []source.Need{{What: source.NeedZone, Why: "the times are readings of the phone's clock, in the zone it was in when the chat was exported"}}
	if !p.needOwner {
		return needs
	}
	why := ownerUnknown
	if p.ownerNotice != noSender {
		why += fmt.Sprintf("; %q stands beside a text that says “you”", p.senders.list[p.ownerNotice].handle.ID)
	}
	var choices []string
	for _, s := range p.membersByCount()[:min(len(p.members), maxChoices)] {
		choices = append(choices, s.handle.ID)
	}
	return append([]source.Need{{What: source.NeedOwner, Why: why, Choices: choices}}, needs...)
}

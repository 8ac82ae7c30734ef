package imessage

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

func indented(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		if l != "\n" {
			b.WriteString(indent)
		}
		b.WriteString(l)
	}
	return b.String()
}

const (
	question = "May 17, 2022  5:29:42 PM\nAna\nBoat or train?\n"
	answer   = "May 17, 2022  5:40:00 PM\nMe\nBoat.\n\nIt leaves at nine.\n"
	marked   = replyMarker + "\n\n"
)

func TestReply(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		// want lists direction, body and the answered body of each message.
		want []string
	}{
		{"version 4", question + indented(answer) + "\n\n" + answer + marked,
			[]string{"in|Boat or train?|", "out|Boat.\n\nIt leaves at nine.|Boat or train?"}},
		{"before version 4", question + "    " + strings.Replace(answer, "\nMe\n", "\n    Me\n    ", 1) + "\n\n" + answer + marked,
			[]string{"in|Boat or train?|", "out|Boat.\n\nIt leaves at nine.|Boat or train?"}},
		{"part after the copy", question + indented(answer) + "\nand back?\n\n" + answer + marked,
			[]string{"in|Boat or train?\nand back?|", "out|Boat.\n\nIt leaves at nine.|Boat or train?\nand back?"}},
		{"two in one second", question + indented("May 17, 2022  5:40:00 PM\nAna\nyes\n") + "\n" + indented("May 17, 2022  5:40:00 PM\nAna\nno\n") + "\n\n" +
			"May 17, 2022  5:40:00 PM\nAna\nyes\n" + marked + "May 17, 2022  5:40:00 PM\nAna\nno\n" + marked,
			[]string{"in|Boat or train?|", "in|yes|Boat or train?", "in|no|Boat or train?"}},
		{"copy without original", question + indented("May 17, 2022  5:40:00 PM\nAna\nBoat.\n\nAt nine.\n") + "\n\n",
			[]string{"in|Boat or train?|", "in?|Boat.\n\nAt nine.|Boat or train?"}},
		{"copy of the owner without original", question + indented(answer) + "\n\n",
			[]string{"in|Boat or train?|", "in?|Boat.\n\nIt leaves at nine.|Boat or train?"}},
		{"copy before version 4 without original", question + "    May 17, 2022  5:40:00 PM\n    Ana\n    Boat.\nAt nine.\n    Tapbacks:\n        Loved by Me\n    Liked by Ana\n\n\n",
			[]string{"in|Boat or train?|", "in?|Boat.\nAt nine.|Boat or train?"}},
		{"copy altered", question + indented(strings.Replace(answer, "nine", "ten", 1)) + "\n\n" + answer + marked,
			[]string{"in|Boat or train?|", "in?|Boat.\n\nIt leaves at ten.|Boat or train?", "out|Boat.\n\nIt leaves at nine.|"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := read(t, "Ana.txt", test.text)
			var got []string
			for _, m := range r.Messages() {
				mark, target := "", ""
				if m.Suspect != "" {
					mark = "?"
				}
				if m.ReplyTo != nil {
					target = m.ReplyTo.Target.Body
				}
				got = append(got, m.Direction.String()+mark+"|"+m.Body+"|"+target)
			}
			if strings.Join(got, "\n--\n") != strings.Join(test.want, "\n--\n") {
				t.Errorf("got %q\nwant %q\n%s", got, test.want, sourcetest.Render(r))
			}
		})
	}
}

func TestReplyNamesItsTarget(t *testing.T) {
	t.Parallel()
	all := read(t, "Ana.txt", question+indented(answer)+"\n\n"+answer+marked).Messages()
	want := msg.Ref{RawTime: "May 17, 2022  5:29:42 PM", Sender: "Ana", Body: "Boat or train?"}
	if got := *all[1].ReplyTo.Target; got != want {
		t.Errorf("reply to %+v, want %+v", got, want)
	}
}

func TestParentsForgetTheOldest(t *testing.T) {
	t.Parallel()
	p := newParents()
	for i := range maxParents + 10 {
		p.put(uint64(i), &msg.Ref{Body: fmt.Sprint(i)})
	}
	if _, ok := p.take(9); ok {
		t.Error("the tenth reference is still there")
	}
	if ref, ok := p.take(10); !ok || ref.Body != "10" {
		t.Errorf("reference 10 is %v, %t", ref, ok)
	}
	if len(p.refs) > maxParents {
		t.Errorf("%d references, want at most %d", len(p.refs), maxParents)
	}
}

func TestLongText(t *testing.T) {
	t.Parallel()
	end := date(time.Date(2022, 5, 18, 9, 0, 0, 0, time.UTC)) + "\nMe\nafter\n\n"
	for _, test := range []struct {
		name, text string
		skips      int
	}{
		{"one line", strings.Repeat("é", bodyCap/2+5), 1},
		{"many lines", strings.Repeat("all work and no play\n", bodyCap/20), 1},
		{"longer than a record", strings.Repeat("x", recordCap+10), 1},
		{"within the bound", strings.Repeat("y", bodyCap), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := read(t, "Ana.txt", header+"Ana\n"+test.text+"\n\n"+end)
			all := r.Messages()
			if len(all) != 2 || all[1].Body != "after" {
				t.Fatalf("got %d messages, want 2", len(all))
			}
			if n := len(all[0].Body); n > bodyCap || n < bodyCap-1 {
				t.Errorf("body of %d bytes, want %d", n, bodyCap)
			}
			if !strings.HasPrefix(test.text, all[0].Body) {
				t.Error("body is not the beginning of the text")
			}
			if len(r.Skipped) != test.skips {
				t.Errorf("skipped %v, want %d", r.Skipped, test.skips)
			}
		})
	}
}

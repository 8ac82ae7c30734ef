package spam

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// benchTexts are what an archive of texts is made of: mostly short talk, some
// commerce.
var benchTexts = []string{
	"ok see you at 7",
	"Haha yes. I'll bring the folder and the blue jacket, don't forget to call Sam before noon",
	"Are we still on for tomorrow? The train leaves at 8.15 and it is supposed to rain all day",
	"Thanks so much for last night, it was lovely to see everyone again ❤️",
	"Your verification code is 482913. Do not share it with anyone.",
	"Running late, sorry! Be there in 10. Could you order me a coffee, black, and whatever cake they have",
	"FLASH SALE: 30% off everything until midnight https://bit.ly/3xYzAbC Reply STOP to end",
	"Hi Jordan, this is Acme Roofing. We are in your area, call (212) 555-0142 for a free quote or visit acme-roofing.com/quote",
}

// BenchmarkRead is held to 60,000 messages a second: a scan is to read
// 20,000 and does more than the rules.
func BenchmarkRead(b *testing.B) {
	s := DefaultSettings()
	s.NameVariants = []string{"Jordan", "Jordy"}
	s.WatchAreaCodes = []string{"212"}
	s.EntityKeywords = []string{"acme roofing", "example.com"}
	r := mustRules(b, s)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Read("tel:+12125550142", benchTexts[i%len(benchTexts)], true)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}

// TestLongBodies: no body takes time that grows with the square of its
// length. Each of these took seconds or minutes where something did.
func TestLongBodies(t *testing.T) {
	t.Parallel()
	const size = 200_000
	r := mustRules(t, DefaultSettings())
	for _, piece := range []string{"a.com,", ")", "a . ", " ", "[.]", "a@b.com ", "1 ", "www.", "://", "http://", "\u200b", "stop "} {
		body := "http://a.com/[" + strings.Repeat(piece, size/len(piece))
		start := time.Now()
		r.Read("code:12345", body, true)
		r.OptOut(body, "")
		shown(body)
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%d times %q takes %v", size/len(piece), piece, took)
		}
	}
}

// BenchmarkCount is held to half a second for 200,000 findings.
func BenchmarkCount(b *testing.B) {
	start := time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)
	e := Evidence{Senders: []record.Sender{{ID: 1}}, Coverage: record.Coverage{Complete: true}}
	for i := range 200_000 {
		at := msg.InstantTime(start.Add(time.Duration(i)*30*time.Minute), msg.Second, "")
		e.Findings = append(e.Findings, record.Finding{Hash: fmt.Sprintf("%032x", i), SenderID: 1, SenderKey: "code:12345", Direction: msg.In, Time: at, Sort: at.Micros,
			TextKey: fmt.Sprint(i), BodyBytes: 10, Category: record.Category{Name: record.Promo}})
	}
	stop := msg.InstantTime(start.AddDate(5, 0, 0), msg.Second, "")
	e.Events = []record.Event{{ID: 1, SenderID: 1, Type: record.StopSent, Time: stop, Sort: stop.Micros, Origin: record.FromScan}}
	b.ReportAllocs()
	for b.Loop() {
		Count(e, Question{Clocks: Clocks{Zone: newYork}, AsOf: asOf})
	}
}

package imessage

import (
	"path"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

func TestConformance(t *testing.T) { sourcetest.Run(t, Text{}, fixtures(t)) }

func TestGolden(t *testing.T) {
	t.Parallel()
	for i, f := range fixtures(t) {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			sourcetest.Golden(t, path.Join("testdata", versions[i].dir+".golden"), sourcetest.Read(t, Text{}, f))
		})
	}
}

// testClock gives dates as the exporter writes them, half a minute apart.
type testClock struct{ now time.Time }

func newTestClock() *testClock {
	return &testClock{time.Date(2019, 1, 1, 8, 0, 0, 0, time.UTC)}
}

func (c *testClock) next() string {
	c.now = c.now.Add(30 * time.Second)
	return date(c.now)
}

func date(t time.Time) string {
	layout := "Jan 02, 2006 3:04:05 PM"
	if h := t.Hour() % 12; h > 0 && h < 10 {
		layout = "Jan 02, 2006  3:04:05 PM"
	}
	return t.Format(layout)
}

package whatsapp

import (
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

func TestChatExporterGolden(t *testing.T) {
	t.Parallel()
	for name, f := range exportFixtures(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sourcetest.Golden(t, "testdata/exports/"+name+".golden", sourcetest.Read(t, ChatExporter{}, f))
		})
	}
}

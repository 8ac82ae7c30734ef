package whatsapp

import (
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

func TestChatTextGolden(t *testing.T) {
	t.Parallel()
	for name, f := range chatFixtures(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sourcetest.Golden(t, "testdata/chats/"+name+".golden", sourcetest.Read(t, ChatText{}, f))
		})
	}
}

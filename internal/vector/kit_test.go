package vector

import (
	"context"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// rootContext is for what does not belong to one test.
var rootContext = context.Background()

// roleVariable makes the test program play a part instead of testing.
const roleVariable = "MSGBROWSE_TEST_VECTOR_ROLE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(roleVariable); dir != "" {
		endlessly(dir)
		return
	}
	os.Exit(m.Run())
}

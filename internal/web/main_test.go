package web_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// scratch is a folder for what tests share; it goes with the process.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "msgbrowse-web-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := runTests(m)
	if err := os.RemoveAll(scratch); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// sampleData is a data folder with the bundled sample, made once for all
// tests, which only read it.
var sampleData = sync.OnceValues(func() (string, error) {
	data := filepath.Join(scratch, "data")
	return data, importSample(context.Background(), scratch, data)
})

package llm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/llm"
)

func TestReadKey(t *testing.T) {
	t.Parallel()
	files := map[string]string{"/key": "sk-file\n", "/empty": " \n", "/two": "sk-1\nsk-2\n", "/long": strings.Repeat("x", 9000)}
	read := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	const alone = "; the file or variable must hold the key alone"
	for _, tt := range []struct {
		name, file, environment, err string
		none                         bool
	}{
		{name: "neither", none: true},
		{name: "environment", environment: "sk-env"},
		{name: "file", file: "/key"},
		{name: "both", file: "/key", environment: "no key at all"},
		{name: "empty file", file: "/empty", environment: "sk-env", err: "the key file /empty is empty; write the API key into it, or remove llm.api_key_file"},
		{name: "missing file", file: "/none", err: "read API key: open /none: file does not exist"},
		{name: "two keys", file: "/two", err: "llm.api_key_file: the API key holds spaces, line breaks or letters that keys do not have" + alone},
		{name: "a page", file: "/long", err: "llm.api_key_file: the API key is longer than keys are" + alone},
		{name: "letters", environment: "schlüssel", err: "MSGBROWSE_LLM_API_KEY: the API key holds spaces, line breaks or letters that keys do not have" + alone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			key, err := llm.ReadKey(tt.file, tt.environment, read)
			if got := fmt.Sprint(err); err != nil && got != tt.err || err == nil && tt.err != "" {
				t.Errorf("error = %v, want %q", err, tt.err)
			}
			if none := key == (llm.Key{}); none != (tt.none || tt.err != "") {
				t.Errorf("no key: %v", none)
			}
		})
	}
}

func TestKeyIsNotShown(t *testing.T) {
	t.Parallel()
	key, err := llm.NewKey("sk-0123456789")
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", key, "options", llm.Options{Key: key})
	asJSON, err := json.Marshal(map[string]any{"key": key})
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{log.String(), string(asJSON), fmt.Sprint(key), fmt.Sprintf("%v %+v %#v %q %s %x %d", key, key, key, key, key, key, key),
		fmt.Sprintf("%+v %#v", llm.Options{Key: key}, &llm.Options{Key: key})} {
		if strings.Contains(shown, "0123") || strings.Contains(shown, "30313233") || !strings.Contains(shown, "[secret]") {
			t.Errorf("shown as %q", shown)
		}
	}
}

package mcp

import (
	"log/slog"
	"strings"
	"testing"
)

func TestQuietHandler(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		level slog.Level
		want  []string
	}{
		{name: "at info", level: slog.LevelInfo, want: []string{"level=WARN msg=b"}},
		{name: "at debug", level: slog.LevelDebug, want: []string{"level=DEBUG msg=a", "level=WARN msg=b", "level=DEBUG msg=c"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := new(lockedBuffer)
			log := slog.New(quietHandler{slog.NewTextHandler(out, &slog.HandlerOptions{Level: tt.level})})
			log.Info("a")
			log.Warn("b")
			log.WithGroup("g").With("k", 1).Info("c")
			got := strings.Split(strings.TrimSpace(out.String()), "\n")
			if len(got) != len(tt.want) {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			for i, want := range tt.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("line %d: got %q, want %q", i, got[i], want)
				}
			}
		})
	}
}

package telegram

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestMoment(t *testing.T) {
	t.Parallel()
	const micros = 1709280000 * 1e6
	tests := []struct {
		name, local, unix string
		want              msg.Time
	}{
		{"both", `"2024-03-01T09:00:00"`, `"1709280000"`, msg.Time{Micros: micros, Basis: msg.Instant, Raw: "1709280000", Known: true}},
		{"instant as a number", ``, `1709280000`, msg.Time{Micros: micros, Basis: msg.Instant, Raw: "1709280000", Known: true}},
		{"local only", `"2024-03-01T08:00:00"`, ``, msg.Time{Micros: micros, Basis: msg.Wall, Raw: "2024-03-01T08:00:00", Known: true}},
		{"instant is a placeholder", `"2024-03-01T08:00:00"`, `"0"`, msg.Time{Micros: micros, Basis: msg.Wall, Raw: "2024-03-01T08:00:00", Known: true}},
		{"instant is damaged", `"2024-03-01T08:00:00"`, `"x"`, msg.Time{Micros: micros, Basis: msg.Wall, Raw: "2024-03-01T08:00:00", Known: true}},
		{"instant beyond all time", ``, `"9223372036854775807"`, msg.Time{}},
		{"never, east", `"1970-01-01T05:00:00"`, ``, msg.Time{Raw: "1970-01-01T05:00:00"}},
		{"never, west", `"1969-12-31T16:00:00"`, ``, msg.Time{Raw: "1969-12-31T16:00:00"}},
		{"no date", `"soon"`, ``, msg.Time{Raw: "soon"}},
		{"null", `null`, ``, msg.Time{}},
		{"missing", ``, ``, msg.Time{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, moment([]byte(tt.local), []byte(tt.unix))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

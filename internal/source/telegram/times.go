package telegram

import (
	"strconv"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// time is when the message was sent: an instant where the export states one
// (since 2022), else the exporting computer's clock reading.
func (m *record) time() msg.Time { return moment(m.date, m.dateUnix) }

func moment(local, unix []byte) msg.Time {
	if len(unix) > 0 {
		raw := strings.Trim(string(unix), `"`)
		if n, err := strconv.ParseInt(raw, 10, 64); err == nil && plausible(n) {
			return msg.Time{Micros: n * 1e6, Basis: msg.Instant, Precision: msg.Second, Raw: raw, Known: true}
		}
	}
	if len(local) == 0 || isNull(local) {
		return msg.Time{}
	}
	raw := decodeString(local)
	t, ok := clockReading(raw)
	if !ok || isEpoch(t) {
		return msg.Time{Raw: raw}
	}
	return msg.WallTime(t, msg.Second, raw)
}

// plausible refuses the placeholder 0 and what would overflow.
func plausible(unix int64) bool { return unix > 0 && unix < 1<<40 }

func clockReading(text string) (time.Time, bool) {
	t, err := time.ParseInLocation("2006-01-02T15:04:05", text, time.UTC)
	return t, err == nil
}

// isEpoch reports whether a clock reading is the start of unix time in some
// zone: exports of 2020 write that for "never".
func isEpoch(t time.Time) bool {
	return t.Unix() >= -13*3600 && t.Unix() <= 15*3600
}

// editedAt returns when the message was edited, as text, or "" if it was
// not.
func (m *record) editedAt() string {
	t := moment(m.edited, m.editedUnix)
	switch {
	case !t.Known:
		return ""
	case t.Basis == msg.Instant:
		return t.String()
	}
	return t.Raw
}

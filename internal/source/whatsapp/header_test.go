package whatsapp

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	nbsp  = "\u00a0"
	nnbsp = "\u202f"
	rlm   = "\u200f"
	bom   = "\ufeff"
)

func TestScanHeader(t *testing.T) {
	t.Parallel()
	// want is the reading under order, raw the date and time as they stand,
	// text what follows the header.
	for _, tt := range []struct {
		name, line string
		order      order
		want       string
		shape      shape
		raw, text  string
	}{
		{"iphone", "[13/01/2024, 09:02:10] Ana: hi", dayFirst, "2024-01-13 09:02:10", bracketed, "13/01/2024, 09:02:10", "Ana: hi"},
		{"iphone us", "[1/13/24, 9:02:10 PM] Ana: hi", monthFirst, "2024-01-13 21:02:10", bracketed, "1/13/24, 9:02:10 PM", "Ana: hi"},
		{"iphone narrow space", "[1/13/24, 9:02:10" + nnbsp + "PM] Ana: hi", monthFirst, "2024-01-13 21:02:10", bracketed, "1/13/24, 9:02:10" + nnbsp + "PM", "Ana: hi"},
		{"iphone mark before", lrm + "[13/01/2024, 09:02:10] Ana: " + lrm + "x", dayFirst, "2024-01-13 09:02:10", bracketed, "13/01/2024, 09:02:10", "Ana: " + lrm + "x"},
		{"byte order mark", bom + "[13/01/2024, 09:02:10] Ana: x", dayFirst, "2024-01-13 09:02:10", bracketed, "13/01/2024, 09:02:10", "Ana: x"},
		{"iphone year first", "[2020/05/01, 12:00:05] P: x", dayFirst, "2020-05-01 12:00:05", bracketed, "2020/05/01, 12:00:05", "P: x"},
		{"iphone dots", "[13.01.24, 21:22:39] P: x", dayFirst, "2024-01-13 21:22:39", bracketed, "13.01.24, 21:22:39", "P: x"},
		{"german with capital PM", "[05.08.23, 5:52:02 PM] Hana: x", dayFirst, "2023-08-05 17:52:02", bracketed, "05.08.23, 5:52:02 PM", "Hana: x"},
		{"turkish", "[23.09.2016 17:00:28] M: x", dayFirst, "2016-09-23 17:00:28", bracketed, "23.09.2016 17:00:28", "M: x"},
		{"no space after the bracket", "[13/01/2024, 09:02:10]Ana: hi", dayFirst, "2024-01-13 09:02:10", bracketed, "13/01/2024, 09:02:10", "Ana: hi"},
		{"brackets without seconds", "[2019-04-16 02:09] Mary: x", dayFirst, "2019-04-16 02:09:00", bracketed, "2019-04-16 02:09", "Mary: x"},
		{"android", "13/01/2024, 09:02 - Ana: hi", dayFirst, "2024-01-13 09:02:00", dashed, "13/01/2024, 09:02", "Ana: hi"},
		{"android us", "1/13/24, 9:02 AM - Ana: hi", monthFirst, "2024-01-13 09:02:00", dashed, "1/13/24, 9:02 AM", "Ana: hi"},
		{"midnight", "1/13/24, 12:02 AM - Ana: hi", monthFirst, "2024-01-13 00:02:00", dashed, "1/13/24, 12:02 AM", "Ana: hi"},
		{"midday", "1/13/24, 12:02 pm - Ana: hi", monthFirst, "2024-01-13 12:02:00", dashed, "1/13/24, 12:02 pm", "Ana: hi"},
		{"half a.m.", "2023-12-20, 5:46 a.m. - F: x", dayFirst, "2023-12-20 05:46:00", dashed, "2023-12-20, 5:46 a.m.", "F: x"},
		{"half p. m.", "1/4/2026, 9:29 p. m. - N: x", dayFirst, "2026-04-01 21:29:00", dashed, "1/4/2026, 9:29 p. m.", "N: x"},
		{"half p. m. with no-break spaces", "1/4/2026, 9:29" + nnbsp + "p." + nbsp + "m. - N: x", dayFirst, "2026-04-01 21:29:00", dashed, "1/4/2026, 9:29" + nnbsp + "p." + nbsp + "m.", "N: x"},
		{"half without space", "2023/12/20, 5:46pm - F: x", dayFirst, "2023-12-20 17:46:00", dashed, "2023/12/20, 5:46pm", "F: x"},
		{"spanish without comma", "7/11/20 10:14 - AP: x", dayFirst, "2020-11-07 10:14:00", dashed, "7/11/20 10:14", "AP: x"},
		{"french", "22/01/2021 à 15:51 - T: x", dayFirst, "2021-01-22 15:51:00", dashed, "22/01/2021 à 15:51", "T: x"},
		{"portuguese", "22/01/2021 às 15:51 - T: x", dayFirst, "2021-01-22 15:51:00", dashed, "22/01/2021 às 15:51", "T: x"},
		{"german word", "22.01.21 um 15:51 - T: x", dayFirst, "2021-01-22 15:51:00", dashed, "22.01.21 um 15:51", "T: x"},
		{"german word after", "22.01.21, 15:51 Uhr - T: x", dayFirst, "2021-01-22 15:51:00", dashed, "22.01.21, 15:51 Uhr", "T: x"},
		{"finnish", "13.6.2018 klo 21.07 - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "13.6.2018 klo 21.07", "T: x"},
		{"danish", "13.06.2018 kl. 21.07 - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "13.06.2018 kl. 21.07", "T: x"},
		{"croatian", "13. 6. 2018. 21:07 - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "13. 6. 2018. 21:07", "T: x"},
		{"croatian with word", "13. 06. 2018. u 21:07 - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "13. 06. 2018. u 21:07", "T: x"},
		{"bulgarian", "13.06.18 г., 21:07 ч. - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "13.06.18 г., 21:07 ч.", "T: x"},
		{"hungarian", "2018. 06. 13. 21:07 - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "2018. 06. 13. 21:07", "T: x"},
		{"hungarian halves", "2018. 06. 13., de. 9:07 - T: x", dayFirst, "2018-06-13 09:07:00", dashed, "2018. 06. 13., de. 9:07", "T: x"},
		{"dutch", "13-06-18 21:07 - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "13-06-18 21:07", "T: x"},
		{"swedish halves", "2018-06-13 9:07 em - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "2018-06-13 9:07 em", "T: x"},
		{"greek", "13/6/18, 9:07 μ.μ. - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "13/6/18, 9:07 μ.μ.", "T: x"},
		{"turkish halves", "13.06.2018 ÖS 9:07 - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "13.06.2018 ÖS 9:07", "T: x"},
		{"japanese", "2018/06/13 午後9:07 - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "2018/06/13 午後9:07", "T: x"},
		{"japanese midday", "2018/06/13 午後0:07 - T: x", dayFirst, "2018-06-13 12:07:00", dashed, "2018/06/13 午後0:07", "T: x"},
		{"japanese midnight", "2018/06/13, 午前12:07 - T: x", dayFirst, "2018-06-13 00:07:00", dashed, "2018/06/13, 午前12:07", "T: x"},
		{"korean", "18. 6. 13. 오후 9:07 - T: x", shortFirst, "2018-06-13 21:07:00", dashed, "18. 6. 13. 오후 9:07", "T: x"},
		{"korean iphone", "[2018. 6. 13. 오후 9:07:01] T: x", dayFirst, "2018-06-13 21:07:01", bracketed, "2018. 6. 13. 오후 9:07:01", "T: x"},
		{"chinese", "[2018/6/13 下午9:07:01] T: x", dayFirst, "2018-06-13 21:07:01", bracketed, "2018/6/13 下午9:07:01", "T: x"},
		{"chinese noon", "[2018/6/13 中午12:07:01] T: x", dayFirst, "2018-06-13 12:07:01", bracketed, "2018/6/13 中午12:07:01", "T: x"},
		{"chinese small hours", "[2018/6/13 凌晨12:07:01] T: x", dayFirst, "2018-06-13 00:07:01", bracketed, "2018/6/13 凌晨12:07:01", "T: x"},
		{"chinese wide colon", "2018/6/13，21：07 - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "2018/6/13，21：07", "T: x"},
		{"arabic", rlm + "[١٣" + rlm + "/٦" + rlm + "/٢٠١٨, ٩:٠٧:٠١ م] T: x", dayFirst, "2018-06-13 21:07:01", bracketed, "١٣" + rlm + "/٦" + rlm + "/٢٠١٨, ٩:٠٧:٠١ م", "T: x"},
		{"arabic android", "١٣" + rlm + "/٦" + rlm + "/٢٠١٨، ٩:٠٧ ص - T: x", dayFirst, "2018-06-13 09:07:00", dashed, "١٣" + rlm + "/٦" + rlm + "/٢٠١٨، ٩:٠٧ ص", "T: x"},
		{"hindi digits", "१३/०६/१८, ९:०७ pm - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "१३/०६/१८, ९:०७ pm", "T: x"},
		{"hebrew", "13.6.2018, 9:07 אחה״צ - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "13.6.2018, 9:07 אחה״צ", "T: x"},
		{"thai year", "13/6/2561 21:07 - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "13/6/2561 21:07", "T: x"},
		{"canadian french", "2018-06-13 21 h 07 - T: x", dayFirst, "2018-06-13 21:07:00", dashed, "2018-06-13 21 h 07", "T: x"},
		{"canadian french seconds", "[2018-06-13 21 h 07 min 01 s] T: x", dayFirst, "2018-06-13 21:07:01", bracketed, "2018-06-13 21 h 07 min 01 s", "T: x"},
		{"old iphone", "13/06/16, 21:07:01: T: x", dayFirst, "2016-06-13 21:07:01", coloned, "13/06/16, 21:07:01", "T: x"},
		{"old iphone halves", "6/13/16, 9:07:01 PM: T: x", monthFirst, "2016-06-13 21:07:01", coloned, "6/13/16, 9:07:01 PM", "T: x"},
		{"leap day", "29/02/2024, 09:02 - Ana: hi", dayFirst, "2024-02-29 09:02:00", dashed, "29/02/2024, 09:02", "Ana: hi"},
		{"empty text", "13/01/2024, 09:02 - Ana:", dayFirst, "2024-01-13 09:02:00", dashed, "13/01/2024, 09:02", "Ana:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h, ok := scanHeader([]byte(tt.line))
			if !ok {
				t.Fatalf("%q is no header", tt.line)
			}
			micros, ok := h.moment(tt.order)
			got := time.UnixMicro(micros).UTC().Format(time.DateTime)
			if !ok || got != tt.want {
				t.Errorf("read %q as %s (%t), want %s", tt.line, got, ok, tt.want)
			}
			if raw := tt.line[h.from:h.to]; raw != tt.raw {
				t.Errorf("raw %q, want %q", raw, tt.raw)
			}
			if text := tt.line[h.text:]; text != tt.text || h.shape != tt.shape {
				t.Errorf("shape %d text %q, want %d %q", h.shape, text, tt.shape, tt.text)
			}
		})
	}
}

func TestScanHeaderRefuses(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"", "ok", "[", "[13/01", "[13/01/2024, 09:0", "13/01/2024", "13/01/2024, 09:02", "13/01/2024, 09:02 -", "13/01/2024, 09:02 Ana: hi",
		"[20:33, 15/01/2020] Ana: copied from the browser",
		"[15/01, 20:33] Ana: copied on Android",
		"13/01/2024, 24:02 - Ana: hi", "13/01/2024, 09:60 - Ana: hi", "[13/01/2024, 09:02:60] Ana: hi",
		"13/01-2024, 09:02 - Ana: hi", "13/01/20245, 09:02 - Ana: hi", "13/01/999, 09:02 - Ana: hi", "2024/01/2024, 09:02 - Ana: hi",
		"13/01/1850, 09:02 - Ana: hi", "13/01/2024 somewhere 09:02 - Ana: hi", "13/01/2024, 09:02 XM - Ana: hi",
		"2024-01-02 10:00:01 INFO server: started", "2024-01-02 10:00:01,123 - root - INFO - x", "192.168.10.1, 09:02 - x",
		"10 things to do - today: rest", "2024. What a year - really: yes",
	} {
		if h, ok := scanHeader([]byte(line)); ok {
			t.Errorf("%q is taken for a header: %+v", line, h)
		}
	}
}

func TestScanHeaderStyle(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line  string
		frame frame
		style dateStyle
	}{
		{"[13/01/2024, 09:02:10] A: x", frame{bracketed, true, true, false}, dateStyle{yearLast, '/'}},
		{"2024-01-13 9:02 p.m. - A: x", frame{dashed, false, false, true}, dateStyle{yearFirst, '-'}},
		{"13.01.24, 09:02 Uhr - A: x", frame{dashed, true, false, false}, dateStyle{yearShort, '.'}},
		{"13.01.24, 9:02:10 PM: A: x", frame{coloned, true, true, true}, dateStyle{yearShort, '.'}},
		{"24/1/3 午前9:02 - A: x", frame{dashed, false, false, true}, dateStyle{yearShort, '/'}},
	} {
		h, ok := scanHeader([]byte(tt.line))
		if !ok || h.frame != tt.frame || h.dateStyle != tt.style {
			t.Errorf("%q: %t %+v %+v, want %+v %+v", tt.line, ok, h.frame, h.dateStyle, tt.frame, tt.style)
		}
	}
}

// TestCalendar compares the arithmetic with the standard library's over four
// centuries.
func TestCalendar(t *testing.T) {
	t.Parallel()
	for day := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2200; day = day.AddDate(0, 0, 1) {
		if got, want := daysSinceEpoch(day.Year(), int(day.Month()), day.Day()), day.Unix()/86400; got != want {
			t.Fatalf("%s is day %d, want %d", day.Format(time.DateOnly), got, want)
		}
		if last := day.AddDate(0, 0, 1).Day() == 1; last != (day.Day() == daysIn(day.Year(), int(day.Month()))) {
			t.Fatalf("%s: last of the month is %t", day.Format(time.DateOnly), last)
		}
	}
}

func FuzzScanHeader(f *testing.F) {
	for _, line := range []string{
		"[13/01/2024, 09:02:10] Ana: hi", "1/13/24, 9:02 AM - Ana: hi", lrm + "[2018. 6. 13. 오후 9:07:01] T: x",
		"13/06/16, 21:07:01: T: x", "2018-06-13 21 h 07 min 01 s - T: x", "13. 06. 2018. u 21:07 - T: x", "1/4/2026, 9:29" + nnbsp + "p." + nbsp + "m. - N: x",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		h, ok := scanHeader(line)
		var plain header
		if len(line) >= shortestHeader && line[0] < 0x80 && (line[0] == '[' || line[0] >= '0' && line[0] <= '9') && scanPlainHeader(line, &plain) {
			if any, ok := scanAnyHeader(line); !ok || any != plain {
				t.Errorf("%q: the short way gives %+v, the long way %t %+v", line, plain, ok, any)
			}
		}
		if !ok {
			return
		}
		if h.from < 0 || h.from >= h.to || h.to > h.text || h.text > len(line) {
			t.Fatalf("%q: bounds %d %d %d", line, h.from, h.to, h.text)
		}
		if again, ok := scanHeader(line[:h.text]); !ok || again != h {
			t.Errorf("%q: reading the header alone gives %t %s", line, ok, cmp.Diff(h, again, cmp.AllowUnexported(header{}, frame{}, dateStyle{})))
		}
		for o := range orders {
			if micros, ok := h.moment(o); ok && (micros < 0 && eraOf(h.numbers[0]) != otherEra && eraOf(h.numbers[2]) != otherEra) {
				t.Errorf("%q: before 1970: %d", line, micros)
			}
		}
	})
}

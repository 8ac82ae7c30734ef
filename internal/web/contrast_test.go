package web_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// TestContrast computes the contrast of the colours of text on what they
// stand on, light and dark, as WCAG 2.2 defines it: at least 4.5 for text and
// 3 for edges of fields.
func TestContrast(t *testing.T) {
	t.Parallel()
	style, err := os.ReadFile("static/style.css")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(string(style), -1)
	if len(blocks) < 2 {
		t.Fatalf("%d blocks of colours", len(blocks))
	}
	pairs := []struct {
		ink, ground string
		least       float64
	}{
		{"ink", "ground", 7}, {"ink", "rail", 7}, {"ink", "mine", 7}, {"ink", "wash", 7}, {"ink", "amber-wash", 7},
		{"quiet", "ground", 4.5}, {"quiet", "wash", 4.5}, {"quiet", "mine", 4.5}, {"quiet", "rail", 4.5},
		{"accent", "ground", 4.5}, {"accent", "rail", 4.5}, {"accent", "wash", 4.5}, {"accent", "mine", 4.5}, {"accent", "amber-wash", 4.5},
		{"on-accent", "accent", 4.5}, {"mark-ink", "mark", 4.5}, {"amber", "ground", 4.5}, {"amber", "amber-wash", 4.5}, {"red", "ground", 4.5},
		{"edge", "ground", 3},
	}
	for i, scheme := range []string{"light", "dark"} {
		colours := map[string]string{}
		for _, c := range regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{6});`).FindAllStringSubmatch(blocks[i][1], -1) {
			colours[c[1]] = c[2]
		}
		for _, p := range pairs {
			if colours[p.ink] == "" || colours[p.ground] == "" {
				t.Errorf("%s: no colour %s or %s", scheme, p.ink, p.ground)
				continue
			}
			if got := contrast(colours[p.ink], colours[p.ground]); got < p.least {
				t.Errorf("%s: %s on %s has a contrast of %.2f, want %.1f", scheme, p.ink, p.ground, got, p.least)
			}
		}
	}
	for _, c := range regexp.MustCompile(`\.source(?:-[a-z]+)? \{[^}]*background: (#[0-9a-f]{6})`).FindAllStringSubmatch(string(style), -1) {
		if got := contrast("#ffffff", c[1]); got < 4.5 {
			t.Errorf("the letter on %s has a contrast of %.2f", c[1], got)
		}
	}
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(colour string) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			return math.NaN()
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

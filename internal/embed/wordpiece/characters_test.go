package wordpiece

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// characterClass says what becomes of a character between two letters.
func characterClass(r rune) string {
	options := Uncased()
	var found []string
	for w := (words{text: "a" + string(r) + "b", options: &options}); w.next(); {
		found = append(found, string(w.word))
	}
	if len(found) == 1 && found[0] == "ab" {
		return "dropped"
	}
	return [...]string{1: "letter", 2: "space", 3: "alone"}[len(found)]
}

// Every character there is has the class that the reference gives it. Only
// those that came after the reference's version of Unicode may differ, and
// none of them stands in a vocabulary.
func TestCharacters(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/characters.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	want := make(map[rune]string)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var first, last rune
		var class string
		if _, err := fmt.Sscanf(lines.Text(), "%X %X %s", &first, &last, &class); err != nil {
			t.Fatal(err)
		}
		for r := first; r <= last; r++ {
			want[r] = class
		}
	}
	known := strings.Join(vocabulary(t), "")
	differences := 0
	for r := rune(0); r <= 0x10FFFF; r++ {
		if r >= 0xD800 && r < 0xE000 {
			continue
		}
		class := want[r]
		if class == "" {
			class = "letter"
		}
		got := characterClass(r)
		if got == class {
			continue
		}
		differences++
		if r < 0x0600 || strings.ContainsRune(known, r) {
			t.Errorf("%U is %s, want %s", r, got, class)
		}
	}
	if differences > 600 {
		t.Errorf("%d characters differ", differences)
	}
}

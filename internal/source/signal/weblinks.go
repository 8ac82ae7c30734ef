package signal

import "strings"

// hiddenLinks returns the targets of Markdown links in a text that a reader
// of plain text would not find whole, because they hold parentheses.
func hiddenLinks(text string) []string {
	var links []string
	for {
		at := strings.Index(text, "](http")
		if at < 0 {
			return links
		}
		text = text[at+2:]
		target := balanced(text)
		if strings.Contains(target, "(") && isWeb(target) {
			links = append(links, target)
		}
		text = text[len(target):]
	}
}

// maxTarget bounds a link's target, in bytes.
const maxTarget = 2048

// balanced returns text up to the closing parenthesis that has no partner in
// it, or nothing when a space or a line's end comes first.
func balanced(text string) string {
	depth := 0
	for i := range min(len(text), maxTarget) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return text[:i]
			}
			depth--
		case ' ', '\n', '\t':
			return ""
		}
	}
	return ""
}

func isWeb(target string) bool {
	return strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "http://")
}

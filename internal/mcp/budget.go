package mcp

import (
	"fmt"
	"unicode/utf8"
)

// Budgets of message text in one result, in characters.
const (
	textBudget    = 12_000 // by default
	maxTextBudget = 40_000 // when more than the default number was asked for
	longMessage   = 4_000  // beyond it a message in a list is cut
	longAddress   = 2_000  // beyond it an address or a path is cut, in bytes
	// wholeMessage is where even a message asked for alone is cut.
	wholeMessage = 1_000_000
)

// budgetFor returns the budget of a call: asking for more messages than the
// default asks for more text, too.
func budgetFor(limit, defaultLimit int) int {
	if limit <= defaultLimit {
		return textBudget
	}
	return min(maxTextBudget, textBudget*limit/defaultLimit)
}

// fit cuts over-long messages and returns how many of the list the budget
// holds, at least one.
func fit(list []messageItem, budget int) int {
	used := 0
	for i := range list {
		cutLong(&list[i], min(longMessage, budget))
		used += utf8.RuneCountInString(list[i].Text)
		if used > budget && i > 0 {
			return i
		}
	}
	return len(list)
}

// fitting returns how many of n items the largest budget holds, at least one.
func fitting(n int, size func(int) int) int {
	used := 0
	for i := range n {
		if used += size(i); used > maxTextBudget && i > 0 {
			return i
		}
	}
	return n
}

// cutLong cuts a message and points to the tool that gives it whole.
func cutLong(m *messageItem, limit int) {
	cutText(m, limit, fmt.Sprintf("get_context message_id=%d window=0", m.MessageID))
}

func cutText(m *messageItem, limit int, rest string) {
	n := utf8.RuneCountInString(m.Text)
	if n <= limit {
		return
	}
	end, seen := 0, 0
	for end = range m.Text {
		if seen == limit {
			break
		}
		seen++
	}
	m.Text = fmt.Sprintf("%s [cut, %d more characters: %s]", m.Text[:end], n-limit, rest)
}

// aroundBudget spends two budgets from the message outwards, so that what is
// left out lies at the far ends: one of message text, which grows with the
// window, and one of everything that is said of the messages. A message alone
// is given whole.
func aroundBudget(items []messageItem, id int64, textBudget int, l *listing) []messageItem {
	at := 0
	for i := range items {
		if items[i].MessageID == id {
			at = i
		}
	}
	if len(items) == 1 {
		cutText(&items[at], wholeMessage, fmt.Sprintf("msgbrowse show %d", id))
		return items
	}
	cutToFit(&items[at], maxTextBudget)
	text, all := utf8.RuneCountInString(items[at].Text), saidOf(items[at])
	from, to := at, at+1
	for from > 0 || to < len(items) {
		grown := false
		for _, i := range []int{from - 1, to} {
			if i < 0 || i >= len(items) {
				continue
			}
			cutLong(&items[i], longMessage)
			n, m := utf8.RuneCountInString(items[i].Text), saidOf(items[i])
			if n > 0 && text+n > textBudget || all+m > maxTextBudget {
				continue
			}
			text, all = text+n, all+m
			if i < from {
				from = i
			} else {
				to = i + 1
			}
			grown = true
		}
		if !grown {
			l.Hint = "the text budget ended the window; read on with get_context around the first or last message shown"
			break
		}
	}
	return items[from:to]
}

// cutToFit cuts a message's text so that all that is said of it fits.
func cutToFit(m *messageItem, budget int) {
	whole := m.Text
	for limit := budget; ; {
		m.Text = whole
		cutLong(m, limit)
		over := saidOf(*m) - budget
		if over <= 0 || limit == 0 {
			return
		}
		limit = max(0, limit-over)
	}
}

// saidOf is how many characters a message takes in a result.
func saidOf(m messageItem) int {
	raw, err := marshal(m)
	if err != nil {
		return 0 // texts and numbers always encode
	}
	return utf8.RuneCount(raw) + len(",")
}

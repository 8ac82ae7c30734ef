package spam

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strings"
	"sync"
)

//go:embed shorteners.txt
var shortenerFile string

// builtInShorteners are the domains of the embedded list. That a link goes by
// way of one is a fact to print, not proof of spam.
var builtInShorteners = sync.OnceValue(func() []string {
	var list []string
	for line := range strings.Lines(shortenerFile) {
		if domain := strings.TrimSpace(line); domain != "" && domain[0] != '#' {
			list = append(list, domain)
		}
	}
	return list
})

// shortenerListVersion names the embedded list by its content.
var shortenerListVersion = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(strings.Join(builtInShorteners(), "\n")))
	return hex.EncodeToString(sum[:8])
})

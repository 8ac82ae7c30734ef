// Package archtest holds tests of the whole tree: who may import whom, and
// the few rules about code that no linter knows. rules_test.go is the place
// to read them and, for a new package, to give it its place.
package archtest

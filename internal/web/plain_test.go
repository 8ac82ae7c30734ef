//go:build !browser

package web_test

import "testing"

func runTests(m *testing.M) int { return m.Run() }

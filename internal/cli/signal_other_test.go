//go:build !unix

package cli

// stuck is only run where processes can signal themselves.
func stuck() { panic("unreachable") }

// Command msgbrowse turns message exports into one private archive and
// answers questions about it. Run "msgbrowse help" for the manual.
package main

import (
	"os"

	"github.com/msgbrowse/msgbrowse/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, cli.Machine()))
}

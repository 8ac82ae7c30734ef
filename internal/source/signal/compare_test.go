package signal

import (
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// diffContent compares two readings but for positions.
func diffContent(want, got sourcetest.Result) string {
	return cmp.Diff(want, got, cmpopts.IgnoreTypes(msg.Position{}))
}

// cmpEmptySlices takes an empty slice for no slice.
var cmpEmptySlices = cmpopts.EquateEmpty()

// Package sourcetest is the conformance suite that every source passes. A
// source's own test is a table of fixtures handed to Run, a few goldens and a
// fuzz target; what every reader must do — say where a message stands, survive
// a cut file, keep memory bounded, never invent an owner — is checked here,
// once, for all of them.
//
// The package registers the test flag -update, which makes Golden write its
// files instead of comparing them.
package sourcetest

// Package pace tells tests that take long from those that are always run.
package pace

import (
	"hash/fnv"
	"testing"
)

// Slow leaves a test that takes more than a few seconds to make test-long: with -short, as make test runs them, it is
// skipped.
func Slow(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes long: make test-long runs it")
	}
}

// Sample leaves most tests of a kind, of which there are many, to make test-long: with -short one in so many of them is
// run, always the same ones, by their names.
func Sample(t testing.TB, one uint32) {
	t.Helper()
	name := fnv.New32a()
	_, _ = name.Write([]byte(t.Name())) // of a hash there is no error
	if testing.Short() && name.Sum32()%one != 0 {
		t.Skip("it is one of many: make test-long runs all")
	}
}

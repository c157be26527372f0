// Package pace tells tests that take long from those that are always run.
package pace

import "testing"

// Slow leaves a test that takes more than a few seconds to make test-long: with -short, as make test runs them, it is skipped.
func Slow(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes long: make test-long runs it")
	}
}

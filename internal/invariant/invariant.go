// Package invariant holds checks that are too costly for a release. They are
// compiled in under the race detector and with -tags invariants, and to nothing
// otherwise:
//
//	if invariant.Enabled {
//		invariant.Check(sorted(ids), "ids out of order: %v", ids)
//	}
//
// A check never changes what the program does, other than to stop it.
package invariant

import "fmt"

// Check panics with the formatted message if ok is false. Call it only where
// Enabled is true, so that its arguments cost nothing in a release.
func Check(ok bool, format string, args ...any) {
	if Enabled && !ok {
		panic("invariant broken: " + fmt.Sprintf(format, args...))
	}
}

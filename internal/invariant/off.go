//go:build !invariants && !race

package invariant

// Enabled reports whether invariants are checked in this build.
const Enabled = false

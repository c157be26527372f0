//go:build mutation

package mutation

import "sync/atomic"

var active atomic.Pointer[string]

// On tells whether the mutation is switched on.
func On(name string) bool {
	p := active.Load()
	return p != nil && *p == name
}

// Set switches one mutation on and all others off; the empty name switches all
// off. It is process-wide: tests that use it run one after the other.
func Set(name string) { active.Store(&name) }

// Package headroom is what this computer has left for more work: processors that have nothing to do, and memory. It
// says how much may be done at once, and nothing of what comes of it.
package headroom

import "time"

// Load is what the processors have done until a moment, to be compared with that of a later one ([Load.Free]).
type Load struct {
	// At is when that was read.
	At time.Time
	// Idle is how long they had nothing to do, all of them together.
	Idle time.Duration
	// Processors is how many there are.
	Processors int
}

// Free is how many processors had nothing to do since an earlier load.
func (l Load) Free(since Load) float64 {
	passed := l.At.Sub(since.At)
	if passed <= 0 {
		return 0
	}
	return max(min(float64(l.Idle-since.Idle)/float64(passed), float64(l.Processors)), 0)
}

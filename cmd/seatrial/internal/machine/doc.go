// Package machine is what this machine has left for more work: processors that have nothing to do, and memory. It says
// how much may be done at once, and nothing of what comes of it.
package machine

import "time"

// Load is what was done until a moment, to be compared with that of a later one ([Load.Free]).
type Load struct {
	// At is when that was read.
	At time.Time
	// Idle is how long the processors had nothing to do, all of them together, and Used how long those that may use them with
	// this process have: all there is, or what is in the container.
	Idle, Used time.Duration
	// Processors are those that this process may use.
	Processors int
}

// Free is how many processors had nothing to do since an earlier load, and might have done something here.
func (l Load) Free(since Load) float64 {
	passed := l.At.Sub(since.At)
	if passed <= 0 {
		return 0
	}
	idle := float64(l.Idle-since.Idle) / float64(passed)
	left := float64(l.Processors) - float64(l.Used-since.Used)/float64(passed)
	return max(min(idle, left), 0)
}

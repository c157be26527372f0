//go:build !linux

package process

import "time"

// Busy is false where the system does not tell.
func (p *Process) Busy() bool { return false }

// Strain is 0 where the system does not tell.
func Strain(int) (worked, waited time.Duration) { return 0, 0 }

// Ended is false where the system does not tell.
func Ended(int) bool { return false }

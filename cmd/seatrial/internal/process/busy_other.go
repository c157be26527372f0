//go:build !linux

package process

// Busy is false where the system does not tell.
func (p *Process) Busy() bool { return false }

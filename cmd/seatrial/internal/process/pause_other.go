//go:build !unix

package process

import "errors"

// Pause is not possible here.
func (p *Process) Pause() error { return errors.New("a process cannot be paused on this system") }

// Terminate is not possible here.
func (p *Process) Terminate() error {
	return errors.New("a process cannot be asked to end on this system")
}

// Resume is not possible here.
func (p *Process) Resume() error { return nil }

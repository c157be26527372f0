//go:build unix

package process

import (
	"fmt"
	"syscall"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process/supervisor"
)

// Pause stops the program and its process group in their tracks; Resume lets them
// go on. What it has started in other groups runs on.
func (p *Process) Pause() error { return p.signal(syscall.SIGSTOP) }

// Resume lets a paused program go on.
func (p *Process) Resume() error { return p.signal(syscall.SIGCONT) }

// Terminate asks the program and its process group to end (SIGTERM). Whoever asks waits for that, and may
// [Process.Kill] it then.
func (p *Process) Terminate() error { return p.signal(syscall.SIGTERM) }

func (p *Process) signal(s syscall.Signal) error {
	select {
	case <-p.done:
		return nil // nothing is left to be signalled
	default:
	}
	if err := syscall.Kill(-p.pid, s); err != nil && err != syscall.ESRCH {
		return fmt.Errorf("%s for the controller: %w", supervisor.SignalName(s), err)
	}
	return nil
}

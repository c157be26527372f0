//go:build unix && !linux

package supervisor

import "syscall"

func adopt() error { return nil }

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// kill kills the group, if that was ordered or the leader has ended, and says whether
// there is a child to wait for.
func (f *family) kill() bool {
	if f.ordered || f.reaped {
		_ = syscall.Kill(-f.leader, syscall.SIGKILL) // an error: there is none left
	}
	return !f.reaped
}

// beyond is empty: nothing is counted.
func beyond(Order) string { return "" }

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package render

import (
	"os/exec"
	"syscall"
)

// apart gives a program a process group, so that what it starts ends with it.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// end ends what is left of a program's group.
func end(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // there is none, as a rule
	}
}

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package process

import (
	"os/exec"
	"syscall"
)

// Apart gives a program that is not started by [Start] a process group, so that what it starts ends with it: its
// context ends all of that, and [EndGroup] what is left when the program has ended.
func Apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// EndGroup ends what is left of a program's group.
func EndGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // there is none, as a rule
	}
}

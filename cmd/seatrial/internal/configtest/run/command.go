package run

import (
	"bytes"
	"cmp"
	"context"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Building is the environment of the go command: that of the module, in which it is told to write nothing there.
func (m *Module) Building() []string { return slices.Concat(m.Environment, m.building) }

// settled adds to what the go command has been told, which may be by a file of its own: flags are what it has as
// GOFLAGS, and temporary is where it writes what goes when it ends; empty for where everybody does. A run that is
// killed leaves that, so that it is in a folder of ours.
func (m *Module) settled(flags, temporary, work string) {
	if slices.ContainsFunc(strings.Fields(flags), func(f string) bool { return strings.TrimLeft(f, "-") == "mod=mod" }) {
		flags += " -mod=readonly" // of several the last counts
	}
	// To ask git for what a program is stamped with writes its index, and fails where the folder is another user's.
	flags += " -buildvcs=false"
	m.building = append(m.building, "GOFLAGS="+strings.TrimSpace(flags), "GOTMPDIR="+cmp.Or(temporary, work))
}

// interrupted is how long the go command has to remove what it has written when it is interrupted, before it is killed.
const interrupted = 5 * time.Second

// run runs the go command in the module, with variables beside those that it has. If ctx ends before it does, it is
// interrupted with all that it has started, and what is left is killed.
func (m *Module) run(ctx context.Context, out, said *bytes.Buffer, environment, args []string) error {
	cmd := exec.CommandContext(ctx, m.Go, args...)
	cmd.Dir, cmd.Env = m.Directory, slices.Concat(m.Building(), environment)
	cmd.Stdout, cmd.Stderr = out, said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = interrupted
	err := cmd.Run()
	if ctx.Err() != nil && cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // most often nothing is left
	}
	return err
}

// Command runs the go command for what it prints.
func (m *Module) Command(ctx context.Context, environment []string, args ...string) ([]byte, error) {
	var out, said bytes.Buffer
	if err := m.run(ctx, &out, &said, environment, args); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, inputf("go %s: %s", args[0], lastLines(said.String(), 8))
	}
	return out.Bytes(), nil
}

// build runs the go command for what it makes, and gives all that it says meanwhile.
func (m *Module) build(ctx context.Context, b Build, args ...string) (string, error) {
	var all bytes.Buffer
	err := m.run(ctx, &all, &all, b.Environment, args)
	return all.String(), err
}

package run

import (
	"bytes"
	"context"
	"os/exec"
	"slices"
	"strings"
)

// Building is the environment of the go command: that of the module, in which it is told to write nothing there.
func (m *Module) Building() []string { return slices.Concat(m.Environment, m.building) }

// readOnly finds out what the go command has been told, which may be by a file of its own, and adds to that. flags are what it has as GOFLAGS.
func (m *Module) readOnly(flags string) {
	if slices.ContainsFunc(strings.Fields(flags), func(f string) bool { return strings.TrimLeft(f, "-") == "mod=mod" }) {
		flags += " -mod=readonly" // of several the last counts
	}
	// To ask git for what a program is stamped with writes its index, and fails where the folder is another user's.
	m.building = append(m.building, "GOFLAGS="+strings.TrimSpace(flags+" -buildvcs=false"))
}

// command is the go command in the module, with variables beside those that it has.
func (m *Module) command(ctx context.Context, environment []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, m.Go, args...)
	cmd.Dir, cmd.Env = m.Directory, slices.Concat(m.Building(), environment)
	return cmd
}

// Command runs the go command in the module for what it prints, with variables beside those that it has.
func (m *Module) Command(ctx context.Context, environment []string, args ...string) ([]byte, error) {
	cmd := m.command(ctx, environment, args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, inputf("go %s: %s", args[0], lastLines(said.String(), 8))
	}
	return out.Bytes(), nil
}

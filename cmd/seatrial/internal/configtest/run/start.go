package run

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
)

// Main compiles a command of the module.
func (m *Module) Main(ctx context.Context, b Build, pkg string) (file string, err error) {
	file = filepath.Join(b.Folder, "program")
	said, err := m.build(ctx, b, slices.Concat([]string{"build", "-o", file}, m.tags(), b.Flags, []string{pkg})...)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", inputf("%s does not compile: %s", pkg, oneLine(lastLines(said, 3)))
	}
	if info, err := os.Stat(file); err != nil || info.Mode()&0o111 == 0 {
		return "", inputf("%s is no command: name a package main", pkg)
	}
	return file, nil
}

// Started is what became of a program that was started.
type Started struct {
	// Stays: it ran as long as it was let, or ended without a complaint.
	Stays bool
	// Ended is how it ended, as the end of a sentence about it.
	Ended string
	// Outcome is the same as that of a test, with what an instrumented program recorded.
	Outcome
}

// politely is how long a program that has started has to end by itself: what it does not remove then, as the socket of
// a server, is in the way of the next one.
const politely = 2 * time.Second

// Start runs a program for some time, in a folder of its own. To run on is to have started. Then it is asked to end.
func (r *Runner) Start(ctx context.Context, file string, args []string, v Values, within time.Duration) (*Started, error) {
	folder, err := os.MkdirTemp(r.Folder, "start-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // what is left goes with the folder around it
	records := filepath.Join(folder, "records")
	directory := filepath.Join(folder, "here")
	for _, needed := range []string{records, directory} {
		if err := os.Mkdir(needed, 0o700); err != nil {
			return nil, err
		}
	}
	running, err := process.Start(ctx, process.Options{
		Command: r.bounded(append([]string{file}, args...)), Directory: directory, Environment: r.environment(records, directory, v),
		Processes: r.Processes, Memory: r.Resident,
	})
	if err != nil {
		return nil, err
	}
	stays := over(running, within)
	if stays && running.Terminate() == nil {
		over(running, politely)
	}
	running.Kill()
	exit := running.Exit()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out := &Started{Stays: stays || exit.Beyond == "" && exit.Code == 0, Ended: exit.String()}
	out.Output = strings.TrimSpace(printed(running.Output()))
	switch {
	case out.Stays:
		out.Ending = Passed
	case exit.Beyond != "", exit.Signal != "", crashed(out.Output):
		out.Ending = Panicked
	default:
		out.Ending = Exited
	}
	out.Events, err = r.recorded(records)
	return out, err
}

// over waits until a program has ended, or for so long, and tells whether it runs on.
func over(p *process.Process, within time.Duration) (runs bool) {
	end := time.NewTimer(within)
	defer end.Stop()
	select {
	case <-p.Done():
		return false
	case <-end.C:
		return true
	}
}

package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process/supervisor"
)

// Options say what is started.
type Options struct {
	// Command is the program and its arguments. A program without a slash is looked for
	// in the PATH of Environment; a relative one with a slash is relative to Directory.
	Command []string
	// Directory is the working directory; empty for this process's own.
	Directory string
	// Environment is the whole of it, as NAME=value; see [Environment].
	Environment []string
	// Output gets what the program prints, as it comes; nil for nobody. It must not block:
	// the program would. It gets no more after its first error.
	Output io.Writer
	// Processes is how many may be there at once, the program and all that it has started, and Memory how many bytes
	// they may have in memory together, without what is of files; 0 for any number. They are counted several times a
	// second, so that more may be there for a moment. All are killed then. Nothing is counted but on Linux.
	Processes, Memory int
	// Folder is where output.log is written when the program has ended: what is kept of
	// its output. It is made if need be, for this user only. Empty for no log.
	Folder string
}

// LogFile is the name of the log in the folder of [Options].
const LogFile = "output.log"

// Errors of [Start], which says more than they do.
var (
	ErrNotFound      = errors.New("not found")
	ErrNotExecutable = errors.New("not executable")
)

// drainAfter bounds how long the output is still read when all that could be killed has
// ended: until its end, unless a process that got away holds it open.
const drainAfter = time.Second

// Process is a program that runs, or has ended.
type Process struct {
	pid        int
	supervisor *supervised
	output     *recorder
	log        *os.File // nil without a folder
	done       chan struct{}
	exit       Exit // set before done is closed
}

// Exit is how a program ended.
type Exit struct {
	// Code is the exit code, or -1 if a signal ended the program.
	Code int
	// Signal is the name of that signal, such as SIGSEGV; empty if there was none.
	Signal string
	// Killed says that it was killed by us: by [Process.Kill] or by the end of the context.
	Killed bool
	// Beyond is which bound of [Options] it did not keep, for which we killed it; empty if that is not why.
	Beyond string
	// Left are processes that it started and that could not be killed, because
	// they have another user's rights.
	Left []int
	// Trouble says what went wrong around the program, such as a log that could not
	// be written; empty if nothing did.
	Trouble string
}

// String says how the program ended, as the end of a sentence about it.
func (e Exit) String() string {
	switch {
	case e.Beyond != "":
		return "was killed by seatrial: " + e.Beyond
	case e.Killed:
		return "was killed by seatrial"
	case e.Signal != "":
		return "was ended by signal " + e.Signal
	}
	return fmt.Sprintf("exited with code %d", e.Code)
}

// Start starts a program; it ends with ctx at the latest. The errors say what to do;
// [ErrNotFound] and [ErrNotExecutable] are among them.
func Start(ctx context.Context, o Options) (*Process, error) {
	path, err := find(o)
	if err != nil {
		return nil, err
	}
	log, err := openLog(o.Folder)
	if err != nil {
		return nil, err
	}
	s, err := startSupervisor()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", o.Command[0], err), discard(log))
	}
	p := &Process{supervisor: s, output: newRecorder(o.Output), log: log, done: make(chan struct{})}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		p.output.read(s.output)
	}()
	if p.pid, err = s.run(supervisor.Order{Path: path, Arguments: o.Command, Directory: o.Directory, Environment: o.Environment, Processes: o.Processes, Memory: o.Memory}); err != nil {
		s.end()
		<-drained
		return nil, errors.Join(notStarted(o, path, err), discard(log))
	}
	unwatch := context.AfterFunc(ctx, s.kill)
	go func() {
		defer close(p.done)
		p.exit = s.wait()
		unwatch()
		_ = s.output.SetReadDeadline(time.Now().Add(drainAfter)) // a pipe has deadlines
		<-drained
		s.end()
		p.writeLog()
	}()
	return p, nil
}

// Kill kills the program and all that it has started (SIGKILL), and returns when
// nothing of it is left.
func (p *Process) Kill() {
	p.supervisor.kill()
	<-p.done
}

// Done is closed when the program has ended and nothing of it is left.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit is how the program ended; it waits until it has.
func (p *Process) Exit() Exit {
	<-p.done
	return p.exit
}

// Output is what the program has printed up to now.
func (p *Process) Output() Output { return p.output.taken() }

// Pid is the program's process id, and that of its process group.
func (p *Process) Pid() int { return p.pid }

// openLog makes the folder and the file in it, so that what is wrong with them is known
// before anything runs.
func openLog(folder string) (*os.File, error) {
	if folder == "" {
		return nil, nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("folder for the controller's log: %w", err)
	}
	return os.OpenFile(filepath.Join(folder, LogFile), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
}

func discard(log *os.File) error {
	if log == nil {
		return nil
	}
	return errors.Join(log.Close(), os.Remove(log.Name()))
}

func (p *Process) writeLog() {
	if p.log == nil {
		return
	}
	_, err := p.log.WriteString(p.Output().Text())
	if err = errors.Join(err, p.log.Close()); err != nil && p.exit.Trouble == "" {
		p.exit.Trouble = fmt.Sprintf("the log is not whole: %v", err)
	}
}

package controlplane

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/seatrial/seatrial/controlplane/admin"
)

// Options say what is started. The zero value is what is meant usually.
type Options struct {
	// Path of the executable; empty to look for it.
	Path string
	// Spec is the first plane's.
	Spec admin.Spec
	// Timeout is how long the process may take until it is ready; 0 means two
	// minutes.
	Timeout time.Duration
	// Arguments are further ones of the executable, such as
	// [github.com/seatrial/seatrial/controlplane/option.Process] gives.
	Arguments []string
	// Environment is added to this process's own, as NAME=value.
	Environment []string
}

const (
	defaultTimeout = 2 * time.Minute
	// pipesAfter is how long the pipes of a child that has ended are still read:
	// until all is, unless something else has inherited them.
	pipesAfter = 2 * time.Second
)

// codeRefused is the exit code of a child that does not take what it was asked for.
const codeRefused = 2

// RefusedError says what is wrong with what was asked for: the spec, a flag, a port
// that is taken.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return "the control plane refuses: " + e.Reason }

// ErrAsked says that somebody else asked a control plane to end: through its admin
// interface, or by a signal.
var ErrAsked = errors.New("was asked to end, through its admin interface or by a signal")

// Process is a control plane that runs as a child of this process.
type Process struct {
	// Ready is what the child said of itself, with its first plane.
	Ready admin.Ready
	// Admin speaks to it.
	Admin *admin.Client

	name   string
	places []string // where its directory may be
	cmd    *exec.Cmd
	line   *firstLine
	stderr *tail
	wanted atomic.Bool // that it ends
	ended  chan struct{}
	// These are set before ended is closed.
	err, left error
}

// Launch starts a control plane and returns when its first plane is ready. It
// ends with ctx, with [Process.Stop], or when this process does, however that
// ends; nothing of it is left then. The error of a child that does not become
// ready has what it said last.
func Launch(ctx context.Context, o Options) (*Process, error) {
	path, err := find(o.Path)
	if err != nil {
		return nil, err
	}
	spec, err := json.Marshal(o.Spec)
	if err != nil {
		return nil, fmt.Errorf("the spec of the plane: %w", err)
	}
	p := &Process{name: filepath.Base(path), line: newFirstLine(), stderr: &tail{}, ended: make(chan struct{})}
	p.cmd = exec.Command(path, append([]string{"--parent"}, o.Arguments...)...)
	p.cmd.Env = append(os.Environ(), o.Environment...)
	p.places = places(o.Arguments, p.cmd.Environ())
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.WaitDelay = p.line, p.stderr, pipesAfter
	apart(p.cmd)
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	// The pipe stays open: its end tells the child that there is no parent. A
	// child that does not read it ends by itself, and then says more than we can.
	go func() { _, _ = stdin.Write(append(spec, '\n')) }()
	unwatch := context.AfterFunc(ctx, p.kill)
	go p.wait(unwatch)

	timeout := o.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	if err := p.await(ctx, timeout); err != nil {
		p.kill()
		<-p.ended
		return nil, errors.Join(err, p.left)
	}
	p.Admin = admin.NewClient(p.Ready)
	return p, nil
}

// Pid is the child's process id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// await waits until the child says that it is ready.
func (p *Process) await(ctx context.Context, timeout time.Duration) error {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-p.line.complete:
	case <-p.ended:
		if p.err != nil {
			return p.err
		}
		return fmt.Errorf("start %s: %w", p.name, ctx.Err())
	case <-ctx.Done():
		return fmt.Errorf("start %s: %w", p.name, ctx.Err())
	case <-timer.C:
		return fmt.Errorf("%s was not ready after %s%s", p.name, timeout, said(p.stderr.text()))
	}
	line := p.line.text()
	if err := json.Unmarshal(line, &p.Ready); err != nil {
		return fmt.Errorf("%s says %.100q instead of that it is ready: it is another program, or another version%s", p.name, line, said(p.stderr.text()))
	}
	if p.Ready.Schema != admin.Version {
		return fmt.Errorf("%s %s speaks %q, and this is %s: use one of the same release", p.name, p.Ready.Version, p.Ready.Schema, admin.Version)
	}
	if p.Ready.Network == "" || p.Ready.Address == "" || p.Ready.Plane.Kubeconfig == "" {
		return fmt.Errorf("%s is ready, but does not say where: it is another version", p.name)
	}
	return nil
}

// wait notes how the child ends and removes what it left.
func (p *Process) wait(unwatch func() bool) {
	err := p.cmd.Wait()
	unwatch()
	var r admin.Ready
	if json.Unmarshal(p.line.text(), &r) != nil {
		r = admin.Ready{} // it was not ready
	}
	if !p.wanted.Load() {
		last := p.stderr.text()
		words := said(last)
		if last == "" && r.Directory != "" {
			words = logged(fileTail(filepath.Join(r.Directory, admin.LogFile)))
		}
		how := "exit status 0"
		if err != nil {
			how = err.Error()
		}
		if err == nil && r.Directory != "" {
			p.err = fmt.Errorf("%s %w", p.name, ErrAsked)
		} else if reason, is := refusal(last); is && p.cmd.ProcessState.ExitCode() == codeRefused {
			p.err = &RefusedError{reason}
		} else {
			p.err = fmt.Errorf("%s ended by itself (%s)%s", p.name, how, words)
		}
	}
	if r.Directory != "" {
		p.left = removeDirectory(r.Directory)
	} else {
		sweep(p.places)
	}
	close(p.ended)
}

// refusal is why a child refuses to start, which it says last: what it has begun by then may have said something
// before.
func refusal(text string) (reason string, is bool) {
	if at := strings.LastIndex("\n"+text, "\n"+executableName+": "); at >= 0 {
		return strings.TrimPrefix(text[at:], executableName+": "), true
	}
	return "", false
}

// said is the end of an error: what the child said last.
func said(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// loggedMax is how many lines of its log an error of a child has that said nothing:
// the file is gone with its directory, and most of it is of no interest.
const loggedMax = 5

// logged is the end of an error: what the child logged last, below the line that
// says what happened.
func logged(text string) string {
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-loggedMax):]
	return "; its log ends with:\n  " + strings.Join(lines, "\n  ")
}

// kill ends the child at once: a graceful end would take seconds, and nothing of
// it is kept.
func (p *Process) kill() {
	p.wanted.Store(true)
	_ = p.cmd.Process.Kill() // unless it has ended
}

// Stop ends the control plane and removes its directory; an error says why that
// is left. Stopping again does nothing and returns the same.
func (p *Process) Stop() error {
	p.kill()
	<-p.ended
	p.Admin.Close()
	return p.left
}

// Done is closed when the process has ended and its directory is gone.
func (p *Process) Done() <-chan struct{} { return p.ended }

const (
	// endedMoment is how much later it may be known that the process has ended than that it does not answer;
	// refusedMoment is that where nobody listens any more, so that it is ending for certain, and its directory may take
	// its time.
	endedMoment, refusedMoment = time.Second, time.Minute
)

// Because is err of a request, or why the process has ended, which says more; ended tells which. Of a process that is
// gone one hears first that it does not answer: it is waited for a moment.
func (p *Process) Because(err error) (why error, ended bool) {
	moment := time.NewTimer(endedMoment)
	if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ENOENT) {
		moment.Reset(refusedMoment)
	}
	defer moment.Stop()
	select {
	case <-p.ended:
		return cmp.Or(p.err, err), true
	case <-moment.C:
		return err, false
	}
}

// Err says why the process ended by itself, with what it said last: nil as long
// as it runs, and if it was stopped or its context ended.
func (p *Process) Err() error {
	select {
	case <-p.ended:
		return p.err
	default:
		return nil
	}
}

//go:build unix

package supervisor

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"syscall"
	"time"
)

// The files of a supervisor.
const (
	ordersFile  = 3
	reportsFile = 4
	outputFile  = 5
)

// codeSupervisor is the exit code of a supervisor that is not told what to do.
const codeSupervisor = 2

// A supervisor is this executable, whichever that is, a test too: it must be one before
// main, and the packages that are initialised before this one, begins.
//
// The main goroutine has the main thread while packages are initialised, and
// that thread ends with the process: a signal for the parent's death, which is one
// for the death of the thread that forked, comes no sooner.
func init() {
	if len(os.Args) == 1 && os.Args[0] == Name {
		os.Exit(supervise())
	}
}

// family is the program and all that it has started.
type family struct {
	mu      sync.Mutex
	leader  int
	reaped  bool // the leader
	ordered bool // that all be killed
	last    Report
}

// supervise is the whole of a supervisor's life.
func supervise() int {
	for _, file := range []int{ordersFile, reportsFile, outputFile} {
		syscall.CloseOnExec(file)
	}
	reports := json.NewEncoder(os.NewFile(reportsFile, "reports"))
	orders := bufio.NewReader(os.NewFile(ordersFile, "orders"))
	line, err := orders.ReadBytes('\n')
	var o Order
	if err != nil || json.Unmarshal(line, &o) != nil {
		return codeSupervisor // the parent has gone
	}
	err = adopt()
	var f family
	if err == nil {
		f.leader, err = fork(o)
	}
	if err != nil {
		_ = reports.Encode(Report{Error: err.Error(), Kind: kindOf(err)})
		return codeSupervisor
	}
	_ = syscall.Close(outputFile) // its end is that of the program
	_ = reports.Encode(Report{Pid: f.leader})
	go func() {
		_, _ = orders.ReadByte() // an order, or the end of the parent
		f.mu.Lock()
		defer f.mu.Unlock()
		f.ordered = true
		f.kill()
	}()
	if o.Processes > 0 || o.Memory > 0 {
		go f.watch(o)
	}
	f.wait()
	_ = reports.Encode(f.last)
	return 0
}

// fork starts the program, in a session and group of its own.
func fork(o Order) (int, error) {
	null, err := syscall.Open(os.DevNull, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer func() { _ = syscall.Close(null) }()
	return syscall.ForkExec(o.Path, o.Arguments, &syscall.ProcAttr{
		Dir: o.Directory, Env: o.Environment, Sys: attributes(),
		Files: []uintptr{uintptr(null), outputFile, outputFile},
	})
}

func kindOf(err error) Kind {
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		return Format
	case errors.Is(err, syscall.ENOENT):
		return Missing
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return Forbidden
	}
	return ""
}

// wait reaps until there are no children. Every descendant is a child of another or of
// the supervisor, and becomes the supervisor's when its parent ends, before that is
// reaped; so when there are none left to wait for, there are no descendants.
func (f *family) wait() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return // no children
		}
		f.mu.Lock()
		if pid == f.leader {
			f.note(status)
		}
		// What a process forked before it was killed shows after it.
		alone := f.reaped && !f.kill()
		f.mu.Unlock()
		if alone {
			return
		}
	}
}

// between is how often a family is counted.
const between = 200 * time.Millisecond

// watch kills a family that goes beyond its bounds.
func (f *family) watch(o Order) {
	count := time.NewTicker(between)
	defer count.Stop()
	for range count.C {
		f.mu.Lock()
		if !f.ordered && !f.reaped {
			if f.last.Beyond = beyond(o); f.last.Beyond != "" {
				f.ordered = true
				f.kill()
			}
		}
		over := f.ordered || f.reaped
		f.mu.Unlock()
		if over {
			return
		}
	}
}

// note keeps how the leader ended.
func (f *family) note(status syscall.WaitStatus) {
	f.reaped = true
	f.last.Code = status.ExitStatus() // -1 with a signal
	if status.Signaled() {
		f.last.Signal = SignalName(status.Signal())
		f.last.Killed = f.ordered && status.Signal() == syscall.SIGKILL
	}
}

//go:build unix

package process

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process/supervisor"
)

// refusedError is the system's answer when a program should be executed.
type refusedError struct {
	kind supervisor.Kind
	text string
}

func (e *refusedError) Error() string { return e.text }

// supervised is the parent's side of a supervisor.
type supervised struct {
	cmd     *exec.Cmd
	orders  *os.File // open as long as this process is
	reports *bufio.Reader
	files   []io.Closer
	output  *os.File
	pid     int
	once    sync.Once
}

func startSupervisor() (*supervised, error) {
	self, err := ownExecutable()
	if err != nil {
		return nil, err
	}
	var theirs, ours []*os.File
	pipe := func(write bool) error {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		if write { // we do
			r, w = w, r
		}
		ours, theirs = append(ours, r), append(theirs, w)
		return nil
	}
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
	}()
	if err = errors.Join(pipe(true), pipe(false), pipe(false)); err == nil {
		cmd := exec.Command(self)
		cmd.Args, cmd.Env, cmd.Dir = []string{supervisor.Name}, []string{"GOMAXPROCS=2"}, "/"
		cmd.ExtraFiles = theirs // ordersFile, reportsFile, outputFile
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err = cmd.Start(); err == nil {
			return &supervised{
				cmd: cmd, orders: ours[0], reports: bufio.NewReader(ours[1]), output: ours[2],
				files: []io.Closer{ours[1], ours[2]},
			}, nil
		}
	}
	for _, f := range ours {
		f.Close()
	}
	return nil, err
}

// run has it start a program, and returns the program's process id.
func (s *supervised) run(o supervisor.Order) (int, error) {
	line, err := json.Marshal(o)
	if err != nil {
		return 0, err
	}
	// A supervisor that has ended says so by the end of its reports.
	_, _ = s.orders.Write(append(line, '\n'))
	first, err := s.next()
	if err != nil {
		return 0, fmt.Errorf("the process between it and seatrial ended at once: %w", err)
	}
	if first.Error != "" {
		return 0, &refusedError{first.Kind, first.Error}
	}
	s.pid = first.Pid
	return s.pid, nil
}

func (s *supervised) next() (supervisor.Report, error) {
	var r supervisor.Report
	line, err := s.reports.ReadBytes('\n')
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(line, &r)
}

// kill orders that all be killed; [supervised.wait] says when it is done.
func (s *supervised) kill() {
	s.once.Do(func() { _, _ = s.orders.Write([]byte{supervisor.KillOrder}) })
}

// wait returns when the program has ended and nothing of it is left.
func (s *supervised) wait() Exit {
	last, err := s.next()
	if err == nil {
		return Exit{Code: last.Code, Signal: last.Signal, Killed: last.Killed, Beyond: last.Beyond, Left: last.Left}
	}
	// Somebody killed the supervisor: the system has killed the program, on Linux, and
	// its group is what can be reached of the rest.
	_ = syscall.Kill(-s.pid, syscall.SIGKILL)
	return Exit{Code: -1, Trouble: "the process between seatrial and the controller was killed by someone else; the controller was killed too"}
}

// end releases it, and what is left of it.
func (s *supervised) end() {
	s.orders.Close()
	_ = s.cmd.Process.Kill() // it has said all
	_ = s.cmd.Wait()
	for _, f := range s.files {
		f.Close()
	}
}

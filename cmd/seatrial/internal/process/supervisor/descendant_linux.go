package supervisor

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// adopt makes orphaned descendants children of this process.
func adopt() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// attributes: should the supervisor be killed, the program is.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// kill kills every descendant once, if that was ordered or the leader has ended, and says
// whether some of them will end: if not, there is nothing to wait for.
func (f *family) kill() bool {
	if !f.ordered && !f.reaped {
		return true
	}
	if !f.reaped {
		_ = syscall.Kill(-f.leader, syscall.SIGKILL) // all at once: none forks meanwhile
	}
	ending, left := false, []int(nil)
	for _, pid := range descendants(os.Getpid()) {
		if err := syscall.Kill(pid, syscall.SIGKILL); errors.Is(err, syscall.EPERM) {
			left = append(left, pid)
		} else {
			ending = true
		}
	}
	f.last.Left = left
	return ending || len(left) == 0
}

// descendants are the processes below one that run, and its own zombies, which it will
// reap. The zombies of others are theirs, or ours when they have ended.
func descendants(of int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	type process struct {
		pid    int
		zombie bool
	}
	children := map[int][]process{}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			parent, zombie := Stat(pid)
			children[parent] = append(children[parent], process{pid, zombie})
		}
	}
	var below []int
	for next := []int{of}; len(next) > 0; next = next[1:] {
		for _, c := range children[next[0]] {
			if !c.zombie || next[0] == of {
				below = append(below, c.pid)
			}
			next = append(next, c.pid)
		}
	}
	return below
}

// Stat tells of a process what its parent is, and whether it has ended and nobody has asked how; 0 and false if there
// is none. It reads "pid (name) state parent ..."; a name may have any characters.
func Stat(pid int) (parent int, zombie bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false // it has ended
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 2 {
		return 0, false
	}
	parent, _ = strconv.Atoi(string(fields[1])) // the kernel's number
	return parent, string(fields[0]) == "Z"
}

// beyond says which of its bounds a family does not keep; empty for none.
func beyond(o Order) string {
	family := descendants(os.Getpid())
	if o.Processes > 0 && len(family) > o.Processes {
		return fmt.Sprintf("it has more than %d processes", o.Processes)
	}
	memory := 0
	for _, pid := range family {
		memory += memoryOf(pid)
	}
	if o.Memory > 0 && memory > o.Memory {
		return fmt.Sprintf("it has more than %d MiB of memory", o.Memory>>20)
	}
	return ""
}

// memoryOf is how many bytes of a process are in memory and of no file.
func memoryOf(pid int) int {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	var size, resident, shared int
	if err != nil {
		return 0 // it has ended
	}
	if _, err := fmt.Sscan(string(text), &size, &resident, &shared); err != nil {
		return 0
	}
	return (resident - shared) * os.Getpagesize()
}

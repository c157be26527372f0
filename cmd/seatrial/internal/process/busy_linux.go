package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process/supervisor"
)

// Busy tells whether the program, or one that it has started, works or waits for a
// processor at this moment. One that a crowded machine keeps waiting has not come to
// rest, however long it is silent.
func (p *Process) Busy() bool {
	select {
	case <-p.done:
		return false
	default:
		return busy(p.pid, 0)
	}
}

// depthMax bounds how far the descendants of a program are followed.
const depthMax = 8

func busy(pid, depth int) bool {
	folder := filepath.Join("/proc", strconv.Itoa(pid), "task")
	tasks, err := os.ReadDir(folder)
	if err != nil {
		return false // it has ended
	}
	for _, task := range tasks {
		stat, err := os.ReadFile(filepath.Join(folder, task.Name(), "stat"))
		if err != nil {
			continue
		}
		// The state follows the name, which is in parentheses and may hold any.
		if i := bytes.LastIndexByte(stat, ')'); i >= 0 && i+2 < len(stat) && (stat[i+2] == 'R' || stat[i+2] == 'D') {
			return true
		}
		if depth == depthMax {
			continue
		}
		children, err := os.ReadFile(filepath.Join(folder, task.Name(), "children"))
		if err != nil {
			continue
		}
		for _, child := range strings.Fields(string(children)) {
			if n, err := strconv.Atoi(child); err == nil && busy(n, depth+1) {
				return true
			}
		}
	}
	return false
}

// Ended tells whether a process has ended, also one whose parent has not asked how.
func Ended(pid int) bool {
	parent, zombie := supervisor.Stat(pid)
	return parent == 0 || zombie
}

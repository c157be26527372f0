package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Strain is how long the threads of a process have worked, and how long they have waited for a processor; both are 0
// where the system does not tell. Threads that have ended do not count any more.
func Strain(pid int) (worked, waited time.Duration) {
	folder := filepath.Join("/proc", strconv.Itoa(pid), "task")
	tasks, err := os.ReadDir(folder)
	if err != nil {
		return 0, 0 // it has ended
	}
	for _, task := range tasks {
		text, err := os.ReadFile(filepath.Join(folder, task.Name(), "schedstat"))
		if err != nil {
			continue
		}
		var on, off int64
		if _, err := fmt.Sscan(string(text), &on, &off); err == nil {
			worked, waited = worked+time.Duration(on), waited+time.Duration(off)
		}
	}
	return worked, waited
}

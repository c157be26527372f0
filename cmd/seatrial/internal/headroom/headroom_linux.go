package headroom

import (
	"bufio"
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// tick is the unit of times in /proc/stat: USER_HZ, which is 100 wherever Go runs.
const tick = 10 * time.Millisecond

// Now is what was done until now. It is false where the system does not tell, and where this process may not use all
// processors, as in a container with a limit: how much of that is used the system does not tell of them.
func Now(now time.Time) (Load, bool) {
	l := Load{At: now, Processors: runtime.NumCPU()}
	text, err := os.ReadFile("/proc/stat")
	if err != nil || runtime.GOMAXPROCS(0) < l.Processors {
		return l, false
	}
	idle, processors := idleIn(text)
	l.Idle = idle
	return l, processors == l.Processors
}

// idleIn is how long processors had nothing to do, and did not wait for a disk either, as /proc/stat has it, and how
// many there are; 0 for none.
func idleIn(stat []byte) (idle time.Duration, processors int) {
	for lines := bufio.NewScanner(bytes.NewReader(stat)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 5 || !strings.HasPrefix(fields[0], "cpu") || fields[0] == "cpu" {
			continue
		}
		if n, err := strconv.ParseInt(fields[4], 10, 64); err == nil {
			idle, processors = idle+time.Duration(n)*tick, processors+1
		}
	}
	return idle, processors
}

// Memory is how many bytes of memory there are, of the computer or of the container, and how many of the computer's are
// free; false where the system does not tell.
func Memory() (all, free int64, ok bool) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, 0, false
	}
	all, free = memoryIn(text)
	if limit, err := memlimit.FromCgroup(); err == nil && limit < uint64(all) {
		all = int64(limit)
	}
	return all, free, all > 0 && free > 0
}

// memoryIn is how many bytes there are, and are free, as /proc/meminfo has it; 0 for what it has not.
func memoryIn(text []byte) (all, free int64) {
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 {
			continue
		}
		n, _ := strconv.ParseInt(fields[1], 10, 64)
		switch fields[0] {
		case "MemTotal:":
			all = n << 10
		case "MemAvailable:":
			free = n << 10
		}
	}
	return all, free
}

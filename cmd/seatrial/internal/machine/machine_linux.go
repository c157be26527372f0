package machine

import (
	"bufio"
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// What Linux tells, and the group of processes that this one is in, which is the container's where there is one.
const (
	statFile    = "/proc/stat"
	memoryFile  = "/proc/meminfo"
	groupUsed   = "/sys/fs/cgroup/cpu.stat"
	groupMost   = "/sys/fs/cgroup/memory.max"
	groupMemory = "/sys/fs/cgroup/memory.current"
	groupCache  = "/sys/fs/cgroup/memory.stat"
)

// tick is the unit of times in /proc/stat: USER_HZ, which is 100 wherever Go runs.
const tick = 10 * time.Millisecond

// Now is what was done until now; false where the system does not tell.
func Now(now time.Time) (Load, bool) {
	text, err := os.ReadFile(statFile)
	if err != nil {
		return Load{}, false
	}
	idle, ok := idleIn(text)
	l := Load{At: now, Idle: idle, Processors: runtime.GOMAXPROCS(0)}
	if text, err := os.ReadFile(groupUsed); err == nil { // else nothing bounds this process
		l.Used = time.Duration(field(text, "usage_usec")) * time.Microsecond
	}
	return l, ok
}

// idleIn is how long processors had nothing to do, and did not wait for a disk either, as the first line of /proc/stat has it.
func idleIn(stat []byte) (time.Duration, bool) {
	line, _, _ := bytes.Cut(stat, []byte("\n"))
	fields := strings.Fields(string(line))
	if len(fields) < 5 || fields[0] != "cpu" {
		return 0, false
	}
	n, err := strconv.ParseInt(fields[4], 10, 64)
	return time.Duration(n) * tick, err == nil
}

// Memory is how many bytes of memory may still be used; false where the system does not tell.
func Memory() (int64, bool) {
	text, err := os.ReadFile(memoryFile)
	if err != nil {
		return 0, false
	}
	left := field(text, "MemAvailable:") << 10
	if most, ok := number(groupMost); ok {
		used, _ := number(groupMemory)
		cache, _ := os.ReadFile(groupCache)
		left = min(left, most-used+field(cache, "inactive_file")) // what is given back when it is needed
	}
	return left, left > 0
}

// field is the number behind a name at the beginning of a line; 0 if there is none.
func field(text []byte, name string) int64 {
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) > 1 && fields[0] == name {
			n, _ := strconv.ParseInt(fields[1], 10, 64)
			return n
		}
	}
	return 0
}

// number is what a file has; false if that is none, as "max" is.
func number(file string) (int64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

package judge

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/crash"
)

var assertion = regexp.MustCompile(`^\s+(\S+\.go:\d+): (.*)$`)

// Says is what a test that failed says, in one line.
func Says(o *run.Outcome) string {
	lines := strings.Split(o.Output, "\n")
	switch o.Ending {
	case run.Failed:
		for _, line := range lines {
			if found := assertion.FindStringSubmatch(line); found != nil {
				return strings.TrimSpace(found[2] + " (" + found[1] + ")")
			}
		}
	case run.Panicked:
		if all := crash.Find(lines); len(all) > 0 {
			return strings.TrimPrefix(all[0].String(), "go ")
		}
	case run.TimedOut:
		return fmt.Sprintf("it does not end within %s", o.Took.Truncate(1e8))
	}
	last := ""
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" && line != "PASS" && line != "FAIL" && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") {
			last = line
		}
	}
	if last == "" {
		return "it says nothing"
	}
	return last
}

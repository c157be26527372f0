package judge

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/crash"
)

var assertion = regexp.MustCompile(`^\s+(\S+\.go:\d+): (.*)$`)

// goesOn is what follows a line that ends with a colon: it says nothing itself.
func goesOn(line string, next []string) string {
	const indented, long = "        ", 200
	var b strings.Builder
	for _, more := range next {
		if !strings.HasSuffix(line, ":") || !strings.HasPrefix(more, indented) || b.Len()+len(more) > long {
			break
		}
		if more = strings.TrimSpace(more); more != "" {
			b.WriteString(" " + more)
			line = more
		}
	}
	return b.String()
}

// Says is what a test that failed says, in one line.
func Says(o *run.Outcome) string {
	lines := strings.Split(o.Output, "\n")
	switch o.Ending {
	case run.Failed:
		for i, line := range lines {
			if found := assertion.FindStringSubmatch(line); found != nil {
				return strings.TrimSpace(found[2] + goesOn(found[2], lines[i+1:]) + " (" + found[1] + ")")
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

package judge

import (
	"fmt"
	"regexp"
	"strconv"
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

// row is one of the table that testify prints below a line which says nothing.
var row = regexp.MustCompile(`^ {8}\t([A-Z][A-Za-z ]*:)? *\t(.*)$`)

// table is what such a table says: what the test says of it, and what is wrong. Where that was, and in which test, is
// known.
func table(next []string) string {
	const long = 200
	var wrong, says strings.Builder
	to := &wrong
	for _, line := range next {
		found := row.FindStringSubmatch(line)
		if found == nil {
			break
		}
		switch found[1] {
		case "":
		case "Error:":
			to = &wrong
		case "Messages:":
			to = &says
		default:
			to = nil
		}
		text := strings.TrimSpace(found[2])
		if text == "Diff:" { // of what is there already
			to = nil
		}
		if to != nil && text != "" && to.Len()+len(text) <= long {
			to.WriteString(" " + text)
		}
	}
	if says.Len() > 0 {
		return says.String() + ":" + wrong.String()
	}
	return wrong.String()
}

// unlogged is a failure without what the test logs where it passes, too: lines of the same places. It is itself if
// nothing else is said.
func unlogged(failed, passed *run.Outcome) *run.Outcome {
	logged := map[string]bool{}
	for line := range strings.Lines(passed.Output) {
		if found := assertion.FindStringSubmatch(strings.TrimRight(line, "\n")); found != nil {
			logged[found[1]] = true
		}
	}
	var left strings.Builder
	says := false
	for line := range strings.Lines(failed.Output) {
		found := assertion.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if found == nil || !logged[found[1]] {
			left.WriteString(line)
			says = says || found != nil
		}
	}
	if !says {
		return failed
	}
	out := *failed
	out.Output = left.String()
	return &out
}

// printed is what the package testing says of an example that prints something else than it ought to.
var printed = regexp.MustCompile(`(?s)\n--- FAIL: Example\S* \(.*?\)\ngot:\n(.*)\nwant(?: \(unordered\))?:\n(.*?)\n(?:=== |FAIL\n|PASS\n|$)`)

// short is what is printed, in one line that has an end.
func short(text string) string {
	const long = 100
	line := strconv.Quote(text)
	if len(line) > long {
		line = strings.ToValidUTF8(line[:long], "") + "…"
	}
	return line
}

// Says is what a test that failed says, in one line.
func Says(o *run.Outcome) string {
	lines := strings.Split(o.Output, "\n")
	switch o.Ending {
	case run.Failed:
		for i, line := range lines {
			if found := assertion.FindStringSubmatch(line); found != nil {
				says := found[2] + goesOn(found[2], lines[i+1:])
				if strings.TrimSpace(says) == "" {
					says = table(lines[i+1:])
				}
				return strings.TrimSpace(says + " (" + found[1] + ")")
			}
		}
		if found := printed.FindStringSubmatch(o.Output); found != nil {
			return "it prints " + short(found[1]) + ", and not " + short(found[2])
		}
	case run.Panicked:
		if all := crash.Find(lines); len(all) > 0 {
			return strings.TrimPrefix(all[0].String(), "go ")
		}
	case run.TimedOut:
		return fmt.Sprintf("it does not end within %s", o.Took.Truncate(1e8))
	}
	return Last(lines)
}

// frame is where a function of a stack is, as Go and many a logger print it.
var frame = regexp.MustCompile(`^\s+\S+\.go:\d+( \+0x[0-9a-f]+)?$`)

// Last is the last line that says something: below an error many a logger prints the stack.
func Last(lines []string) string {
	for i := len(lines) - 1; i >= 0; i-- {
		if frame.MatchString(lines[i]) {
			i-- // the function
			continue
		}
		line := strings.TrimSpace(lines[i])
		if line != "" && line != "PASS" && line != "FAIL" && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") {
			return line
		}
	}
	return "it says nothing"
}

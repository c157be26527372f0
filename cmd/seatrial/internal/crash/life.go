package crash

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
)

// Ending is a crash that a process said, or that a process ended though nobody ended it.
type Ending struct {
	// Key is equal for what is the same but for numbers.
	Key string
	// Text says it of the program: the process has a go panic: …
	Text string
	// Crash is nil for a process that ended without a word.
	Crash *Crash
}

// Endings are those in the lives of a program, each once, in the order of the lives. A
// process that may end then, as one that has lost its lease, has none by that alone.
func Endings(lives []recording.Life) []Ending {
	var out []Ending
	seen := map[string]bool{}
	for _, life := range lives {
		crashed := false
		for _, c := range Find(strings.Split(life.Text, "\n")) {
			crashed = true
			if key := c.Key(); !seen[key] {
				seen[key] = true
				out = append(out, Ending{Key: key, Text: "process has a " + c.String(), Crash: &c})
			}
		}
		if !life.Exited || life.Expected || crashed {
			continue
		}
		how := fmt.Sprintf("with code %d", life.Code)
		if life.Signal != "" {
			how = "by signal " + life.Signal
		}
		if !seen[how] {
			seen[how] = true
			out = append(out, Ending{Key: how, Text: "process ends by itself, " + how + said(life.Text)})
		}
	}
	return out
}

// saidMost is how much is shown of the last line that a process printed.
const saidMost = 300

// said is the last line that a process printed that ended by itself: it often says why.
func said(text string) string {
	text = strings.TrimSpace(text)
	line := []rune(normal(text[strings.LastIndexByte(text, '\n')+1:]))
	switch {
	case len(line) == 0:
		return ""
	case len(line) > saidMost:
		line = append(line[:saidMost], '…')
	}
	return "; it said last: " + string(line)
}

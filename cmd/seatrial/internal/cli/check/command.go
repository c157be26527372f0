package check

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
)

// command is the command that repeats the run: what its result depends on and
// nothing else, so that equal runs have equal reports.
func command(o *Options) string {
	words := []string{"seatrial", "check"}
	flag := func(name string, value any) {
		words = append(words, shell.Quote(fmt.Sprintf("--%s=%v", name, value)))
	}
	if o.Limits.Timeout != 0 {
		flag("timeout", o.Limits.Timeout)
	}
	if o.Limits.MaxStates != 0 {
		flag("max-states", o.Limits.MaxStates)
	}
	if o.memory != "" && o.memory != "4Gi" {
		flag("max-memory", o.memory)
	}
	if o.Limits.Strict {
		words = append(words, "--strict")
	}
	if o.Limits.Exact {
		words = append(words, "--exact")
	}
	if o.Limits.Grow {
		words = append(words, "--grow")
	}
	if o.Limits.Full {
		words = append(words, "--full")
	}
	if o.StrictInput {
		words = append(words, "--strict-input")
	}
	if o.Limits.All {
		words = append(words, "--all")
	}
	if o.baseline.File != "" {
		flag("baseline", o.baseline.File)
	}
	if o.suggest.asked != "" {
		words = append(words, "--suggest")
		if o.suggest.timeout != suggestTimeout {
			flag("suggest-timeout", o.suggest.timeout)
		}
	}
	for _, name := range o.Limits.Properties {
		flag("property", name)
	}
	for _, name := range o.Limits.Events {
		flag("event", name)
	}
	if o.Simulate {
		words = append(words, "--simulate")
		flag("seed", o.Walk.Seed)
		if o.Walk.Steps != stepsDefault {
			flag("steps", o.Walk.Steps)
		}
	}
	for _, name := range o.Limits.Accept {
		flag("accept", name)
	}
	words = append(words, o.sources.Words()...)
	for _, path := range o.Paths {
		if len(path) > 1 && strings.HasPrefix(path, "-") {
			words = append(words, "--")
			break
		}
	}
	for _, path := range o.Paths {
		words = append(words, shell.Quote(path))
	}
	return strings.Join(words, " ")
}

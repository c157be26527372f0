package oracle

import (
	"fmt"
	"strings"
)

func init() { register(Oracle{Name: "exit", Order: 3, Judge: exit}) }

// exit finds processes of the controller that panicked, or that ended though
// nobody ended them.
func exit(c *Case) []Divergence {
	var out []Divergence
	seen := map[string]bool{}
	for _, life := range c.Run.Lives {
		crashed := false
		for _, crash := range Crashes(strings.Split(life.Text, "\n")) {
			crashed = true
			if key := crash.Key(); !seen[key] {
				seen[key] = true
				out = append(out, Divergence{Class: key, Text: fmt.Sprintf("the controller's process has a %s: %s", crash.Kind, crash.Message)})
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
			out = append(out, Divergence{Class: how, Text: fmt.Sprintf("the controller's process ends by itself, %s", how)})
		}
	}
	return out
}

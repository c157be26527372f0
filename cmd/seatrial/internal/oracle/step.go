package oracle

import "fmt"

func init() { register(Oracle{Name: "step", Order: 8, Judge: steps}) }

// steps finds what users did or waited for and did not get, though nothing was
// kept from the controller any more.
func steps(c *Case) []Divergence {
	var out []Divergence
	for _, s := range c.Run.Steps {
		if s.Failed != "" {
			out = append(out, Divergence{Class: fmt.Sprint(s.Index), Text: fmt.Sprintf("step %d: %s", s.Index+1, s.Failed)})
		}
	}
	return out
}

package oracle

import "github.com/seatrial/seatrial/cmd/seatrial/internal/crash"

func init() { register(Oracle{Name: "exit", Order: 3, Judge: exit}) }

// exit finds processes of the controller that panicked, or that ended though
// nobody ended them.
func exit(c *Case) []Divergence {
	var out []Divergence
	for _, e := range crash.Endings(c.Run.Lives) {
		out = append(out, Divergence{Class: e.Key, Text: "the controller's " + e.Text})
	}
	return out
}

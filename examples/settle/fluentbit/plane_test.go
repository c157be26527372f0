package fluentbit

import (
	"testing"

	"github.com/seatrial/seatrial/examples/settle/internal/plane"
	"github.com/seatrial/seatrial/settle"
)

// TestPlane: as a program, the operator comes to what it comes to in a search.
func TestPlane(t *testing.T) {
	c := checked(settle.Faults{})
	plane.Run(t, c.Scheme, c.CRDs[0], c.Setup, c.Match, c.Desired...)
}

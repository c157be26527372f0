package campaign

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// TestDoubtfulStill: pods that will never be ready are no rest, which says nothing of what an oracle judges that wants
// rest. One that judges where nothing moves any more has seen what there is to see.
func TestDoubtfulStill(t *testing.T) {
	for _, c := range []struct {
		name  string
		still bool
		want  bool
	}{{"status", true, false}, {"status", false, true}, {"twin", true, true}, {"", true, true}} {
		r := &run{Steps: []*oracle.Step{{Rest: oracle.Rest{Still: c.still, Why: "0 of 3 pods are ready"}}}}
		if got := doubtful(r, 1, oracle.Named(c.name), nil); (got != "") != c.want {
			t.Errorf("of %q, still %v: %q", c.name, c.still, got)
		}
	}
}

package campaign

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/history"
)

// startMask is what does not count before anything was learned.
func startMask(ignore []string) (history.Mask, error) { return reference.Mask(ignore) }

// learnMask leaves out what is different at the ends of two runs of the seed.
func (t *trial) learnMask(a, b *oracle.Step) error {
	const roundsMax = 8 // what is left out may uncover how lists pair up
	for range roundsMax {
		learned := oracle.Learn(t.key, t.mask, a, b)
		if len(learned) == 0 {
			return nil
		}
		mask, err := t.mask.With(learned...)
		if err != nil {
			return fmt.Errorf("what differs between two runs of the seed (%s): %w", strings.Join(learned, ", "), err)
		}
		t.mask, t.out.Masked = mask, append(t.out.Masked, learned...)
	}
	return nil
}

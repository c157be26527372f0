package campaign

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/history"
)

// startMask is what does not count before anything was learned.
func startMask(ignore []string) (history.Mask, error) { return reference.Mask(ignore) }

// position is an item of a list that has no key.
var position = regexp.MustCompile(`\[\d+\]`)

// learnMask leaves out what is different at the ends of two runs of the seed.
func (t *trial) learnMask(a, b *oracle.Step) error {
	const roundsMax = 8 // what is left out may uncover how lists pair up
	for range roundsMax {
		more := map[string]bool{}
		for _, d := range history.CompareRuns(a.End, b.End, t.mask) {
			for _, c := range d.Changes {
				pattern := d.Resource + ":" + position.ReplaceAllString(c.Path, "[*]")
				if c.From != nil && c.To != nil {
					pattern = "~" + pattern
				}
				more[pattern] = true
			}
		}
		if len(more) == 0 {
			return nil
		}
		learned := slices.Sorted(maps.Keys(more))
		mask, err := t.mask.With(learned...)
		if err != nil {
			return fmt.Errorf("what differs between two runs of the seed (%s): %w", strings.Join(learned, ", "), err)
		}
		t.mask, t.out.Masked = mask, append(t.out.Masked, learned...)
	}
	return nil
}

package pure

import (
	"context"
	"fmt"

	"github.com/seatrial/seatrial/statespace"
)

// Without fencing, and with it: what is violated, and how.
func Example() {
	for _, model := range []lease{{Fenced: false}, {Fenced: true}} {
		result, err := statespace.Check(context.Background(), model, properties(), statespace.Options{Classes: classes(), All: true})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("fenced: %v, %d states\n", model.Fenced, result.Stats.States)
		for _, p := range result.Properties {
			fmt.Printf("  %s: %s\n", p.Name, []string{"inconclusive", "holds", "violated"}[p.Verdict])
		}
		if t := result.Properties[0].Trace; t != nil {
			for i, step := range t.Steps {
				fmt.Printf("    %d %s\n", i+1, name(step.Action))
			}
		}
	}
	// Output:
	// fenced: false, 21 states
	//   no old leader overwrites a newer one: violated
	//   who has the lease for good writes: holds
	//   in the end what the last leader wrote stays: violated
	//     1 process 0 takes the lease
	//     2 the lease runs out
	//     3 process 1 takes the lease
	//     4 process 1 writes
	//     5 process 0 writes
	// fenced: true, 31 states
	//   no old leader overwrites a newer one: holds
	//   who has the lease for good writes: holds
	//   in the end what the last leader wrote stays: holds
}

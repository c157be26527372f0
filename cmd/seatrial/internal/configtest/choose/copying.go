package choose

import (
	"cmp"
	"slices"
)

// Copying has tests that set what no test reads read it, too, the quickest of them: what they bring along may be a copy of what is deployed, which is not known
// before they run beside that. One that is none still overrides it.
func Copying(changes []Change, chosen []Test) []Test {
	for i, c := range changes {
		if c.Class == nil || c.Unknown != "" || c.Old == nil || !c.JSON() || slices.ContainsFunc(chosen, func(t Test) bool { return slices.Contains(t.Reads, i) }) {
			continue
		}
		var sets []int
		for n, t := range chosen {
			if slices.Contains(t.Sets, i) {
				sets = append(sets, n)
			}
		}
		slices.SortStableFunc(sets, func(x, y int) int { return cmp.Compare(chosen[x].Took, chosen[y].Took) })
		for _, n := range sets[:min(len(sets), least)] {
			chosen[n].Reads = append(chosen[n].Reads, i)
		}
	}
	return chosen
}

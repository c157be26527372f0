package library

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/spec/value"
)

// CausalOrder chooses a log among all functions that have the entries of one, which nobody can list. One of these logs
// is found here by the sums of the clocks: of a clock that is before another one the sum is less.
var _ = instead("VectorClocks", "IsCausalOrder",
	taking("CausalOrder", 4, map[int]int{1: 1, 2: 1, 3: 1}, func(a []Value) Value {
		return causalOrder(a[0].Sequence("the log of CausalOrder"), call(a[1]))
	}),
)

// stamped is an entry of a log with its clock.
type stamped struct {
	entry, clock Value
	sum          int64
}

// causalOrder is the entries of a log so that none is behind one that it happened before. Those of the same sum, which
// are concurrent, stay in the order of the log.
func causalOrder(log []Value, clock Call) Value {
	entries := make([]stamped, len(log))
	for i, e := range log {
		c := clock(e)
		entries[i] = stamped{entry: e, clock: c}
		for _, n := range c.Items() {
			entries[i].sum += n.Int("a clock of CausalOrder")
		}
	}
	slices.SortStableFunc(entries, func(x, y stamped) int { return cmp.Compare(x.sum, y.sum) })
	out := make([]Value, len(entries))
	for i, e := range entries {
		for j := i - 1; j >= 0 && entries[j].sum == e.sum; j-- {
			if sameClock(entries[j].clock, e.clock) {
				value.Fail("CHOOSE finds nothing: two entries of the log have the clock %s, so that neither is before the other", value.Describe(e.clock))
			}
		}
		out[i] = e.entry
	}
	return value.OfTuple(out)
}

// sameClock tells whether two clocks say the same of each node. What a clock does not mention is 0.
func sameClock(x, y Value) bool {
	within := func(x, y Value) bool {
		for _, node := range value.Domain(x).Members() {
			n, _ := value.At(x, node)
			if m, ok := value.At(y, node); ok && !value.Equal(n, m) || !ok && !value.Equal(n, value.OfInt(0)) {
				return false
			}
		}
		return true
	}
	return within(x, y) && within(y, x)
}

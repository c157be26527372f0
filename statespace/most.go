package statespace

// mostBytes is what most takes per state.
const mostBytes = 4

// most returns the largest number of steps with the claim's predicate on a path
// of the finished graph, Unbounded if one of them lies on a cycle. Components
// come after those that they lead to, so that one pass is enough.
func (l *liveness) most(c *claim) (int, error) {
	states := make([]uint32, l.limit)
	for v := range states {
		states[v] = uint32(v)
	}
	best := newArray[uint32](l.s.states)
	largest, repeated := uint32(0), false
	done := l.scc.run(states, none, func(component []uint32) {
		number, most := l.scc.component[component[0]], uint32(0)
		for _, v := range component {
			from, to := l.g.row(v)
			for i := from; i < to; i++ {
				target, here := l.g.targets.at(i), l.g.stepBit(i, c.tail.take)
				switch {
				case l.scc.component[target] == number:
					repeated = repeated || here
				case here:
					most = max(most, best[target]+1)
				default:
					most = max(most, best[target])
				}
			}
		}
		for _, v := range component {
			best[v] = most
		}
		largest = max(largest, most)
	})
	switch {
	case !done:
		return 0, errCancelled
	case repeated:
		return Unbounded, nil
	}
	return int(largest), nil
}

package model

// May tells whether event i may start now: its budget, the budget of all
// events, what is in flight, and whether it waits for rest.
func (x *Turn) May(i int) bool {
	e := &x.Events[i]
	if x.State.Env.Used[i] >= e.Budget || e.After == "rest" && !x.Rest {
		return false
	}
	total := 0
	for _, n := range x.State.Env.Used {
		total += int(n)
	}
	return total < x.MaxEvents && x.inFlight() < x.InFlight
}

// inFlight counts the events under way: a drain or cordon until the node is
// uncordoned, a loss until the node is back, a maintenance until its end.
func (x *Turn) inFlight() int {
	n := 0
	if x.State.Env.Maintenance > 0 {
		n++
	}
	for _, node := range x.State.Nodes {
		if node.Event != 0 && node.Event != x.State.Env.Maintenance {
			n++
		}
	}
	return n
}

// Begin returns a copy of the state in which event i has been used once more.
func (x *Turn) Begin(i int) *State {
	to := x.State.Clone()
	to.EditEnv().Used[i]++
	return to
}

// Title is how a trace calls event i.
func (e *EventSpec) Title() string {
	if e.Name != "" {
		return e.Name
	}
	return string(e.Type)
}

// Package pure is a specification without any code of a controller, for those who would write it in
// TLA+: two processes, a lease, and a store that only the leader is to write. A process that was slow
// does not know that its lease is over, and writes over what the next leader has written. With
// fencing, the store refuses a token that is older than the newest that it has seen.
//
// A state is a struct that can be compared, Next says what can follow, and the properties are
// functions (package statespace); nothing else is needed. In TLA+ the same would be Init, Next,
// WF_vars(Node(i)) for the fairness, an invariant on steps, and two temporal formulas.
package pure

import (
	"fmt"

	"github.com/seatrial/seatrial/statespace"
)

const (
	processes = 2
	// terms bounds how often the lease is taken, so that there is an end.
	terms = 3
	// free is the holder of a lease that nobody has.
	free = -1
)

// state is what there is: the lease, what each process believes, and what the store has.
type state struct {
	Holder int8
	// Term is that of the lease, and Token those that the processes have; 0 is none.
	Term  uint8
	Token [processes]uint8
	// Stored is the token of the last write.
	Stored uint8
}

// lease is the model; Fenced tells whether the store looks at tokens.
type lease struct{ Fenced bool }

// The classes of steps: each process has to go on some time, and the lease may run out or not.
const (
	clock = processes
)

// classes are the fairness of the steps.
func classes() (all []statespace.Class) {
	for i := range processes {
		all = append(all, statespace.Class{Name: fmt.Sprint("process ", i), Fairness: statespace.Weak})
	}
	return append(all, statespace.Class{Name: "clock", Fairness: statespace.Unfair})
}

// The actions, which are told by a trace: one for each process, and that of the clock.
const (
	acquire = iota * processes
	write
	refused
	expire
)

// Init is part of statespace.Model.
func (lease) Init(yield func(state) bool) { yield(state{Holder: free}) }

// Next is part of statespace.Model.
func (l lease) Next(s state, yield func(statespace.Action, state) bool) {
	if s.Holder != free && s.Term < terms { // no process is told
		to := s
		to.Holder = free
		yield(statespace.Action{Class: clock, Label: expire}, to)
	}
	for i, token := range s.Token {
		to, label := s, uint32(i)
		switch {
		case token == 0 && s.Holder != free, token == 0 && s.Term == terms:
			continue
		case token == 0:
			to.Holder, to.Term = int8(i), s.Term+1
			to.Token[i] = to.Term
			label += acquire
		case l.Fenced && token < s.Stored:
			to.Token[i] = 0 // now it knows
			label += refused
		default:
			to.Stored = token
			label += write
		}
		yield(statespace.Action{Class: uint16(i), Label: label}, to)
	}
}

// properties are what is to be so.
func properties() []statespace.Property[state] {
	newest := func(s state) bool { return s.Stored == s.Term }
	return []statespace.Property[state]{
		statespace.AlwaysStep("no old leader overwrites a newer one", func(from state, _ statespace.Action, to state) bool { return to.Stored >= from.Stored }),
		statespace.LeadsTo("who has the lease for good writes", func(s state) bool { return s.Term == terms }, newest),
		statespace.EventuallyAlways("in the end what the last leader wrote stays", newest),
	}
}

// name is what a trace calls an action.
func name(a statespace.Action) string {
	if a.Label == expire {
		return "the lease runs out"
	}
	return fmt.Sprintf("process %d %s", a.Label%processes, []string{"takes the lease", "writes", "is refused"}[a.Label/processes])
}

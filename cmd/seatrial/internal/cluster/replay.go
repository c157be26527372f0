package cluster

import (
	"context"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/statespace"
)

// A replay repeats the counterexample of a part on the whole cluster: it takes
// the part's steps in their order and lets the others act where they must for
// the next one to be possible. What comes out is a behaviour of the whole
// cluster, found step by step among the steps that it has.
type replay struct {
	v    *model.Vector // the whole
	part *part
	// init is the part's first state: what it says of the others stands for them.
	init *model.State
}

const (
	// stepsMax is how many states are looked at for the next step of the part.
	stepsMax = 20_000
	// roundsMax is how often a loop is gone through until it closes.
	roundsMax = 4
)

// replay returns the behaviour of the whole cluster that shows what t shows of
// the part, and false if none was found.
func (r *run) replay(ctx context.Context, p *part, t *statespace.Trace[rule.IDs]) (*statespace.Trace[rule.IDs], bool, error) {
	if r.v == nil {
		r.v = model.NewVector(r.w, nil)
	}
	y := &replay{v: r.v, part: p, init: p.v.Decode(t.Init)}
	start, err := r.startLike(ctx, y, t.Init)
	if err != nil || start == nil {
		return nil, false, err
	}
	out := &statespace.Trace[rule.IDs]{Init: r.v.Encode(start, nil, nil), Loop: -1}
	path := []rule.IDs{y.own(t.Init)}
	for _, s := range t.Steps {
		path = append(path, y.own(s.State))
	}
	stem := len(t.Steps)
	if t.Loop >= 0 {
		stem = t.Loop
	}
	if !y.follow(ctx, out, path[:stem+1]) {
		return nil, false, nil
	}
	if t.Loop < 0 {
		if atRest(p.w, p.v, last(t)) && !y.settle(out) {
			return nil, false, nil
		}
		return out, true, nil
	}
	for range roundsMax {
		if !y.settle(out) {
			return nil, false, nil
		}
		entry := len(out.Steps)
		if !y.follow(ctx, out, path[stem:]) {
			return nil, false, nil
		}
		if y.closes(out, entry) {
			out.Loop = entry
			return out, true, nil
		}
	}
	return nil, false, nil
}

// last is the last state of a behaviour.
func last(t *statespace.Trace[rule.IDs]) rule.IDs {
	if len(t.Steps) == 0 {
		return t.Init
	}
	return t.Steps[len(t.Steps)-1].State
}

// of is a state of the whole or of the part, with the others as the part has
// them: equal for states that the part cannot tell apart.
func (y *replay) of(s *model.State) rule.IDs {
	w, in := y.v.World, y.part.w.In
	out := s.Clone()
	for i := range out.Work {
		if !in(i) {
			out.Work[i] = y.init.Work[i]
		}
	}
	for i := range out.HPA {
		if !slices.ContainsFunc(y.part.members, func(k int) bool { return scaled(w, i, k) }) {
			out.HPA[i] = y.init.HPA[i]
		}
	}
	for i := range out.PDB {
		if !slices.ContainsFunc(y.part.members, func(k int) bool { return budgeted(w, i, k) }) {
			out.PDB[i] = y.init.PDB[i]
		}
	}
	mine := func(b model.Bag) model.Bag {
		return slices.DeleteFunc(slices.Clone(b), func(c model.PodCount) bool { return !in(int(c.Work)) })
	}
	out.Free = mine(out.Free)
	for i := range out.Nodes {
		n := out.EditNode(i)
		n.Pods, n.Nominated = mine(n.Pods), mine(n.Nominated)
	}
	if r := y.part.w.Reduced; r == nil {
		return y.v.Encode(out, nil, nil)
	} else if out = r.State(out); out == nil {
		return nil
	}
	return y.sorted(y.part.v.Encode(out, nil, nil))
}

// own is a state of the part as of has it.
func (y *replay) own(ids rule.IDs) rule.IDs {
	if y.part.w.Reduced == nil {
		return y.of(y.part.v.Decode(ids))
	}
	return y.sorted(slices.Clone(ids))
}

// sorted has merged nodes in one order: which is which is not known.
func (y *replay) sorted(ids rule.IDs) rule.IDs {
	if y.part.w.Reduced.Merges() {
		y.part.v.Canonical(ids)
	}
	return ids
}

// follow takes out along a path of the part's states.
func (y *replay) follow(ctx context.Context, out *statespace.Trace[rule.IDs], path []rule.IDs) bool {
	for i := 1; i < len(path); i++ {
		if slices.Equal(path[i-1], path[i]) {
			continue // a step that the part repeats in one state
		}
		if ctx.Err() != nil || !y.reach(out, path[i-1], path[i]) {
			return false
		}
	}
	return true
}

// reach finds the fewest steps of others after which a step takes the part from
// one state to the next.
func (y *replay) reach(out *statespace.Trace[rule.IDs], from, to rule.IDs) bool {
	type node struct {
		ids  rule.IDs
		step statespace.Action
		back int
	}
	seen := map[string]bool{}
	queue := []node{{ids: last(out), back: -1}}
	trail := func(k int, step statespace.Action, ids rule.IDs) {
		var steps []statespace.Step[rule.IDs]
		steps = append(steps, statespace.Step[rule.IDs]{Action: step, State: ids})
		for ; queue[k].back >= 0; k = queue[k].back {
			steps = append(steps, statespace.Step[rule.IDs]{Action: queue[k].step, State: queue[k].ids})
		}
		slices.Reverse(steps)
		out.Steps = append(out.Steps, steps...)
	}
	for k := 0; k < len(queue) && k < stepsMax; k++ {
		found := false
		y.v.Next(queue[k].ids, func(a statespace.Action, next []statespace.ID) bool {
			seenAs := y.of(y.v.Decode(next))
			next = slices.Clone(next)
			if slices.Equal(seenAs, to) {
				trail(k, a, next)
				found = true
				return false
			}
			if key := keyOf(next); slices.Equal(seenAs, from) && !seen[key] && model.LabelKind(a.Label) != model.KindEvent {
				seen[key] = true
				queue = append(queue, node{next, a, k})
			}
			return true
		})
		if found {
			return true
		}
	}
	return false
}

// settle lets the others act until they have nothing left to do that the part
// does not see.
func (y *replay) settle(out *statespace.Trace[rule.IDs]) bool {
	for range stepsMax {
		a, next := y.idle(last(out))
		if next == nil {
			return true
		}
		out.Steps = append(out.Steps, statespace.Step[rule.IDs]{Action: a, State: next})
	}
	return false
}

// idle is a fair step that the part does not see, or nil.
func (y *replay) idle(ids rule.IDs) (action statespace.Action, to rule.IDs) {
	from := y.of(y.v.Decode(ids))
	y.v.Next(ids, func(a statespace.Action, next []statespace.ID) bool {
		fair := y.v.World.Classes[a.Class].Fairness != statespace.Unfair
		if fair && !slices.Equal(next, ids) && slices.Equal(y.of(y.v.Decode(next)), from) {
			action, to = a, slices.Clone(next)
			return false
		}
		return true
	})
	return action, to
}

// closes tells whether out ends where it was after the step before entry, with
// the others at rest all the while: then what is fair to the part is fair to all.
func (y *replay) closes(out *statespace.Trace[rule.IDs], entry int) bool {
	begin := out.Init
	if entry > 0 {
		begin = out.Steps[entry-1].State
	}
	if !slices.Equal(begin, last(out)) {
		return false
	}
	states := []rule.IDs{begin}
	for _, s := range out.Steps[entry:] {
		states = append(states, s.State)
	}
	return !slices.ContainsFunc(states, func(ids rule.IDs) bool {
		_, next := y.idle(ids)
		return next != nil
	})
}

// atRest tells whether no fair step leads from a state to another.
func atRest(w *model.World, v *model.Vector, ids rule.IDs) bool {
	rest := true
	v.Next(ids, func(a statespace.Action, next []statespace.ID) bool {
		rest = slices.Equal(next, ids) || w.Classes[a.Class].Fairness == statespace.Unfair
		return rest
	})
	return rest
}

func keyOf(ids rule.IDs) string {
	key := make([]byte, 0, 4*len(ids))
	for _, id := range ids {
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	return string(key)
}

// startLike is a placement of all pods, as the check may begin from, in which
// the part stands as in the replay's first state; nil if none was found. The
// others are placed first, or else the part.
func (r *run) startLike(ctx context.Context, y *replay, first rule.IDs) (*model.State, error) {
	var others []int
	for i := range r.w.Workloads {
		if !y.part.w.In(i) {
			others = append(others, i)
		}
	}
	want := y.own(first)
	o := statespace.Options{Workers: 1, Classes: r.w.Classes, MaxStates: startStatesMax}
	for _, order := range [][2][]int{{others, y.part.members}, {y.part.members, others}} {
		firsts, err := fill(ctx, r.w, initial(r.w), order[0], o)
		if err != nil {
			return nil, ignoreBudget(err)
		}
		for _, first := range firsts[:min(len(firsts), startsMax)] {
			seconds, err := fill(ctx, r.w, first, order[1], o)
			if err != nil {
				return nil, ignoreBudget(err)
			}
			for _, s := range seconds {
				if s = y.aligned(settled(r.w, homed(r.w, initial(r.w), s)), want); s != nil {
					return s, nil
				}
			}
		}
	}
	return nil, nil
}

// aligned is s with interchangeable nodes in the order in which the part has
// them, or nil if the part stands otherwise in s.
func (y *replay) aligned(s *model.State, want rule.IDs) *model.State {
	if y.part.w.Reduced.Merges() {
		if !slices.Equal(y.of(s), want) {
			return nil
		}
		return s
	}
	w := y.v.World
	nodes := func(ids rule.IDs) []statespace.ID { return ids[len(ids)-len(w.Nodes):] }
	out := s.Clone()
	for i := range w.Nodes {
		for k := i; k < len(w.Nodes) && w.Nodes[k].Class == w.Nodes[i].Class; k++ {
			if nodes(y.of(out))[k] == nodes(want)[i] {
				out.Nodes[i], out.Nodes[k] = out.Nodes[k], out.Nodes[i]
				break
			}
		}
	}
	if !slices.Equal(y.of(out), want) {
		return nil
	}
	return out
}

package cluster

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/statespace"
	"github.com/seatrial/seatrial/trace"
)

// tell turns a path into a trace; it returns the last state too, and the places
// in the input on which the steps depend.
func (r *run) tell(t *statespace.Trace[rule.IDs]) (told *trace.Trace, state *model.State, refs []model.Ref) {
	state = r.v.Decode(t.Init)
	seen := view(r.w, state)
	told = &trace.Trace{Schema: trace.Schema, Initial: lines(seen)}
	names := newRoster(r.w, state)
	if whole := r.w.Part == nil && r.w.Reduced == nil; whole {
		told.Setup, told.Pods = r.setup(), names.start
	}
	before := t.Init
	for i, s := range t.Steps {
		if i == t.Loop {
			names.mark()
		}
		actor, step := r.v.Explain(state, s.Action.Label)
		next := r.v.Decode(s.State)
		now := view(r.w, next)
		e := step.Explain()
		names.lost = names.lost || len(e.Acts) == 0 && !slices.Equal(before, s.State)
		told.Steps = append(told.Steps, trace.Step{
			Actor: model.Title(actor), Action: e.Action, Note: e.Note, Changes: changes(seen, now), Acts: names.acts(e.Acts, next),
		})
		// In a loop what repeats is the cause; the way there is not.
		if t.Loop < 0 || i >= t.Loop || model.LabelKind(s.Action.Label) == model.KindEvent {
			refs = append(refs, e.Refs...)
		}
		before, state, seen = s.State, next, now
	}
	if t.Loop >= 0 {
		loop := t.Loop
		told.Loop = &loop
		told.Again = names.again()
	}
	if told.Setup == nil || names.lost {
		unplayable(told)
	}
	return told, state, refs
}

// unplayable takes from a trace what is for programs that repeat it: that of a part
// is not of a cluster that anybody has, and one of which a step says too little
// leads astray.
func unplayable(t *trace.Trace) {
	t.Setup, t.Pods, t.Again = nil, nil, nil
	for i := range t.Steps {
		t.Steps[i].Acts = nil
	}
}

// A roster knows which pods of a trace, by their ordinals, are those that a state
// counts: pods that are alike are interchangeable, and the first of them is taken.
type roster struct {
	w *model.World
	// at are the ordinals, ascending, of the pods that are alike; last is the
	// greatest of a ReplicaSet.
	at   map[spot][]int
	last map[set]int
	// start are the pods of the first state, marked what at was when mark was called.
	start  []trace.Pod
	marked map[spot][]int
	// lost: the acts of some step do not lead to its state.
	lost bool
}

// spot is where some pods are that are alike, and how.
type spot struct {
	at  model.Place
	pod model.Pod
}

// set is the ReplicaSet of a revision of a workload.
type set struct {
	work uint16
	rev  uint8
}

func newRoster(w *model.World, s *model.State) *roster {
	r := &roster{w: w, at: map[spot][]int{}, last: map[set]int{}}
	named := map[*model.GivenPod]bool{}
	s.Each(func(at model.Place, c model.PodCount) {
		for range c.N {
			p := r.pod(at, c.Pod, r.create(spot{at, c.Pod}))
			p.Name = r.given(at, c.Pod, named)
			r.start = append(r.start, p)
		}
	})
	return r
}

// given is the name of a pod of the input that is at a place, or like that; empty
// if there is none. Each is taken once.
func (r *roster) given(at model.Place, p model.Pod, taken map[*model.GivenPod]bool) string {
	all := r.w.Workloads[p.Work].Given
	for _, anywhere := range []bool{false, true} {
		for i := range all {
			if g := &all[i]; !taken[g] && g.Pod == p && (anywhere || g.Node == at.Node) {
				taken[g] = true
				return g.Object.Name
			}
		}
	}
	return ""
}

// create is the ordinal of a new pod.
func (r *roster) create(to spot) int {
	of := set{to.pod.Work, r.w.Set(to.pod)}
	r.last[of]++
	r.put(to, r.last[of])
	return r.last[of]
}

// put adds a pod; the list of a spot is not changed, but replaced.
func (r *roster) put(to spot, ordinal int) {
	if to.pod.Saturates() {
		to.pod.ID = 0 // as in the state
	}
	have := r.at[to]
	i, _ := slices.BinarySearch(have, ordinal)
	r.at[to] = slices.Insert(slices.Clone(have), i, ordinal)
}

// pod is one pod as a trace has it.
func (r *roster) pod(at model.Place, p model.Pod, ordinal int) trace.Pod {
	spec := &r.w.Workloads[p.Work]
	out := trace.Pod{
		Owner: spec.Object(), Revision: int(r.w.Set(p)), Ordinal: ordinal,
		Phase: p.Phase.String(), Ready: p.Ready, Terminating: p.Terminating, Crashing: p.Crashing,
	}
	switch {
	case at.Node < 0:
		out.Node = spec.Revisions[p.Rev].Pod.Spec.NodeName // one that does not exist
	case at.Nominated:
		out.Nominated = r.w.Nodes[at.Node].Name()
	default:
		out.Node = r.w.Nodes[at.Node].Name()
	}
	return out
}

// acts are those of a step that leads to a state, one for each pod.
func (r *roster) acts(all []model.Act, to *model.State) []trace.Act {
	var out []trace.Act
	type arrival struct {
		to      spot
		ordinal int
	}
	var arrivals []arrival // all writes of a step are decided before any is done
	for _, a := range all {
		p := a.Pods
		if p == nil {
			out = append(out, a.Act)
			continue
		}
		from, there := spot{p.From, p.Before}, spot{p.To, p.After}
		among := r.at[from]
		if len(among) <= p.N {
			among = nil
		}
		for range p.N {
			one, ordinal := a.Act, 0
			switch have := r.at[from]; {
			case p.Created:
				ordinal = r.create(there)
			case len(have) == 0:
				r.lost = true
				return nil
			default:
				ordinal, one.Among = have[0], among
				if r.at[from] = have[1:]; !p.Gone {
					arrivals = append(arrivals, arrival{there, ordinal})
				}
			}
			pod := r.pod(p.To, p.After, ordinal)
			one.Pod = &pod
			out = append(out, one)
		}
	}
	for _, a := range arrivals {
		r.put(a.to, a.ordinal)
	}
	r.lost = r.lost || !r.agrees(to)
	return out
}

// agrees tells whether the roster has the pods that a state has. Where the state
// counts no further the roster may have more.
func (r *roster) agrees(s *model.State) bool {
	same, there := true, map[spot]bool{}
	s.Each(func(at model.Place, c model.PodCount) {
		have := len(r.at[spot{at, c.Pod}])
		same = same && (have == c.N || have > c.N && c.Saturates())
		there[spot{at, c.Pod}] = true
	})
	for at, have := range r.at {
		same = same && (len(have) == 0 || there[at] || at.pod.Saturates())
	}
	return same
}

// mark notes that a cycle begins.
func (r *roster) mark() {
	r.marked = map[spot][]int{}
	for at, have := range r.at {
		r.marked[at] = have
	}
}

// again says which pods of the end of a cycle are in whose place.
func (r *roster) again() []trace.Renaming {
	var out []trace.Renaming
	for at, was := range r.marked {
		for i, is := range r.at[at] {
			if i < len(was) && was[i] != is {
				out = append(out, trace.Renaming{
					Owner: r.w.Workloads[at.pod.Work].Object(), Revision: int(r.w.Set(at.pod)), Was: was[i], Is: is,
				})
			}
		}
	}
	slices.SortFunc(out, func(a, b trace.Renaming) int {
		return cmp.Or(cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Revision, b.Revision), cmp.Compare(a.Was, b.Was))
	})
	return out
}

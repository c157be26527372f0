package trace

import (
	"errors"
	"fmt"
	"slices"
)

// roundsMax bounds the steps that Rounds makes.
const roundsMax = 1 << 16

// Rounds is t gone through its loop n times in all, once or more, and then at an
// end: pods that are created in later rounds have ordinals of their own. A trace
// without a loop, or that rests in its last state, stays as it is for any n.
func (t *Trace) Rounds(n int) (*Trace, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	out := *t.Normal()
	if t.Loop == nil || *t.Loop == len(t.Steps) {
		return &out, nil
	}
	out.Loop, out.Again = nil, nil
	cycle := t.Steps[*t.Loop:]
	if n < 1 || n > roundsMax/len(cycle) {
		return nil, fmt.Errorf("%d rounds of %d steps: one round is the least, and %d steps are the most", n, len(cycle), roundsMax)
	}
	out.Steps = slices.Clone(t.Steps)
	r := renaming{now: map[PodID]int{}, last: map[PodID]int{}}
	r.met(t.Pods, t.Steps)
	for range n - 1 {
		r.turn(t.Again)
		for _, s := range cycle {
			again, err := r.step(s)
			if err != nil {
				return nil, err
			}
			out.Steps = append(out.Steps, again)
		}
	}
	return &out, nil
}

// renaming follows pods through the rounds of a loop.
type renaming struct {
	// now is the ordinal of the pod that stands in a round for one of the first.
	now map[PodID]int
	// last is the greatest ordinal of a ReplicaSet, which has ordinal 0 here.
	last map[PodID]int
}

func (r *renaming) met(pods []Pod, steps []Step) {
	note := func(p *Pod) {
		set := PodID{Owner: p.Owner, Revision: p.Revision}
		r.last[set] = max(r.last[set], p.Ordinal)
	}
	for i := range pods {
		note(&pods[i])
	}
	for i := range steps {
		for k := range steps[i].Acts {
			if p := steps[i].Acts[k].Pod; p != nil {
				note(p)
			}
		}
	}
}

// of is who stands for a pod now: itself, in the first round.
func (r *renaming) of(id PodID) int {
	if n, ok := r.now[id]; ok {
		return n
	}
	return id.Ordinal
}

// turn begins a round: who stood for a pod of the end stands for that of the
// beginning.
func (r *renaming) turn(again []Renaming) {
	next := map[PodID]int{}
	for _, a := range again {
		next[PodID{a.Owner, a.Revision, a.Was}] = r.of(PodID{a.Owner, a.Revision, a.Is})
	}
	for id, n := range r.now {
		if _, ok := next[id]; !ok {
			next[id] = n
		}
	}
	r.now = next
}

func (r *renaming) step(s Step) (Step, error) {
	acts := slices.Clone(s.Acts)
	for i := range acts {
		a := &acts[i]
		if a.Pod == nil {
			continue
		}
		pod := *a.Pod
		id := pod.ID()
		if a.Verb == VerbCreate {
			set := PodID{Owner: pod.Owner, Revision: pod.Revision}
			r.last[set]++
			r.now[id] = r.last[set]
		}
		pod.Ordinal = r.of(id)
		a.Pod, a.Among = &pod, slices.Clone(a.Among)
		for k, ordinal := range a.Among {
			a.Among[k] = r.of(PodID{pod.Owner, pod.Revision, ordinal})
		}
		slices.Sort(a.Among)
		if len(a.Among) > 0 && !slices.Contains(a.Among, pod.Ordinal) {
			return s, errors.New("a pod is not among those that it is chosen from")
		}
	}
	s.Acts = acts
	return s, nil
}

package model

import (
	"maps"
	"slices"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
)

// Writer says what an actor or event of the scenario's own may write.
type Writer interface {
	// Verbs are the names and grains of its steps.
	Verbs() []Verb
	// Writes are all that it may do next, each with a verb and the values of its
	// grain, in a deterministic order. It does not change x.State.
	Writes(x *Turn) []Step
	// Scales tells whether it writes spec.replicas of workload i.
	Scales(i int) bool
}

// OwnScales tells whether an actor of the scenario's own writes spec.replicas of
// workload i.
func (w *World) OwnScales(i int) bool {
	return slices.ContainsFunc(w.Own, func(a Actor) bool {
		s, ok := a.(interface{ Scales(int) bool })
		return ok && s.Scales(i)
	})
}

// Faults are the places of the scenario with expressions that have no value in
// some state, or values that make no sense. The zero value is ready for use.
type Faults struct {
	mu sync.Mutex
	at map[string]string
}

// Add notes what is wrong at a place of the scenario. Of several messages the
// least is kept, so that the order of the search does not matter.
func (f *Faults) Add(path, message string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.at == nil {
		f.at = map[string]string{}
	}
	if old, ok := f.at[path]; !ok || message < old {
		f.at[path] = message
	}
}

// Take returns what was added, in the order of its places in the scenario of w,
// and forgets it.
func (f *Faults) Take(w *World) manifest.Problems {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var out manifest.Problems
	for _, path := range slices.Sorted(maps.Keys(f.at)) {
		out = append(out, manifest.Problem{Location: w.ScenarioSource.Position(path), Message: path + " " + f.at[path]})
	}
	f.at = nil
	return out
}

// ActedBy tells whether a step of the given class is the actor's.
func (w *World) ActedBy(a Actor, class uint16) bool { return w.classOf[class] == a.Name() }

// Started tells whether event i starts between two states.
func Started(from, to *Env, i int) bool { return to.Used[i] > from.Used[i] }

// NothingLeft tells whether nothing is left of workload i: neither the object nor what
// it owned.
func (w *World) NothingLeft(s *State, i int) bool {
	work := s.Work[i]
	return !work.Exists && len(work.Revs()) == 0 && s.Count(func(_ Place, p Pod) bool { return int(p.Work) == i }) == 0
}

// DeleteWorkload deletes Deployment i in to; what it owned is left to the
// garbage collector.
func (w *World) DeleteWorkload(to *State, i int) {
	work := to.EditWork(i)
	work.Exists, work.Replicas, work.Settings, work.Applied = false, 1, 0, 0
	work.Rolling, work.Excused, work.Peak, work.Fallen = 0, false, false, false
}

// Uncordon makes node i of to schedulable. A drain of it that is done is over,
// and one under way ends when the node is empty; a maintenance goes on.
func (w *World) Uncordon(to *State, i int) {
	n := to.EditNode(i)
	n.Unschedulable = false
	if n.Drain == Draining || n.Event != 0 && n.Event == to.Env.Maintenance {
		return
	}
	n.Drain = DrainNone
	if n.Up || n.Crashed { // a lost node stays lost
		n.Event = 0
	}
}

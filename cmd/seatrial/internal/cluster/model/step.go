package model

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/statespace"
)

// Kind says what a step is, for the rules.
type Kind uint8

// Kinds of steps: what a rule may want to know about one.
const (
	KindOther    Kind = iota
	KindCreate        // a pod is created
	KindDelete        // a controller deletes pods: surplus ones, orphans, or an actor of one's own
	KindEvict         // the eviction API deletes a pod: drain, descheduler
	KindTaint         // taint eviction deletes a pod
	KindPreempt       // the scheduler deletes pods to make room for another
	KindBind          // a pending pod gets its node
	KindReject        // the kubelet rejects a pod, which becomes Failed
	KindStart         // containers start
	KindReady         // a pod becomes Ready
	KindUnready       // a pod stops being Ready
	KindGone          // a terminating pod is gone
	KindScale         // a controller writes spec.replicas
	KindNodeFail      // a node stops by the crash rule
	KindCycle         // the descheduler chooses pods
	KindEvent         // an event of the environment starts
)

// NoWork marks a step that is about no workload.
const NoWork = 1<<10 - 1

// Step is one atomic change.
type Step struct {
	// Verb is one of the actor's verbs; A and B pick the fairness class within
	// its grain (workload and pool, for example).
	Verb string
	A, B int
	Kind Kind
	// Work is the workload it is about, or NoWork.
	Work int
	// Seconds is how long what the step ends has lasted at least: a toleration,
	// a phase of a load profile, the absence of a node (Ages). 0 is prompt.
	Seconds int64
	// Free steps are not waited for, though their actor is Fast.
	Free bool
	To   *State
	// Explain describes the step; it is called only for traces.
	Explain func() Explanation

	class uint16
}

// Explanation is a step in the user's words.
type Explanation struct {
	Action string // one sentence without a full stop
	Note   string
	Refs   []Ref
	// Acts are the single writes of the step, for other programs.
	Acts []Act
}

// Ref points at a field of the input on which a step depends.
type Ref struct {
	Source  *manifest.Source
	Path    string
	Message string
}

// ordinalMax is the largest place among the successors that a label holds.
const ordinalMax = 1<<17 - 1

// Label packs what the rules need to know of a step, and its place among the
// successors, into the engine's label.
func Label(k Kind, work, ordinal int) uint32 {
	return uint32(k)<<27 | uint32(work&NoWork)<<17 | uint32(ordinal&ordinalMax)
}

// LabelKind is the kind of step in a Label.
func LabelKind(l uint32) Kind { return Kind(l >> 27) }

// LabelWork is the workload in a Label, or NoWork.
func LabelWork(l uint32) int { return int(l >> 17 & NoWork) }

// LabelOrdinal is the step's place among the successors in a Label.
func LabelOrdinal(l uint32) int { return int(l & ordinalMax) }

// Actor is a controller, a kubelet, an event: whatever takes steps. Steps
// emits every step it may take in x.State, in a deterministic order, and does
// not change x.State.
type Actor interface {
	// Name is used in traces.
	Name() string
	Speed() Speed
	Verbs() []Verb
	Steps(x *Turn)
}

// Title is the actor's name in traces: its Title method's, if it is one of
// several that are one controller to a user, or else its Name.
func Title(a Actor) string {
	if t, ok := a.(interface{ Title() string }); ok {
		return t.Title()
	}
	return a.Name()
}

// Speed says when an actor acts.
type Speed uint8

const (
	// Free actors act at any time and are not waited for.
	Free Speed = iota
	// Fast actors act at any time; Slow ones wait for them unless World.Strict.
	Fast
	// Slow actors are the periodic loops: HPA, descheduler, appliers.
	Slow
	// Environment acts last and unfairly, and knows whether the cluster is at rest.
	Environment
)

// Verb is a sort of step with its own fairness: one class for each value of
// its grain.
type Verb struct {
	Name     string
	Grain    Grain
	Fairness statespace.Fairness
}

// Grain says what one fairness class of a verb is about.
type Grain uint8

// Grains: one class for all, per workload, per pool, per workload and pool,
// per HPA, per PDB, per applier.
const (
	ByAll Grain = iota
	ByWork
	ByPool
	ByWorkPool
	ByHPA
	ByPDB
	ByApplier
)

// sizes are the numbers of values of A and B in a grain.
func (w *World) sizes(g Grain) (a, b int) {
	switch g {
	case ByWork:
		return len(w.Workloads), 1
	case ByPool:
		return len(w.Pools), 1
	case ByWorkPool:
		return len(w.Workloads), len(w.Pools)
	case ByHPA:
		return len(w.HPAs), 1
	case ByPDB:
		return len(w.PDBs), 1
	case ByApplier:
		return len(w.Appliers), 1
	}
	return 1, 1
}

var registered []Actor

// Register adds an actor to every check. It is called from the initialisation
// of the file that defines the actor, so that adding one touches no list.
// The order of registration does not matter: actors act sorted by name.
func Register(a Actor) Actor {
	registered = append(registered, a)
	return a
}

type classKey struct {
	actor, verb string
	a, b        int
}

// productMax is how many pairs of a workload and a pool have classes of their
// own; with more, the pools of a workload share them.
const productMax = 1024

// addClasses numbers the fairness classes of the world's actors.
func (w *World) addClasses() {
	w.classIDs, w.classOf = map[classKey]uint16{}, nil
	w.Coarse = len(w.Workloads)*len(w.Pools) > productMax
	for _, actor := range w.Actors {
		for _, v := range actor.Verbs() {
			na, nb := w.sizes(v.Grain)
			for a := range na {
				for b := range nb {
					if b > 0 && w.Coarse {
						w.classIDs[classKey{actor.Name(), v.Name, a, b}] = uint16(len(w.Classes) - 1)
						continue
					}
					w.classIDs[classKey{actor.Name(), v.Name, a, b}] = uint16(len(w.Classes))
					w.classOf = append(w.classOf, actor.Name())
					w.Classes = append(w.Classes, statespace.Class{
						Name:     w.className(actor, v, a, b),
						Fairness: w.fairness(actor, v),
					})
				}
			}
		}
	}
}

// fairness: an actor that waits until the fast ones are idle is enabled only
// now and then, so weak fairness would promise nothing.
func (w *World) fairness(a Actor, v Verb) statespace.Fairness {
	if v.Fairness == statespace.Weak && a.Speed() == Slow && !w.Strict {
		return statespace.Strong
	}
	return v.Fairness
}

func (w *World) className(actor Actor, v Verb, a, b int) string {
	name := actor.Name() + " " + v.Name
	switch v.Grain {
	case ByWork:
		return name + " " + w.Workloads[a].Object()
	case ByPool:
		return name + " " + w.Pools[a]
	case ByWorkPool:
		return name + " " + w.Workloads[a].Object() + " on " + w.Pools[b]
	case ByHPA:
		return name + " " + w.HPAs[a].Name()
	case ByPDB:
		return name + " " + w.PDBs[a].Name()
	case ByApplier:
		return name + " " + w.Appliers[a].Name
	}
	return name
}

// Ages is the Seconds of what may take any time.
const Ages = math.MaxInt64

// Turn is one expansion of a state.
type Turn struct {
	*World
	State *State
	// Rest: no actor but the environment has a step to take. Only the
	// environment may ask.
	Rest bool

	// Soonest is the least Seconds of the steps that actors have to take. Known
	// to slow actors.
	Soonest int64

	alike []int

	actor      Actor
	fast, fair bool
	only, emit func(Actor, Step) bool
	stopped    bool
}

// Alike is for each node the first that it is interchangeable with: of its class,
// and in the same state. Steps that differ only by which of them they are about
// lead to the same states, so that one of them is enough.
func (x *Turn) Alike() []int {
	if x.alike != nil {
		return x.alike
	}
	x.alike = make([]int, len(x.State.Nodes))
	for i, n := range x.State.Nodes {
		x.alike[i] = i
		if x.Distinct {
			continue
		}
		for k := i - 1; k >= 0 && x.Nodes[k].Class == x.Nodes[i].Class; k-- {
			if x.State.Nodes[k] == n {
				x.alike[i] = x.alike[k]
				break
			}
		}
	}
	return x.alike
}

// First tells whether no node before node i is interchangeable with it.
func (x *Turn) First(i int) bool { return x.Alike()[i] == i }

// Emit reports a step.
func (x *Turn) Emit(s Step) {
	if x.stopped || s.Work != NoWork && !x.In(s.Work) {
		return
	}
	id, ok := x.classIDs[classKey{x.actor.Name(), s.Verb, s.A, s.B}]
	if !ok {
		panic(fmt.Sprintf("model: actor %s has no class %s %d %d", x.actor.Name(), s.Verb, s.A, s.B))
	}
	s.class = id
	if x.actor.Speed() != Environment {
		x.fair = x.fair || x.Classes[id].Fairness != statespace.Unfair
		x.fast = x.fast || x.actor.Speed() == Fast && !s.Free
		x.Soonest = min(x.Soonest, s.Seconds)
	}
	if s.Kind == KindReject {
		x.takenAway(s.Work)
	}
	if x.Reduced == nil {
		x.stopped = !x.end(s)
	} else {
		x.stopped = !x.endReduced(s)
	}
}

// end emits a step with what its state remembers of the past, if it is to be taken.
func (x *Turn) end(s Step) bool {
	x.observe(&s)
	return x.only != nil && !x.only(x.actor, s) || x.emit(x.actor, s)
}

// endReduced emits a step with each of the states that it may lead to.
func (x *Turn) endReduced(s Step) bool {
	return x.reduce(s.To, func(to *State) bool {
		s.To = to
		return x.end(s)
	})
}

// expand emits every step from s that only admits of actors, which are sorted.
func (w *World) expand(s *State, actors []Actor, only func(Actor, Step) bool, emit func(Actor, Step) bool) {
	x := &Turn{World: w, State: s, Soonest: Ages, only: only, emit: emit}
	for _, speed := range [...]Speed{Free, Fast, Slow, Environment} {
		if speed == Slow && x.fast && !w.Strict {
			continue
		}
		x.Rest = speed == Environment && !x.fair
		for _, a := range actors {
			if a.Speed() != speed || x.stopped {
				continue
			}
			x.actor = a
			a.Steps(x)
		}
	}
}

// Prepare fixes the world's actors and fairness classes; it is called once,
// when all else is known.
func (w *World) Prepare() {
	w.Actors = append(slices.Clone(registered), w.Own...)
	slices.SortFunc(w.Actors, func(a, b Actor) int { return strings.Compare(a.Name(), b.Name()) })
	w.addClasses()
	w.gone = make([]atomic.Bool, len(w.Workloads))
	w.objects = &objects{}
}

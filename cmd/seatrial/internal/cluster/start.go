package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/nodelifecycle"
	"github.com/seatrial/seatrial/statespace"
)

// starter is the world before the check begins: ReplicaSets create pods, the
// scheduler binds them, kubelets start them, and nothing else happens. Its
// states without successors are the initial states of the check.
//
// Only the scheduler's choices differ in their outcome, so only they are
// explored in every order: creating, starting and becoming Ready change
// nothing that a scheduler reads.
type starter struct {
	*model.Vector
	rejected map[int]bool
	// one follows the first choice of the scheduler only.
	one bool
}

// startStatesMax is how many states are explored for the placements to start
// from before one of them has to do.
const startStatesMax = 20_000

// Next implements statespace.VectorModel. What does not bind comes first in the
// order of the actors, and is the only step.
func (s *starter) Next(ids []statespace.ID, yield func(statespace.Action, []statespace.ID) bool) {
	bound := false
	s.Vector.Next(ids, func(a statespace.Action, next []statespace.ID) bool {
		switch model.LabelKind(a.Label) {
		case model.KindBind:
			bound = true
			return yield(a, next) && !s.one
		case model.KindReject:
			s.rejected[model.LabelWork(a.Label)] = true
		}
		if bound {
			panic("a step that does not bind comes after one that does")
		}
		yield(a, next)
		return false
	})
}

// starts returns the states from which the check begins, and whether they are
// all of them: if they are too many to find, there is only one.
func starts(ctx context.Context, w *model.World, o statespace.Options) (states []*model.State, all bool, err error) {
	o.Workers, o.Classes, o.MaxDepth, o.Progress = 1, w.Classes, 0, nil
	budget := o.MaxStates
	if o.MaxStates == 0 || o.MaxStates > startStatesMax {
		o.MaxStates = startStatesMax
	}
	states, err = placements(ctx, w, o, false)
	if !errors.Is(err, errStart) || ctx.Err() != nil || w.Scenario.FromEmpty {
		return states, true, err
	}
	o.MaxStates = budget
	states, err = placements(ctx, w, o, true)
	return states, false, err
}

// placements fills the cluster in every way, or in one.
func placements(ctx context.Context, w *model.World, o statespace.Options, one bool) ([]*model.State, error) {
	empty := initial(w)
	if w.Scenario.FromEmpty {
		return []*model.State{settled(w, empty)}, nil
	}
	out, err := filling(ctx, w, empty, map[int]bool{}, o, one)
	for i, s := range out {
		out[i] = settled(w, homed(w, empty, s))
	}
	return out, err
}

// startsMax is how many placements of some workloads are filled up with the
// others for one that a part begins from.
const startsMax = 64

// fill places the pods of some workloads beside those of s, in every way.
func fill(ctx context.Context, w *model.World, s *model.State, works []int, o statespace.Options) ([]*model.State, error) {
	none := map[int]bool{}
	for i := range w.Workloads {
		none[i] = !slices.Contains(works, i)
	}
	return filling(ctx, w, s, none, o, false)
}

// ignoreBudget: that a budget ran out says nothing.
func ignoreBudget(err error) error {
	if errors.Is(err, errStart) {
		return nil
	}
	return err
}

// filling places the pods of the workloads that are not in none, which may grow
// by those whose pods are rejected.
func filling(ctx context.Context, w *model.World, from *model.State, none map[int]bool, o statespace.Options, one bool) ([]*model.State, error) {
	for {
		s := &starter{Vector: model.NewVector(w, []*model.State{from}), rejected: map[int]bool{}, one: one}
		s.Only = func(a model.Actor, step model.Step) bool { return startStep(w, none, a, step) }
		s.Actors = startActors(w)
		vectors, stats, err := statespace.TerminalVectors(ctx, s, o)
		switch {
		case err != nil:
			return nil, err
		case !stats.Complete:
			return nil, fmt.Errorf("%w: %s", errStart, stats.Reason)
		case len(s.rejected) > 0:
			for i := range s.rejected {
				none[i] = true
			}
			continue
		case len(vectors) == 0:
			return nil, errors.New("no initial state: filling the cluster never ends")
		}
		out := make([]*model.State, len(vectors))
		for i, v := range vectors {
			out[i] = s.Decode(v)
		}
		return out, nil
	}
}

// homed is s with the given pods on the nodes that the input names: what the
// search returns is sorted among interchangeable nodes. Filling does not touch
// given pods, so each node of the input has its counterpart.
func homed(w *model.World, input, s *model.State) *model.State {
	given := func(n *model.Node) []model.PodCount {
		return slices.DeleteFunc(slices.Clone(n.Pods), func(c model.PodCount) bool { return len(w.Workloads[c.Work].Given) == 0 })
	}
	out := s.Clone()
	for i := range out.Nodes {
		for j := i; j < len(out.Nodes) && w.Nodes[j].Class == w.Nodes[i].Class; j++ {
			if slices.Equal(given(input.Nodes[i]), given(out.Nodes[j])) {
				out.Nodes[i], out.Nodes[j] = out.Nodes[j], out.Nodes[i]
				break
			}
		}
	}
	return out
}

// errStart: a budget ran out before the check began.
var errStart = errors.New("the placements to start from could not all be found")

// startActors are those whose steps fill the cluster.
func startActors(w *model.World) []model.Actor {
	return slices.DeleteFunc(slices.Clone(w.Actors), func(a model.Actor) bool {
		return !slices.Contains([]string{"replicaset", "scheduler", "kubelet"}, a.Name())
	})
}

// startStep tells which steps fill the cluster. Workloads in none are not
// filled: their pods would be rejected or evicted at once.
func startStep(w *model.World, none map[int]bool, a model.Actor, step model.Step) bool {
	if none[step.Work] || step.Work != model.NoWork && len(w.Workloads[step.Work].Given) > 0 {
		return false
	}
	switch a.Name() + " " + step.Verb {
	case "replicaset create":
		return !evictedAtOnce(w, step.Work)
	case "scheduler bind", "kubelet admit", "kubelet ready", "kubelet available":
		return true
	}
	return false
}

// evictedAtOnce: the template binds to a node whose taint evicts such pods.
func evictedAtOnce(w *model.World, i int) bool {
	pod := w.Workloads[i].Revisions[0].Pod
	at := w.PlaceOf(pod.Spec.NodeName)
	if at == model.Unassigned {
		return pod.Spec.NodeName != "" // collected, since its node does not exist
	}
	ok, _ := nodelifecycle.Tolerates(pod, w.Nodes[at.Node].Node)
	return !ok
}

// initial is the cluster with the given pods and no others.
func initial(w *model.World) *model.State {
	if w.Reduced != nil {
		return w.Reduced.State(initial(w.Reduced.Of))
	}
	s := &model.State{Env: &model.Env{Used: make([]uint8, len(w.Events))}}
	for i := range w.Workloads {
		if !w.In(i) {
			s.Work = append(s.Work, &model.Workload{Sets: make([]model.Set, len(w.Workloads[i].Revisions))})
			continue
		}
		s.Work = append(s.Work, initialWorkload(&w.Workloads[i]))
	}
	for i := range w.HPAs {
		s.HPA = append(s.HPA, &model.Autoscaler{Rev: firstRevision(w.HPAs[i].Absent)})
	}
	for i := range w.PDBs {
		s.PDB = append(s.PDB, &model.Budget{Rev: firstRevision(w.PDBs[i].Absent)})
	}
	for i := range w.Nodes {
		s.Nodes = append(s.Nodes, initialNode(w.Nodes[i].Node))
	}
	for i, pace := range w.Paces(s) {
		if pace == nodelifecycle.Withdrawn {
			s.Nodes[i].Taints &^= model.TaintEvict | model.TaintNotReadyEvict
		}
	}
	for i := range w.Workloads {
		for _, g := range w.Workloads[i].Given {
			if !w.In(i) {
				break
			}
			at := model.Place{Node: g.Node}
			s.SetBag(at, s.Bag(at).Add(w.NewPod(s, g.Pod), 1))
		}
	}
	return s
}

func firstRevision(absent bool) uint8 {
	if absent {
		return model.Absent
	}
	return 0
}

func initialWorkload(spec *model.WorkloadSpec) *model.Workload {
	work := &model.Workload{
		Exists: !spec.Absent, Replicas: *spec.Deployment.Spec.Replicas, Sets: make([]model.Set, len(spec.Revisions)),
	}
	if spec.Kind == "Pod" || spec.Absent {
		return work
	}
	desired, most := recorded(spec.Deployment)
	if spec.GivenSets == nil {
		work.Sets[0] = model.Set{Exists: true, Replicas: work.Replicas, Desired: desired, Max: most, Wait: spec.Wait(spec.Deployment.Spec.MinReadySeconds)}
		return work
	}
	// Where the present template has no ReplicaSet yet, the Deployment controller
	// makes one.
	copy(work.Sets, spec.GivenSets)
	for r := range spec.GivenSets {
		if work.Sets[r].Exists {
			work.Sets[r].Wait = spec.Wait(spec.Revisions[r].Set.Spec.MinReadySeconds)
		}
	}
	work.Before = spec.GivenBefore
	return work
}

// settled brings what follows the pods up to date: the status of budgets and
// what properties remember.
func settled(w *model.World, s *model.State) *model.State {
	s = s.Clone()
	for i := range w.PDBs {
		*s.EditPDB(i) = w.BudgetStatus(s, i)
		if given := w.PDBs[i].Given; given != nil {
			*s.EditPDB(i) = *given
		}
	}
	for i := range w.Workloads {
		if rolling := w.RolloutUnderWay(s, i); rolling > 0 {
			s.EditWork(i).Rolling = rolling
		}
		if k := w.Reached(s, i, 0); k > 0 {
			s.EditWork(i).Reached = k
		}
	}
	return s
}

// initialNode is a node as the input has it: what its conditions say, its
// machine running if it is Ready.
func initialNode(object *corev1.Node) *model.Node {
	n := &model.Node{Up: true, Ready: true, Unschedulable: object.Spec.Unschedulable}
	for _, c := range object.Status.Conditions {
		if c.Type == corev1.NodeReady && c.Status != corev1.ConditionTrue {
			n.Up, n.Ready, n.Reports = false, false, c.Status == corev1.ConditionFalse
		}
	}
	n.Taints = n.NotReadyTaints()
	if n.Unschedulable {
		n.Taints |= model.TaintUnschedulable
	}
	return n
}

// recorded are the annotations that the Deployment controller has put on the
// ReplicaSets of a Deployment at rest.
func recorded(d *appsv1.Deployment) (desired, most int32) {
	return *d.Spec.Replicas, *d.Spec.Replicas + util.MaxSurge(*d)
}

package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
)

// Place is where a pod is: assigned to a node, nominated to one, or neither.
type Place struct {
	Node      int // -1: no node
	Nominated bool
}

// Unassigned is the place of pods without a node.
var Unassigned = Place{Node: -1}

// Bag returns the pods at a place.
func (s *State) Bag(at Place) Bag {
	switch {
	case at.Node < 0:
		return s.Free
	case at.Nominated:
		return s.Nodes[at.Node].Nominated
	}
	return s.Nodes[at.Node].Pods
}

// SetBag replaces the pods at a place; s must not be shared yet.
func (s *State) SetBag(at Place, b Bag) {
	switch {
	case at.Node < 0:
		s.Free = b
	case at.Nominated:
		s.EditNode(at.Node).Nominated = b
	default:
		s.EditNode(at.Node).Pods = b
	}
}

// Each calls f for every sort of pod: unassigned ones first, then by node.
func (s *State) Each(f func(at Place, c PodCount)) {
	for _, c := range s.Free {
		f(Unassigned, c)
	}
	for i, n := range s.Nodes {
		for _, c := range n.Nominated {
			f(Place{i, true}, c)
		}
		for _, c := range n.Pods {
			f(Place{Node: i}, c)
		}
	}
}

// Count sums the pods with pred, wherever they are.
func (s *State) Count(pred func(Place, Pod) bool) int {
	n := 0
	s.Each(func(at Place, c PodCount) {
		if pred(at, c.Pod) {
			n += c.N
		}
	})
	return n
}

// Available tells whether p has been Ready for the minReadySeconds of its
// ReplicaSet. A Terminating pod is not.
func (w *World) Available(s *State, p Pod) bool {
	return p.ReadyFor > s.Work[p.Work].Sets[w.Set(p)].Wait && !p.Terminating
}

// AvailableOf counts the pods of workload i that are available.
func (w *World) AvailableOf(s *State, i int) int {
	return s.Count(func(_ Place, p Pod) bool { return int(p.Work) == i && w.Available(s, p) })
}

// Named is a pod as an API object, with where the state keeps it.
type Named struct {
	At     Place
	Pod    Pod
	Object *corev1.Pod
}

// past is the time of everything that happened before a check: the model has
// no clock, so all of it happened at once and long ago.
var past = metav1.NewTime(time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC))

type podKey struct {
	pod  Pod
	at   Place
	copy int
}

type nodeKey struct {
	index          int
	ready, unsched bool
	reports        bool
	taints         Taints
}

// kept are the objects made so far.
func (w *World) kept() *objects {
	if w.objects == nil {
		w.objects = &objects{} // Prepare has made them where several ask at a time
	}
	return w.objects
}

// objects caches API objects, which are never changed once made.
type objects struct {
	pods, nodes sync.Map
}

// Pod returns copy number i of p at a place as an API object.
func (w *World) Pod(p Pod, at Place, i int) *corev1.Pod {
	key := podKey{p, at, i}
	if o, ok := w.kept().pods.Load(key); ok {
		return o.(*corev1.Pod)
	}
	o, _ := w.kept().pods.LoadOrStore(key, w.makePod(p, at, i))
	return o.(*corev1.Pod)
}

func (w *World) makePod(p Pod, at Place, i int) *corev1.Pod {
	spec := &w.Workloads[p.Work]
	rev := &spec.Revisions[p.Rev]
	o := rev.Pod.DeepCopy()
	where := "pending"
	if at.Node >= 0 {
		where = w.Nodes[at.Node].Node.Name
		if at.Nominated {
			where = "for-" + where
		}
	}
	o.Namespace = spec.Namespace
	o.Name = fmt.Sprintf("%s-r%d-%s-%x-%d", spec.Name, p.Rev, where, p.Bits(), i)
	o.UID = types.UID(o.Name)
	o.CreationTimestamp = past
	if rev.Set != nil {
		yes := true
		o.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: "apps/v1", Kind: "ReplicaSet", Name: rev.Set.Name, UID: rev.Set.UID, Controller: &yes,
		}}
	}
	if at.Node >= 0 && !at.Nominated {
		o.Spec.NodeName = w.Nodes[at.Node].Node.Name
		o.Status.StartTime = past.DeepCopy()
	} else if at.Nominated {
		o.Status.NominatedNodeName = w.Nodes[at.Node].Node.Name
	}
	if p.Terminating {
		o.DeletionTimestamp = past.DeepCopy()
		o.Finalizers = []string{"seatrial.dev/terminating"}
	}
	o.Status.Phase = [...]corev1.PodPhase{corev1.PodPending, corev1.PodRunning, corev1.PodFailed}[p.Phase]
	o.Status.Conditions = podConditions(p)
	for _, c := range o.Spec.Containers {
		o.Status.ContainerStatuses = append(o.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Ready: p.Ready, RestartCount: restartCount(p),
		})
	}
	return o
}

// restartCount of a pod that crashes for ever has passed any threshold.
func restartCount(p Pod) int32 {
	if p.Crashing {
		return math.MaxInt16
	}
	return int32(p.Restarts)
}

func podConditions(p Pod) []corev1.PodCondition {
	ready := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: past}
	if p.Ready {
		ready.Status = corev1.ConditionTrue
	} else if p.EverReady {
		// It was Ready once, so the change came later than the start.
		ready.LastTransitionTime = metav1.NewTime(past.Add(time.Hour))
	}
	conditions := []corev1.PodCondition{ready}
	if p.Preempted {
		conditions = append(conditions, corev1.PodCondition{
			Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue,
			Reason: corev1.PodReasonPreemptionByScheduler, LastTransitionTime: past,
		})
	}
	return conditions
}

// Node returns node i as an API object.
func (w *World) Node(i int, n *Node) *corev1.Node {
	key := nodeKey{i, n.Ready, n.Unschedulable, n.Reports, n.Taints}
	if o, ok := w.kept().nodes.Load(key); ok {
		return o.(*corev1.Node)
	}
	o, _ := w.kept().nodes.LoadOrStore(key, w.makeNode(i, n))
	return o.(*corev1.Node)
}

var managedTaints = []struct {
	bit   Taints
	taint corev1.Taint
}{
	{TaintUnschedulable, corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}},
	{TaintUnreachable, corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoSchedule}},
	{TaintEvict, corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute}},
	{TaintNotReady, corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule}},
	{TaintNotReadyEvict, corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute}},
}

// String names managed taints as kubectl does.
func (t Taints) String() string {
	var out []string
	for _, m := range managedTaints {
		if t&m.bit != 0 {
			out = append(out, m.taint.Key+":"+string(m.taint.Effect))
		}
	}
	return strings.Join(out, ", ")
}

// Evicts tells whether node i has a taint of the effect NoExecute.
func (w *World) Evicts(i int, n *Node) bool {
	return n.Taints&(TaintEvict|TaintNotReadyEvict) != 0 ||
		slices.ContainsFunc(w.Nodes[i].Node.Spec.Taints, func(t corev1.Taint) bool { return t.Effect == corev1.TaintEffectNoExecute })
}

func (w *World) makeNode(i int, n *Node) *corev1.Node {
	if mutation.On("cordon-ignored") {
		n = &Node{Ready: n.Ready, Taints: n.Taints &^ TaintUnschedulable}
	}
	o := w.Nodes[i].Node.DeepCopy()
	o.Spec.Unschedulable = n.Unschedulable
	for _, m := range managedTaints {
		if n.Taints&m.bit != 0 {
			o.Spec.Taints = append(o.Spec.Taints, m.taint)
		}
	}
	status := corev1.ConditionTrue
	if !n.Ready {
		status = corev1.ConditionUnknown
		if n.Reports {
			status = corev1.ConditionFalse
		}
	}
	conditions := []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status, LastTransitionTime: past, LastHeartbeatTime: past}}
	for _, c := range o.Status.Conditions {
		if c.Type != corev1.NodeReady {
			conditions = append(conditions, c)
		}
	}
	o.Status.Conditions = conditions
	return o
}

// Pods returns the pods with pred as objects.
func (w *World) Pods(s *State, pred func(Place, Pod) bool) []Named {
	var out []Named
	s.Each(func(at Place, c PodCount) {
		if !pred(at, c.Pod) {
			return
		}
		for i := range c.N {
			out = append(out, Named{at, c.Pod, w.Pod(c.Pod, at, i)})
		}
	})
	return out
}

// Objects strips the places.
func Objects(pods []Named) []*corev1.Pod {
	out := make([]*corev1.Pod, len(pods))
	for i, p := range pods {
		out[i] = p.Object
	}
	return out
}

// Deployment returns workload i as a Deployment object.
func (w *World) Deployment(s *State, i int) *appsv1.Deployment {
	spec, work := &w.Workloads[i], s.Work[i]
	d := spec.Deployment.DeepCopy()
	if !mutation.On("apply-keeps-settings") {
		spec.Now(work).Onto(d)
	}
	d.Spec.Replicas = &work.Replicas
	template := spec.Revisions[work.Rev].Set.Spec.Template.DeepCopy()
	delete(template.Labels, appsv1.DefaultDeploymentUniqueLabelKey)
	d.Spec.Template = *template
	return d
}

// sinceStart is later than the creation of any object of the input, as the model has
// it.
const sinceStart = 1 << 20

// ReplicaSets returns the ReplicaSets of workload i that exist, with the
// status their pods give them, by revision.
func (w *World) ReplicaSets(s *State, i int) []*appsv1.ReplicaSet {
	var out []*appsv1.ReplicaSet
	spec, work := &w.Workloads[i], s.Work[i]
	for r, set := range work.Sets {
		if !set.Exists {
			continue
		}
		o := *spec.Revisions[r].Set
		replicas := set.Replicas
		o.Spec.Replicas, o.Spec.MinReadySeconds = &replicas, spec.Waits[set.Wait]
		if set.Born > 0 {
			o.CreationTimestamp = metav1.Unix(sinceStart+int64(set.Born), 0)
		}
		o.Annotations = map[string]string{
			util.DesiredReplicasAnnotation: strconv.Itoa(int(set.Desired)),
			util.MaxReplicasAnnotation:     strconv.Itoa(int(set.Max)),
		}
		s.Each(func(_ Place, c PodCount) {
			if int(c.Work) != i || int(w.Set(c.Pod)) != r || !c.Active() {
				return
			}
			o.Status.Replicas += int32(c.N)
			if c.Ready {
				o.Status.ReadyReplicas += int32(c.N)
			}
			if w.Available(s, c.Pod) {
				o.Status.AvailableReplicas += int32(c.N)
			}
		})
		o.Status.FullyLabeledReplicas = o.Status.Replicas
		out = append(out, &o)
	}
	return out
}

// Sites says how many pods of whom are where: "2 pods on a1, 1 pod on b1".
func (w *World) Sites(pods []Named) string {
	var order []string
	count := map[string]int{}
	works := map[uint16]bool{}
	for _, p := range pods {
		works[p.Pod.Work] = true
	}
	for _, p := range pods {
		where := "without a node"
		if p.At.Node >= 0 {
			where = "on " + w.Nodes[p.At.Node].Node.Name
		}
		if len(works) > 1 {
			where = "of " + w.Workloads[p.Pod.Work].Object() + " " + where
		}
		if count[where] == 0 {
			order = append(order, where)
		}
		count[where]++
	}
	for i, where := range order {
		unit := "pods"
		if count[where] == 1 {
			unit = "pod"
		}
		order[i] = fmt.Sprintf("%d %s %s", count[where], unit, where)
	}
	return strings.Join(order, ", ")
}

// Package model is a cluster as the engine explores it. A World is what stays
// as it is during a check, a State what changes; an Actor takes a State to the
// next by a Step; a Vector shows all that to package statespace. What only
// Kubernetes' own code can answer goes through Kube, which remembers it.
package model

import (
	"slices"
	"sync/atomic"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/labels"
	schedulerconfig "k8s.io/kubernetes/pkg/scheduler/apis/config"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

// World is everything that does not change during a check: the objects'
// immutable parts, what the scenario allows, and the settings.
type World struct {
	Nodes     []NodeSpec
	Pools     []string // names, indexed by NodeSpec.Pool
	Workloads []WorkloadSpec
	HPAs      []HPASpec
	PDBs      []PDBSpec
	Events    []EventSpec
	Appliers  []ApplierSpec
	Crash     []scenario.NodeCrash
	// Own are the actors that the scenario declares; Faults what their
	// expressions and those of its events could not tell.
	Own    []Actor
	Faults *Faults

	Namespaces      []*corev1.Namespace
	Services        []*corev1.Service
	PriorityClasses []*schedulingv1.PriorityClass
	SchedulerConfig *schedulerconfig.KubeSchedulerConfiguration
	Descheduler     *manifest.Object[[]byte]
	// PluginPaths finds, by name, the places of a descheduler plugin in the policy.
	PluginPaths map[string][]string
	// Clocked are the arguments of the policy that are about the age of pods.
	Clocked []string

	// Warnings are what building the model has to say about the input.
	Warnings []finding.Warning

	// Scenario is never nil.
	Scenario       *scenario.Spec
	ScenarioSource *manifest.Source // nil without a scenario
	// Strict lets slow actors act while fast ones still have something to do.
	Strict bool
	// Distinct gives pods identities and leaves nodes where they are: the model
	// without symmetry, to which a test holds the counted one.
	Distinct bool
	// Part, if set, says which workloads take part: the others are not there,
	// and what they would take of the nodes is taken to be anything.
	Part []bool
	// Reduced, if set, is what is left out of the states.
	Reduced *Reduction
	// MaxEvents bounds the events of a behaviour, InFlight those in flight.
	MaxEvents, InFlight int
	// Actors take part in this check, sorted by name; Classes are their
	// fairness classes.
	Actors  []Actor
	Classes []statespace.Class
	// Coarse: fairness is per workload only, the pools being too many.
	Coarse  bool
	Kube    *Kube
	Watched Watched

	objects *objects

	classIDs map[classKey]uint16

	// gone notes, by workload, that a held pod was deleted or rejected.
	gone    []atomic.Bool
	classOf []string // the actor's name
}

// NodeSpec is the unchanging part of one node.
type NodeSpec struct {
	Node *corev1.Node // taints and unschedulable as given
	// Source finds the node's lines; Path is the prefix of its fields there
	// ("" for a Node object, spec.nodePools[i].template for a pool).
	Source *manifest.Source
	Path   string
	// Class is equal for interchangeable nodes, which stand side by side.
	Class int
	// Pool indexes World.Pools: the unit of fairness.
	Pool int
	// Slot: it stands for a node of a group that an event has struck, if there is
	// one (Reduction).
	Slot bool
}

// WorkloadSpec is a Deployment, a ReplicaSet of its own or a pod of its own.
type WorkloadSpec struct {
	Kind string // Deployment, ReplicaSet or Pod
	// Held, for the Kind Pod, is the kind of the controller that the given pods
	// have and that is left out: they are as the input has them, and a pod that
	// is gone does not come back. Namespace and Name are the controller's.
	Held string
	// Stays: no drain asks for the eviction of these pods, as kubectl drain
	// --ignore-daemonsets leaves those of a DaemonSet and mirror pods alone.
	Stays     bool
	Namespace string
	Name      string
	Source    *manifest.Source
	// Deployment is the object; for a ReplicaSet or Pod an object that holds
	// its selector and replicas.
	Deployment *appsv1.Deployment
	// Revisions are the pod templates that may occur; 0 is the present one.
	Revisions []Revision
	// Settings are those that a Deployment may have; 0 are the given ones.
	Settings []Settings
	// Waits are the values that the minReadySeconds of the workload or of one of its
	// ReplicaSets may have, ascending; at least one, at most SpanMax.
	Waits []int32
	// New is the last revision that an event brings by itself; what is behind it
	// comes of several that are merged.
	New      uint8
	Selector labels.Selector
	// Given are the pods that the input has, by node index (-1: unassigned).
	Given []GivenPod
	// GivenSets are the ReplicaSets that the input has, by revision, or nil.
	GivenSets []Set
	// GivenBefore is the revision before the present one among the given
	// ReplicaSets, 0 if there is none.
	GivenBefore uint8
	// Absent workloads start with a create event.
	Absent bool
	// Loads are the levels its load may have; 0 is the initial one.
	Loads []Load
	// HPA is the first of World.HPAs of which some revision is about the workload;
	// it is -1 without one. World.ScaleBounds says what those there are make of it.
	HPA int
}

// RevisionsMax is how many revisions one workload may have: Workload.Never holds
// the number of one beside its other values.
const RevisionsMax = 256 - int(NeverRev)

// RevisionsSpare of them are kept for the templates that events bring: given pods
// that differ from their template do not use them up.
const RevisionsSpare = 64

// StaticPod is the Held of pods that a kubelet runs from a file of its node.
const StaticPod = "static Pod"

// GivenPod is a pod of the input.
type GivenPod struct {
	Node int
	Pod  Pod
	// Object is the pod as the input has it.
	Object *corev1.Pod
}

// Revision is one pod template with its ReplicaSet.
type Revision struct {
	// Set is the ReplicaSet object, replicas as at the start.
	Set *appsv1.ReplicaSet
	// Pod is the pod it makes, named by the state when it is turned into objects.
	Pod *corev1.Pod
	// Source and Path find the template's fields.
	Source *manifest.Source
	Path   string
	// Of is the revision whose ReplicaSet the pods belong to: its own number, but
	// for given pods that differ from their template.
	Of uint8
	// Probed: a readiness probe decides when a started pod is Ready.
	Probed bool
	// ProbeDelay is the longest initialDelaySeconds of the readiness probes.
	ProbeDelay int32
	// Grace: a deleted pod stays Terminating until the kubelet is done.
	Grace bool
}

// HPASpec is one HorizontalPodAutoscaler with every version that events and
// appliers may make of it. Absent: there is none at the start.
type HPASpec struct {
	Revisions []HPARevision // at least one; 0 is the given one if there is one
	Absent    bool
	// Deleted: a rule of the scenario's own may delete it.
	Deleted bool
}

// HPARevision is one version of an autoscaler.
type HPARevision struct {
	*Written
	HPA  *autoscalingv2.HorizontalPodAutoscaler
	Work int // index of the target, or -1
}

// PDBSpec is one PodDisruptionBudget, as HPASpec.
type PDBSpec struct {
	Revisions []PDBRevision
	Absent    bool
	Deleted   bool
	// Given is the status that the input has, which the disruption controller may
	// not have brought up to date; nil without one.
	Given *Budget
}

// PDBRevision is one version of a budget.
type PDBRevision struct {
	*Written
	PDB      *policyv1.PodDisruptionBudget
	Selector labels.Selector
}

// ApplierSpec is a periodic applier, of a Deployment unless it has a Rewrite.
type ApplierSpec struct {
	Name    string
	Rewrite *Rewrite
	Work    int
	Apply   *Apply
	Source  *manifest.Source
	Path    string
}

// EventSpec is one entry of the scenario's events, resolved.
type EventSpec struct {
	scenario.Event
	Budget uint8
	// Nodes that it may strike, Works that it is about; Rev are the templates that
	// a rollout changes to, Replicas what a scale makes of the number, Levels the
	// loads it may set.
	Nodes    []int
	Works    []int
	Rev      []uint8
	Replicas func(int32) int32
	Levels   []uint16
	// Apply is set for an apply or create of a Deployment, Rewrite for one of
	// another kind.
	Apply   *Apply
	Rewrite *Rewrite
	// Writer says what an event of type custom does.
	Writer Writer
	Path   string
}

// Load is one level of a workload's load.
type Load struct {
	scenario.Load
	Text string // in words
}

// In tells whether workload i takes part.
func (w *World) In(i int) bool { return w.Part == nil || w.Part[i] }

// PartOf is w with some of its workloads only. What w remembers of real
// decisions is shared.
func (w *World) PartOf(members []int) *World {
	out := *w
	out.Part = make([]bool, len(w.Workloads))
	for _, i := range members {
		out.Part[i] = true
	}
	return &out
}

// With is w, which is a copy of r.Of with the nodes that r leaves, as r reduces it.
// The pods that go are noted where r.Of notes them.
func (w *World) With(r *Reduction) (*World, error) {
	out := *w
	out.Reduced = r
	if !r.Merges() {
		return &out, nil
	}
	out.Classes = nil
	out.Prepare()
	out.gone = r.Of.gone
	var err error
	out.Kube, err = NewKube(&out, nil, w.Kube.memo)
	return &out, err
}

// WithEvents is w with so many events in one behaviour.
func (w *World) WithEvents(most int) *World {
	out := *w
	out.MaxEvents = most
	return &out
}

// NewPod is p as it is created in s: in a model of distinguishable pods it gets
// the least number that no other pod has.
func (w *World) NewPod(s *State, p Pod) Pod {
	if !w.Distinct {
		return p
	}
	for p.ID = 1; s.Count(func(_ Place, q Pod) bool { return q.ID == p.ID }) > 0; p.ID++ {
	}
	return p
}

// Object names the workload as messages do.
func (w *WorkloadSpec) Object() string {
	kind := w.Kind
	if w.Held != "" {
		kind = w.Held
	}
	return kind + " " + w.Namespace + "/" + w.Name
}

// Wait is the index of a value of minReadySeconds in Waits.
func (w *WorkloadSpec) Wait(seconds int32) Span {
	i, known := slices.BinarySearch(w.Waits, seconds)
	if !known {
		panic("model: the builder did not foresee a value of minReadySeconds")
	}
	return Span(i)
}

// Set is the revision whose ReplicaSet p belongs to.
func (w *World) Set(p Pod) uint8 { return w.Workloads[p.Work].Revisions[p.Rev].Of }

// Gone tells whether some step of the search took away a held pod of workload i,
// which its controller would have created again.
func (w *World) Gone(i int) bool { return w.gone[i].Load() }

func (w *World) takenAway(i int) {
	if i < len(w.gone) {
		w.gone[i].Store(true)
	}
}

// Stays tells whether a drain leaves p alone.
func (w *World) Stays(p Pod) bool { return w.Workloads[p.Work].Stays }

// Name of a node.
func (n *NodeSpec) Name() string { return n.Node.Name }

// NewRev is the newest revision that an event may bring to workload i.
func (w *World) NewRev(i int) uint8 { return w.Workloads[i].New }

// Reasons are the values that Autoscaler.Reason counts in: why an autoscaler
// cannot act. The last stands for all others.
var Reasons = []string{"", "ScalingDisabled", "AmbiguousSelector", "InvalidSelector", MissingRequest, MissingContainer, "other"}

// MissingContainer is a reason: a metric is about a container that the pods do not have.
const MissingContainer = "MissingContainer"

// MissingRequest is a reason: a metric divides by a request that a container does not have.
const MissingRequest = "MissingRequest"

// Applies tells whether any event or applier writes the manifest of a Deployment again.
func (w *World) Applies() bool {
	return slices.ContainsFunc(w.Appliers, func(a ApplierSpec) bool { return a.Rewrite == nil }) ||
		slices.ContainsFunc(w.Events, func(e EventSpec) bool { return e.Type == scenario.EventApply && e.Rewrite == nil })
}

// Drains tells whether any event empties nodes.
func (w *World) Drains() bool {
	return slices.ContainsFunc(w.Events, func(e EventSpec) bool { return e.Type == scenario.EventDrain || e.Type == scenario.EventMaintenance })
}

// MayDrain tells whether an event may drain node i.
func (w *World) MayDrain(i int) bool {
	return slices.ContainsFunc(w.Events, func(e EventSpec) bool {
		return e.Type == scenario.EventMaintenance || e.Type == scenario.EventDrain && slices.Contains(e.Nodes, i)
	})
}

// PlaceOf finds a node by name.
func (w *World) PlaceOf(name string) Place {
	for i := range w.Nodes {
		if w.Nodes[i].Node.Name == name {
			return Place{Node: i}
		}
	}
	return Unassigned
}

// AboutNode tells whether a list of the scenario is about node i: it has the
// name of the node or of its pool, or it is empty.
func (w *World) AboutNode(names []string, i int) bool {
	n := &w.Nodes[i]
	return len(names) == 0 || slices.Contains(names, n.Name()) || slices.Contains(names, w.Pools[n.Pool])
}

// ReasonID numbers why an autoscaler cannot act.
func ReasonID(reason string) uint8 {
	for i, r := range Reasons {
		if r == reason {
			return uint8(i)
		}
	}
	return uint8(len(Reasons) - 1) // "other"
}

package model

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/scheduler"
)

// Kube asks the real scheduler and descheduler and remembers what they said,
// by everything they read. It is safe for concurrent use.
type Kube struct {
	schedulers   sync.Pool
	deschedulers sync.Pool
	answers      sync.Map // key -> answer
	err          atomic.Pointer[error]
	sampled      atomic.Bool
	partial      atomic.Bool
	handles      map[string]bool // whether a scheduler of the name exists
	// detailed: a descheduler plugin looks at phases and restarts.
	detailed bool
}

// ErrPolicy marks what is wrong with the descheduler's policy.
var ErrPolicy = errors.New("descheduler policy")

// NewKube builds the first scheduler and descheduler, so that what is wrong
// with their configurations is known before the search starts. An error that is
// ErrPolicy is about the policy, any other about the scheduler's configuration.
func NewKube(w *World, policy *descheduler.Policy) (*Kube, error) {
	k := &Kube{handles: map[string]bool{}}
	static := scheduler.Static{Namespaces: w.Namespaces, Services: w.Services, PriorityClasses: w.PriorityClasses}
	for i := range w.Workloads {
		for _, r := range w.Workloads[i].Revisions {
			if r.Set != nil {
				static.ReplicaSets = append(static.ReplicaSets, r.Set)
			}
		}
	}
	build := func() (*scheduler.Scheduler, error) {
		return scheduler.New(context.Background(), w.SchedulerConfig, static)
	}
	first, err := build()
	if err != nil {
		return nil, fmt.Errorf("scheduler configuration: %w", err)
	}
	k.schedulers.New = func() any {
		s, err := build()
		if err != nil {
			panic(err) // the same configuration was accepted before
		}
		return s
	}
	for i := range w.Workloads {
		for _, r := range w.Workloads[i].Revisions {
			name := r.Pod.Spec.SchedulerName
			k.handles[name] = first.Handles(name)
		}
	}
	k.schedulers.Put(first)
	if policy == nil {
		return k, nil
	}
	d, err := descheduler.New(policy)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPolicy, err)
	}
	k.deschedulers.New = func() any {
		d, err := descheduler.New(policy)
		if err != nil {
			panic(err) // the same policy was accepted before
		}
		return d
	}
	k.deschedulers.Put(d)
	k.detailed = readsPodDetail(d.Plugins())
	return k, nil
}

// Caveats says in which way the answers so far are not exact.
func (k *Kube) Caveats() (sampled, partial bool) { return k.sampled.Load(), k.partial.Load() }

// Err returns the first error that real code gave.
func (k *Kube) Err() error {
	if p := k.err.Load(); p != nil {
		return *p
	}
	return nil
}

// Remember returns the answer for a key that holds everything the question
// reads, asking at most a few times for each.
func (k *Kube) Remember(key string, ask func() any) any {
	if answer, ok := k.answers.Load(key); ok {
		return answer
	}
	answer, _ := k.answers.LoadOrStore(key, ask())
	return answer
}

// fail keeps the first error, for Err.
func (k *Kube) fail(err error) { k.err.CompareAndSwap(nil, &err) }

// Schedules tells whether the pod's scheduler is one of the configuration's.
func (k *Kube) Schedules(w *World, p Pod) bool {
	return k.handles[w.Workloads[p.Work].Revisions[p.Rev].Pod.Spec.SchedulerName]
}

// Decision is the real scheduler's answer in the model's terms.
type Decision struct {
	Nodes    []int
	Rejected map[string]scheduler.Rejection
	Message  string
}

// Preemption is one choice of the real preemption plugin.
type Preemption struct {
	Node    int
	Victims []Named
	// Cleared are pods of lower priority that lose their nomination to the node.
	Cleared []Named
}

// Schedule says which nodes pod p, pending at a place, may be bound to.
func (k *Kube) Schedule(w *World, s *State, at Place, p Pod) Decision {
	question := byte('s')
	if w.shared() {
		question = 'S'
	}
	return k.decide(w, s, at, p, question, func(o *corev1.Pod) *corev1.Pod { return o })
}

// Room says which nodes pod p could use if topology spread and pod affinity
// were no matter: those that have room for it and that it may use.
func (k *Kube) Room(w *World, s *State, at Place, p Pod) Decision {
	return k.decide(w, s, at, p, 'r', func(o *corev1.Pod) *corev1.Pod {
		c := *o
		// A constraint that rejects nothing, so that the scheduler's default
		// constraints do not step in.
		c.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: corev1.LabelHostname, WhenUnsatisfiable: corev1.ScheduleAnyway, LabelSelector: &metav1.LabelSelector{},
		}}
		if a := o.Spec.Affinity; a != nil && a.PodAffinity != nil {
			b := *a
			b.PodAffinity = nil
			c.Spec.Affinity = &b
		}
		return &c
	})
}

// shared tells whether nodes hold pods that the states do not have.
func (w *World) shared() bool { return w.Part != nil || w.Reduced != nil }

// decide remembers the real scheduler's answer about p after change; question is a
// byte that tells changes apart.
func (k *Kube) decide(w *World, s *State, at Place, p Pod, question byte, change func(*corev1.Pod) *corev1.Pod) Decision {
	return k.Remember(w.schedulingKey(s, at, p, question), func() any {
		return k.askDecision(w, s, at, p, change)
	}).(Decision)
}

func (k *Kube) askDecision(w *World, s *State, at Place, p Pod, change func(*corev1.Pod) *corev1.Pod) Decision {
	sch := k.schedulers.Get().(*scheduler.Scheduler)
	defer k.schedulers.Put(sch)
	cluster, _ := w.schedulingCluster(s)
	cluster.Shared, cluster.Any = w.shared(), w.Reduced.Merges()
	got, err := sch.Decide(context.Background(), change(w.Pod(p, at, 0)), cluster)
	if err != nil {
		k.fail(err)
	}
	if got.Sampled {
		k.sampled.Store(true)
	}
	d := Decision{Rejected: got.Rejected, Message: got.Message}
	for _, name := range got.Nodes {
		d.Nodes = append(d.Nodes, w.PlaceOf(name).Node)
	}
	slices.Sort(d.Nodes)
	if mutation.On("scheduler-first-of-equals") && len(d.Nodes) > 1 {
		d.Nodes = d.Nodes[:1]
	}
	return d
}

// Preempt says which preemptions the real plugin may choose for p.
func (k *Kube) Preempt(w *World, s *State, at Place, p Pod) []Preemption {
	if !w.mayPreempt(p) || mutation.On("scheduler-never-preempts") {
		return nil
	}
	return k.Remember(w.preemptionKey(s, at, p), func() any { return k.askPreemption(w, s, at, p) }).([]Preemption)
}

func (k *Kube) askPreemption(w *World, s *State, at Place, p Pod) []Preemption {
	sch := k.schedulers.Get().(*scheduler.Scheduler)
	defer k.schedulers.Put(sch)
	cluster, byName := w.schedulingCluster(s)
	cluster.PDBs = w.Budgets(s)
	pod := w.Pod(p, at, 0)
	cluster.MergeAlike = !w.Distinct
	choices, err := sch.Preempt(context.Background(), pod, cluster)
	if errors.Is(err, scheduler.ErrTooManyOutcomes) {
		k.partial.Store(true)
	} else if err != nil {
		k.fail(err)
	}
	var out []Preemption
	seen := map[string]bool{}
	for _, c := range choices {
		pre := Preemption{Node: w.PlaceOf(c.Node).Node}
		for _, v := range c.Victims {
			pre.Victims = append(pre.Victims, byName[v])
		}
		if at.Nominated && at.Node == pre.Node && len(pre.Victims) == 0 {
			continue
		}
		pre.Cleared = w.lowerNominated(s, pre.Node, w.Workloads[p.Work].Priority(p.Rev))
		if id := pre.identity(); !seen[id] {
			seen[id] = true
			out = append(out, pre)
		}
	}
	return out
}

// identity ignores which of several interchangeable pods are the victims.
func (p Preemption) identity() string {
	var parts []string
	for _, v := range p.Victims {
		parts = append(parts, fmt.Sprintf("%v/%x", v.At, v.Pod.bits()))
	}
	slices.Sort(parts)
	return fmt.Sprint(p.Node, parts)
}

// mayPreempt: no pod of the model has a lower priority, so asking is futile.
func (w *World) mayPreempt(p Pod) bool {
	mine := w.Workloads[p.Work].Priority(p.Rev)
	for i := range w.Workloads {
		for r := range w.Workloads[i].Revisions {
			if w.Workloads[i].Priority(uint8(r)) < mine {
				return true
			}
		}
	}
	return false
}

// lowerNominated are the pods nominated to a node whose priority is lower.
func (w *World) lowerNominated(s *State, node int, priority int32) []Named {
	return w.Pods(s, func(at Place, p Pod) bool {
		return at.Nominated && at.Node == node && w.Workloads[p.Work].Priority(p.Rev) < priority
	})
}

// schedulingCluster is s as the scheduler sees it, and its pods by their names.
func (w *World) schedulingCluster(s *State) (scheduler.Cluster, map[string]Named) {
	c := scheduler.Cluster{ReplicaSets: []*appsv1.ReplicaSet{}}
	for i, n := range s.Nodes {
		if !w.Vacant(s, i) {
			c.Nodes = append(c.Nodes, w.Node(i, n))
		}
	}
	byName := map[string]Named{}
	for _, p := range w.Pods(s, func(at Place, p Pod) bool { return at.Node >= 0 && p.Holds() }) {
		if p.Pod.Terminating && mutation.On("scheduler-forgets-terminating") {
			continue
		}
		if p.Pod.Terminating && mutation.On("spread-counts-terminating") {
			p.Object = p.Object.DeepCopy()
			p.Object.DeletionTimestamp = nil
		}
		byName[p.Object.Namespace+"/"+p.Object.Name] = p
		if p.At.Nominated {
			c.Nominated = append(c.Nominated, p.Object)
		} else {
			c.Pods = append(c.Pods, p.Object)
		}
	}
	for i, work := range s.Work {
		for r, set := range work.Sets {
			if set.Exists {
				c.ReplicaSets = append(c.ReplicaSets, w.Workloads[i].Revisions[r].Set)
			}
		}
	}
	return c, byName
}

// schedulingKey holds all that a decision reads: the pod, each node's object
// and the pods on it as the scheduler sees them, and which ReplicaSets exist.
func (w *World) schedulingKey(s *State, at Place, p Pod, question byte) string {
	key := askedKey(s, at, p, question)
	for _, n := range s.Nodes {
		key = append(key, flags(n.Up, n.Ready, n.Unschedulable, n.Reports), byte(n.Taints))
		for _, bag := range []Bag{n.Pods, n.Nominated} {
			key = schedulingBag(key, bag)
		}
	}
	return string(key)
}

// preemptionKey also has the budgets, and the pods in full: the answer names
// victims among them.
func (w *World) preemptionKey(s *State, at Place, p Pod) string {
	key := askedKey(s, at, p, 'p')
	for _, n := range s.Nodes {
		key = n.encode(key)
	}
	for _, b := range s.PDB {
		key = b.encode(key)
	}
	return string(key)
}

// askedKey begins the key of a question about p, which has no node yet: what it is,
// where p is nominated and which ReplicaSets exist.
func askedKey(s *State, at Place, p Pod, question byte) []byte {
	key := append(make([]byte, 0, 256), question)
	key = binary.AppendVarint(key, int64(at.Node))
	key = binary.AppendUvarint(key, p.bits())
	for _, work := range s.Work {
		for _, set := range work.Sets {
			key = append(key, flags(set.Exists))
		}
	}
	return key
}

// schedulingBag drops from a bag what no scheduler plugin reads.
func schedulingBag(key []byte, bag Bag) []byte {
	var seen Bag
	for _, c := range bag {
		if c.Holds() {
			// Running, so that no count saturates: each takes its room.
			seen = seen.Add(Pod{Work: c.Work, Rev: c.Rev, Phase: Running, Terminating: c.Terminating, Preempted: c.Preempted, ID: c.ID}, c.N)
		}
	}
	return seen.encode(key)
}

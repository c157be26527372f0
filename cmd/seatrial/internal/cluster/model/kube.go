package model

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/scheduler"
)

// Kube asks the real scheduler and descheduler for one World, and remembers what
// they said. It is safe for concurrent use.
type Kube struct {
	memo         *Memo
	schedulers   *schedulers
	deschedulers *deschedulers
	// rest is the content of the World but for its nodes, all with them: what
	// questions read of a World, as their keys begin.
	rest, all content

	err     atomic.Pointer[error]
	sampled atomic.Bool
	partial atomic.Bool
	handles map[string]bool // whether a scheduler of the name exists
	// detailed: a descheduler plugin looks at phases and restarts.
	detailed bool
}

// ErrPolicy marks what is wrong with the descheduler's policy.
var ErrPolicy = errors.New("descheduler policy")

// ErrSuccessors says that a state has more successors than labels can number.
var ErrSuccessors = fmt.Errorf("a state has more than %d successors", ordinalMax)

// NewKube builds the first scheduler and descheduler, unless the memo has them, so
// that what is wrong with their configurations is known before the search starts.
// An error that is ErrPolicy is about the policy, any other about the scheduler's
// configuration.
//
// Without a memo every question is asked again, and about the state as it is: to
// that tests hold what is remembered.
func NewKube(w *World, policy *descheduler.Policy, memo *Memo) (*Kube, error) {
	k := &Kube{memo: memo, handles: map[string]bool{}}
	tools := memo
	if tools == nil {
		tools = NewMemo(0, nil)
	}
	var err error
	var config int
	if k.schedulers, config, err = tools.schedulersOf(w); err != nil {
		return nil, fmt.Errorf("scheduler configuration: %w", err)
	}
	k.rest = w.contentOfRest(config)
	k.all = w.contentOfAll(k.rest)
	s := k.schedulers.get()
	defer k.schedulers.put(s)
	for i := range w.Workloads {
		for _, r := range w.Workloads[i].Revisions {
			name := r.Pod.Spec.SchedulerName
			k.handles[name] = s.Handles(name)
		}
	}
	if policy == nil {
		return k, nil
	}
	if k.deschedulers, err = tools.deschedulersOf(w, policy); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPolicy, err)
	}
	d := k.deschedulers.get()
	defer k.deschedulers.put(d)
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

// Remember returns the answer to a question of w's for a key that holds everything
// it reads of a state, asking where it is not known. Of the nodes of w an answer
// tells nothing, unless nodes is set.
func (k *Kube) Remember(q Question, nodes bool, key []byte, ask func() any) any {
	return k.remember(q, nodes, key, func(*doubt) any { return ask() })
}

func (k *Kube) remember(q Question, nodes bool, key []byte, ask func(*doubt) any) any {
	if k.memo == nil {
		var d doubt
		value := ask(&d)
		k.doubts(d)
		return value
	}
	var room [512]byte
	whole := append(room[:0], byte(q))
	if nodes {
		whole = append(whole, k.all[:]...)
	} else {
		whole = append(whole, k.rest[:]...)
	}
	a := k.memo.remember(q, append(whole, key...), ask)
	if a.doubt != (doubt{}) {
		k.doubts(a.doubt)
	}
	return a.value
}

// Remembers tells whether answers are remembered.
func (k *Kube) Remembers() bool { return k.memo != nil }

// doubts notes what is not exact about an answer, whoever asked for it first.
func (k *Kube) doubts(d doubt) {
	if d.sampled {
		k.sampled.Store(true)
	}
	if d.partial {
		k.partial.Store(true)
	}
	if d.err != nil {
		k.fail(d.err)
	}
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
	Message  string
	rejected map[int]scheduler.Rejection
	// order, if set, is which node of the state stands where rejected has it.
	order []int
}

// Rejected says why nodes of w cannot take the pod, by their names.
func (d Decision) Rejected(w *World) map[string]scheduler.Rejection {
	out := make(map[string]scheduler.Rejection, len(d.rejected))
	for i, r := range d.rejected {
		if d.order != nil {
			i = d.order[i]
		}
		out[w.Nodes[i].Name()] = r
	}
	return out
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
	return k.decide(w, s, at, p, AskSchedule, func(o *corev1.Pod) *corev1.Pod { return o })
}

// Room says which nodes pod p could use if topology spread and pod affinity
// were no matter: those that have room for it and that it may use.
func (k *Kube) Room(w *World, s *State, at Place, p Pod) Decision {
	return k.decide(w, s, at, p, AskRoom, func(o *corev1.Pod) *corev1.Pod {
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

// decide remembers the real scheduler's answer about p after change; the question
// tells changes apart. Nodes of one class are put in order first, and the real
// scheduler sees no more than the key has.
func (k *Kube) decide(w *World, s *State, at Place, p Pod, q Question, change func(*corev1.Pod) *corev1.Pod) Decision {
	var room sightRoom
	v := sight{at: at}
	if k.Remembers() {
		v = look(w, s, at, p, &room)
	}
	d := k.remember(q, true, v.key, func(noted *doubt) any {
		return k.askDecision(w, v.state(w, s), v.at, p, change, noted)
	}).(Decision)
	return v.back(d)
}

func (k *Kube) askDecision(w *World, s *State, at Place, p Pod, change func(*corev1.Pod) *corev1.Pod, noted *doubt) Decision {
	sch := k.schedulers.get()
	defer k.schedulers.put(sch)
	cluster, _ := w.schedulingCluster(s)
	cluster.Shared, cluster.Ending, cluster.Any = w.shared(), w.Reduced != nil, w.Reduced.Merges()
	got, err := sch.Decide(context.Background(), change(w.Pod(p, at, 0)), cluster)
	noted.err, noted.sampled = err, got.Sampled
	d := Decision{Message: got.Message, rejected: make(map[int]scheduler.Rejection, len(got.Rejected))}
	for name, r := range got.Rejected {
		d.rejected[w.PlaceOf(name).Node] = r
	}
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
	return k.remember(AskPreempt, true, preemptionKey(s, at, p), func(noted *doubt) any {
		return k.askPreemption(w, s, at, p, noted)
	}).([]Preemption)
}

func (k *Kube) askPreemption(w *World, s *State, at Place, p Pod, noted *doubt) []Preemption {
	sch := k.schedulers.get()
	defer k.schedulers.put(sch)
	cluster, byName := w.schedulingCluster(s)
	cluster.PDBs = w.Budgets(s)
	pod := w.Pod(p, at, 0)
	cluster.MergeAlike = !w.Distinct
	choices, err := sch.Preempt(context.Background(), pod, cluster)
	if errors.Is(err, scheduler.ErrTooManyOutcomes) {
		noted.partial = true
	} else {
		noted.err = err
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
		parts = append(parts, fmt.Sprintf("%v/%x", v.At, v.Pod.Bits()))
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

// preemptionKey holds all that preemption reads: the pod, the nodes and the pods on
// them in full, since the answer names victims among them, the budgets, and which
// ReplicaSets exist.
func preemptionKey(s *State, at Place, p Pod) []byte {
	key := askedKey(make([]byte, 0, 256), s, at, p)
	for _, n := range s.Nodes {
		key = n.encode(key)
	}
	for _, b := range s.PDB {
		key = b.encode(key)
	}
	return key
}

// askedKey begins the key of a question about p, which has no node yet: what it is,
// where p is nominated and which ReplicaSets exist.
func askedKey(key []byte, s *State, at Place, p Pod) []byte {
	key = binary.AppendVarint(key, int64(at.Node))
	key = binary.AppendUvarint(key, p.Bits())
	for _, work := range s.Work {
		for _, set := range work.Sets {
			key = append(key, flags(set.Exists))
		}
	}
	return key
}

package rule

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule/expression"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/statespace"
)

// CheckExpression says in one line what is wrong with the CEL expression of a
// custom property; it is what manifest.Load is given to validate one with.
func CheckExpression(text string) error {
	_, err := expression.Compile(text)
	return err
}

// MentionedNodes says which nodes the custom properties tell apart: those with
// the names or hostnames returned, or all of them.
func MentionedNodes(properties []scenario.Property) (names []string, all bool) {
	for i := range properties {
		for _, part := range expressionsOf(&properties[i]) {
			e, err := expression.Compile(part.text)
			if err != nil {
				continue // Custom says so
			}
			names, all = append(names, e.Nodes().Names...), all || e.Nodes().All
		}
	}
	return names, all
}

// part is one expression of a property and the field it stands in.
type part struct{ field, text string }

func expressionsOf(p *scenario.Property) []part {
	switch {
	case p.Always != "":
		return []part{{"always", p.Always}}
	case p.EventuallyAlways != "":
		return []part{{"eventuallyAlways", p.EventuallyAlways}}
	case p.LeadsTo != nil:
		return []part{{"leadsTo.from", p.LeadsTo.From}, {"leadsTo.to", p.LeadsTo.To}}
	}
	return nil
}

// Custom makes the claims of the scenario's CEL properties. An error is a
// manifest.Problems.
func Custom(c *Context) ([]Claim, error) {
	var out []Claim
	var problems manifest.Problems
	o := &observer{Context: c}
	for k := range c.World.Scenario.Properties {
		p := &c.World.Scenario.Properties[k]
		var evals []*evaluation
		for _, part := range expressionsOf(p) {
			path := fmt.Sprintf("spec.properties[%d].%s", k, part.field)
			e, err := expression.Compile(part.text)
			if err != nil {
				problems = append(problems, manifest.Problem{Location: c.World.ScenarioSource.Position(path), Message: fmt.Sprintf("%s: %v", path, err)})
				continue
			}
			evals = append(evals, &evaluation{observer: o, expression: e, property: p.Name, path: path, otherwise: part.field != "leadsTo.from"})
		}
		if len(evals) > 0 && len(problems) == 0 {
			out = append(out, c.custom(p, evals))
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return out, nil
}

func (c *Context) custom(p *scenario.Property, evals []*evaluation) Claim {
	first, last := evals[0], evals[len(evals)-1]
	claim := Claim{
		Subject: "the cluster", Witnesses: c.events(),
		Refs: func(*model.State) []model.Ref {
			return []model.Ref{c.World.ScenarioRef(first.path, "is the property")}
		},
		Err: func() error {
			for _, e := range evals {
				if err := e.failure(); err != nil {
					return err
				}
			}
			return nil
		},
	}
	var said string
	switch {
	case p.Always != "":
		claim.Property, said = statespace.Always(p.Name, first.holds), "is not true in every state"
	case p.EventuallyAlways != "":
		claim.Property, said = statespace.EventuallyAlways(p.Name, first.holds), "never becomes true for good"
	default:
		claim.Property, said = statespace.LeadsTo(p.Name, first.holds, last.holds), "becomes true, but "+last.expression.Text()+" does not follow"
		name := p.Name + ": " + first.expression.Text()
		claim.Witnesses = append(claim.Witnesses, Witness{name, statespace.Sometimes(name, first.holds)})
	}
	claim.Message = func(*model.State) string { return fmt.Sprintf("%s: %s %s", p.Name, first.expression.Text(), said) }
	return claim
}

// evaluation is one expression during a check. The value in a state is
// remembered by what an expression can see of the state.
type evaluation struct {
	*observer
	expression     *expression.Expression
	property, path string
	// otherwise is taken for the value where there is none: what violates
	// nothing, so that a check goes on to find what else there is.
	otherwise bool

	values sync.Map // string -> bool
	mu     sync.Mutex
	failed string
}

// holds is the expression's value. Where there is none, failure tells.
func (e *evaluation) holds(ids IDs) bool {
	key := e.key(ids)
	if v, ok := e.values.Load(key); ok {
		return v.(bool)
	}
	v, err := e.expression.Eval(e.cluster(e.Decode(ids)))
	if err != nil {
		e.mu.Lock()
		// The least message, so that the order of evaluations does not matter.
		if e.failed == "" || err.Error() < e.failed {
			e.failed = err.Error()
		}
		e.mu.Unlock()
		v = e.otherwise
	}
	e.values.Store(key, v)
	return v
}

// failure is what went wrong so far, at the expression's place.
func (e *evaluation) failure() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failed == "" {
		return nil
	}
	return manifest.Problems{{
		Location: e.World.ScenarioSource.Position(e.path),
		Message:  fmt.Sprintf("property %s cannot be evaluated in every state: %s", e.property, e.failed),
	}}
}

// observer turns states into what expressions see, sharing the objects.
type observer struct {
	*Context
	pods, nodes sync.Map
}

// key leaves out of a state the environment and the autoscalers' memory.
func (o *observer) key(ids IDs) string {
	hpa := 1 + len(o.World.Workloads)
	key := make([]byte, 0, 4*len(ids))
	for i, id := range ids {
		if i > 0 && (i < hpa || i >= hpa+len(o.World.HPAs)) {
			key = binary.AppendUvarint(key, uint64(id))
		}
	}
	return string(key)
}

func (o *observer) cluster(s *model.State) *expression.Cluster {
	c := &expression.Cluster{}
	s.Each(func(at model.Place, p model.PodCount) {
		for range p.N {
			c.Pods = append(c.Pods, o.pod(at, p.Pod))
		}
	})
	for i, n := range s.Nodes {
		c.Nodes = append(c.Nodes, o.node(i, n))
	}
	for i, work := range s.Work {
		spec := &o.World.Workloads[i]
		if !work.Exists || spec.Kind == "Pod" {
			continue
		}
		if spec.Kind == "Deployment" {
			c.Deployments = append(c.Deployments, o.deployment(s, i))
		}
		for r, set := range work.Sets {
			if set.Exists {
				c.ReplicaSets = append(c.ReplicaSets, o.replicaSet(s, i, uint8(r)))
			}
		}
	}
	for i := range o.World.HPAs {
		c.HorizontalPodAutoscalers = append(c.HorizontalPodAutoscalers, autoscaler(&o.World.HPAs[i]))
	}
	for i, b := range s.PDB {
		o := o.World.PDBs[i].PDB
		c.PodDisruptionBudgets = append(c.PodDisruptionBudgets, &expression.PodDisruptionBudget{
			Metadata: expression.Metadata{Name: o.Name, Namespace: o.Namespace, Labels: o.Labels},
			Status: expression.BudgetStatus{
				DisruptionsAllowed: int64(b.Allowed), CurrentHealthy: int64(b.Current),
				DesiredHealthy: int64(b.Desired), ExpectedPods: int64(b.Expected),
			},
		})
	}
	return c
}

type site struct {
	at  model.Place
	pod model.Pod
}

func (o *observer) pod(at model.Place, p model.Pod) *expression.Pod {
	key := site{at, p}
	if known, ok := o.pods.Load(key); ok {
		return known.(*expression.Pod)
	}
	object := o.World.Pod(p, at, 0)
	out := &expression.Pod{
		Metadata: expression.PodMetadata{Namespace: object.Namespace, Labels: object.Labels},
		Spec:     expression.PodSpec{NodeName: object.Spec.NodeName, PriorityClassName: object.Spec.PriorityClassName},
		Status: expression.PodStatus{
			Phase: string(object.Status.Phase), Ready: p.Ready, Available: p.Available && !p.Terminating,
			NominatedNodeName: object.Status.NominatedNodeName,
		},
	}
	if at.Node < 0 || at.Nominated {
		out.Spec.NodeName = ""
	}
	if object.Spec.Priority != nil {
		out.Spec.Priority = int64(*object.Spec.Priority)
	}
	for _, r := range object.OwnerReferences {
		out.Metadata.OwnerReferences = append(out.Metadata.OwnerReferences, expression.Owner{Kind: r.Kind, Name: r.Name})
	}
	if object.DeletionTimestamp != nil {
		out.Metadata.DeletionTimestamp = object.DeletionTimestamp.Time
	}
	known, _ := o.pods.LoadOrStore(key, out)
	return known.(*expression.Pod)
}

type look struct {
	index              int
	ready, unscheduled bool
	taints             model.Taints
}

func (o *observer) node(i int, n *model.Node) *expression.Node {
	key := look{i, n.Ready, n.Unschedulable, n.Taints}
	if known, ok := o.nodes.Load(key); ok {
		return known.(*expression.Node)
	}
	object := o.World.Node(i, n)
	out := &expression.Node{
		Metadata: expression.NodeMetadata{Name: object.Name, Labels: object.Labels},
		Spec:     expression.NodeSpec{Unschedulable: n.Unschedulable},
		Status:   expression.NodeStatus{Ready: n.Ready},
	}
	for _, t := range object.Spec.Taints {
		out.Spec.Taints = append(out.Spec.Taints, expression.Taint{Key: t.Key, Value: t.Value, Effect: string(t.Effect)})
	}
	known, _ := o.nodes.LoadOrStore(key, out)
	return known.(*expression.Node)
}

// counts are the pods of workload i that are neither Failed nor terminating.
func counts(s *model.State, i int, of func(model.Pod) bool) int64 {
	return int64(s.Count(func(_ model.Place, p model.Pod) bool { return int(p.Work) == i && p.Active() && of(p) }))
}

func (o *observer) deployment(s *model.State, i int) *expression.Deployment {
	spec, work := &o.World.Workloads[i], s.Work[i]
	d := spec.Deployment
	out := &expression.Deployment{
		Metadata: expression.Metadata{Name: spec.Name, Namespace: spec.Namespace, Labels: d.Labels},
		Spec:     expression.DeploymentSpec{Replicas: int64(work.Replicas), Paused: d.Spec.Paused},
		Status: expression.DeploymentStatus{
			Replicas:          counts(s, i, func(model.Pod) bool { return true }),
			UpdatedReplicas:   counts(s, i, func(p model.Pod) bool { return p.Rev == work.Rev }),
			ReadyReplicas:     counts(s, i, func(p model.Pod) bool { return p.Ready }),
			AvailableReplicas: counts(s, i, func(p model.Pod) bool { return p.Available }),
		},
	}
	for _, set := range work.Sets {
		out.Status.UnavailableReplicas += int64(set.Replicas)
	}
	out.Status.UnavailableReplicas = max(0, out.Status.UnavailableReplicas-out.Status.AvailableReplicas)
	return out
}

func (o *observer) replicaSet(s *model.State, i int, rev uint8) *expression.ReplicaSet {
	spec, set := &o.World.Workloads[i], o.World.Workloads[i].Revisions[rev].Set
	of := func(pred func(model.Pod) bool) int64 {
		return counts(s, i, func(p model.Pod) bool { return p.Rev == rev && pred(p) })
	}
	out := &expression.ReplicaSet{
		Metadata: expression.ReplicaSetMetadata{Name: set.Name, Namespace: set.Namespace, Labels: set.Labels},
		Spec:     expression.ReplicaSetSpec{Replicas: int64(s.Work[i].Sets[rev].Replicas)},
		Status: expression.ReplicaSetStatus{
			Replicas:          of(func(model.Pod) bool { return true }),
			ReadyReplicas:     of(func(p model.Pod) bool { return p.Ready }),
			AvailableReplicas: of(func(p model.Pod) bool { return p.Available }),
		},
	}
	if spec.Kind == "Deployment" {
		out.Metadata.OwnerReferences = []expression.Owner{{Kind: "Deployment", Name: spec.Name}}
	}
	return out
}

func autoscaler(spec *model.HPASpec) *expression.HorizontalPodAutoscaler {
	h := spec.HPA
	return &expression.HorizontalPodAutoscaler{
		Metadata: expression.Metadata{Name: h.Name, Namespace: h.Namespace, Labels: h.Labels},
		Spec: expression.AutoscalerSpec{
			MinReplicas: int64(spec.MinReplicas()), MaxReplicas: int64(h.Spec.MaxReplicas),
			ScaleTargetRef: expression.Target{Kind: h.Spec.ScaleTargetRef.Kind, Name: h.Spec.ScaleTargetRef.Name},
		},
	}
}

// Package observer turns the states of the model into the API objects that
// expressions see: those of properties, and those of a scenario's own actors
// and events.
package observer

import (
	"encoding/binary"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/expression"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/statespace"
)

// Observer makes the objects of one world, sharing them between states. It is
// safe for concurrent use.
type Observer struct {
	World       *model.World
	pods, nodes sync.Map
}

// Key is equal for states that look the same to every expression: it leaves out
// the environment and what autoscalers remember whose specs stay.
func (o *Observer) Key(ids []statespace.ID) string {
	hpa := 1 + len(o.World.Workloads)
	key := make([]byte, 0, 4*len(ids))
	for i, id := range ids {
		k := i - hpa
		if i > 0 && (k < 0 || k >= len(o.World.HPAs) || o.World.HPAs[k].Varies()) {
			key = binary.AppendUvarint(key, uint64(id))
		}
	}
	return string(key)
}

// Cluster is a state with everything that an expression can name.
func (o *Observer) Cluster(s *model.State) *expression.Cluster {
	c := &expression.Cluster{}
	s.Each(func(at model.Place, p model.PodCount) {
		for range p.N {
			c.Pods = append(c.Pods, o.Pod(s, at, p.Pod))
		}
	})
	for i, n := range s.Nodes {
		c.Nodes = append(c.Nodes, o.Node(i, n))
	}
	for i, work := range s.Work {
		spec := &o.World.Workloads[i]
		if spec.Kind == "Pod" {
			continue
		}
		if spec.Kind == "Deployment" && work.Exists {
			c.Deployments = append(c.Deployments, o.Deployment(s, i))
		}
		for r, set := range work.Sets {
			if set.Exists {
				c.ReplicaSets = append(c.ReplicaSets, o.ReplicaSet(s, i, uint8(r)))
			}
		}
	}
	for i := range o.World.HPAs {
		if o.World.AutoscalerSpec(s, i) != nil {
			c.HorizontalPodAutoscalers = append(c.HorizontalPodAutoscalers, o.Autoscaler(s, i))
		}
	}
	for i := range s.PDB {
		if o.World.BudgetSpec(s, i) != nil {
			c.PodDisruptionBudgets = append(c.PodDisruptionBudgets, o.Budget(s, i))
		}
	}
	return c
}

// site is what the object of a pod depends on.
type site struct {
	at        model.Place
	pod       model.Pod
	available bool
}

// Pod is one such pod at a place.
func (o *Observer) Pod(s *model.State, at model.Place, p model.Pod) *expression.Pod {
	key := site{at, p, o.World.Available(s, p)}
	if known, ok := o.pods.Load(key); ok {
		return known.(*expression.Pod)
	}
	object := o.World.Pod(p, at, 0)
	out := &expression.Pod{
		Metadata: expression.PodMetadata{Namespace: object.Namespace, Labels: object.Labels},
		Spec:     expression.PodSpec{NodeName: object.Spec.NodeName, PriorityClassName: object.Spec.PriorityClassName},
		Status: expression.PodStatus{
			Phase: string(object.Status.Phase), Ready: p.Ready, Available: key.available,
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

// look is what the object of a node depends on.
type look struct {
	index              int
	ready, unscheduled bool
	taints             model.Taints
}

// Node is node i.
func (o *Observer) Node(i int, n *model.Node) *expression.Node {
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

// counts says how many pods of workload i satisfy of and are neither Failed nor
// terminating.
func counts(s *model.State, i int, of func(model.Pod) bool) int64 {
	return int64(s.Count(func(_ model.Place, p model.Pod) bool { return int(p.Work) == i && p.Active() && of(p) }))
}

// Deployment is workload i, which is one.
func (o *Observer) Deployment(s *model.State, i int) *expression.Deployment {
	spec, work := &o.World.Workloads[i], s.Work[i]
	settings := spec.Now(work)
	out := &expression.Deployment{
		Metadata: expression.Metadata{Name: spec.Name, Namespace: spec.Namespace, Labels: settings.Deployment.Labels},
		Spec:     expression.DeploymentSpec{Replicas: int64(work.Replicas), Paused: settings.Paused()},
		Status: expression.DeploymentStatus{
			Replicas:          counts(s, i, func(model.Pod) bool { return true }),
			UpdatedReplicas:   counts(s, i, func(p model.Pod) bool { return o.World.Set(p) == work.Rev }),
			ReadyReplicas:     counts(s, i, func(p model.Pod) bool { return p.Ready }),
			AvailableReplicas: counts(s, i, func(p model.Pod) bool { return o.World.Available(s, p) }),
		},
	}
	for _, set := range work.Sets {
		out.Status.UnavailableReplicas += int64(set.Replicas)
	}
	out.Status.UnavailableReplicas = max(0, out.Status.UnavailableReplicas-out.Status.AvailableReplicas)
	return out
}

// ReplicaSet is the ReplicaSet of a revision of workload i.
func (o *Observer) ReplicaSet(s *model.State, i int, rev uint8) *expression.ReplicaSet {
	spec, set := &o.World.Workloads[i], o.World.Workloads[i].Revisions[rev].Set
	of := func(pred func(model.Pod) bool) int64 {
		return counts(s, i, func(p model.Pod) bool { return o.World.Set(p) == rev && pred(p) })
	}
	out := &expression.ReplicaSet{
		Metadata: expression.ReplicaSetMetadata{Name: set.Name, Namespace: set.Namespace, Labels: set.Labels},
		Spec:     expression.ReplicaSetSpec{Replicas: int64(s.Work[i].Sets[rev].Replicas)},
		Status: expression.ReplicaSetStatus{
			Replicas:          of(func(model.Pod) bool { return true }),
			ReadyReplicas:     of(func(p model.Pod) bool { return p.Ready }),
			AvailableReplicas: of(func(p model.Pod) bool { return o.World.Available(s, p) }),
		},
	}
	if spec.Kind == "Deployment" {
		out.Metadata.OwnerReferences = []expression.Owner{{Kind: "Deployment", Name: spec.Name}}
	} else {
		out.Spec.Replicas = int64(s.Work[i].Replicas)
	}
	return out
}

// Autoscaler is autoscaler i, which is there.
func (o *Observer) Autoscaler(s *model.State, i int) *expression.HorizontalPodAutoscaler {
	spec := o.World.AutoscalerSpec(s, i)
	h := spec.HPA
	return &expression.HorizontalPodAutoscaler{
		Metadata: expression.Metadata{Name: h.Name, Namespace: h.Namespace, Labels: h.Labels},
		Spec: expression.AutoscalerSpec{
			MinReplicas: int64(spec.MinReplicas()), MaxReplicas: int64(h.Spec.MaxReplicas),
			ScaleTargetRef: expression.Target{Kind: h.Spec.ScaleTargetRef.Kind, Name: h.Spec.ScaleTargetRef.Name},
		},
	}
}

// Budget is budget i, which is there.
func (o *Observer) Budget(s *model.State, i int) *expression.PodDisruptionBudget {
	pdb, b := o.World.BudgetSpec(s, i).PDB, s.PDB[i]
	return &expression.PodDisruptionBudget{
		Metadata: expression.Metadata{Name: pdb.Name, Namespace: pdb.Namespace, Labels: pdb.Labels},
		Status: expression.BudgetStatus{
			DisruptionsAllowed: int64(b.Allowed), CurrentHealthy: int64(b.Current),
			DesiredHealthy: int64(b.Desired), ExpectedPods: int64(b.Expected),
		},
	}
}

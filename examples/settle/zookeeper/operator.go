// Package zookeeper is an operator for ZooKeeper as a state machine: three Services, a ConfigMap and
// a StatefulSet for each Cluster, of which the servers are told in a node of their own when some
// of them are to leave. What it does follows the published description of the ZooKeeper
// controller of Anvil (Sun et al., OSDI '24). Parent and Blind are two mistakes that were
// found when that was proved, and Unmarked is one that settle has found here.
package zookeeper

import (
	"errors"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"

	children "github.com/seatrial/seatrial/examples/settle/resource"
	"github.com/seatrial/seatrial/settle/step"
)

// Operator is the controller. Its zero value is right.
type Operator struct {
	// Parent is a mistake: that the parent of the node exists already is taken for a failure.
	Parent bool
	// Blind is a mistake: the node is written over whatever is there.
	Blind bool
	// Unmarked is a mistake: before the servers are told, the StatefulSet is not marked with how many
	// there are to be. So it has the resourceVersion still with which a process that was
	// killed has asked for another number, which can be late.
	Unmarked bool
	// small: there are no Services, for a search of what is not about them.
	small bool
}

// before are the children before the StatefulSet, and all are those with it.
func (o Operator) before() children.Children[*Cluster] {
	if o.small {
		return children.Children[*Cluster]{config}
	}
	return services
}

func (o Operator) all() children.Children[*Cluster] {
	return append(slices.Clone(o.before()), children.Child[*Cluster]{Make: statefulSet})
}

// System is the name by which the machine asks for the nodes of ZooKeeper.
const System = "zookeeper"

// Setup registers the controller.
func (o Operator) Setup(mgr ctrl.Manager, nodes step.Asker) error {
	m := step.Machine[*Cluster, State]{Step: o.step}
	return ctrl.NewControllerManagedBy(mgr).For(&Cluster{}).
		Owns(&corev1.Service{}).Owns(&corev1.ConfigMap{}).Owns(&appsv1.StatefulSet{}).
		Complete(m.Reconciler(mgr.GetClient(), map[string]step.Asker{System: nodes}))
}

// State is where a reconcile is.
type State struct {
	// Asked is what the last request behind the first children was.
	Asked asked `json:"asked,omitempty"`
	// Place is among the children before the StatefulSet.
	children.Place `json:"place"`
	// Set is the StatefulSet as it was read.
	Set struct {
		UID             types.UID `json:"uid,omitempty"`
		ResourceVersion string    `json:"resourceVersion,omitempty"`
	} `json:"set,omitzero"`
}

type asked string

// What is asked for behind the first children.
const (
	forSet      asked = "StatefulSet"
	marked      asked = "marked StatefulSet"
	forNode     asked = "node"
	newParent   asked = "new parent"
	newNode     asked = "new node"
	changedNode asked = "changed node"
	writtenSet  asked = "written StatefulSet"
	status      asked = "status"
)

func (o Operator) step(c *Cluster, s State, a step.Answer) (State, step.Request) {
	if c.DeletionTimestamp != nil {
		return s, step.Done() // what it owns goes with it
	}
	switch s.Asked {
	case "":
		var next step.Request
		if s.Place, next = o.before().Step(c, s.Place, a); !o.before().Through(s.Place) {
			return s, next
		}
		s.Asked = forSet
		return s, step.Get(&appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: c.Namespace, Name: c.Name}})
	case forSet:
		is, _ := a.Object.(*appsv1.StatefulSet)
		if a.Err != nil || !metav1.IsControlledBy(is, c) {
			s.Asked = writtenSet // there are no servers yet who could be told
			return s, children.Put(c, statefulSet(c, s.Versions), a)
		}
		if mark := size(c); is.Annotations[sizeMark] != mark && !o.Unmarked {
			is, _ = is.DeepCopyObject().(*appsv1.StatefulSet)
			metav1.SetMetaDataAnnotation(&is.ObjectMeta, sizeMark, mark)
			s.Asked = marked
			return s, step.Update(is)
		}
		return o.ask(c, s.of(is), forNode, Node{Verb: "get"})
	case marked:
		is, _ := a.Object.(*appsv1.StatefulSet)
		if a.Err != nil {
			return s, step.Fail(a.Err)
		}
		return o.ask(c, s.of(is), forNode, Node{Verb: "get"})
	case forNode, newParent, newNode, changedNode:
		return o.tell(c, s, a)
	case writtenSet:
		is, _ := a.Object.(*appsv1.StatefulSet)
		if a.Err != nil {
			return s, step.Fail(a.Err)
		}
		says := ClusterStatus{Replicas: is.Status.Replicas, ReadyReplicas: is.Status.ReadyReplicas}
		if c.Status == says {
			return s, step.Done()
		}
		c, _ = c.DeepCopyObject().(*Cluster)
		c.Status, s.Asked = says, status
		return s, step.UpdateStatus(c)
	}
	if a.Err != nil {
		return s, step.Fail(a.Err)
	}
	return s, step.Done()
}

// tell has the node say how many servers there are to be, and then has there be so many. The
// node is written even if it says so: its version changes, and a request of before, that is
// late, is refused.
func (o Operator) tell(c *Cluster, s State, a step.Answer) (State, step.Request) {
	var is Answer
	if a.Err == nil {
		a.Err = a.Decode(&is)
	}
	if a.Err != nil {
		return s, step.Fail(a.Err)
	}
	switch {
	case s.Asked == forNode && is.Code == "":
		if o.Blind {
			is.Version = AnyVersion
		}
		return o.ask(c, s, changedNode, Node{Verb: "set", Data: size(c), Version: is.Version})
	case s.Asked == forNode && is.Code == NoNode:
		return o.ask(c, s, newParent, Node{Verb: "create", Path: "/" + parent})
	case s.Asked == newParent && (is.Code == "" || is.Code == NodeExists && !o.Parent):
		return o.ask(c, s, newNode, Node{Verb: "create", Data: size(c)})
	case is.Code != "":
		return s, step.Fail(errors.New("node of the cluster: " + is.Code))
	}
	wanted := statefulSet(c, s.Versions)
	wanted.SetResourceVersion(s.Set.ResourceVersion)
	s.Asked = writtenSet
	return s, step.Update(wanted)
}

// of is a State that remembers a StatefulSet.
func (s State) of(is *appsv1.StatefulSet) State {
	s.Set.UID, s.Set.ResourceVersion = is.UID, is.ResourceVersion
	return s
}

// ask asks the servers for a node, by default for that which says how many there are.
func (o Operator) ask(c *Cluster, s State, what asked, n Node) (State, step.Request) {
	n.Ensemble = Ensemble{Namespace: c.Namespace, Name: c.Name, UID: s.Set.UID}
	if n.Path == "" {
		n.Path = "/" + parent + "/" + c.Name
	}
	s.Asked = what
	return s, step.Ask(System, n)
}

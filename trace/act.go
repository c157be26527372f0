package trace

import (
	"encoding/json"
	"fmt"
)

// Role says whose part an act is when a trace is repeated.
type Role string

const (
	// RoleEnvironment: whoever repeats the trace does it, since no component of a
	// cluster does it by itself.
	RoleEnvironment Role = "environment"
	// RoleController: a component does it by itself; it is to be waited for.
	RoleController Role = "controller"
	// RoleInner: nothing is written: time passes, or a component makes up its mind.
	RoleInner Role = "inner"
)

// VerbCreate is the verb by which pods and other objects come to be.
const VerbCreate = "create"

// Act is one write of a step, or one thing that happens to a machine, as other
// programs read it.
type Act struct {
	// Verb is what is done to the object: create, bind, delete, evict, scale,
	// taint; docs/traces.md lists them.
	Verb string `json:"verb"`
	// By is who does it: a component by its name, an event by its type, an actor
	// of the user's own by its name.
	By   string `json:"by"`
	Role Role   `json:"role"`
	// Object is what it is done to, "Kind namespace/name"; empty if Pod says it.
	Object string `json:"object,omitempty"`
	// Node is where it happens, if Object is not the node and Pod does not say it.
	Node string `json:"node,omitempty"`
	// Pod is the pod that it is done to, as it is afterwards.
	Pod *Pod `json:"pod,omitempty"`
	// Gone: the object, or the pod, is no more.
	Gone bool `json:"gone,omitempty"`
	// Among are the ordinals of the pods that it could equally be done to, Pod's
	// included; empty if there is no choice.
	Among []int `json:"among,omitempty"`
	// Ties are the nodes that the scheduler could equally have chosen, Pod's
	// included; empty if there is no choice.
	Ties []string `json:"ties,omitempty"`
	// From and To are replicas; From is nil for an object that is created.
	From *int32 `json:"from,omitempty"`
	To   *int32 `json:"to,omitempty"`
	// Revision is the index of the pod template that the object has from now on.
	Revision *int `json:"revision,omitempty"`
	// Taint is key=value:effect, as on the command line of kubectl.
	Taint string `json:"taint,omitempty"`
	// Manifest is the object that is created, or what is applied as kubectl apply
	// does: a three-way merge with what was applied last.
	Manifest json.RawMessage `json:"manifest,omitempty"`
	// Patch is a JSON merge patch of all that changes in the object.
	Patch json.RawMessage `json:"patch,omitempty"`
	// Load is what the pods of the object use from now on, in the form of a load
	// of a Scenario; of a pod, what it uses by itself.
	Load json.RawMessage `json:"load,omitempty"`
	// Seconds is how long what the act ends has lasted; 0 if it is not known or
	// does not matter.
	Seconds int64 `json:"seconds,omitempty"`
}

// Pod is one pod in a trace. Owner, Revision and Ordinal are its identity.
type Pod struct {
	// Owner is the workload, "Kind namespace/name".
	Owner string `json:"owner"`
	// Revision is the index of the pod template whose ReplicaSet it belongs to.
	Revision int `json:"revision"`
	// Ordinal counts the pods of the ReplicaSet in the order of their creation,
	// from 1; those of the start come first.
	Ordinal int `json:"ordinal"`
	// Name is that of the object in the setup, for a pod of the input.
	Name string `json:"name,omitempty"`
	// Node is the node that it is bound to; Nominated the one on which a
	// preemption makes room for it.
	Node      string `json:"node,omitempty"`
	Nominated string `json:"nominated,omitempty"`
	// Phase is Pending, Running or Failed.
	Phase       string `json:"phase"`
	Ready       bool   `json:"ready,omitempty"`
	Terminating bool   `json:"terminating,omitempty"`
	// Crashing: its containers end again and again, and it does not become Ready.
	Crashing bool `json:"crashing,omitempty"`
}

// PodID is which pod of a trace it is.
type PodID struct {
	Owner             string
	Revision, Ordinal int
}

// ID is which pod it is, whatever happens to it.
func (p *Pod) ID() PodID { return PodID{p.Owner, p.Revision, p.Ordinal} }

func (id PodID) String() string {
	return fmt.Sprintf("pod %d of %s, revision %d", id.Ordinal, id.Owner, id.Revision)
}

// Setup is the cluster in which a trace happens, as it is at the start.
type Setup struct {
	// Kubernetes is the release whose code was checked.
	Kubernetes string `json:"kubernetes"`
	// Strict: the trace may need a slow loop to act before the others are done.
	Strict bool `json:"strict,omitempty"`
	// Objects are all objects, complete, in an order in which they can be created.
	Objects []json.RawMessage `json:"objects"`
	// Components are their configurations, by the name of the component: a
	// document, or options by name.
	Components map[string]json.RawMessage `json:"components,omitempty"`
	Workloads  []Workload                 `json:"workloads"`
}

// Workload is what a trace needs to know of a workload beside its object.
type Workload struct {
	// Object is "Kind namespace/name".
	Object string `json:"object"`
	// Held: the pods are as they are given, and their controller does not take part.
	Held bool `json:"held,omitempty"`
	// Absent: it is not there at the start.
	Absent bool `json:"absent,omitempty"`
	// Revisions are the pod templates by which pods and acts are numbered.
	Revisions []Revision `json:"revisions,omitempty"`
	// Load is what its pods use at the start, in the form of a load of a Scenario.
	Load json.RawMessage `json:"load,omitempty"`
}

// Revision is one pod template of a workload, with its ReplicaSet.
type Revision struct {
	// Set is the name of the ReplicaSet in the trace. A control plane may choose
	// another: the template tells which it is.
	Set string `json:"set,omitempty"`
	// Replicas of the ReplicaSet at the start; nil if it is not there.
	Replicas *int32 `json:"replicas,omitempty"`
	// Template is the pod template; empty for the one that the object has.
	Template json.RawMessage `json:"template,omitempty"`
}

// Renaming says which pod takes the place of which when a cycle is gone through
// again.
type Renaming struct {
	Owner    string `json:"owner"`
	Revision int    `json:"revision"`
	// Was is the ordinal at the beginning of the cycle, Is the one at its end.
	Was int `json:"was"`
	Is  int `json:"is"`
}

// Package scenario holds the Scenario object (seatrial.dev/v1alpha1): what a
// check assumes about the world around the manifests. Every field is optional;
// docs/scenario.md is its user manual.
package scenario

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// APIVersion and Kind identify a Scenario document.
const (
	APIVersion = "seatrial.dev/v1alpha1"
	Kind       = "Scenario"
)

// Scenario is one scenario.yaml.
type Scenario struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec `json:"spec"`
}

// Spec is the body of a Scenario.
type Spec struct {
	// NodePools add nodes made from a template to the Node objects.
	NodePools []NodePool `json:"nodePools,omitempty"`
	// Replicas are the Deployments whose size is variable.
	Replicas []Replicas `json:"replicas,omitempty"`
	// NodeCrash makes nodes fail when they are packed too full. A rule, not an
	// event: crash and return are fair and need no budget.
	NodeCrash []NodeCrash `json:"nodeCrash,omitempty"`
	// Load says what the pods of a workload use.
	Load []Load `json:"load,omitempty"`
	// Events are what may happen to the cluster, each from a budget.
	Events []Event `json:"events,omitempty"`
	// MaxEvents bounds the events of one behaviour over all entries of Events;
	// nil means the sum of their budgets.
	MaxEvents *int `json:"maxEvents,omitempty"`
	// InFlight is how many events may be in flight at a time, at least 1; nil
	// means 1.
	InFlight *int `json:"inFlight,omitempty"`
	// Appliers write manifests again and again (GitOps), fairly.
	Appliers []Applier `json:"appliers,omitempty"`
	// Actors are the user's own controllers and cron jobs, fair as appliers are.
	Actors []Actor `json:"actors,omitempty"`
	// Properties to check. Empty means every rule that applies without parameters.
	Properties []Property `json:"properties,omitempty"`
	// Bounds of the check.
	Bounds Bounds `json:"bounds,omitempty"`
	// Strict lets slow loops (HPA, descheduler) act at any time, not only
	// when the fast controllers are idle.
	Strict bool `json:"strict,omitempty"`
	// FromEmpty starts before any pod exists and explores the filling with
	// all actors.
	FromEmpty bool `json:"fromEmpty,omitempty"`
	// Accept names what is left out of account and accepted, as printed:
	// "StatefulSet/default/db", "StatefulSet" or "Pod/default/x:spec.volumes".
	Accept []string `json:"accept,omitempty"`
}

// NodePool is a number of equal nodes, named <name>-1, <name>-2, …
type NodePool struct {
	Name     string       `json:"name"`
	Template NodeTemplate `json:"template"`
	// Min and Max bound the number of nodes. An exact check uses Min.
	Min int `json:"min"`
	Max int `json:"max"`
	// Group joins pools that grow together, a node at a time in turn. It is
	// not for users: the default pools of several zones have one.
	Group string `json:"-"`
}

// Replicas makes the size of a Deployment variable: it starts with every number
// of replicas from Min to Max, instead of its manifest's.
type Replicas struct {
	Workload Workload `json:"workload"`
	Min      int32    `json:"min"`
	// Max left out means no bound but PerNode, which left out is six.
	Max     *int32 `json:"max,omitempty"`
	PerNode *int32 `json:"perNode,omitempty"`
}

// NodeTemplate is the part of a Node that its pool shares. The hostname label
// is added per node.
type NodeTemplate struct {
	Metadata struct {
		Labels map[string]string `json:"labels,omitempty"`
	} `json:"metadata,omitempty"`
	Spec   corev1.NodeSpec   `json:"spec,omitempty"`
	Status corev1.NodeStatus `json:"status,omitempty"`
}

// NodeCrash is the crash rule: a node is NotReady while what its pods use
// leaves at most FreePercent of the allocatable Resource, and returns when it
// leaves more. A crashed node runs nothing, so it uses nothing.
type NodeCrash struct {
	// Nodes are the nodes the rule is about; empty means all.
	Nodes []string `json:"nodes,omitempty"`
	// Resource is cpu (the default) or memory.
	Resource corev1.ResourceName `json:"resource,omitempty"`
	// FreePercent is 0..100.
	FreePercent int64 `json:"freePercent"`
}

// Workload names a workload: Kind defaults to Deployment, Namespace to default.
type Workload struct {
	Kind      string `json:"kind,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// Load is what one workload's pods use. Exactly one of Total, PerPod,
// Requests or StartUp is set; Idle may be added to Total. A workload without
// a Load and with an HPA uses exactly the HPA's target per pod at its initial
// size, as a total.
type Load struct {
	Workload Workload `json:"workload"`
	// Total is work shared equally by the ready pods, each capped at its limit.
	Total corev1.ResourceList `json:"total,omitempty"`
	// Idle is used by every running pod on top of its share of Total.
	Idle corev1.ResourceList `json:"idle,omitempty"`
	// PerPod is used by every running pod, whatever their number.
	PerPod corev1.ResourceList `json:"perPod,omitempty"`
	// Requests makes every running pod use what it requests.
	Requests bool `json:"requests,omitempty"`
	// StartUp is a profile from container start: each phase lasts its seconds,
	// the last one for ever.
	StartUp []StartUpPhase `json:"startUp,omitempty"`
	// External and Object give values to the HPA metrics of those types, by metric name;
	// Pods gives the value per pod.
	External map[string]resource.Quantity `json:"external,omitempty"`
	Object   map[string]resource.Quantity `json:"object,omitempty"`
	Pods     map[string]resource.Quantity `json:"pods,omitempty"`
}

// StartUpPhase is one phase of a start-up profile.
type StartUpPhase struct {
	// Use is what a pod uses during the phase.
	Use corev1.ResourceList `json:"use"`
	// Seconds the phase lasts from the end of the one before; ignored in the last.
	Seconds int32 `json:"seconds,omitempty"`
}

// EventType names a kind of event; docs/scenario.md has the table.
type EventType string

// Event is something that may happen, at most Budget times.
type Event struct {
	// Name is used in traces; empty means the type.
	Name string    `json:"name,omitempty"`
	Type EventType `json:"type"`
	// Budget is how often it may happen in one behaviour, at least once; nil
	// means once.
	Budget *int `json:"budget,omitempty"`
	// After is when it may start: "any" (the default) or "rest" (only when no
	// controller has anything left to do).
	After string `json:"after,omitempty"`

	// Nodes it may strike, by node or pool name; empty means any node.
	// For drain, cordon, maintenance, node-loss.
	Nodes []string `json:"nodes,omitempty"`
	// Workload it is about. For load, scale, rollout, rollback, pod-crash,
	// readiness-flap, never-ready; nil means any workload.
	Workload *Workload `json:"workload,omitempty"`

	// Load replaces the workload's Load (type load); Range instead lets a total
	// load move to every step between the two values.
	Load  *Load      `json:"load,omitempty"`
	Range *LoadRange `json:"range,omitempty"`
	// Replicas is the wanted number (type scale).
	Replicas *int32 `json:"replicas,omitempty"`
	// Manifest is the object that is applied or created (types apply, create),
	// or whose template is rolled out (type rollout; nil means a new revision
	// equal but for an annotation).
	Manifest json.RawMessage `json:"manifest,omitempty"`
	// Returns says whether a lost node comes back (type node-loss): "maybe"
	// (the default), "always" or "never".
	Returns string `json:"returns,omitempty"`
	// Template narrows never-ready to pods of the new template ("new") or the
	// present one ("current").
	Template string `json:"template,omitempty"`
	// When and Then are the rule of an event of type custom.
	When string  `json:"when,omitempty"`
	Then *Effect `json:"then,omitempty"`
}

// LoadRange are the bounds of a total load that moves.
type LoadRange struct {
	Resource corev1.ResourceName `json:"resource,omitempty"`
	Min      resource.Quantity   `json:"min"`
	Max      resource.Quantity   `json:"max"`
}

// Applier applies Manifest again and again, as kubectl apply does or, with
// ServerSide, as a server-side apply that owns the fields it names.
type Applier struct {
	Name     string          `json:"name,omitempty"`
	Manifest json.RawMessage `json:"manifest"`
}

// Property selects one rule with parameters, or states a custom one in CEL.
type Property struct {
	// Rule is an id (SEA1004) or its name (available).
	Rule string `json:"rule,omitempty"`
	// Workload narrows the rule to one workload, Node to one node or pool.
	Workload *Workload `json:"workload,omitempty"`
	Node     string    `json:"node,omitempty"`

	// AtLeast is k of available.
	AtLeast *int32 `json:"atLeast,omitempty"`
	// When is "always" (once reached; the default) or "rest" for available.
	When string `json:"when,omitempty"`
	// Soft lets spread-holds count ScheduleAnyway constraints too.
	Soft bool `json:"soft,omitempty"`

	// Name of a custom property. Exactly one of Always, EventuallyAlways or
	// LeadsTo is set with it.
	Name             string   `json:"name,omitempty"`
	Always           string   `json:"always,omitempty"`
	EventuallyAlways string   `json:"eventuallyAlways,omitempty"`
	LeadsTo          *LeadsTo `json:"leadsTo,omitempty"`
}

// LeadsTo is a pair of CEL expressions.
type LeadsTo struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Bounds limit the exploration.
type Bounds struct {
	// States is the largest number of distinct states; 0 means the command's.
	States int `json:"states,omitempty"`
	// Depth is the largest number of steps; 0 means no bound.
	Depth int `json:"depth,omitempty"`
}

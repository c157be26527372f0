// Package admin is the interface between a control plane's process and whoever
// started it: HTTP with JSON over a unix socket. It has the types of both sides
// and the client; the server is in the executable.
package admin

import (
	"encoding/json"
	"strings"
)

// Version is the version of this interface. A client and a server of different
// versions refuse each other.
const Version = "seatrial.dev/controlplane/v1alpha1"

// A process's directory has a name that begins with DirectoryPrefix. In it,
// LockFile is locked as long as the process lives, and LogFile is what its parts
// log.
const (
	DirectoryPrefix = "seatrial-controlplane-"
	LockFile        = "lock"
	LogFile         = "log"
	// DirectoryVariable is the environment variable that says where a process makes
	// its directory, if --directory does not.
	DirectoryVariable = "SEATRIAL_CONTROLPLANE_DIRECTORY"
)

// HeaderActor is the header of a request to a plane's API server that says who
// sends it. The history has it as the actor of what is written.
const HeaderActor = "Seatrial-Actor"

// Ready is the one line that the executable writes to its standard output when
// its first plane is ready.
type Ready struct {
	Schema string `json:"schema"`
	// Version is the executable's own; Kubernetes, Etcd and Descheduler those of
	// what it runs.
	Version     string `json:"version"`
	Kubernetes  string `json:"kubernetes"`
	Etcd        string `json:"etcd"`
	Descheduler string `json:"descheduler"`
	Process     int    `json:"process"`
	// Directory holds everything that the process writes; only its owner can read it.
	Directory string `json:"directory"`
	// Network and Address are where the admin interface listens (unix or tcp), and
	// Token is what its requests bear.
	Network string `json:"network"`
	Address string `json:"address"`
	Token   string `json:"token"`
	Plane   Plane  `json:"plane"`
}

// Plane is one control plane of the process.
type Plane struct {
	Name string `json:"name"`
	// Server is the URL of the API server, Kubeconfig the path of a file that
	// gives full access to it.
	Server     string `json:"server"`
	Kubeconfig string `json:"kubeconfig"`
	// Prefix is the etcd key prefix of the plane.
	Prefix string `json:"prefix"`
	// Revision is the etcd revision of the baseline; all planes of a process
	// share one sequence.
	Revision int64 `json:"revision"`
}

// Status is what the process says of itself.
type Status struct {
	Planes     []Plane `json:"planes"`
	Goroutines int     `json:"goroutines"`
	// Revision is the newest etcd revision.
	Revision int64 `json:"revision"`
	// Keys is the number of keys under each plane's prefix, without events and
	// leases that come and go by themselves.
	Keys map[string]int `json:"keys"`
}

// Spec says what a plane is made of. The zero value is a plane for trials of
// controllers: all APIs and admission, the usual controllers, three nodes.
type Spec struct {
	Name string `json:"name,omitempty"`
	// Mode is full (all APIs, RBAC, all of the default admission), or lean (for
	// scheduling and scaling only: no RBAC, quota, webhooks).
	Mode string `json:"mode,omitempty"`
	// OpenAPI has the API server publish its schemas, for kubectl's validation;
	// a start takes half as long again.
	OpenAPI bool `json:"openapi,omitempty"`
	// Controllers are names as kube-controller-manager's --controllers takes them:
	// "*" for the usual ones, "name" to add, "-name" to leave out. A "-*" leaves
	// out all, the scheduler and the kubelets included, which are named
	// kube-scheduler and kubelet here.
	Controllers []string `json:"controllers,omitempty"`
	// Scheduler is a KubeSchedulerConfiguration, as YAML.
	Scheduler string `json:"scheduler,omitempty"`
	// Descheduler is a DeschedulerPolicy, as YAML, by which the descheduler runs; it
	// does not if this is empty. Descheduling is how long it waits between cycles, as
	// Go writes durations; 10s if it is empty.
	Descheduler  string `json:"descheduler,omitempty"`
	Descheduling string `json:"descheduling,omitempty"`
	// Steering lets the scheduler be told whose turn it is.
	Steering bool `json:"steering,omitempty"`
	// FeatureGates are those of the process, for all of its planes: only the first
	// plane can set them.
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
	// Nodes are Node objects to begin with, or strings of YAML with any number of
	// them; Count that many usual ones, if there are none.
	Nodes []json.RawMessage `json:"nodes,omitempty"`
	Count *int              `json:"count,omitempty"`
	// Heartbeat is how often kubelets renew their leases, as Go writes durations;
	// 10s if it is empty.
	Heartbeat string `json:"heartbeat,omitempty"`
	// Rules are the kubelets' rules, as YAML, before the built-in ones.
	Rules string `json:"rules,omitempty"`
	// APIServer and ControllerManager are flags of the real components, without
	// dashes: "default-not-ready-toleration-seconds": "1".
	APIServer         map[string]string `json:"apiServer,omitempty"`
	ControllerManager map[string]string `json:"controllerManager,omitempty"`
	// AtMost are the longest waiting times, in seconds, that objects may ask for: by
	// admission longer ones are shortened. The fields are tolerationSeconds,
	// stabilizationWindowSeconds, periodSeconds (of autoscalers) and minReadySeconds.
	AtMost map[string]int64 `json:"atMost,omitempty"`
}

// Controllers are kube-controller-manager alone, against an API server that is
// not a plane's: envtest's, for example.
type Controllers struct {
	// Kubeconfig is the path of a file, whose current context is used.
	Kubeconfig string `json:"kubeconfig"`
	// Controllers and ControllerManager are as in a Spec.
	Controllers       []string          `json:"controllers,omitempty"`
	ControllerManager map[string]string `json:"controllerManager,omitempty"`
}

// Running identifies controllers that were started.
type Running struct {
	ID int64 `json:"id"`
}

// Reset is what a reset did.
type Reset struct {
	// Revision is the newest after it.
	Revision int64 `json:"revision"`
	// Deleted, Changed and Restored are how many keys were new, different, gone.
	Deleted  int `json:"deleted"`
	Changed  int `json:"changed"`
	Restored int `json:"restored"`
	// Rounds is how often it was repeated until nothing differed.
	Rounds int `json:"rounds"`
}

// Match selects requests: an empty field selects all. A trailing * in Actor is a
// wildcard. Resource may have a subresource: pods/binding.
type Match struct {
	Actor     string `json:"actor,omitempty"`
	Verb      string `json:"verb,omitempty"` // create, update, patch, delete, deletecollection
	Resource  string `json:"resource,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
}

// Parked is a request that waits at the gate.
type Parked struct {
	ID       int64  `json:"id"`
	Actor    string `json:"actor"`
	Verb     string `json:"verb"`
	Resource string `json:"resource"` // pods, pods/binding, deployments.apps/scale
	// Namespace and Name are of the object; Name is empty when it is generated.
	Namespace string          `json:"namespace,omitempty"`
	Name      string          `json:"name,omitempty"`
	Body      json.RawMessage `json:"body,omitempty"`
	// Revision is the newest one when the request came.
	Revision int64 `json:"revision"`
}

// Selects tells whether m selects the request.
func (m Match) Selects(p Parked) bool {
	actor := m.Actor == "" || m.Actor == p.Actor
	if prefix, wildcard := strings.CutSuffix(m.Actor, "*"); wildcard {
		actor = strings.HasPrefix(p.Actor, prefix)
	}
	return actor &&
		(m.Verb == "" || m.Verb == p.Verb) &&
		(m.Resource == "" || m.Resource == p.Resource) &&
		(m.Namespace == "" || m.Namespace == p.Namespace) &&
		(m.Name == "" || m.Name == p.Name)
}

// Queue is what is parked, in the order in which it came.
type Queue struct {
	// Generation grows whenever the queue changes.
	Generation int64    `json:"generation"`
	Parked     []Parked `json:"parked"`
}

// Steer says what the scheduler may decide: anything, or, if it is on, just about
// these pods. Only a plane with Spec.Steering can be steered.
type Steer struct {
	On   bool   `json:"on"`
	Pods []Turn `json:"pods,omitempty"`
}

// Turn is a pod that may be scheduled. Node is the one to choose among those that
// the scheduler takes to be equal, or empty for any: it decides again until it has
// chosen that, at most Tries times (0 for ever).
type Turn struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Node      string `json:"node,omitempty"`
	Tries     int    `json:"tries,omitempty"`
}

// Steered is what the scheduler made of a turn.
type Steered struct {
	Turn
	// Chosen is the node on which it settled, Refused how often it chose others.
	Chosen  string         `json:"chosen,omitempty"`
	Refused map[string]int `json:"refused,omitempty"`
}

// Turns are all that there are.
type Turns struct {
	// Generation grows with every decision.
	Generation int64     `json:"generation"`
	Pods       []Steered `json:"pods,omitempty"`
}

// Usage is what the metrics API says: for the pods that match, or of an external
// or object metric.
type Usage struct {
	Namespace string `json:"namespace,omitempty"`
	// Selector is a label selector over pods; Pod is one pod by its name.
	Selector string `json:"selector,omitempty"`
	Pod      string `json:"pod,omitempty"`
	// Resources are quantities by resource name, of each container.
	Resources map[string]string `json:"resources,omitempty"`
	// Metric and Value are a custom metric: of Object (kind/name), of the pods, or
	// external if there is neither.
	Metric   string `json:"metric,omitempty"`
	Object   string `json:"object,omitempty"`
	External bool   `json:"external,omitempty"`
	Value    string `json:"value,omitempty"`
}

// Failure is the body of every answer that is not a success.
type Failure struct {
	Message string `json:"message"`
}

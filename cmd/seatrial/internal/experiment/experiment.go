// Package experiment is the file that says how a controller is tried: how it is
// started, what is there before, and what users do then, step by step.
//
//	apiVersion: seatrial.dev/v1alpha1
//	kind: Experiment
//	metadata: {name: web}
//	controller: {command: [./manager, --leader-elect=false]}
//	setup: [config/crd]
//	steps:
//	- apply: web.yaml
//	- wait: {object: webs.example.com default/web, until: "object.status.ready"}
//
// [Load] reads one with everything that it names, so that what it returns needs
// no other file but the controller's executable, and can be written into a plan.
package experiment

import (
	"encoding/json"
	"time"

	"github.com/seatrial/seatrial/controlplane/admin"
)

// APIVersion and Kind are those of an experiment.
const (
	APIVersion = "seatrial.dev/v1alpha1"
	Kind       = "Experiment"
)

// Experiment is a controller, a setup and steps.
type Experiment struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Metadata   Metadata   `json:"metadata"`
	Controller Controller `json:"controller"`
	// Setup is applied before everything else, and CRDs are waited for; a reset of
	// the plane puts it back.
	Setup Manifests `json:"setup,omitzero"`
	// Steps are what users do, one after another.
	Steps []Step `json:"steps"`
	// Ignore are patterns of what of objects does not count, beside the usual ones
	// (see history.Mask).
	Ignore     []string   `json:"ignore,omitempty"`
	Properties []Property `json:"properties,omitempty"`
	// Plane is what the control plane is made of.
	Plane admin.Spec `json:"plane,omitzero"`
}

// Metadata is the name, which is that of the file if there is none.
type Metadata struct {
	Name string `json:"name,omitempty"`
}

// Controller says how the controller is started.
type Controller struct {
	// Command is the program and its arguments. A program with a slash is relative
	// to the file of the experiment; after [Load] it is absolute.
	Command []string `json:"command,omitempty"`
	// Directory is where it runs: relative to the file, whose folder it is if it is
	// empty.
	Directory string `json:"directory,omitempty"`
	// Env is added to its environment.
	Env map[string]string `json:"env,omitempty"`
	// ServiceAccount is NAMESPACE/NAME: what that may do the controller may do. It
	// may do everything if it is empty.
	ServiceAccount string `json:"serviceAccount,omitempty"`
	// LeaderElection says that several of it may run at once, of which one acts.
	LeaderElection bool `json:"leaderElection,omitempty"`
}

// Step is one thing that users do. Exactly one field but Line is set.
type Step struct {
	// Apply are objects that are created, or changed to what they say, as by
	// kubectl apply --server-side --force-conflicts.
	Apply  Manifests `json:"apply,omitzero"`
	Wait   *Wait     `json:"wait,omitempty"`
	Patch  *Patch    `json:"patch,omitempty"`
	Scale  *Scale    `json:"scale,omitempty"`
	Delete *Delete   `json:"delete,omitempty"`
	// Run is a program and its arguments; KUBECONFIG leads to the plane. It has to
	// end with 0.
	Run []string `json:"run,omitempty"`

	// Line is where the step stands in the file; 0 in a plan.
	Line int `json:"-"`
	// broken: it was found wrong already.
	broken bool
}

// Wait waits until something is so. It looks at each state that there is from its
// beginning on, so that it misses none.
type Wait struct {
	// Object is which one the expression sees as object; nil for none.
	Object *Reference `json:"object,omitempty"`
	// Until is a CEL expression over object and objects; empty if it is enough that
	// the object is there.
	Until string `json:"until,omitempty"`
	// Gone waits until the object is not there any more.
	Gone bool `json:"gone,omitempty"`
	// Timeout is how long, as Go writes durations; 30s if it is empty.
	Timeout string `json:"timeout,omitempty"`

	condition *Condition
	timeout   time.Duration
}

// Patch changes an object by a JSON merge patch.
type Patch struct {
	Object Reference       `json:"object"`
	Merge  json.RawMessage `json:"merge"`
	// Subresource is status, or empty.
	Subresource string `json:"subresource,omitempty"`
	// Operations are a JSON patch instead, which can set null; no file has one.
	Operations json.RawMessage `json:"-"`
}

// Scale sets the number of replicas through the scale subresource, or in the spec
// of an object that has none.
type Scale struct {
	Object   Reference `json:"object"`
	Replicas int64     `json:"replicas"`
}

// Delete deletes an object.
type Delete struct {
	Object Reference `json:"object"`
	// Propagation is Background, Foreground or Orphan; Background if it is empty.
	Propagation string `json:"propagation,omitempty"`
}

// Property is a claim of the user's own about every run. Exactly one of the
// expressions is set; they see objects.
type Property struct {
	Name string `json:"name"`
	// Always has to hold in every state, Eventually in some, Finally in the last.
	Always     string `json:"always,omitempty"`
	Eventually string `json:"eventually,omitempty"`
	Finally    string `json:"finally,omitempty"`

	condition *Condition
}

// Condition is the compiled expression.
func (p *Property) Condition() *Condition { return p.condition }

// Condition is the compiled expression of Until; nil if there is none.
func (w *Wait) Condition() *Condition { return w.condition }

// Limit is how long it may take.
func (w *Wait) Limit() time.Duration { return w.timeout }

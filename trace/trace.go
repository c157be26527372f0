// Package trace holds the one format for what happened step by step: the
// counterexamples and witnesses of every trial. It knows nothing of
// Kubernetes.
package trace

// Schema identifies the JSON form of Trace.
const Schema = "seatrial.dev/trace/v1alpha1"

// Trace is a behaviour: where it starts and the steps it takes.
type Trace struct {
	Schema string `json:"schema"`
	// Initial describes the state the trace starts from, a line each.
	Initial []string `json:"initial"`
	Steps   []Step   `json:"steps"`
	// Loop is the index of the step to which the trace returns after the last
	// one, for ever; len(Steps) means that it rests in its last state for
	// ever; nil means that it just ends.
	Loop *int `json:"loop,omitempty"`
	// Setup is the cluster in which it happens, for whoever repeats it; nil if the
	// trace can only be read.
	Setup *Setup `json:"setup,omitempty"`
	// SetupOf is the index of the setup among those of the report that the trace
	// stands in. It is set in files alone: whoever reads a report gets Setup.
	SetupOf *int `json:"setupOf,omitempty"`
	// Pods are where each pod is at the start.
	Pods []Pod `json:"pods,omitempty"`
	// Again says which pods exchange their places from one round of the loop to
	// the next; those that are not named keep theirs.
	Again []Renaming `json:"again,omitempty"`
}

// Step is one action of one actor with what it changed.
type Step struct {
	// Actor is who acted: scheduler, descheduler, event …
	Actor string `json:"actor"`
	// Action is one sentence without a full stop, in the user's names.
	Action string `json:"action"`
	// Note says why, where that helps: a score, a formula, a refusal.
	Note    string   `json:"note,omitempty"`
	Changes []Change `json:"changes,omitempty"`
	// Turn tells that the rest turns on the step: it is shown, with those around it,
	// where not all can be.
	Turn bool `json:"turn,omitempty"`
	// Acts are what other programs read of the step: each of its writes.
	Acts []Act `json:"acts,omitempty"`
}

// Change is one field of one object before and after a step.
type Change struct {
	Object string `json:"object"`
	Field  string `json:"field"`
	From   string `json:"from"`
	To     string `json:"to"`
}

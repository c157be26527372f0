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
}

// Change is one field of one object before and after a step.
type Change struct {
	Object string `json:"object"`
	Field  string `json:"field"`
	From   string `json:"from"`
	To     string `json:"to"`
}

// Package trace holds the one format for what happened step by step: the
// counterexamples and witnesses of every trial. It knows nothing of
// Kubernetes.
package trace

import (
	"cmp"
	"strings"
)

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
	// At is where the action stands in a text of the user's, nil if it stands in none.
	At *Place `json:"at,omitempty"`
	// State describes the whole state that the step leads to, a line each, where Changes show parts of values only.
	State []string `json:"state,omitempty"`
}

// Place is a place in a file. Lines and columns count from 1.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column,omitempty"`
}

// Change is one field of one object before and after a step. A variable has no object.
type Change struct {
	Object string `json:"object"`
	Field  string `json:"field"`
	From   string `json:"from"`
	To     string `json:"to"`
	// Part: From is something that goes, or To something that comes, of what the field has: a member of a set, an item
	// of a list. The other of the two is empty, and the rest stays.
	Part bool `json:"part,omitempty"`
}

// Name is the field with its object, if it has one.
func (c Change) Name() string { return strings.TrimSpace(c.Object + "  " + c.Field) }

// Values says what was and is: from → to, + to, - from. Empty stands for what is not there.
func (c Change) Values(empty string) string {
	switch {
	case c.Part && c.From == "":
		return "+ " + c.To
	case c.Part:
		return "- " + c.From
	}
	return cmp.Or(c.From, empty) + " → " + cmp.Or(c.To, empty)
}

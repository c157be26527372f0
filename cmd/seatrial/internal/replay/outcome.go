package replay

import (
	"fmt"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// Schema identifies the JSON form of Outcome.
const Schema = "seatrial.dev/replay/v1alpha1"

// Verdict is what became of a trace on a real control plane.
type Verdict string

const (
	// Confirmed: every step happened, and the end is as the trace says: the same
	// state, or the same cycle at least three times round.
	Confirmed Verdict = "confirmed"
	// Diverged: a component decided otherwise.
	Diverged Verdict = "diverged"
	// Inconclusive: it could not be tried, or not to its end.
	Inconclusive Verdict = "inconclusive"
)

// Outcome is everything one replay has to say.
type Outcome struct {
	Schema     string  `json:"schema"`
	Kubernetes string  `json:"kubernetes"`
	Verdict    Verdict `json:"verdict"`
	// Reason says why, unless it is confirmed.
	Reason string `json:"reason,omitempty"`
	// Rule and Subject are of the result whose trace it is, if it is known.
	Rule    string `json:"rule,omitempty"`
	Subject string `json:"subject,omitempty"`
	// Rounds is how often a cycle was gone through.
	Rounds int `json:"rounds,omitempty"`
	// Matched, Expected and Seen count actions: pods that are created, bound,
	// evicted or deleted, replicas and taints that are written. Rate is Matched in
	// all actions of both sides, from 0 to 1.
	Matched  int     `json:"matched"`
	Expected int     `json:"expected"`
	Seen     int     `json:"seen"`
	Rate     float64 `json:"rate"`
	// Again counts the decisions that were refused because something happened
	// after them.
	Again int `json:"again"`
	// Rows are the two sides, in order.
	Rows []Row `json:"rows"`
	// Path is the path of the model that was followed; nil of a replay.
	Path *trace.Trace `json:"-"`
	// History is all that was written to the API server, from the first revision on.
	History []history.Event `json:"-"`
}

// Row is one action on both sides; one of them is empty where they differ.
type Row struct {
	// Step is the index in the trace, Round that of a cycle, from 1.
	Step  int `json:"step"`
	Round int `json:"round,omitempty"`
	// Expected is what the trace says and Seen what happened.
	Expected string `json:"expected,omitempty"`
	Seen     string `json:"seen,omitempty"`
}

// divergence ends a replay: a component decided otherwise at a step.
type divergence struct {
	expected string
	seen     []string
	why      string
}

func (d *divergence) Error() string {
	text := "expected: " + d.expected
	for _, s := range d.seen {
		text += "; seen: " + s
	}
	if d.why != "" {
		text += " (" + d.why + ")"
	}
	return text
}

// unsupported says that a replay cannot do what a trace asks for.
type unsupported struct{ what string }

func (u unsupported) Error() string { return "replay cannot " + u.what }

// Unusable is an error in the trace itself.
type Unusable struct{ Reason string }

func (u Unusable) Error() string { return u.Reason }

// sentence says an act in words.
func sentence(a *trace.Act) string {
	text := a.By + " " + a.Verb
	switch {
	case a.Pod != nil:
		text += " " + podName(a.Pod)
	case a.Object != "":
		text += " " + a.Object
	}
	if a.From != nil && a.To != nil {
		text += fmt.Sprintf(" %d -> %d", *a.From, *a.To)
	} else if a.To != nil {
		text += fmt.Sprintf(" %d", *a.To)
	}
	if a.Taint != "" {
		text += " " + a.Taint
	}
	if a.Pod != nil && a.Pod.Node != "" {
		text += " on " + a.Pod.Node
	}
	return text
}

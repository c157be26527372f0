// Package finding holds what a trial reports: findings, their
// locations, verdicts and bounds. It knows nothing of Kubernetes.
package finding

import "github.com/seatrial/seatrial/trace"

// Schema identifies the JSON form of Report.
const Schema = "seatrial.dev/report/v1alpha1"

// Verdict is the outcome of a check or of one property in it.
type Verdict string

const (
	// Holds: no behaviour within the stated bound violates the property.
	Holds Verdict = "holds"
	// Violated: a trace shows one that does.
	Violated Verdict = "violated"
	// Inconclusive: neither could be established; Reason says why.
	Inconclusive Verdict = "inconclusive"
)

// Location is a place in a user's file, or in a text that was rendered from such
// files or read from a cluster.
type Location struct {
	// File is a path, or a name in angle brackets for what is none: <stdin>,
	// <helm charts/web>. Sources have the lines of the latter, too.
	File string `json:"file"`
	// Origin is the file that a rendered text came from, as far as is known: a
	// template, a kustomization.
	Origin string `json:"origin,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Object is Kind namespace/name, Field the path of the field in it.
	Object string `json:"object,omitempty"`
	Field  string `json:"field,omitempty"`
}

// Warning is about the input and does not change the verdict.
type Warning struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// Cause is a place in the manifests that takes part in a violation.
type Cause struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// Omission is something the model leaves out of account.
type Omission struct {
	// Name is what a user writes to accept it.
	Name     string   `json:"name"`
	Location Location `json:"location"`
	Reason   string   `json:"reason"`
	// Blocking omissions make the verdict inconclusive until accepted.
	Blocking bool `json:"blocking"`
	Accepted bool `json:"accepted"`
}

// Witness is a situation that has to be reachable for a holds to mean
// something.
type Witness struct {
	Name    string `json:"name"`
	Reached bool   `json:"reached"`
	// Steps from the start to the first state that shows it.
	Steps int `json:"steps,omitempty"`
}

// Result is the outcome of one property for one subject.
type Result struct {
	// Rule is the id (SEA1001) or empty for a custom property; Name the
	// rule's kebab-case name or the custom property's.
	Rule    string  `json:"rule,omitempty"`
	Name    string  `json:"name"`
	Subject string  `json:"subject"`
	Verdict Verdict `json:"verdict"`
	// Message says in one sentence what is wrong, in the user's names; of an inconclusive result, what was seen and is
	// not confirmed.
	Message string `json:"message,omitempty"`
	// Reason says why a verdict is inconclusive.
	Reason string `json:"reason,omitempty"`
	// Vacuous notes why a holds could not have failed.
	Vacuous   string       `json:"vacuous,omitempty"`
	Witnesses []Witness    `json:"witnesses,omitempty"`
	Causes    []Cause      `json:"causes,omitempty"`
	Trace     *trace.Trace `json:"trace,omitempty"`
	// Reference is for trials that compare two runs: the one in which nothing was
	// disturbed, or what was before. Trace is the other one.
	Reference *trace.Trace `json:"reference,omitempty"`
	// Applied is what was done, one after another, each as what it changes; Compared are the
	// objects that are not as expected.
	Applied  []Difference `json:"applied,omitempty"`
	Compared []Difference `json:"compared,omitempty"`
	// Consequences are what else is wrong and has the same cause, a sentence each.
	Consequences []string `json:"consequences,omitempty"`
	// Ignored, of a violation, says why it does not count.
	Ignored *Ignored `json:"ignored,omitempty"`
	// Suggestions, of a violation, are changes that mend it, the smallest first;
	// Unmended says why there is none, if they were asked for.
	Suggestions []Suggestion `json:"suggestions,omitempty"`
	Unmended    string       `json:"unmended,omitempty"`
}

// Traces are those of the result in the order in which they are shown: the
// reference comes first.
func (r *Result) Traces() []*trace.Trace {
	var out []*trace.Trace
	for _, t := range []*trace.Trace{r.Reference, r.Trace} {
		if t != nil {
			out = append(out, t)
		}
	}
	return out
}

// Bound states what was exhausted.
type Bound struct {
	// Text is one line: "2 nodes, 4 pods, all interleavings, 1 drain".
	Text        string `json:"text"`
	Nodes       int    `json:"nodes"`
	Pods        int    `json:"pods"`
	States      int    `json:"states"`
	Transitions int    `json:"transitions"`
	Depth       int    `json:"depth"`
	Complete    bool   `json:"complete"`
	// Setups is how many sizes of the cluster were checked, where there are
	// several; Inconclusive are those without a verdict, by their sizes.
	Setups int `json:"setups,omitempty"`
	// Parts is how many parts that cannot interact were checked by themselves.
	Parts int `json:"parts,omitempty"`
	// Reductions are what was left out of the states, proved not to matter to the
	// properties; without any, every interleaving was searched.
	Reductions   []string `json:"reductions,omitempty"`
	Inconclusive []string `json:"inconclusive,omitempty"`
	Reason       string   `json:"reason,omitempty"`
	// Properties and Events are the only ones that were selected, as the user
	// wrote them; empty without a selection.
	Properties []string `json:"properties,omitempty"`
	Events     []string `json:"events,omitempty"`
}

// Report is everything one command has to say.
type Report struct {
	Schema     string `json:"schema"`
	Tool       string `json:"tool"`
	Version    string `json:"version"`
	Kubernetes string `json:"kubernetes"`
	// Command repeats the run.
	Command string  `json:"command"`
	Verdict Verdict `json:"verdict"`
	// Reason says why an overall verdict is inconclusive.
	Reason      string     `json:"reason,omitempty"`
	Bound       Bound      `json:"bound"`
	Results     []Result   `json:"results"`
	Assumptions []string   `json:"assumptions"`
	Omissions   []Omission `json:"omissions"`
	Warnings    []Warning  `json:"warnings"`
	// Setups are those of the traces, in a file alone: in memory each trace has its
	// own.
	Setups []*trace.Setup `json:"setups,omitempty"`
	// Sources are the lines of the user's files that the locations are about; see
	// [Report.Quote].
	Sources []Source `json:"sources,omitempty"`
	// All is true when the search was to go on after the first violation.
	All bool `json:"all,omitempty"`
	// Doubt, of a violated report, says why it would be inconclusive if none of its
	// violations counted.
	Doubt string `json:"doubt,omitempty"`
	// Suggesting says how suggestions were looked for, if they were.
	Suggesting *Suggesting `json:"suggesting,omitempty"`
	// Coverage says of each property of a schema what was tried of it, for trials that try one.
	Coverage []Covered `json:"coverage,omitempty"`
	// Actions and Growth say, of a search, how often each action was taken, and how the states
	// became so many; nil if nobody asked, and Growth also if the search came to its end.
	Actions []ActionCount `json:"actions,omitempty"`
	Growth  *Growth       `json:"growth,omitempty"`
	// Histories are the files with what was written to the API server in the runs of a trial, as its command line names
	// their folder; none if they were not kept.
	Histories []string `json:"histories,omitempty"`
	// Interrupted is true when the run was cut short by the user.
	Interrupted bool `json:"interrupted,omitempty"`
}

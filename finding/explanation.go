package finding

// ExplanationSchema identifies the JSON form of Explanation, RulesSchema that of a
// list of rules.
const (
	ExplanationSchema = "seatrial.dev/explanation/v1alpha1"
	RulesSchema       = "seatrial.dev/rules/v1alpha1"
)

// Explanation is a rule with an example, or one result of a run with what helps to
// understand and to mend it.
type Explanation struct {
	Schema string `json:"schema"`
	// Finding is nil where a rule alone is explained.
	Finding *Found `json:"finding,omitempty"`
	// Rule is nil for a property of the user's own.
	Rule *Rule `json:"rule,omitempty"`
	// Example is one of the rule alone.
	Example *Example `json:"example,omitempty"`
}

// Found is one result and where it is from.
type Found struct {
	// Run is the run's id, or the file that it is from.
	Run string `json:"run"`
	// Number is the place of the result among those of Numbered, from 1, or 0; Of is
	// how many those are.
	Number int `json:"number,omitempty"`
	Of     int `json:"of"`
	// Fingerprint is what it is known by from one run to the next.
	Fingerprint string `json:"fingerprint"`
	// Result has its trace without the setup.
	Result Result `json:"result"`
	// Sources are the lines around the causes.
	Sources []Source `json:"sources,omitempty"`
	// Repeat is the command that runs it again, Replay the one that makes the trace
	// happen on a control plane; empty if there is none.
	Repeat string `json:"repeat,omitempty"`
	Replay string `json:"replay,omitempty"`
}

// Numbered are the indexes of the results that explanations give numbers, in their
// order: the violations that count, as a text that shows all of them numbers them,
// then those that are ignored.
func Numbered(results []Result) []int {
	var counted, ignored []int
	for i, r := range results {
		switch {
		case r.Verdict != Violated:
		case r.Ignored != nil:
			ignored = append(ignored, i)
		default:
			counted = append(counted, i)
		}
	}
	return append(counted, ignored...)
}

// Quoted is the source among sources that has a location, or nil.
func Quoted(sources []Source, l Location) *Source {
	for i := range sources {
		if s := &sources[i]; s.File == l.File && s.Line <= l.Line && l.Line < s.Line+len(s.Text) {
			return s
		}
	}
	return nil
}

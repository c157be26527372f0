package json

import (
	"fmt"
	"io"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

// WriteExplanation renders an explanation, as Write does a report. The trace of a
// finding is written without its setup, which is for programs that repeat it.
func WriteExplanation(w io.Writer, e *finding.Explanation) error {
	n := *e
	n.Schema = finding.ExplanationSchema
	if e.Finding != nil {
		found := *e.Finding
		found.Result.Trace, found.Result.Reference = steps(found.Result.Trace), steps(found.Result.Reference)
		n.Finding = &found
	}
	if err := encode(w, &n); err != nil {
		return fmt.Errorf("encode explanation: %w", err)
	}
	return nil
}

// steps is a trace without its setup.
func steps(t *trace.Trace) *trace.Trace {
	if t == nil {
		return nil
	}
	n := t.Normal()
	n.Setup, n.SetupOf = nil, nil
	return n
}

// WriteRules renders all there is to say of rules.
func WriteRules(w io.Writer, rules []finding.Rule) error {
	err := encode(w, struct {
		Schema string         `json:"schema"`
		Rules  []finding.Rule `json:"rules"`
	}{finding.RulesSchema, nonNil(rules)})
	if err != nil {
		return fmt.Errorf("encode rules: %w", err)
	}
	return nil
}

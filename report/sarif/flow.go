package sarif

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/trace"
)

// flow is the trace of a violation: where it starts, its steps, and how it ends.
func flow(r finding.Result) codeFlow {
	t := r.Trace
	at := places(r)
	var all []flowLocation
	add := func(importance, text string, step *trace.Step) {
		all = append(all, flowLocation{
			Location: location{Physical: at(step), Message: &message{safe(text)}}, Importance: importance, Order: len(all) + 1,
		})
	}
	if len(t.Initial) > 0 {
		add("unimportant", "start: "+strings.Join(t.Initial, "; "), nil)
	}
	end := report.End(t)
	keep := StepsMax - len(all)
	if end != "" {
		keep--
	}
	from, to := 0, 0 // the steps that are left out
	if n := len(t.Steps); n > keep {
		from, to = keep/2, n-(keep-1-keep/2)
	}
	for i := range t.Steps {
		if i == from && to > from {
			add("essential", fmt.Sprintf("… steps %d–%d are left out; the JSON report has all", from+1, to), nil)
		}
		if i >= from && i < to {
			continue
		}
		add("essential", sentence(t, i), &t.Steps[i])
	}
	if end != "" {
		add("essential", "↻ "+end, nil)
	}
	return codeFlow{ThreadFlows: []threadFlow{{Locations: all}}}
}

// sentence is a step in words: its number, who acts, what, why, and what changes.
func sentence(t *trace.Trace, i int) string {
	s := t.Steps[i]
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s: %s", i+1, s.Actor, s.Action)
	if s.Note != "" {
		fmt.Fprintf(&b, " (%s)", s.Note)
	}
	for k, c := range s.Changes {
		lead := ", "
		if k == 0 {
			lead = " · "
		}
		fmt.Fprintf(&b, "%s%s: %s", lead, strings.TrimSpace(c.Object+" "+c.Field), c.Values(""))
	}
	if t.Loop != nil && *t.Loop == i {
		b.WriteString(" ↻ the loop begins here")
	}
	return b.String()
}

// places tells where a step is best looked at: where it stands itself, or in the manifests at the first
// cause in an object that it changes, or else at the first cause of all. A viewer
// does not show a step that has no place.
func places(r finding.Result) func(*trace.Step) *physicalLocation {
	var first *physicalLocation
	of := map[string]*physicalLocation{}
	for _, c := range r.Causes {
		p := physical(c.Location)
		if p == nil {
			continue
		}
		if first == nil {
			first = p
		}
		if of[c.Location.Object] == nil {
			of[c.Location.Object] = p
		}
	}
	return func(s *trace.Step) *physicalLocation {
		if s != nil {
			if s.At != nil {
				return physical(finding.Location{File: s.At.File, Line: s.At.Line, Column: s.At.Column})
			}
			for _, c := range s.Changes {
				if p := of[c.Object]; p != nil {
					return p
				}
			}
		}
		return first
	}
}

package spec

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/spec"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/trace"
)

// traceOf is a behaviour as a trace: of each step what it changes, and the whole state beside it.
func traceOf(t *spec.Trace) *trace.Trace {
	out := &trace.Trace{Schema: trace.Schema, Initial: stateOf(t, 0), Steps: []trace.Step{}}
	for i := range t.States[1:] {
		out.Steps = append(out.Steps, stepOf(t, i+1))
	}
	if t.Loop >= 0 {
		out.Loop = &t.Loop
	}
	return out
}

// stateOf is a whole state, a line for each variable.
func stateOf(t *spec.Trace, i int) (lines []string) {
	for k, v := range t.States[i].Values {
		lines = append(lines, t.Variables[k]+" = "+value.Format(v))
	}
	return lines
}

// stepOf is the step that leads to a state.
func stepOf(t *spec.Trace, i int) trace.Step {
	before, s := t.States[i-1], t.States[i]
	actor, arguments, _ := strings.Cut(s.Action, "(")
	out := trace.Step{Actor: actor, State: stateOf(t, i)}
	if arguments != "" {
		out.Action = "(" + arguments + " "
	}
	out.Action += "at " + short(s.At)
	if s.At.Source != nil {
		out.At = &trace.Place{File: s.At.Source.Name, Line: s.At.Line, Column: s.At.Column}
	}
	for k, name := range t.Variables {
		if !s.Changed[k] {
			continue
		}
		for _, c := range value.Changes(before.Values[k], s.Values[k]) {
			out.Changes = append(out.Changes, changeOf(name, c))
		}
	}
	if out.Note = s.Event; len(out.Changes) == 0 && s.Event == "" {
		out.Note = "nothing changes"
	}
	return out
}

// insteadShown is how many steps are named that were possible instead of an event.
const insteadShown = 4

// unexplained is an event that no step leads to, after what explains the events before it.
func unexplained(t *spec.Trace, u *spec.Unexplained) trace.Step {
	actor, action, _ := strings.Cut(u.Event, ": ")
	last := t.States[len(t.States)-1]
	out := trace.Step{Actor: actor, Action: action, State: stateOf(t, len(t.States)-1), Note: "no step leads here, and none would change anything observed"}
	if n := len(u.Instead); n > 0 {
		out.Note = "no step leads here; possible instead: " + strings.Join(u.Instead[:min(n, insteadShown)], ", ")
		if n > insteadShown {
			out.Note += " and " + strconv.Itoa(n-insteadShown) + " more"
		}
	}
	for k, name := range t.Variables {
		if seen, ok := u.Values[name]; ok && !value.Same(seen, last.Values[k]) {
			for _, c := range value.Changes(last.Values[k], seen) {
				out.Changes = append(out.Changes, changeOf(name, c))
			}
		}
	}
	return out
}

func changeOf(variable string, c value.Change) trace.Change {
	out := trace.Change{Field: variable + c.Path, Part: c.From.IsNone() || c.To.IsNone()}
	if !c.From.IsNone() {
		out.From = value.Format(c.From)
	}
	if !c.To.IsNone() {
		out.To = value.Format(c.To)
	}
	return out
}

// short is a place without the folder of its file and without the column: the whole of it is beside.
func short(at syntax.Position) string {
	if at.Source == nil {
		return at.String()
	}
	at.Source = &syntax.Source{Name: filepath.Base(at.Source.Name)}
	text := at.String()
	return text[:strings.LastIndexByte(text, ':')]
}

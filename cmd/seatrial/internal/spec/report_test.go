package spec

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/spec"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
	"github.com/seatrial/seatrial/trace"
)

// behaviour is one in which a light is switched on and off, and comes back to states[loop].
func behaviour(loop int) *spec.Trace {
	source := &syntax.Source{Name: "lights/Light.tla", Text: "line 1\nline 2\n"}
	t := &spec.Trace{Variables: []string{"light", "used"}, Loop: loop}
	for i, light := range []string{"off", "on", "off", "on"} {
		s := spec.State{Values: []value.Value{value.OfString(light), value.OfSet([]value.Value{value.OfInt(1)})}, Changed: []bool{true, i == 0}}
		if i > 0 {
			s.Action, s.At = "Switch(1)", syntax.Position{Source: source, Line: 2, Column: 1}
		}
		t.States = append(t.States, s)
	}
	return t
}

// TestLassos: how a behaviour ends, in the message and below its steps.
func TestLassos(t *testing.T) {
	for _, c := range []struct {
		loop           int
		message, below string
	}{
		{-1, "Dark is false of a behaviour (after 3 steps)", `light: "off" → "on"`},
		{1, "Dark is false of a behaviour that goes round for ever (after 1 step)", "↻ steps 2–3 repeat for ever"},
		{3, "Dark is false of a behaviour that stays in one state for ever (after 3 steps)", "↻ this state stays for ever"},
	} {
		p := &reporter{module: "Light", sources: map[string]string{}}
		r := p.result(spec.Claim{Name: "Dark", Kind: spec.Property, Verdict: statespace.Violated, Trace: behaviour(c.loop)})
		if r.Rule != "SEA6003" || r.Subject != "Light!Dark" || r.Verdict != finding.Violated || r.Message != c.message {
			t.Errorf("%+v", r)
		}
		var b strings.Builder
		if err := r.Trace.Write(&b, trace.Options{}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		if last := strings.TrimSpace(lines[len(lines)-1]); last != c.below {
			t.Errorf("%s", b.String())
		}
		step := r.Trace.Steps[0]
		if step.Actor != "Switch" || step.Action != "(1) at Light.tla:2" || *step.At != (trace.Place{File: "lights/Light.tla", Line: 2, Column: 1}) ||
			len(step.Changes) != 1 || strings.Join(step.State, "; ") != `light = "on"; used = {1}` {
			t.Errorf("%+v", step)
		}
	}
}

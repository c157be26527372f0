package oracle

import (
	"fmt"
	"maps"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

func init() { register(Oracle{Name: "property", Order: 0, Judge: properties}) }

// properties judges what the user claims of every run. Where an expression cannot be
// evaluated, since a field is not there, it does not hold.
func properties(c *Case) []Divergence {
	var out []Divergence
	for i := range c.Experiment.Properties {
		p := &c.Experiment.Properties[i]
		if text := violated(p, c); text != "" {
			out = append(out, Divergence{Class: p.Name, Text: fmt.Sprintf("property %s: %s", p.Name, text)})
		}
	}
	return out
}

// violated says how a property does not hold; empty if it does.
func violated(p *experiment.Property, c *Case) string {
	switch {
	case p.Finally != "":
		return without(p, last(c), "it does not hold in the end")
	case p.Always != "":
		return sometimesNot(p, c)
	}
	return never(p, c)
}

// last is the state behind the last event, with what no event was about.
func last(c *Case) history.State {
	state := maps.Clone(c.Run.Start)
	for _, e := range c.Run.Events {
		state.Apply(e)
	}
	return state
}

// sometimesNot is about a property that has to hold in every state.
func sometimesNot(p *experiment.Property, c *Case) string {
	state := maps.Clone(c.Run.Start)
	if text := without(p, state, "it does not hold at the start"); text != "" {
		return text
	}
	for _, e := range c.Run.Events {
		state.Apply(e)
		if text := without(p, state, fmt.Sprintf("it does not hold after the %s of %s by %s", e.Type, e.Key, e.Actor)); text != "" {
			return text
		}
	}
	return ""
}

// never is about a property that has to hold in some state.
func never(p *experiment.Property, c *Case) string {
	state := maps.Clone(c.Run.Start)
	text := without(p, state, "it never holds")
	for _, e := range c.Run.Events {
		if text == "" {
			return ""
		}
		state.Apply(e)
		text = without(p, state, "it never holds")
	}
	return text
}

// without is empty if the property holds in a state, and else what is said of that,
// with the reason if there is one.
func without(p *experiment.Property, state history.State, said string) string {
	holds, err := p.Condition().Holds(nil, state)
	switch {
	case err != nil:
		return said + " (" + err.Error() + ")"
	case holds:
		return ""
	}
	return said
}

package oracle

import (
	"fmt"
	"maps"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

func init() { register(Oracle{Name: "property", Order: 0, Judge: properties}) }

// properties judges what the user claims of every run.
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
	if p.Finally != "" {
		return unless(p, c.Run.Final, "it does not hold in the end")
	}
	state := maps.Clone(c.Run.Start)
	last := ""
	check := func() bool {
		last = unless(p, state, "")
		return last == ""
	}
	holds := check()
	if holds == (p.Eventually != "") {
		if holds {
			return ""
		}
		return "it does not hold at the start" + last
	}
	for _, e := range c.Run.Events {
		state.Apply(e)
		switch holds := check(); {
		case holds && p.Eventually != "":
			return ""
		case !holds && p.Always != "":
			return fmt.Sprintf("it does not hold after the %s of %s by %s%s", e.Type, e.Key, e.Actor, last)
		}
	}
	if p.Eventually != "" {
		return "it never holds" + last
	}
	return ""
}

// unless is empty if the property holds in a state.
func unless(p *experiment.Property, state history.State, otherwise string) string {
	holds, err := p.Condition().Holds(nil, state)
	switch {
	case err != nil:
		return otherwise + " (" + err.Error() + ")"
	case holds:
		return ""
	}
	return otherwise + " "
}

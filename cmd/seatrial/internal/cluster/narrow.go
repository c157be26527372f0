package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
)

// NoEvent in Options.Events keeps none of the events.
const NoEvent = "none"

// narrow returns the scenario with the properties and the events that the
// options ask for, and which of its events, by index, are not to happen. These
// stay in the list: workloads that they bring can be referred to, and paths
// count them. An error is a manifest.Problems.
func narrow(s *scenario.Spec, o Options) (*scenario.Spec, map[int]bool, error) {
	var problems manifest.Problems
	problems = append(problems, unknown("--property", "property", o.Properties, rule.Names(s), listProperties(s))...)
	names := eventNames(s)
	if !slices.Contains(o.Events, NoEvent) {
		problems = append(problems, unknown("--event", "event", o.Events, names, listEvents(names))...)
	} else if len(slices.Compact(slices.Sorted(slices.Values(o.Events)))) > 1 {
		problems = append(problems, manifest.Problem{Message: "--event none leaves no event: it goes with no other --event"})
	}
	if len(problems) > 0 {
		return nil, nil, problems
	}
	dropped := map[int]bool{}
	for i := range s.Events {
		if !o.happens(&s.Events[i]) {
			dropped[i] = true
		}
	}
	if len(o.Properties) == 0 {
		return s, dropped, nil
	}
	out := *s
	out.Properties = rule.Narrow(s, o.Properties)
	return &out, dropped, nil
}

// happens tells whether an event is among those asked for.
func (o *Options) happens(e *scenario.Event) bool {
	return len(o.Events) == 0 || slices.Contains(o.Events, string(e.Type)) || e.Name != "" && slices.Contains(o.Events, e.Name)
}

// unknown says which of the names given with a flag are none of those there
// are, and what there is.
func unknown(flag, what string, given, known []string, list string) manifest.Problems {
	var out manifest.Problems
	for _, name := range given {
		if slices.Contains(known, name) {
			continue
		}
		hint := ""
		if near := spelling.Nearest(name, known); near != "" {
			hint = ", did you mean " + near + "?"
		}
		out = append(out, manifest.Problem{Message: fmt.Sprintf("%s %s: no such %s%s", flag, name, what, hint)})
	}
	if len(out) > 0 {
		out = append(out, manifest.Problem{Message: list})
	}
	return out
}

// eventNames are the names of the scenario's events and, once each, their types.
func eventNames(s *scenario.Spec) []string {
	var out []string
	for i := range s.Events {
		for _, name := range []string{s.Events[i].Name, string(s.Events[i].Type)} {
			if name != "" && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

func listEvents(names []string) string {
	if len(names) == 0 {
		return "there are no events: a Scenario names them"
	}
	return "there are " + strings.Join(names, ", ") + "; none is for no event"
}

func listProperties(s *scenario.Spec) string {
	var all []string
	for _, name := range rule.Names(s) {
		if title := rule.Title(name); !slices.Contains(all, title) {
			all = append(all, title)
		}
	}
	return "there are " + strings.Join(all, ", ")
}

// narrowed says in the bound what was selected, empty without a selection.
func (o *Options) narrowed() string {
	var out string
	if len(o.Events) > 0 {
		out += " (--event " + strings.Join(o.Events, ", ") + ")"
	}
	if len(o.Properties) > 0 {
		out += ", only --property " + strings.Join(o.Properties, ", ")
	}
	return out
}

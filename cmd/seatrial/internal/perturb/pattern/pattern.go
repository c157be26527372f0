// Package pattern makes plans of a reference: a file for each pattern, which
// registers itself. Each makes all plans of its kind that could matter; those that
// do the same to the same kind of write, with the same to follow, are made once.
package pattern

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/history"
)

// Pattern is one way in which the world of a controller is not as its author
// imagined.
type Pattern struct {
	// Rule is all there is to say of what is found by it; its name is the pattern's,
	// by which users select it.
	finding.Rule
	// Order is where its plans stand among those of the others.
	Order int
	// Generate makes the plans, those first that find something more often.
	Generate func(g *Generator)
}

var patterns []Pattern

// register adds a pattern from the initialisation of the file that defines it.
func register(p Pattern) {
	p.Trial, p.Level = "perturb", finding.LevelError
	patterns = append(patterns, p)
	slices.SortFunc(patterns, func(a, b Pattern) int { return cmp.Compare(a.Order, b.Order) })
}

// All lists the patterns, in the order of their plans.
func All() []Pattern { return slices.Clone(patterns) }

// Names are those of the patterns.
func Names() []string {
	var names []string
	for _, p := range patterns {
		names = append(names, p.Name)
	}
	return names
}

// Told is what there is to say of every pattern, by id.
func Told() []finding.Rule {
	var out []finding.Rule
	for _, p := range patterns {
		out = append(out, p.Rule)
	}
	slices.SortFunc(out, func(a, b finding.Rule) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// Rule is the id of what is found by a pattern.
func Rule(name string) string {
	if r := finding.FindRule(Told(), name); r != nil {
		return r.ID
	}
	return ""
}

// Generate makes the plans of the patterns that are named, of all if none is. The
// second result is how many plans were left out because another does the same.
func Generate(r *reference.Reference, e *experiment.Experiment, names []string) (plans []*plan.Plan, pruned int) {
	g := &Generator{Reference: r, Experiment: e, classes: map[string]bool{}}
	for _, p := range patterns {
		if len(names) > 0 && !slices.Contains(names, p.Name) {
			continue
		}
		g.pattern = p.Name
		p.Generate(g)
	}
	return g.plans, g.pruned
}

// Generator is what a pattern makes plans of, and where it puts them.
type Generator struct {
	*reference.Reference
	Experiment *experiment.Experiment

	pattern string
	plans   []*plan.Plan
	classes map[string]bool
	pruned  int
}

// add takes a plan, unless one of its class is there.
func (g *Generator) add(class []string, assumption plan.Assumption, t plan.Trigger, f plan.Fault, sentence string, args ...any) {
	key := g.pattern + "\x00" + strings.Join(class, "\x00")
	if g.classes[key] {
		g.pruned++
		return
	}
	g.classes[key] = true
	g.plans = append(g.plans, &plan.Plan{
		APIVersion: plan.APIVersion, Kind: plan.Kind, Pattern: g.pattern, Assumption: assumption, Trigger: t, Fault: f,
		Sentence: fmt.Sprintf(sentence, args...), Class: key,
	})
}

// own calls do with each write of the controller that a trigger can find again.
func (g *Generator) own(do func(e *reference.Event, t plan.Trigger)) {
	for _, e := range g.Events {
		if !e.Own() || e.Exchange == nil {
			continue
		}
		if t, ok := e.Trigger(); ok {
			do(e, t)
		}
	}
}

// numbers are what of names counts through: web-0, web-1.
var numbers = regexp.MustCompile(`\d+`)

// class is what writes share that are alike: what is written to what kind of
// object, and which fields.
func class(e *reference.Event) string {
	t := e.Exact
	t.Object.Name = numbers.ReplaceAllString(t.Object.Name, "#")
	return t.Key()
}

// next is the class of the controller's next write in the same burst.
func (g *Generator) next(e *reference.Event) string {
	for _, o := range g.Events[e.Index+1:] {
		if o.Own() {
			if o.Burst != e.Burst {
				return ""
			}
			return class(o)
		}
	}
	return ""
}

// later is the first event on the same object behind one that satisfies.
func (g *Generator) later(e *reference.Event, satisfies func(*reference.Event) bool) *reference.Event {
	for _, o := range g.Events[e.Index+1:] {
		if o.Key == e.Key && satisfies(o) {
			return o
		}
	}
	return nil
}

// watched tells whether the controller watches a resource.
func (g *Generator) watched(resource string) bool { return slices.Contains(g.Streams, resource) }

// said is an event in a few words.
func said(t plan.Trigger) string { return t.String() }

// terminates tells whether an event sets a deletion time.
func terminates(e *reference.Event) bool {
	return e.Type == history.Update && e.Object.At("metadata", "deletionTimestamp") != nil && e.Previous.At("metadata", "deletionTimestamp") == nil
}

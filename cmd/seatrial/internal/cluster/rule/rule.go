// Package rule holds the properties that a check knows by name: one file per
// rule. A rule says what it claims of a model, which situations must be
// reachable for the claim to mean something, and how a violation reads.
package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

// Rule is one named property. What there is to say of it is data, from which the
// manual and the output of commands are made.
type Rule struct {
	finding.Rule
	// Whole: the rule depends on when the whole cluster is at rest.
	Whole bool
	// Takes are the fields of a scenario's property that the rule understands.
	Takes []string
	// Watch says what the state has to remember for the rule, before claims are
	// made.
	Watch func(w *model.World, p *scenario.Property)
	// Claims are what is checked, one per subject.
	Claims func(c *Context) []Claim
}

// Context is what a rule makes its claims from.
type Context struct {
	*model.Vector
	// Rule makes the claims; nil for custom properties.
	Rule *Rule
	// Property has the scenario's parameters; it is empty by default.
	Property scenario.Property
}

// Claim is one property of one subject.
type Claim struct {
	Rule    *Rule // nil for a custom property
	Subject string
	// Property is given to the engine; Witnesses are its sometimes properties.
	Property  statespace.Property[IDs]
	Witnesses []Witness
	// Message says what is wrong in the last state, or in the cycle.
	Message func(last *model.State) string
	// Refs are places that matter besides those of the steps.
	Refs func(last *model.State) []model.Ref
	// Err, if set, says why the property could not be judged in some state.
	Err func() error
}

// IDs is a state as the engine has it.
type IDs = []statespace.ID

// Witness is a situation that has to be reachable.
type Witness struct {
	Name     string
	Property statespace.Property[IDs]
}

var registered []*Rule

// register adds a rule from the initialisation of the file that defines it, so
// that adding one touches no list.
func register(r *Rule) *Rule {
	r.Trial = "check"
	if r.Level == "" {
		r.Level = finding.LevelError
	}
	for _, p := range parameters {
		if slices.Contains(r.Takes, p.name) {
			r.Parameters = append(r.Parameters, finding.Parameter{Name: p.name, Doc: p.doc})
		}
	}
	registered = append(registered, r)
	return r
}

// All returns every rule, by id.
func All() []*Rule {
	out := slices.Clone(registered)
	slices.SortFunc(out, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// Told is what there is to say of every rule, by id.
func Told() []finding.Rule {
	var out []finding.Rule
	for _, r := range All() {
		out = append(out, r.Rule)
	}
	return out
}

// find returns the rule with the id or name, or nil.
func find(name string) *Rule {
	for _, r := range registered {
		if r.ID == name || r.Name == name {
			return r
		}
	}
	return nil
}

// Asked is a rule with the parameters that a scenario gives it.
type Asked struct {
	*Rule
	Property scenario.Property
}

// Select returns the rules that a scenario asks for, or, if it has no
// properties at all, those that need no request.
func Select(s *scenario.Spec) []Asked {
	var out []Asked
	for _, p := range s.Properties {
		if r := find(p.Rule); r != nil {
			out = append(out, Asked{r, p})
		}
	}
	if len(s.Properties) > 0 {
		return out
	}
	for _, r := range All() {
		if !r.OnRequest {
			out = append(out, Asked{Rule: r})
		}
	}
	return out
}

// works are the indexes of the workloads that the claim is asked of.
func (c *Context) works(kinds ...string) []int {
	var out []int
	for i := range c.World.Workloads {
		w := &c.World.Workloads[i]
		if p := c.Property.Workload; !c.World.In(i) || p != nil && !named(p, w) {
			continue
		}
		if w.Held != "" && c.Property.Workload == nil && !slices.ContainsFunc(w.Given, func(g model.GivenPod) bool { return g.Node < 0 }) {
			continue // its pods are as they are given
		}
		if len(kinds) > 0 && !slices.Contains(kinds, w.Kind) {
			continue
		}
		out = append(out, i)
	}
	return out
}

// about tells whether the claim is asked of node i: all, or those with the
// property's node or pool name.
func (c *Context) about(i int) bool {
	return c.Property.Node == "" || c.World.AboutNode([]string{c.Property.Node}, i)
}

// everyNode names the nodes that the claim is asked of.
func (c *Context) everyNode() string {
	if c.Property.Node != "" {
		return "Node " + c.Property.Node
	}
	return "every node"
}

// named tells whether a scenario's p, whose kind and namespace have defaults, is w.
func named(p *scenario.Workload, w *model.WorkloadSpec) bool {
	return p.Name == w.Name && (p.Kind == w.Kind || p.Kind == "" && w.Kind == "Deployment") &&
		(p.Namespace == w.Namespace || p.Namespace == "" && w.Namespace == "default")
}

// claim names the property after the rule and its subject.
func (c *Context) claim(subject string, property func(name string) statespace.Property[IDs], witnesses ...Witness) Claim {
	return Claim{
		Rule: c.Rule, Subject: subject, Property: property(c.Rule.ID + " " + subject), Witnesses: witnesses,
		Message: func(*model.State) string { return c.Rule.Title },
		Refs:    func(*model.State) []model.Ref { return nil },
	}
}

// state makes a predicate on decoded states.
func (c *Context) state(p func(*model.State) bool) func(IDs) bool {
	return func(ids IDs) bool { return p(c.Decode(ids)) }
}

// steps makes a predicate on the kind and workload of steps.
func steps(p func(k model.Kind, work int) bool) func(IDs, statespace.Action, IDs) bool {
	return func(_ IDs, a statespace.Action, _ IDs) bool {
		return p(model.LabelKind(a.Label), model.LabelWork(a.Label))
	}
}

// ofWork makes a predicate on steps of some kinds of one workload.
func ofWork(work int, kinds ...model.Kind) func(IDs, statespace.Action, IDs) bool {
	return steps(func(k model.Kind, w int) bool { return w == work && slices.Contains(kinds, k) })
}

// running is the witness that every wanted pod of a workload runs.
func (c *Context) running(i int) Witness {
	name := fmt.Sprintf("all pods of %s Running", c.World.Workloads[i].Object())
	return Witness{name, statespace.Sometimes(name, c.state(func(s *model.State) bool {
		n := s.Count(func(_ model.Place, p model.Pod) bool {
			return int(p.Work) == i && p.Phase == model.Running && !p.Terminating
		})
		return s.Work[i].Exists && n > 0 && n >= int(s.Work[i].Replicas)
	}))}
}

// happens is the witness that a step of some kinds is taken.
func happens(name string, p func(model.Kind) bool) Witness {
	return Witness{name, statespace.SometimesStep(name, steps(func(k model.Kind, _ int) bool { return p(k) }))}
}

// events is the witness that an event strikes, if the scenario has any.
func (c *Context) events() []Witness {
	if len(c.World.Events) == 0 {
		return nil
	}
	return []Witness{happens("an event strikes", func(k model.Kind) bool { return k == model.KindEvent })}
}

// Failure is Err, if there is one.
func (c *Claim) Failure() error {
	if c.Err == nil {
		return nil
	}
	return c.Err()
}

// Name is the rule's, or the custom property's.
func (c *Claim) Name() string {
	if c.Rule != nil {
		return c.Rule.Name
	}
	return c.Property.Name()
}

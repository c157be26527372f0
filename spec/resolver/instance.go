package resolver

import (
	"maps"

	"github.com/seatrial/seatrial/spec/syntax"
)

// made is an instance of a module, and what stands for its constants and variables.
type made struct {
	of   *module
	with map[*symbol]reach
}

// instantiate enters a named instance, or the names of one without a name.
func (c *checker) instantiate(n *names, u *syntax.Instance) {
	inner, params := c.parameters(n, u.Params)
	into := c.make(inner, u)
	if u.Name != "" {
		s := c.fresh(n, u.Name, u.At)
		s.kind, s.params, s.made, s.local = instance, params, into, u.Local
		n.put(s)
		return
	}
	for _, s := range into.of.names.order {
		if s.local || s.declared() {
			continue
		}
		own := *s
		own.local = u.Local
		own.free = s.free.replaced(into.with)
		if s.made != nil {
			own.made = &made{of: s.made.of, with: maps.Clone(s.made.with)}
			for d, r := range own.made.with {
				own.made.with[d] = r.replaced(into.with)
			}
		}
		n.add(&own)
	}
}

// make finds what stands for the constants and variables of a module.
func (c *checker) make(n *names, u *syntax.Instance) *made {
	m := c.module(u.Module, n)
	if m.opening {
		fail(u.Module.At, "module %s has an instance of itself, directly or through another module", m.name)
	}
	given := map[string]bool{}
	into := &made{of: m, with: map[*symbol]reach{}}
	for _, w := range u.With {
		d := m.names.own[w.Name.Text]
		if d == nil || !d.declared() {
			fail(w.Name.At, "%s is neither a constant nor a variable of %s", w.Name.Text, m.name)
		}
		if given[d.name] {
			fail(w.Name.At, "%s is replaced twice", d.name)
		}
		given[d.name] = true
		r := c.argument(w.Value, d.arity, n)
		r.atMost(m.allows(d), w.Value.Position(), "what stands for "+d.name)
		into.with[d] = r
	}
	for _, d := range m.declared {
		if given[d.name] {
			continue
		}
		here := n.find(d.name)
		if here == nil {
			fail(u.At, "nothing stands for %s of %s: WITH does not say what, and there is no %s here", d.name, m.name, d.name)
		}
		if here.takes() != d.arity {
			fail(u.At, "%s, which stands for that of %s, takes %s, and not %d", d.name, m.name, arguments(here.takes()), d.arity)
		}
		r := c.operator(here)
		r.atMost(m.allows(d), u.At, "what stands for "+d.name)
		into.with[d] = r
	}
	return into
}

// allows returns the highest level of what may stand for a declared name. A constant may be replaced by what varies
// only in a module of nothing but constants.
func (m *module) allows(d *symbol) Level {
	switch {
	case d.kind == variable:
		return State
	case m.level > Rigid:
		return Rigid
	}
	return d.most
}

// qualified is the level of an operator of an instance, or of a part of a definition.
func (c *checker) qualified(e *syntax.Qualified, n *names) (s *symbol, within map[*symbol]reach) {
	seen := n
	within = map[*symbol]reach{}
	for i, call := range e.Prefix {
		s := seen.find(call.Name)
		if i > 0 {
			s = seen.own[call.Name]
		}
		if s == nil {
			fail(call.At, "%s is not declared or defined", call.Name)
		}
		args := c.arguments(s, call.Args, call.At, n)
		if s.kind != instance {
			if i == len(e.Prefix)-1 && s.kind == definition {
				return part(s, args), within
			}
			fail(call.At, "%s is no instance of a module", call.Name)
		}
		outer := within
		within = map[*symbol]reach{}
		for d, r := range s.made.with {
			within[d] = r.replaced(bind(s.params, args)).replaced(outer)
		}
		seen = s.made.of.names
	}
	if s = seen.own[e.Name]; s == nil {
		fail(e.Place, "%s is not defined in the module that %s is an instance of", e.Name, e.Prefix[len(e.Prefix)-1].Name)
	}
	return s, within
}

// part is a part of what a definition says, as A!1: it is taken to be of the level of the whole.
func part(s *symbol, args []reach) *symbol {
	return &symbol{kind: definition, name: s.name, at: s.at, free: s.free.and(args...), parts: true}
}

func bind(params []*symbol, args []reach) map[*symbol]reach {
	with := make(map[*symbol]reach, len(args))
	for i, p := range params {
		with[p] = args[i]
	}
	return with
}

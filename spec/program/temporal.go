package program

import (
	"slices"

	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/temporal"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// Temporal is a property about whole behaviours.
type Temporal struct {
	Name    string
	At      syntax.Position
	Formula *temporal.Formula
}

// Fairness is a fairness constraint of a specification: WF_v(A) or SF_v(A).
type Fairness struct {
	Name   string
	At     syntax.Position
	Strong bool
	// enabled is ENABLED <<A>>_v, taken <<A>>_v.
	enabled, taken Predicate
	// own are the actions that are parts of A, by their numbers: their steps are steps of A. slots are the variables of
	// v, if v is a tuple of variables; leaves are those that A leaves as they are.
	own           map[uint32]bool
	slots, leaves []int
	// number is that of the constraint, from 0.
	number int
}

// answers are what is known of the constraints of a program in one state: each is asked for every step from it.
type answers struct {
	state []statespace.ID
	of    []value.Truth
}

// Enabled and Taken are the constraint as statespace.Fair wants it.
func (p *Program) Enabled(f *Fairness, state []statespace.ID) bool {
	g := p.take()
	defer p.release(g)
	known := &g.answers
	if known.of == nil {
		known.of = make([]value.Truth, p.fairnessCount)
	}
	if !slices.Equal(known.state, state) {
		known.state = append(known.state[:0], state...)
		clear(known.of)
	}
	if is := known.of[f.number]; is != value.Unknown && !f.enabled.impure {
		return is == value.IsTrue
	}
	g.load(state)
	g.level = p.levelFound()
	is := f.enabled.holds(g)
	known.of[f.number] = value.TruthOf(is)
	return is
}

// Taken tells whether a step is one that the constraint asks for.
func (p *Program) Taken(f *Fairness, from []statespace.ID, action uint32, to []statespace.ID) bool {
	for _, slot := range f.leaves {
		if from[slot] != to[slot] {
			return false
		}
	}
	if f.slots != nil {
		changes := false
		for _, slot := range f.slots {
			changes = changes || from[slot] != to[slot]
		}
		if !changes || f.own[action] {
			return changes
		}
	}
	return p.Enabled(f, from) && p.HoldsOf(&f.taken, from, to)
}

// Guessed tells whether, of a property with WF or SF, it had to be guessed somewhere that an action is possible, since
// the action does not say what all variables become: a property that then holds does hold, one that is violated may not
// be.
func (p *Program) Guessed() bool { return p.guessed.Load() }

// HoldsOf tells whether a predicate on steps is true of one.
func (p *Program) HoldsOf(q *Predicate, from, to []statespace.ID) bool {
	f := p.take()
	defer p.release(f)
	f.load(from)
	f.level = p.levelFound() - 1
	clear(f.next)
	for i, id := range to {
		f.kept[i] = id + 1
	}
	return q.holds(f)
}

// formula compiles a temporal formula.
func (c *compiler) formula(e syntax.Expr, v env) *temporal.Formula {
	if c.depth++; c.depth > 5000 {
		fail(e.Position(), "formulas are nested too deeply here")
	}
	defer func() { c.depth-- }()
	if !c.temporal(e, v.scope) {
		return c.condition(e, v)
	}
	switch t := e.(type) {
	case *syntax.Parentheses:
		return c.formula(t.Body, v)
	case *syntax.Junction:
		var parts []*temporal.Formula
		for _, item := range t.Items {
			parts = append(parts, c.formula(item, v))
		}
		if t.Or {
			return temporal.Or(parts...)
		}
		return temporal.And(parts...)
	case *syntax.Quantifier:
		var parts []*temporal.Formula
		for _, row := range c.rows(t, v) {
			parts = append(parts, c.formula(t.Body, row))
		}
		if t.Exists {
			return temporal.Or(parts...)
		}
		return temporal.And(parts...)
	case *syntax.If:
		test := c.formula(t.Test, v)
		return temporal.And(temporal.Implies(test, c.formula(t.Then, v)), temporal.Or(test, c.formula(t.Else, v)))
	case *syntax.Let:
		inner := v
		inner.scope = &scope{outer: v.scope, names: map[string]*binding{}}
		c.units(nil, inner.scope, t.Units, inner)
		return c.formula(t.Body, inner)
	case *syntax.Fairness:
		f := c.fairness(t, v, "", true)
		possible := temporal.State(func(s []statespace.ID) bool { return c.program.Enabled(&f, s) })
		taken := temporal.Step(func(from, to []statespace.ID) bool { return c.program.Taken(&f, from, Deadlocked, to) })
		if t.Strong {
			return temporal.Or(temporal.Eventually(temporal.Always(temporal.Not(possible))), temporal.Always(temporal.Eventually(taken)))
		}
		return temporal.Or(temporal.Always(temporal.Eventually(temporal.Not(possible))), temporal.Always(temporal.Eventually(taken)))
	case *syntax.Apply:
		if t.Infix && builtin(t.Name) {
			return c.symbolFormula(t, v)
		}
	}
	b, args := c.reference(e, v)
	if b == nil || b.body == nil {
		fail(e.Position(), "this temporal formula is not supported")
	}
	inner := b.env
	inner.primed, inner.routine = inner.primed || v.primed, v.routine
	if b.kind == definition {
		if len(args) != len(b.params) {
			fail(e.Position(), "%s takes %d arguments, not %d", b.name, len(b.params), len(args))
		}
		for i, p := range b.params {
			inner = inner.bind(p.Text, &binding{kind: argument, name: p.Text, at: p.At, body: args[i], env: v, arity: p.Arity})
		}
	}
	return c.formula(b.body, inner)
}

func (c *compiler) symbolFormula(e *syntax.Apply, v env) *temporal.Formula {
	switch e.Name {
	case "~":
		return temporal.Not(c.formula(e.Args[0], v))
	case "=>":
		return temporal.Implies(c.formula(e.Args[0], v), c.formula(e.Args[1], v))
	case "\\equiv":
		return temporal.Equivalent(c.formula(e.Args[0], v), c.formula(e.Args[1], v))
	case "[]":
		return temporal.Always(c.formula(e.Args[0], v))
	case "<>":
		return temporal.Eventually(c.formula(e.Args[0], v))
	case "~>":
		return temporal.LeadsTo(c.formula(e.Args[0], v), c.formula(e.Args[1], v))
	}
	fail(e.Place, "%s of temporal formulas is not supported", e.Name)
	return nil
}

// condition is a formula about a state or a step.
func (c *compiler) condition(e syntax.Expr, v env) *temporal.Formula {
	if truth, ok := c.decided(e, v); ok {
		return temporal.Constant(truth)
	}
	v.routine = c.routine()
	q := c.compiled("a part of a property", e.Position(), c.expr(e, v), v.routine)
	if q.next {
		return temporal.Step(func(from, to []statespace.ID) bool { return c.program.HoldsOf(&q, from, to) })
	}
	return temporal.State(func(s []statespace.ID) bool { return c.program.Holds(&q, s) })
}

// decided tells whether a condition is true, if that is known before anything is explored: many are written for some of
// what is quantified over only.
func (c *compiler) decided(e syntax.Expr, v env) (truth, ok bool) {
	v.routine = c.routine()
	is, ok := c.valueOf(c.expr(e, v))
	return ok && is == value.True, ok && (is == value.True || is == value.False)
}

// rows are the environments of a body quantified over constant sets.
func (c *compiler) rows(e *syntax.Quantifier, v env) []env {
	if e.Temporal {
		fail(e.Place, "\\AA and \\EE are not supported")
	}
	rows := []env{v}
	for _, b := range e.Bounds {
		v.routine = c.routine()
		var set value.Value
		known := b.Set != nil
		if known {
			set, known = c.valueOf(c.expr(b.Set, v))
		}
		if !known || !set.IsSet() || value.Infinite(set) {
			fail(e.Place, "a temporal formula can be quantified over sets that are constant only")
		}
		groups := [][]syntax.Name{b.Names}
		if !b.Tuple {
			groups = slices.Collect(slices.Chunk(b.Names, 1))
		}
		for _, names := range groups {
			var grown []env
			for _, row := range rows {
				for _, m := range set.Members() {
					items := []value.Value{m}
					if b.Tuple {
						if !m.IsSequence() || len(m.Items()) != len(names) {
							fail(names[0].At, "%s has not the %d parts that are named", value.Describe(m), len(names))
						}
						items = m.Items()
					}
					one := row
					for i, n := range names {
						one = one.bind(n.Text, &binding{kind: given, name: n.Text, at: n.At, value: items[i]})
					}
					grown = append(grown, one)
				}
			}
			rows = grown
		}
	}
	return rows
}

// fairness compiles WF_v(A) or SF_v(A).
func (c *compiler) fairness(e *syntax.Fairness, v env, name string, lenient bool) Fairness {
	v.routine = c.routine()
	step := &syntax.Box{At: e.At, Angle: true, Action: e.Action, Subscript: e.Subscript}
	f := Fairness{Name: name, At: e.Place, Strong: e.Strong, number: c.program.fairnessCount}
	c.program.fairnessCount++
	f.enabled = c.compiled("ENABLED", e.Place, c.enabled(step, v, lenient), v.routine)
	v.routine = c.routine()
	f.taken = c.compiled("a fair action", e.Place, c.box(step, v), v.routine)
	f.slots, f.leaves = c.slotsOf(e.Subscript, v), c.leaves(e.Action, v)
	f.own = map[uint32]bool{}
	if of, ok := c.useOf(e.Action, v); ok {
		for i, a := range c.program.Actions {
			f.own[uint32(i)] = slices.Contains(a.within, of)
		}
	}
	return f
}

// slotsOf returns the variables that an expression is a tuple of, nil if it is none.
func (c *compiler) slotsOf(e syntax.Expr, v env) []int {
	switch t := e.(type) {
	case *syntax.Parentheses:
		return c.slotsOf(t.Body, v)
	case *syntax.Tuple:
		var all []int
		for _, item := range t.Items {
			slots := c.slotsOf(item, v)
			if slots == nil {
				return nil
			}
			all = append(all, slots...)
		}
		return all
	case *syntax.Ident, *syntax.Qualified:
		b, _ := c.reference(e, v)
		switch {
		case b == nil:
		case b.kind == variable:
			return []int{b.slot}
		case b.body != nil && len(b.params) == 0 && b.arity == 0:
			return c.slotsOf(b.body, b.env)
		}
	}
	return nil
}

// useOf returns the definition that an action is, with its arguments.
func (c *compiler) useOf(e syntax.Expr, v env) (use, bool) {
	for {
		p, ok := e.(*syntax.Parentheses)
		if !ok {
			break
		}
		e = p.Body
	}
	b, args := c.reference(e, v)
	if b == nil || b.kind != definition || len(args) != len(b.params) {
		return use{}, false
	}
	v.routine = c.routine()
	inner, _ := c.arguments(b, args, b.env, v)
	shown, ok := constantArguments(b, inner)
	return use{b, shown}, ok
}

// premises compiles the fairness of a specification: a conjunction of WF and SF, over constant sets if quantified. What
// is not of this form is returned, to be assumed by each property.
func (c *compiler) premises(e syntax.Expr, v env, into *[]Fairness) (rest []*temporal.Formula) {
	switch t := e.(type) {
	case *syntax.Parentheses:
		return c.premises(t.Body, v, into)
	case *syntax.Fairness:
		name := "WF"
		if t.Strong {
			name = "SF"
		}
		*into = append(*into, c.fairness(t, v, name+" of "+c.actionName(t.Action, v), false))
		return nil
	case *syntax.Junction:
		if !t.Or {
			for _, item := range t.Items {
				rest = append(rest, c.premises(item, v, into)...)
			}
			return rest
		}
	case *syntax.Quantifier:
		if !t.Exists {
			for _, row := range c.rows(t, v) {
				rest = append(rest, c.premises(t.Body, row, into)...)
			}
			return rest
		}
	case *syntax.Let:
		inner := v
		inner.scope = &scope{outer: v.scope, names: map[string]*binding{}}
		c.units(nil, inner.scope, t.Units, inner)
		return c.premises(t.Body, inner, into)
	case *syntax.If:
		if c.temporal(t.Test, v.scope) {
			break
		}
		if truth, ok := c.decided(t.Test, v); ok && truth {
			return c.premises(t.Then, v, into)
		} else if ok {
			return c.premises(t.Else, v, into)
		}
	case *syntax.Apply:
		if t.Infix && t.Name == "=>" && !c.temporal(t.Args[0], v.scope) {
			if truth, ok := c.decided(t.Args[0], v); ok && truth {
				return c.premises(t.Args[1], v, into)
			} else if ok {
				return nil
			}
			break
		}
		return c.premisesOf(e, v, into)
	default:
		return c.premisesOf(e, v, into)
	}
	return []*temporal.Formula{c.formula(e, v)}
}

// premisesOf is premises of what is the mention of a definition, perhaps.
func (c *compiler) premisesOf(e syntax.Expr, v env, into *[]Fairness) []*temporal.Formula {
	b, args := c.reference(e, v)
	if b == nil || b.kind != definition || b.body == nil || len(args) != len(b.params) {
		return []*temporal.Formula{c.formula(e, v)}
	}
	inner := b.env
	inner.routine = v.routine
	for i, p := range b.params {
		inner = inner.bind(p.Text, &binding{kind: argument, name: p.Text, at: p.At, body: args[i], env: v, arity: p.Arity})
	}
	return c.premises(b.body, inner, into)
}

// actionName is how an action is called in messages.
func (c *compiler) actionName(e syntax.Expr, v env) string {
	switch t := e.(type) {
	case *syntax.Parentheses:
		return c.actionName(t.Body, v)
	case *syntax.Ident, *syntax.Qualified:
		return nameOf(e)
	case *syntax.Apply:
		if !t.Infix {
			var shown []string
			for _, a := range t.Args {
				if id, ok := a.(*syntax.Ident); ok {
					if b := v.scope.find(id.Name); b != nil && b.kind == given {
						shown = append(shown, value.Format(b.value))
						continue
					}
				}
				shown = append(shown, "…")
			}
			return label(t.Name, shown)
		}
	}
	return "an action"
}

// properties compiles what the configuration names as PROPERTY.
func (c *compiler) properties(names []syntax.Name, top env) {
	p := c.program
	var given []*temporal.Formula
	for _, f := range p.fairness {
		given = append(given, c.premises(f.expr, f.env, &p.Fairness)...)
	}
	for _, name := range names {
		b := c.lookup(name, top)
		v := top
		v.routine = c.routine()
		f := c.formula(c.nameOf(b, name.At), v)
		if len(given) > 0 {
			f = temporal.Implies(temporal.And(given...), f)
		}
		p.Properties = append(p.Properties, Temporal{Name: name.Text, At: b.at, Formula: f})
	}
}

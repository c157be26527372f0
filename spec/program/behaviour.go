package program

import (
	"slices"

	"github.com/seatrial/seatrial/spec/config"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// behaviour compiles what says which behaviours there are: a specification, or an initial condition and a
// next-state relation.
func (c *compiler) behaviour(cfg *config.Config, top env) {
	var b formula
	switch {
	case cfg.Specification.Text != "":
		found := c.lookup(cfg.Specification, top)
		c.take(&b, c.nameOf(found, cfg.Specification.At), top)
		if b.next == nil && len(b.init) == 0 {
			fail(found.at, "%s has neither an initial condition nor [][Next]_v", cfg.Specification.Text)
		}
	case cfg.Init.Text != "" && cfg.Next.Text != "":
		b.init = []placed{{c.nameOf(c.lookup(cfg.Init, top), cfg.Init.At), top}}
		b.next = &placed{c.nameOf(c.lookup(cfg.Next, top), cfg.Next.At), top}
	case cfg.Init.Text != "" || cfg.Next.Text != "":
		fail(syntax.Position{Source: cfg.Source, Line: 1, Column: 1}, "the configuration gives only one of INIT and NEXT")
	default:
		return
	}
	r := c.routine()
	next := func(f *frame) { f.emit(f) }
	for i := len(b.init) - 1; i >= 0; i-- {
		v := b.init[i].env
		v.init, v.routine = true, r
		next = c.action(b.init[i].expr, v, next)
	}
	c.program.initial = next
	if b.next != nil {
		v := b.next.env
		v.routine = c.routine()
		c.counting = true
		c.split(b.next.expr, v, Action{Name: "Next", At: b.next.expr.Position()}, nil, nil)
		c.counting = false
	}
	c.program.fairness = b.fairness
}

// nameOf is a mention of what a configuration names.
func (c *compiler) nameOf(b *binding, at syntax.Position) syntax.Expr {
	return &syntax.Ident{At: syntax.At{Place: at}, Name: b.name}
}

// placed is an expression with where it stands.
type placed struct {
	expr syntax.Expr
	env  env
}

// formula is a specification taken apart.
type formula struct {
	init     []placed
	next     *placed
	fairness []placed
}

// take takes a specification apart: a conjunction of conditions on the initial state, of [][Next]_v, and of
// fairness.
func (c *compiler) take(b *formula, e syntax.Expr, v env) {
	switch t := e.(type) {
	case *syntax.Parentheses:
		c.take(b, t.Body, v)
		return
	case *syntax.Junction:
		if !t.Or && c.temporal(e, v.scope) {
			for _, item := range t.Items {
				c.take(b, item, v)
			}
			return
		}
	case *syntax.Let:
		if c.temporal(e, v.scope) {
			inner := v
			inner.scope = &scope{outer: v.scope, names: map[string]*binding{}}
			c.units(nil, inner.scope, t.Units, inner)
			c.take(b, t.Body, inner)
			return
		}
	case *syntax.Ident, *syntax.Qualified:
		found, args := c.reference(e, v)
		if found != nil && len(args) == 0 && found.body != nil && c.temporal(e, v.scope) {
			inner := found.env
			inner.routine = v.routine
			c.take(b, found.body, inner)
			return
		}
	case *syntax.Apply:
		if box, ok := boxOf(t); ok && !box.Angle {
			if b.next != nil {
				fail(t.Place, "there are two next-state relations: [][Next]_v is expected once")
			}
			b.next = &placed{box.Action, v}
			return
		}
		if found, args := c.reference(e, v); found != nil && found.kind == definition && c.temporal(e, v.scope) {
			inner := found.env
			inner.routine = v.routine
			for i, p := range found.params {
				inner = inner.bind(p.Text, &binding{kind: argument, name: p.Text, at: p.At, body: args[i], env: v, arity: p.Arity})
			}
			c.take(b, found.body, inner)
			return
		}
	}
	if c.temporal(e, v.scope) {
		b.fairness = append(b.fairness, placed{e, v})
		return
	}
	b.init = append(b.init, placed{e, v})
}

// boxOf returns the [A]_v of [][A]_v.
func boxOf(a *syntax.Apply) (*syntax.Box, bool) {
	if !a.Infix || a.Name != "[]" {
		return nil, false
	}
	e := a.Args[0]
	for {
		p, ok := e.(*syntax.Parentheses)
		if !ok {
			break
		}
		e = p.Body
	}
	b, ok := e.(*syntax.Box)
	return b, ok
}

// reference returns what a name stands for, and its arguments; nil if e is no name.
func (c *compiler) reference(e syntax.Expr, v env) (*binding, []syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Ident:
		return v.scope.find(e.Name), nil
	case *syntax.Apply:
		if !e.Infix || !builtin(e.Name) {
			return v.scope.find(e.Name), e.Args
		}
	case *syntax.Qualified:
		b := c.resolve(e, v)
		return b, e.Args
	}
	return nil, nil
}

// temporal tells whether an expression is a formula about whole behaviours.
func (c *compiler) temporal(e syntax.Expr, s *scope) bool {
	return c.anywhere(e, s, map[*binding]bool{}, func(e syntax.Expr) bool {
		switch e := e.(type) {
		case *syntax.Fairness:
			return true
		case *syntax.Apply:
			return e.Infix && (e.Name == "[]" || e.Name == "<>" || e.Name == "~>" || e.Name == "-+->")
		}
		return false
	})
}

// anywhere tells whether something is in an expression, or in what it mentions.
func (c *compiler) anywhere(e syntax.Expr, s *scope, seen map[*binding]bool, is func(syntax.Expr) bool) bool {
	found := false
	c.visit(e, s, func(e syntax.Expr, s *scope) bool {
		if found = found || is(e); found {
			return false
		}
		if b := c.mentioned(e, s); b != nil && b.body != nil && !seen[b] {
			seen[b] = true
			found = c.anywhere(b.body, b.env.scope, seen, is)
		}
		return !found
	})
	return found
}

// widest bounds the actions into which a next-state relation is split.
const widest = 4096

// split compiles the next-state relation as actions of their own, each with a name: at disjunctions, at \E over a set
// that is constant, and in definitions. It is how TLC counts and names steps, too.
func (c *compiler) split(e syntax.Expr, v env, a Action, args []string, slots []int) {
	switch t := e.(type) {
	case *syntax.Parentheses:
		c.split(t.Body, v, a, args, slots)
		return
	case *syntax.Junction:
		if t.Or {
			for _, item := range t.Items {
				c.split(item, v, Action{a.Name, item.Position(), a.within}, args, slots)
			}
			return
		}
	case *syntax.Quantifier:
		if t.Exists && c.splitOver(t, v, a, args, slots) {
			return
		}
	case *syntax.Ident, *syntax.Qualified, *syntax.Apply:
		b, handed := c.reference(e, v)
		if b != nil && b.kind == definition && !b.recursive && b.body != nil && c.bindingPrimes(b) {
			v.routine = c.routine()
			inner, kept, ok := c.open(b, handed, e.Position(), v)
			if !ok {
				break
			}
			inner.routine = v.routine
			named := Action{Name: b.name, At: b.at, within: a.within}
			if q, ok := e.(*syntax.Qualified); ok {
				named.Name = nameOf(q)
			}
			var shown []string
			for _, p := range b.params {
				if arg := inner.scope.find(p.Text); arg.kind == given {
					shown = append(shown, value.Format(arg.value))
				} else {
					shown = append(shown, "…")
				}
			}
			if args, ok := constantArguments(b, inner); ok {
				named.within = append(slices.Clone(named.within), use{b, args})
			}
			c.split(b.body, inner, named, shown, slices.Concat(slots, kept))
			return
		}
		if b != nil && b.kind == argument && b.arity == 0 && len(handed) == 0 {
			inner := b.env
			inner.routine = v.routine
			c.split(b.body, inner, a, args, slots)
			return
		}
	case *syntax.Box:
		if !t.Angle {
			c.split(t.Action, v, a, args, slots)
			return
		}
	}
	c.add(e, v, a, args, slots)
}

// constantArguments returns what the arguments of a definition are, if all are constant.
func constantArguments(b *binding, inner env) (args string, ok bool) {
	for _, p := range b.params {
		arg := inner.scope.find(p.Text)
		if arg.kind != given {
			return "", false
		}
		args += value.Format(arg.value) + ","
	}
	return args, true
}

// add makes e an action.
func (c *compiler) add(e syntax.Expr, v env, a Action, args []string, slots []int) {
	p := c.program
	n := len(p.Actions)
	a.Name = label(a.Name, args)
	p.Actions = append(p.Actions, a)
	var about reads
	quick, rest := c.quick(e, v)
	c.acting = &about
	do := c.action(rest, v, func(f *frame) {
		f.action = n
		f.emit(f)
	})
	c.acting = nil
	do = c.learned(n, about, do)
	for i := len(quick) - 1; i >= 0; i-- {
		do = c.guard(quick[i], v, do)
	}
	p.steps = append(p.steps, forgetting(slots, do))
}

// splitOver splits \E over sets that are constant and small.
func (c *compiler) splitOver(e *syntax.Quantifier, v env, a Action, args []string, slots []int) bool {
	rows := []env{v}
	shown := [][]string{args}
	for _, b := range e.Bounds {
		if b.Set == nil || b.Tuple {
			return false
		}
		set, ok := c.valueOf(c.expr(b.Set, v))
		if !ok || !set.IsSet() || value.Infinite(set) || value.Size(set)*int64(len(rows)) > widest/8 {
			return false
		}
		for _, n := range b.Names {
			var grown []env
			var texts [][]string
			for i, row := range rows {
				for _, m := range set.Members() {
					grown = append(grown, row.bind(n.Text, &binding{kind: given, name: n.Text, at: n.At, value: m}))
					texts = append(texts, append(slices.Clone(shown[i]), value.Format(m)))
				}
			}
			if rows, shown = grown, texts; len(rows) > widest/8 {
				return false
			}
		}
	}
	if len(c.program.Actions)+len(rows) > widest {
		return false
	}
	for i, row := range rows {
		row.routine = c.routine()
		c.split(e.Body, row, Action{a.Name, e.Body.Position(), a.within}, shown[i], slots)
	}
	return true
}

package resolver

import (
	"strings"

	"github.com/seatrial/seatrial/spec/library"
	"github.com/seatrial/seatrial/spec/syntax"
)

// language are the symbols that are part of the language itself, and the highest level of what they are applied to.
var language = map[string]Level{
	"=": Step, "#": Step, "\\in": Step, "\\notin": Step, "\\subseteq": Step, "\\cup": Step, "\\cap": Step, "\\": Step,
	"SUBSET": Step, "UNION": Step, "DOMAIN": Step,
	"~": Temporal, "=>": Temporal, "\\equiv": Temporal, "[]": Temporal, "<>": Temporal, "~>": Temporal, "-+->": Temporal,
	"'": State, "UNCHANGED": State, "ENABLED": Step, "\\cdot": Step,
}

// sets are those that are part of the language.
var sets = map[string]bool{"BOOLEAN": true, "STRING": true}

// expr goes through an expression, and returns its level.
func (c *checker) expr(e syntax.Expr, n *names) reach {
	switch e := e.(type) {
	case *syntax.Ident:
		return c.ident(e, n)
	case *syntax.Apply:
		if _, ok := language[e.Name]; ok && e.Infix {
			return c.symbol(e, n)
		}
		s := c.find(e.Name, e.Place, n)
		return s.applied(c.arguments(s, e.Args, e.Place, n))
	case *syntax.Qualified:
		s, within := c.qualified(e, n)
		if s.parts {
			return s.free.and(c.all(e.Args, n)...)
		}
		args := c.arguments(s, e.Args, e.Place, n)
		whole := *s
		whole.free = s.free.replaced(within)
		return whole.applied(args)
	case *syntax.Junction:
		return beside(c.all(e.Items, n), e.Items)
	case *syntax.Quantifier:
		if len(e.Bounds) == 0 {
			return c.expr(e.Body, n)
		}
		r, inner := c.bounds(n, e.Bounds...)
		body := c.expr(e.Body, inner).and(r)
		if e.Temporal {
			return body.atLeast(Temporal)
		}
		return body
	case *syntax.Let:
		inner := newNames(n)
		c.units(nil, inner, e.Units)
		return c.expr(e.Body, inner)
	case *syntax.If, *syntax.Case, *syntax.Parentheses:
		return reach{}.and(c.all(syntax.Parts(e), n)...)
	case *syntax.Function:
		return c.function(e, n)
	case *syntax.Box:
		return c.action(e.Action, e.Subscript, n).atLeast(Step)
	case *syntax.Fairness:
		c.action(e.Action, e.Subscript, n)
		return only(Temporal)
	case *syntax.Lambda:
		fail(e.Place, "LAMBDA stands where a value is expected, and not an operator")
	}
	return c.value(e, n)
}

// value is expr for what values are made of: nothing in it is temporal.
func (c *checker) value(e syntax.Expr, n *names) reach {
	var r reach
	parts := syntax.Parts(e)
	switch e := e.(type) {
	case *syntax.Choose:
		r, n = c.bounds(n, e.Bound)
		parts = []syntax.Expr{e.Body}
	case *syntax.Filter:
		r, n = c.bounds(n, e.Bound)
		parts = []syntax.Expr{e.Body}
	case *syntax.Image:
		r, n = c.bounds(n, e.Bounds...)
		parts = []syntax.Expr{e.Body}
	}
	for _, p := range parts {
		l := c.expr(p, n)
		l.atMost(Step, p.Position(), "this")
		r = r.and(l)
	}
	return r
}

func (c *checker) function(e *syntax.Function, n *names) reach {
	if e.Recursive != "" {
		n = n.with(&symbol{kind: bound, name: e.Recursive, at: e.Place, arity: 0})
	}
	r, inner := c.bounds(n, e.Bounds...)
	return c.expr(e.Body, inner).and(r)
}

func (c *checker) all(parts []syntax.Expr, n *names) []reach {
	all := make([]reach, len(parts))
	for i, p := range parts {
		all[i] = c.expr(p, n)
	}
	return all
}

// bounds binds names. None of them is seen in the sets that they range over.
func (c *checker) bounds(n *names, all ...syntax.Bound) (reach, *names) {
	var r reach
	inner := n
	for _, b := range all {
		if b.Set != nil {
			l := c.expr(b.Set, n)
			l.atMost(Step, b.Set.Position(), "this")
			r = r.and(l)
		}
		for _, name := range b.Names {
			s := c.fresh(inner, name.Text, name.At)
			s.kind = bound
			inner = inner.with(s)
		}
	}
	return r, inner
}

// beside is the level of what is joined by logic: what is temporal cannot stand beside what is about a step.
func beside(all []reach, parts []syntax.Expr) reach {
	r := reach{}.and(all...)
	if r.now == Temporal {
		for i, one := range all {
			if one.now == Step {
				fail(parts[i].Position(), "this is about a step, and what it is joined with is temporal; [][…]_v says something of all steps")
			}
		}
	}
	return r
}

// symbol is expr for a symbol of the language.
func (c *checker) symbol(e *syntax.Apply, n *names) reach {
	all := c.all(e.Args, n)
	for i, r := range all {
		if most := language[e.Name]; most < Temporal {
			r.atMost(most, e.Args[i].Position(), "what "+e.Name+" is applied to")
		}
	}
	r := reach{}.and(all...)
	switch e.Name {
	case "'", "UNCHANGED", "\\cdot":
		return only(Step)
	case "ENABLED":
		return only(State)
	case "~", "=>", "\\equiv":
		return beside(all, e.Args)
	case "[]", "<>":
		if box, ok := plain(e.Args[0]).(*syntax.Box); r.now == Step && !(ok && box.Angle == (e.Name == "<>")) {
			form := map[string]string{"[]": "[A]_v", "<>": "<<A>>_v"}[e.Name]
			fail(e.Place, "%s is followed by what is about a step, which has to be of the form %s", e.Name, form)
		}
		return r.atLeast(Temporal)
	case "~>", "-+->":
		for i, one := range all {
			if one.now == Step {
				fail(e.Args[i].Position(), "%s joins what is temporal or about a state, and this is about a step", e.Name)
			}
		}
		return r.atLeast(Temporal)
	}
	return r
}

func plain(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.Parentheses)
		if !ok {
			return e
		}
		e = p.Body
	}
}

// action is the action and the subscript of [A]_v, WF_v(A) and their like.
func (c *checker) action(a, subscript syntax.Expr, n *names) reach {
	r, v := c.expr(a, n), c.expr(subscript, n)
	r.atMost(Step, a.Position(), "this action")
	v.atMost(State, subscript.Position(), "the subscript")
	return r.and(v)
}

func (c *checker) find(name string, at syntax.Position, n *names) *symbol {
	s := n.find(name)
	if s == nil {
		unknown(name, at)
	}
	return s
}

// unknown fails for a name that stands for nothing, and says which module would have it.
func unknown(name string, at syntax.Position) {
	hint := ""
	if has := library.With(name); len(has) > 0 {
		hint = "; EXTENDS " + strings.Join(has, " or ") + " would define it"
	}
	fail(at, "%s is not declared or defined%s", name, hint)
}

func (c *checker) ident(e *syntax.Ident, n *names) reach {
	if n.find(e.Name) == nil && sets[e.Name] {
		return reach{}
	}
	s := c.find(e.Name, e.Place, n)
	return s.applied(c.arguments(s, nil, e.Place, n))
}

// arguments goes through what an operator or an instance is applied to.
func (c *checker) arguments(s *symbol, args []syntax.Expr, at syntax.Position, n *names) []reach {
	if len(args) != s.takes() {
		fail(at, "%s takes %s, and is given %d", s.name, arguments(s.takes()), len(args))
	}
	all := make([]reach, len(args))
	for i, a := range args {
		arity, most := 0, Temporal
		if i < len(s.params) {
			arity, most = s.params[i].arity, s.params[i].most
		}
		all[i] = c.argument(a, arity, n)
		if most < Temporal {
			all[i].atMost(most, a.Position(), "this argument of "+s.name)
		}
	}
	return all
}

// argument goes through an argument, which is an operator if arity is not 0.
func (c *checker) argument(e syntax.Expr, arity int, n *names) reach {
	if arity == 0 {
		return c.expr(e, n)
	}
	var s *symbol
	takes := -1
	switch e := plain(e).(type) {
	case *syntax.Lambda:
		inner, params := c.parameters(n, e.Params)
		s = &symbol{kind: definition, params: params}
		s.is(c.expr(e.Body, inner))
	case *syntax.Ident:
		if s = n.find(e.Name); s == nil {
			if _, ok := language[e.Name]; ok || e.Name == "/\\" || e.Name == "\\/" {
				return reach{}
			}
			unknown(e.Name, e.Place)
		}
	case *syntax.Qualified:
		found, within := c.qualified(e, n)
		whole := *found
		whole.free = found.free.replaced(within)
		s = &whole
	}
	if s != nil {
		takes = s.takes()
	}
	if takes != arity {
		fail(e.Position(), "an operator that takes %s is expected", arguments(arity))
	}
	return c.operator(s)
}

// operator is the level of an operator that is not applied.
func (c *checker) operator(s *symbol) reach {
	if s.kind == definition && !s.announced {
		return s.free
	}
	return of(s)
}

// is notes what a definition says.
func (s *symbol) is(r reach) {
	s.counts = make([]bool, len(s.params))
	at := map[*symbol]int{}
	for i, p := range s.params {
		at[p] = i
	}
	s.free = reach{least: r.least, now: r.least}
	for _, m := range r.symbols() {
		if i, ok := at[m]; ok {
			s.counts[i] = true
		} else {
			s.free = s.free.and(of(m))
		}
	}
}

// applied is the level of an operator with arguments.
func (s *symbol) applied(args []reach) reach {
	if s.kind != definition {
		return of(s).and(args...)
	}
	if s.announced || s.recursive {
		return reach{}.and(args...)
	}
	r := s.free
	for i, a := range args {
		if s.counts[i] {
			r = r.and(a)
		}
	}
	return r
}

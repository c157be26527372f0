package program

import (
	"slices"

	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// A condition of an action may be true in several ways: by several parts of a disjunction, or with several values of
// \E. TLC takes each for a step of its own, though all lead to one state. So that the numbers of steps can be compared
// they are counted as TLC does; the rest of the action is not evaluated again for that.

// inSeveralWays tells whether a condition can be true in more than one way.
func (c *compiler) inSeveralWays(e syntax.Expr, s *scope) bool {
	switch e := e.(type) {
	case *syntax.Parentheses:
		return c.inSeveralWays(e.Body, s)
	case *syntax.Quantifier:
		return e.Exists && !e.Temporal
	case *syntax.If:
		return c.inSeveralWays(e.Then, s) || c.inSeveralWays(e.Else, s)
	case *syntax.Junction:
		for _, item := range e.Items {
			if e.Or || c.inSeveralWays(item, s) {
				return true
			}
		}
	case *syntax.Case:
		for _, arm := range e.Arms {
			if c.inSeveralWays(arm.Value, s) {
				return true
			}
		}
		return e.Other != nil && c.inSeveralWays(e.Other, s)
	case *syntax.Let:
		inner := &scope{outer: s, names: map[string]*binding{}}
		c.units(nil, inner, e.Units, env{scope: inner, old: -1})
		return c.inSeveralWays(e.Body, inner)
	case *syntax.Ident, *syntax.Apply:
		if right := implied(e); right != nil {
			return c.inSeveralWays(right, s)
		}
		b, args := c.reference(e, env{scope: s})
		if b == nil || !b.writtenOut(args) {
			return false
		}
		return c.inSeveralWays(b.body, b.env.scope) || slices.ContainsFunc(args, func(arg syntax.Expr) bool { return c.inSeveralWays(arg, s) })
	}
	return false
}

// implied returns the right of =>, nil if e is something else.
func implied(e syntax.Expr) syntax.Expr {
	if a, ok := e.(*syntax.Apply); ok && a.Infix && a.Name == "=>" {
		return a.Args[1]
	}
	return nil
}

// writtenOut tells whether what a name stands for takes the place of its mention in an action.
func (b *binding) writtenOut(args []syntax.Expr) bool {
	switch b.kind {
	case definition:
		return b.body != nil && !b.recursive
	case argument, lazy:
		return b.body != nil && b.arity == 0 && len(args) == 0
	}
	return false
}

// ways compiles a condition: its value is the number of ways in which it is true.
func (c *compiler) ways(e syntax.Expr, v env) node {
	if !c.inSeveralWays(e, v.scope) {
		n, holds := c.truth(e, v, "a part of an action")
		return made(func(f *frame) value.Value {
			if holds(f) {
				return value.OfInt(1)
			}
			return value.OfInt(0)
		}, 0, n)
	}
	switch e := e.(type) {
	case *syntax.Parentheses:
		return c.ways(e.Body, v)
	case *syntax.Junction:
		return c.waysOfParts(e, v)
	case *syntax.Let:
		inner, slots := c.let(e, v)
		return clearing(slots, c.ways(e.Body, inner))
	case *syntax.If:
		return c.choice([]syntax.Expr{e.Test}, []syntax.Expr{e.Then}, e.Else, e.Place, v)
	case *syntax.Case:
		var tests, values []syntax.Expr
		for _, arm := range e.Arms {
			tests, values = append(tests, arm.Test), append(values, arm.Value)
		}
		return c.choice(tests, values, e.Other, e.Place, v)
	case *syntax.Quantifier:
		if n, ok := c.unrolledWays(e, v); ok {
			return n
		}
		bounds, inner := c.bounds(e.Bounds, v)
		first, rest := c.first(e.Body, inner, slotsOf(bounds))
		narrow(bounds, first)
		body := c.ways(rest, inner)
		loops := c.loops(bounds, e.Bounds, first)
		return boundNode(func(f *frame) value.Value {
			var n int64
			over(f, loops, func(f *frame) bool {
				n += body.eval(f).Int("")
				return true
			})
			return value.OfInt(n)
		}, bounds, body)
	case *syntax.Apply:
		if right := implied(e); right != nil {
			left, holds := c.truth(e.Args[0], v, "the left of =>")
			then := c.ways(right, v)
			return made(func(f *frame) value.Value {
				if holds(f) {
					return then.eval(f)
				}
				return value.OfInt(1)
			}, 1, left, then)
		}
	}
	b, args := c.reference(e, v)
	if b.kind == definition {
		inner, slots, _ := c.open(b, args, e.Position(), v)
		return clearing(slots, c.ways(b.body, inner))
	}
	inner := b.env
	inner.primed, inner.routine, inner.init = inner.primed || v.primed, v.routine, v.init
	return c.ways(b.body, inner)
}

// choice is IF and CASE.
func (c *compiler) choice(tests, values []syntax.Expr, other syntax.Expr, at syntax.Position, v env) node {
	var parts []node
	conditions, ways := make([]func(*frame) bool, len(tests)), make([]node, len(tests))
	for i := range tests {
		var test node
		test, conditions[i] = c.truth(tests[i], v, "a condition")
		ways[i] = c.ways(values[i], v)
		parts = append(parts, test, ways[i])
	}
	rest := c.without(at, "no condition of this CASE is true, and there is no OTHER")
	if other != nil {
		rest = c.ways(other, v)
	}
	return made(func(f *frame) value.Value {
		for i, holds := range conditions {
			if holds(f) {
				return ways[i].eval(f)
			}
		}
		return rest.eval(f)
	}, 1, append(parts, rest)...)
}

// waysOfParts adds up those of a disjunction, and multiplies those of a conjunction.
func (c *compiler) waysOfParts(e *syntax.Junction, v env) node {
	parts := make([]node, len(e.Items))
	for i, item := range e.Items {
		parts[i] = c.memo(c.ways(item, v))
	}
	if e.Or {
		return made(func(f *frame) value.Value {
			var n int64
			for i := range parts {
				n += parts[i].eval(f).Int("")
			}
			return value.OfInt(n)
		}, 1, parts...)
	}
	return made(func(f *frame) value.Value {
		n := int64(1)
		for i := range parts {
			if n *= parts[i].eval(f).Int(""); n == 0 {
				break
			}
		}
		return value.OfInt(n)
	}, 1, parts...)
}

// countedGuard is a condition that may be true in several ways. What follows is done once, and counts for all of them.
func (c *compiler) countedGuard(e syntax.Expr, v env, next step) step {
	var n node
	c.aside(func() { n = c.memo(c.ways(e, v)) })
	c.note(n.reads)
	if known, ok := c.valueOf(n); ok && known == value.OfInt(0) {
		return func(*frame) {}
	}
	eval := once(n).eval
	return func(f *frame) {
		if n := eval(f).Int(""); n > 0 {
			f.ways *= n
			next(f)
			f.ways /= n
		}
	}
}

package program

import (
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// exchanges returns exchanges of two values that make up all permutations that an expression is the set of:
// Permutations(S), a name of that, or several such sets joined. Of ten values there are millions of permutations, and
// nine such exchanges.
func (c *compiler) exchanges(e syntax.Expr, v env) (all []map[value.Value]value.Value, ok bool) {
	switch t := e.(type) {
	case *syntax.Parentheses:
		return c.exchanges(t.Body, v)
	case *syntax.Apply:
		if t.Infix && (t.Name == "\\cup" || t.Name == "\\union") {
			left, one := c.exchanges(t.Args[0], v)
			right, another := c.exchanges(t.Args[1], v)
			return append(left, right...), one && another
		}
		if b := c.mentioned(e, v.scope); b != nil && b.kind == native && b.native.Name == "Permutations" && len(t.Args) == 1 {
			return c.adjacent(t.Args[0], v)
		}
	case *syntax.Ident:
		if b := c.mentioned(e, v.scope); b != nil && b.kind == definition && len(b.params) == 0 && b.body != nil && !b.recursive {
			return c.exchanges(b.body, b.env)
		}
	}
	return nil, false
}

// adjacent are the exchanges of each member of a set with the next one.
func (c *compiler) adjacent(set syntax.Expr, v env) (all []map[value.Value]value.Value, ok bool) {
	v.routine = c.routine()
	q := c.compiled("", set.Position(), c.expr(set, v), v.routine)
	of, ok := c.valueOf(node{eval: q.eval, reads: q.reads})
	if !ok || !of.IsSet() || value.Infinite(of) {
		return nil, false
	}
	members := of.Members()
	for i := 1; i < len(members); i++ {
		a, b := members[i-1], members[i]
		all = append(all, map[value.Value]value.Value{a: b, b: a})
	}
	return all, true
}

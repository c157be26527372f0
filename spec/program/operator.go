package program

import (
	"sync/atomic"

	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// binary are the symbols that are part of the language and join two values.
var binary = map[string]func(a, b value.Value) value.Value{
	"=":          func(a, b value.Value) value.Value { return value.OfBool(value.Equal(a, b)) },
	"#":          func(a, b value.Value) value.Value { return value.OfBool(!value.Equal(a, b)) },
	"\\in":       func(a, b value.Value) value.Value { return value.OfBool(value.Contains(b, a)) },
	"\\notin":    func(a, b value.Value) value.Value { return value.OfBool(!value.Contains(b, a)) },
	"\\subseteq": func(a, b value.Value) value.Value { return value.OfBool(value.Subset(a, b)) },
	"\\cup":      value.Union,
	"\\cap":      value.Intersection,
	"\\":         value.Difference,
	"\\equiv": func(a, b value.Value) value.Value {
		return value.OfBool(a.Bool("the left of <=>") == b.Bool("the right of <=>"))
	},
}

// unary are those before one value.
var unary = map[string]func(a value.Value) value.Value{
	"~":      func(a value.Value) value.Value { return value.OfBool(!a.Bool("what ~ is applied to")) },
	"SUBSET": value.Subsets,
	"UNION":  value.BigUnion,
	"DOMAIN": value.Domain,
}

// builtin tells whether a symbol is part of the language itself, and not of a module.
func builtin(name string) bool {
	return binary[name] != nil || unary[name] != nil || name == "=>" || name == "'" || name == "UNCHANGED" || name == "ENABLED" ||
		name == "[]" || name == "<>" || name == "~>" || name == "-+->" || name == "\\cdot"
}

func (c *compiler) apply(e *syntax.Apply, v env) node {
	if !e.Infix || !builtin(e.Name) {
		return c.name(e.Name, e.Args, e.Place, v)
	}
	switch e.Name {
	case "'":
		if v.primed {
			fail(e.Place, "' stands within something that is primed already")
		}
		if v.init {
			fail(e.Place, "' stands in what describes initial states")
		}
		v.primed = true
		return c.expr(e.Args[0], v)
	case "=>":
		left, holds := c.truth(e.Args[0], v, "the left of =>")
		right, then := c.truth(e.Args[1], v, "the right of =>")
		return made(func(f *frame) value.Value { return value.OfBool(!holds(f) || then(f)) }, 1, left, right)
	case "UNCHANGED":
		return c.stays(e.Args[0], v)
	case "ENABLED":
		return c.enabled(e.Args[0], v, false)
	case "[]", "<>", "~>", "-+->":
		fail(e.Place, "%s stands where a value is expected: this is a temporal formula", e.Name)
	case "\\cdot":
		fail(e.Place, "\\cdot is supported where it is an action only")
	case "\\in", "\\notin":
		if n, ok := c.memberOf(e, v); ok {
			return n
		}
	}
	if single := singleton(e); single != nil {
		return c.insert(e, single, v)
	}
	parts := c.exprs(e.Args, v)
	place := c.at(e.Place)
	if (e.Name == "\\in" || e.Name == "\\notin") && parts[1].plain && !v.init {
		return c.isIn(e.Name == "\\in", parts, place)
	}
	if one := unary[e.Name]; one != nil {
		a := parts[0].eval
		return made(func(f *frame) value.Value {
			x := a(f)
			f.place = place
			return one(x)
		}, 2, parts...)
	}
	two, a, b := binary[e.Name], parts[0].eval, parts[1].eval
	cost := 2
	if e.Name != "=" && e.Name != "#" && e.Name != "\\equiv" {
		cost = worth
	}
	n := made(func(f *frame) value.Value {
		x := a(f)
		y := b(f)
		f.place = place
		return two(x, y)
	}, cost, parts...)
	n.of = &operation{operands: parts, make: func(f *frame, values []value.Value) value.Value {
		f.place = place
		return two(values[0], values[1])
	}}
	if (e.Name == "\\in" || e.Name == "\\notin") && parts[1].constant() {
		n.eval = inConstant(e.Name == "\\in", parts, place)
	}
	return n
}

// inConstant evaluates x \in S for a set S that does not change.
func inConstant(want bool, parts []node, place int32) func(*frame) value.Value {
	member, set := parts[0].eval, parts[1].eval
	var found atomic.Pointer[value.Membership]
	return func(f *frame) value.Value {
		x := member(f)
		in := found.Load()
		if in == nil {
			s := set(f)
			f.place = place
			in = f.p.store.Membership(s)
			found.Store(in)
		}
		f.place = place
		return value.OfBool(in.Has(x) == want)
	}
}

// insert compiles S \cup {x}: with ids nothing has to be listed for it.
func (c *compiler) insert(e *syntax.Apply, single syntax.Expr, v env) node {
	set, member, place := c.expr(e.Args[0], v), c.expr(single, v), c.at(e.Place)
	a, b := set.eval, member.eval
	n := made(func(f *frame) value.Value {
		x := a(f)
		y := value.OfSet([]value.Value{b(f)})
		f.place = place
		return value.Union(x, y)
	}, worth, set, member)
	n.of = &operation{
		operands: []node{set, member}, inserts: true,
		make: func(f *frame, values []value.Value) value.Value {
			f.place = place
			return value.Union(values[0], value.OfSet([]value.Value{values[1]}))
		},
		join: joined([]node{set, member}, func(s *value.Store, ids []statespace.ID) (statespace.ID, bool) { return s.Insert(ids[0], ids[1]) }),
	}
	return n
}

// singleton returns x of S \cup {x}, nil if it is something else.
func singleton(e *syntax.Apply) syntax.Expr {
	if e.Name == "\\cup" {
		if set, ok := e.Args[1].(*syntax.Set); ok && len(set.Items) == 1 {
			return set.Items[0]
		}
	}
	return nil
}

// isIn compiles x \in v, where v is a variable: with ids nothing has to be compared.
func (c *compiler) isIn(want bool, parts []node, place int32) node {
	member, set := parts[0].eval, parts[1].eval
	known := identifier{c, (*value.Store).Known}
	id, in := known.of(parts[0]), known.of(parts[1])
	if parts[0].constant() && !parts[1].next {
		parts[1].whole, parts[1].sights = nil, []sight{{slot: parts[1].now[0], member: id}}
	}
	return made(func(f *frame) value.Value {
		if f.known {
			if is, ok := id(f); ok {
				if s, ok := in(f); ok {
					if has, ok := f.p.store.Has(s, is); ok {
						return value.OfBool(has == want)
					}
				}
			}
		}
		f.unsteady()
		x := member(f)
		s := set(f)
		f.place = place
		return value.OfBool(value.Contains(s, x) == want)
	}, worth, parts...)
}

// memberOf compiles x \in {y \in S : P} without listing the set.
func (c *compiler) memberOf(e *syntax.Apply, v env) (node, bool) {
	filter, at, ok := c.filterOf(e.Args[1], v)
	if !ok || filter.Bound.Tuple {
		return node{}, false
	}
	member := c.expr(e.Args[0], v)
	bounds, inner := c.bounds([]syntax.Bound{filter.Bound}, at)
	body, holds := c.truth(filter.Body, inner, "the condition of a set")
	slot, set, place := bounds[0].slots[0], bounds[0].set.eval, c.at(e.Place)
	want := e.Name == "\\in"
	n := boundNode(func(f *frame) value.Value {
		x := member.eval(f)
		s := set(f)
		f.place = place
		if !value.Contains(s, x) {
			return value.OfBool(!want)
		}
		f.locals[slot] = x
		return value.OfBool(holds(f) == want)
	}, bounds, body)
	n.add(member.reads)
	return n, true
}

// filterOf returns the {y \in S : P} that an expression is, or is defined as, and where that stands.
func (c *compiler) filterOf(e syntax.Expr, v env) (*syntax.Filter, env, bool) {
	for range 10 {
		switch t := e.(type) {
		case *syntax.Filter:
			return t, v, true
		case *syntax.Parentheses:
			e = t.Body
		case *syntax.Ident:
			b := v.scope.find(t.Name)
			if b == nil || b.kind != definition || len(b.params) > 0 || b.recursive || b.body == nil {
				return nil, v, false
			}
			inner := b.env
			inner.primed, inner.routine, inner.init = inner.primed || v.primed, v.routine, v.init
			e, v = b.body, inner
		default:
			return nil, v, false
		}
	}
	return nil, v, false
}

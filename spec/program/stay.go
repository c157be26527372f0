package program

import (
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// What does not change is most of a step. Whether it does is seen by ids, without making tuples of all variables; and
// fairness is asked of each step, most of which change what the fair action leaves alone.

// stays compiles e' = e, as UNCHANGED and the subscripts of actions have it.
func (c *compiler) stays(e syntax.Expr, v env) node {
	primed := v
	primed.primed = true
	slots, place := c.slotsOf(e, v), c.at(e.Position())
	if slots == nil || v.primed || v.init {
		now, next := c.expr(e, v), c.expr(e, primed)
		return made(func(f *frame) value.Value {
			a, b := now.eval(f), next.eval(f)
			f.place = place
			return value.OfBool(value.Equal(a, b))
		}, 2, now, next)
	}
	var parts []node
	for _, slot := range slots {
		b := &binding{kind: variable, name: c.program.Variables[slot], slot: slot}
		parts = append(parts, c.variable(b, e.Position(), v), c.variable(b, e.Position(), primed))
	}
	return made(func(f *frame) value.Value {
		for i, slot := range slots {
			if f.known && f.kept[slot] != 0 {
				if f.kept[slot] != f.ids[slot]+1 {
					return value.False
				}
				continue
			}
			a, b := parts[2*i].eval(f), parts[2*i+1].eval(f)
			f.place = place
			if !value.Equal(a, b) {
				return value.False
			}
		}
		return value.True
	}, 2, parts...)
}

// leaves returns variables that an action certainly leaves as they are.
func (c *compiler) leaves(e syntax.Expr, v env) (slots []int) {
	switch t := e.(type) {
	case *syntax.Parentheses:
		return c.leaves(t.Body, v)
	case *syntax.Junction:
		if t.Or {
			return nil
		}
		for _, item := range t.Items {
			slots = append(slots, c.leaves(item, v)...)
		}
		return slots
	case *syntax.Quantifier:
		if t.Exists && !t.Temporal {
			return c.leaves(t.Body, v)
		}
		return nil
	case *syntax.Box:
		if t.Angle {
			return c.leaves(t.Action, v)
		}
		return nil
	case *syntax.Apply:
		if t.Infix && t.Name == "UNCHANGED" {
			return c.slotsOf(t.Args[0], v)
		}
	}
	if b, _ := c.reference(e, v); b != nil && b.kind == definition && !b.recursive && b.body != nil {
		return c.leaves(b.body, b.env)
	}
	return nil
}

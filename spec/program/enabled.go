package program

import (
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// enabled is ENABLED A: whether there is a next state.
func (c *compiler) enabled(e syntax.Expr, v env, lenient bool) node {
	if v.primed {
		return c.enabledNext(e, v, lenient)
	}
	counting := c.counting
	c.counting = false
	way := c.action(e, v, func(f *frame) { f.stopped = true })
	c.counting = counting
	about := c.readsOf(e, v)
	about.asks = true
	n := node{cost: 1000, reads: about}
	n.eval = func(f *frame) value.Value {
		next, kept, stopped := f.next, f.kept, f.stopped
		f.next, f.kept, f.stopped = make([]value.Value, len(next)), make([]statespace.ID, len(kept)), false
		outer := f.lenient
		f.lenient = lenient
		is := true
		if !lenient {
			way(f)
			is = f.stopped
		} else if f.try(func() { way(f) }) {
			is = f.stopped
		}
		f.next, f.kept, f.stopped, f.lenient = next, kept, stopped, outer
		return value.OfBool(is)
	}
	return c.memo(n)
}

// enabledNext is (ENABLED A)': whether there is a state after the next one.
func (c *compiler) enabledNext(e syntax.Expr, v env, lenient bool) node {
	at := c.at(e.Position())
	v.primed = false
	n := c.enabled(e, v, lenient)
	r := reads{next: true, then: n.now, locals: n.locals, impure: n.impure, asks: true, open: n.open}
	return node{cost: n.cost, reads: r, eval: func(f *frame) value.Value {
		return n.eval(f.ahead(at, "what comes before (ENABLED …)'"))
	}}
}

// undetermined is the panic of a read, while lenient, of a variable that has no value yet.
type undetermined struct{}

// guarded evaluates a condition of an action.
func (f *frame) guarded(eval func(*frame) value.Value) (r value.Value) {
	if !f.lenient {
		return eval(f)
	}
	if determined := f.try(func() { r = eval(f) }); !determined {
		return value.True
	}
	return r
}

// try calls do, and returns false if that reads what is not determined.
func (f *frame) try(do func()) (determined bool) {
	locals, stack, depth := f.locals, len(f.stack), f.depth
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(undetermined); !ok {
				panic(p)
			}
			f.locals, f.stack, f.depth = locals, f.stack[:stack], depth
			f.p.guessed.Store(true)
		}
	}()
	do()
	return true
}

// readsOf returns what an action reads of the state: the variables and locals that are mentioned. What is mentioned
// only to say that it stays, or as what steps have to change, does not matter to whether the action is possible.
func (c *compiler) readsOf(e syntax.Expr, v env) reads {
	var r reads
	seen := map[*binding]bool{}
	var walk func(syntax.Expr, *scope)
	look := func(b *binding) {
		if b == nil || seen[b] {
			return
		}
		seen[b] = true
		switch {
		case b.kind == variable:
			r.now = merge(r.now, []int{b.slot})
		case b.kind == local:
			r.locals = merge(r.locals, []int{b.slot})
		case b.kind == native && b.native.Impure:
			r.impure = true
		case b.kind == lazy || b.recursive:
			r.impure = true
		}
		if b.body != nil {
			walk(b.body, b.env.scope)
		}
	}
	walk = func(e syntax.Expr, s *scope) {
		c.visit(e, s, func(e syntax.Expr, s *scope) bool {
			switch t := e.(type) {
			case *syntax.Old:
				r.impure = true
			case *syntax.Apply:
				if t.Infix && t.Name == "UNCHANGED" && c.slotsOf(t.Args[0], env{scope: s, old: -1}) != nil {
					return false
				}
			case *syntax.Box:
				if c.slotsOf(t.Subscript, env{scope: s, old: -1}) != nil {
					walk(t.Action, s)
					return false
				}
			}
			look(c.mentioned(e, s))
			return true
		})
	}
	walk(e, v.scope)
	return r
}

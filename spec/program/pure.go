package program

import (
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// An operator that depends on its arguments only is asked for the same ones again and again, by states that differ
// elsewhere: what it gives is kept by the ids of the arguments. That is so for those that are called, and for those
// that are written out and do a lot.

// much is the cost from which on an operator that is written out is called instead where its arguments have values.
const much = 60

// pure returns how to call a definition that does much, of which n is a use, nil if it is not to be called.
func (c *compiler) pure(b *binding, n node, v env) *called {
	if n.cost < much || n.constant() || n.impure || v.init || b.impure || b.env.routine != nil || len(b.params) > len(key{}) {
		return nil
	}
	b.impure = true // as long as it is being looked at
	t := c.tryCallee(b)
	b.impure = t == nil || !t.closed
	if b.impure {
		return nil
	}
	return t
}

// tryCallee compiles an operator, if it has a value.
func (c *compiler) tryCallee(b *binding) (t *called) {
	if t := b.calls[false]; t != nil {
		return t
	}
	for _, p := range b.params {
		if p.Arity > 0 {
			return nil
		}
	}
	if r := c.readsOf(b.body, b.env); len(r.now) > 0 || c.bindingPrimes(b) {
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(*syntax.Error); !is {
				panic(r)
			}
			delete(b.calls, false)
			t = nil
		}
	}()
	return c.callee(b, env{scope: b.env.scope, old: -1})
}

// byArguments calls an operator where all its arguments have values, and evaluates n, in which it is written out, where
// they have not: it may not need all.
func (c *compiler) byArguments(t *called, args []syntax.Expr, n node, v env) node {
	parts := c.exprs(args, v)
	eval := n.eval
	n.of = nil
	n.eval = func(f *frame) value.Value {
		if f.tableOf(t.table) == nil {
			return eval(f)
		}
		var room [len(key{})]value.Value
		given := room[:len(parts)]
		if !f.all(parts, given) {
			return eval(f)
		}
		return t.find(f, given)
	}
	return n
}

// all evaluates expressions, and returns false if one has no value.
func (f *frame) all(parts []node, into []value.Value) (ok bool) {
	locals, stack, depth, place := f.locals, len(f.stack), f.depth, f.place
	defer func() {
		if ok {
			return
		}
		r := recover()
		if _, is := r.(*value.Failure); !is {
			panic(r)
		}
		f.locals, f.stack, f.depth, f.place = locals, f.stack[:stack], depth, place
	}()
	for i := range parts {
		into[i] = parts[i].eval(f)
	}
	return true
}

// find calls an operator, or returns what it gave for the same arguments.
func (t *called) find(f *frame, args []value.Value) value.Value {
	if !t.closed {
		return t.run(f, args)
	}
	table := f.tableOf(t.table)
	if table == nil {
		return t.run(f, args)
	}
	var k key
	for i, arg := range args {
		id, ok := f.p.store.Known(arg)
		if !ok {
			return t.run(f, args)
		}
		k[i] = id + 1
	}
	if at, found := table.find(&k); found {
		return table.values[at]
	}
	v := t.run(f, args)
	table.putValue(f.p, &k, v)
	return v
}

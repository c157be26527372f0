package program

import (
	"slices"
	"strconv"

	"github.com/seatrial/seatrial/spec/library"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// largest bounds how much of a specification is written out where it is used. What is above
// it is called.
const largest = 400_000

// recursive is the cost of what calls itself, which nobody knows.
const recursive = 1000

// name compiles a name with its arguments.
func (c *compiler) name(name string, args []syntax.Expr, at syntax.Position, v env) node {
	b := v.scope.find(name)
	if b == nil {
		if set, ok := builtinSets[name]; ok && len(args) == 0 {
			return fixed(set)
		}
		fail(at, "%s is not declared or defined", name)
	}
	return c.use(b, args, at, v)
}

// builtinSets are the sets that are part of the language.
var builtinSets = map[string]value.Value{
	"BOOLEAN": value.OfSet([]value.Value{value.False, value.True}), "STRING": value.Strings,
}

func (c *compiler) qualified(e *syntax.Qualified, v env) node {
	b := c.resolve(e, v)
	return c.use(b, e.Args, e.Place, v)
}

// use compiles what a binding stands for, applied to arguments.
func (c *compiler) use(b *binding, args []syntax.Expr, at syntax.Position, v env) node {
	switch b.kind {
	case variable:
		c.noArguments(b, args, at)
		return c.variable(b, at, v)
	case given:
		c.noArguments(b, args, at)
		return fixed(b.value)
	case constant:
		if b.isVariable {
			fail(at, "the variable %s of an instance is not replaced: there is no %s where it is made", b.name, b.name)
		}
		fail(at, "the constant %s has no value: the configuration has to give it one", b.name)
	case local:
		if len(args) > 0 {
			return c.callLocal(b, args, at, v)
		}
		return localNode(b.slot)
	case lazy:
		return c.lazyNode(b, v)
	case argument:
		return c.argument(b, args, at, v)
	case native:
		return c.native(b.native, args, at, v)
	case definition:
		return c.definition(b, args, at, v)
	}
	fail(at, "%s is an instance of a module, not a value", b.name)
	return node{}
}

func (c *compiler) noArguments(b *binding, args []syntax.Expr, at syntax.Position) {
	if len(args) > 0 {
		fail(at, "%s takes no arguments", b.name)
	}
}

func (c *compiler) variable(b *binding, at syntax.Position, v env) node {
	slot, place, name := b.slot, c.at(at), b.name
	if v.primed {
		n := node{eval: func(f *frame) value.Value {
			if !f.given(slot) {
				if f.lenient {
					panic(undetermined{})
				}
				f.place = place
				value.Fail("%s' has no value yet here", name)
			}
			return f.nextValue(slot)
		}, cost: 1}
		n.next, n.then, n.plain = true, []int{slot}, true
		return n
	}
	n := node{eval: func(f *frame) value.Value {
		if r := f.now[slot]; !r.IsNone() {
			return r
		}
		if !f.known {
			f.place = place
			value.Fail("%s has no value yet here", name)
		}
		return f.value(slot)
	}}
	n.now, n.whole, n.plain = []int{slot}, []int{slot}, true
	return n
}

// argument compiles what was handed on under a name: in the place where it was written.
func (c *compiler) argument(b *binding, args []syntax.Expr, at syntax.Position, v env) node {
	inner := b.env
	inner.primed, inner.routine, inner.init = inner.primed || v.primed, v.routine, v.init
	if b.arity == 0 && len(args) == 0 {
		n := c.expr(b.body, inner)
		if v.primed && c.isAbstract(b) {
			n.eval, n.of, n.plain = b.become(n.eval), nil, false
		}
		return n
	}
	return c.applyOperator(b.body, inner, args, v, at)
}

// applyOperator compiles an operator that was handed on, a name or a LAMBDA, applied to arguments.
func (c *compiler) applyOperator(op syntax.Expr, opEnv env, args []syntax.Expr, v env, at syntax.Position) node {
	switch op := op.(type) {
	case *syntax.Parentheses:
		return c.applyOperator(op.Body, opEnv, args, v, at)
	case *syntax.Ident:
		b := opEnv.scope.find(op.Name)
		if b == nil && builtin(op.Name) {
			return c.expr(&syntax.Apply{At: op.At, Name: op.Name, Args: args, Infix: true}, v)
		}
		if b == nil && (op.Name == "/\\" || op.Name == "\\/") {
			return c.expr(&syntax.Junction{At: op.At, Or: op.Name == "\\/", Items: args}, v)
		}
		if b == nil {
			fail(op.Place, "%s is not declared or defined", op.Name)
		}
		if b.kind == argument {
			inner := b.env
			inner.primed, inner.routine, inner.init = inner.primed || opEnv.primed, opEnv.routine, opEnv.init
			return c.applyOperator(b.body, inner, args, v, at)
		}
		used := v
		used.primed = v.primed || opEnv.primed
		return c.use(b, args, at, used)
	case *syntax.Qualified:
		b := c.resolve(op, opEnv)
		return c.use(b, args, at, v)
	case *syntax.Lambda:
		b := &binding{kind: definition, name: "LAMBDA", at: op.Place, params: op.Params, body: op.Body, env: opEnv}
		return c.definition(b, args, at, v)
	}
	fail(at, "an operator is expected here")
	return node{}
}

// definition compiles a definition applied to arguments: written out in its place, or called.
func (c *compiler) definition(b *binding, args []syntax.Expr, at syntax.Position, v env) node {
	if len(args) != len(b.params) {
		fail(at, "%s takes %d arguments, not %d", b.name, len(b.params), len(args))
	}
	if b.body == nil {
		fail(at, "%s is announced by RECURSIVE and not defined", b.name)
	}
	if b.recursive || c.inlined > largest && len(args) > 0 {
		return c.call(b, args, at, v)
	}
	c.inlined++
	inner := b.env
	inner.primed, inner.routine, inner.init = inner.primed || v.primed, v.routine, v.init
	if len(args) == 0 {
		return c.shared(b, inner)
	}
	inner, slots := c.arguments(b, args, inner, v)
	n := clearing(slots, c.expr(b.body, inner))
	if t := c.pure(b, n, v); t != nil {
		return c.byArguments(t, args, n, v)
	}
	return n
}

// shared compiles a definition without arguments once, if it stands outside of anything that is local: with
// locals of its own.
func (c *compiler) shared(b *binding, v env) node {
	if v.init || b.env.routine != nil {
		return c.expr(b.body, v)
	}
	if n, ok := b.cached[v.primed]; ok {
		return n
	}
	v.routine = c.routine()
	n := c.expr(b.body, v)
	if v.routine.count > 0 && n.fixed.IsNone() {
		n.eval, n.of = own(n.eval, v.routine), nil
	}
	if b.cached == nil {
		b.cached, b.one = map[bool]node{}, new(byOne)
	}
	n = c.memoIn(n, b.one)
	b.cached[v.primed] = n
	return n
}

// own evaluates with locals of its own.
func own(eval func(*frame) value.Value, r *routine) func(*frame) value.Value {
	return func(f *frame) value.Value {
		size := r.count
		saved := f.enter(0, size, 0)
		v := eval(f)
		f.leave(saved, size, 0)
		return v
	}
}

// arguments binds the parameters of b. Constants are their values; what costs nothing stands as it
// was written; the rest is found once, in the slots that are returned.
func (c *compiler) arguments(b *binding, args []syntax.Expr, inner, v env) (env, []int) {
	var slots []int
	for i, p := range b.params {
		arg := &binding{kind: argument, name: p.Text, at: p.At, body: args[i], env: v, arity: p.Arity}
		if p.Arity == 0 && !v.primed {
			if n, ok := c.tryArgument(args[i], v); ok {
				if fixedValue, ok := c.valueOf(n); ok {
					arg = &binding{kind: given, name: p.Text, at: p.At, value: fixedValue}
				} else if n.cost > 1 && !v.init && !n.next && !n.impure && !c.primes(args[i], v.scope) {
					slots = append(slots, c.keep(arg, v.routine))
				}
			}
		}
		inner = inner.bind(p.Text, arg)
	}
	return inner, slots
}

// tryArgument compiles an argument to see what it is. Instances of temporal formulas and operators
// that are handed on as arguments have no value, and are left to where they are used.
func (c *compiler) tryArgument(e syntax.Expr, v env) (n node, ok bool) {
	switch e.(type) {
	case *syntax.Lambda, *syntax.Fairness, *syntax.Box:
		return n, false
	}
	places, inlined, depth := len(c.program.places), c.inlined, c.depth
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(*syntax.Error); !is {
				panic(r)
			}
			c.program.places, c.inlined, c.depth = c.program.places[:places], inlined, depth
			n, ok = node{}, false
		}
	}()
	return c.expr(e, v), true
}

// called is an operator that is called with values: one that is recursive, or too large to be written out.
type called struct {
	body   func(*frame) value.Value
	reads  reads
	params []int
	shared int
	height int
	r      *routine
	// closed is true if the value depends on the arguments and nothing else; table is then where results are kept.
	closed bool
	table  int
}

// call compiles a call of an operator whose body is compiled once.
func (c *compiler) call(b *binding, args []syntax.Expr, at syntax.Position, v env) node {
	target := c.callee(b, v)
	n := node{cost: recursive}
	values := make([]func(*frame) value.Value, len(args))
	for i, a := range args {
		var part node
		if b.params[i].Arity > 0 {
			part = c.handedOn(a, b.params[i].Arity, v)
		} else {
			part = c.expr(a, v)
		}
		values[i] = part.eval
		n.add(part.reads)
		n.height = max(n.height, 1+part.height)
	}
	if target.body == nil {
		n.add(reads{open: []*called{target}})
	}
	n.add(target.reads)
	place := c.at(at)
	n.eval = func(f *frame) value.Value {
		var room [8]value.Value
		given := room[:0]
		for _, arg := range values {
			given = append(given, arg(f))
		}
		f.place = place
		return target.find(f, given)
	}
	return n
}

func (t *called) run(f *frame, args []value.Value) value.Value {
	size := t.r.count
	f.tick()
	saved := f.enter(t.shared, size, t.height)
	for i, s := range t.params {
		f.locals[s] = args[i]
	}
	v := t.body(f)
	f.leave(saved, size, t.height)
	return v
}

// callee compiles the body of an operator that is called.
func (c *compiler) callee(b *binding, v env) *called {
	if b.calls == nil {
		b.calls = map[bool]*called{}
	}
	if t := b.calls[v.primed]; t != nil {
		return t
	}
	shared := 0
	if b.env.routine != nil {
		shared = b.env.routine.count
	}
	t := &called{shared: shared, r: &routine{count: shared, c: c}}
	b.calls[v.primed] = t
	inner := b.env
	inner.primed, inner.routine = inner.primed || v.primed, t.r
	for _, p := range b.params {
		var slot int
		inner, slot = inner.local(p.Text)
		t.params = append(t.params, slot)
	}
	n := c.expr(b.body, inner)
	t.body, t.height = n.eval, n.height
	t.reads = n.without(t.params...)
	t.reads.locals = below(t.reads.locals, shared)
	t.reads.open = slices.DeleteFunc(slices.Clone(t.reads.open), func(o *called) bool { return o == t })
	if t.reads.constant() && len(b.params) > 0 && len(b.params) <= len(key{}) && !slices.ContainsFunc(b.params, func(p syntax.Parameter) bool { return p.Arity > 0 }) {
		t.closed, t.table = true, c.table(n.cost)
	}
	return t
}

func below(slots []int, limit int) []int {
	for i, s := range slots {
		if s >= limit {
			return slots[:i]
		}
	}
	return slots
}

// handedOn compiles an operator that is an argument: to a value that holds a library.Call.
func (c *compiler) handedOn(e syntax.Expr, arity int, v env) node {
	if id, ok := e.(*syntax.Ident); ok {
		if b := v.scope.find(id.Name); b != nil && b.kind == local {
			return localNode(b.slot)
		}
	}
	inner := v
	args := make([]syntax.Expr, arity)
	slots := make([]int, arity)
	for i := range args {
		name := "argument " + strconv.Itoa(i+1)
		inner, slots[i] = inner.local(name)
		args[i] = &syntax.Ident{At: syntax.At{Place: e.Position()}, Name: name}
	}
	body := c.applyOperator(e, v, args, inner, e.Position())
	result := node{cost: 5 + body.cost, height: 1 + body.height}
	result.reads = body.without(slots...)
	// It is called while the operator that takes it is computed, never later: its locals are still there.
	result.eval = func(f *frame) value.Value {
		locals := f.locals
		return value.OfOperator(library.Call(func(args ...value.Value) value.Value {
			var room [4]value.Value
			outer := f.locals
			f.locals = locals
			saved := append(room[:0], args...)
			for i, s := range slots {
				saved[i], locals[s] = locals[s], args[i]
			}
			r := body.eval(f)
			for i, s := range slots {
				locals[s] = saved[i]
			}
			f.locals = outer
			return r
		}))
	}
	return result
}

// callLocal compiles a call of an operator that came as an argument.
func (c *compiler) callLocal(b *binding, args []syntax.Expr, at syntax.Position, v env) node {
	parts := c.exprs(args, v)
	slot, place := b.slot, c.at(at)
	n := made(func(f *frame) value.Value {
		given := make([]value.Value, len(parts))
		for i, p := range parts {
			given[i] = p.eval(f)
		}
		f.place = place
		return f.locals[slot].Operator().(library.Call)(given...)
	}, 20, parts...)
	n.locals = merge(n.locals, []int{slot})
	n.impure = true
	return n
}

// native compiles an operator of the library.
func (c *compiler) native(o *library.Operator, args []syntax.Expr, at syntax.Position, v env) node {
	if len(args) != o.Arity {
		fail(at, "%s takes %d arguments, not %d", o.Name, o.Arity, len(args))
	}
	parts := make([]node, len(args))
	for i, a := range args {
		if arity := o.Takes[i]; arity > 0 {
			parts[i] = c.handedOn(a, arity, v)
		} else {
			parts[i] = c.expr(a, v)
		}
	}
	place := c.at(at)
	var n node
	switch {
	case o.Two != nil:
		two, a, b := o.Two, parts[0].eval, parts[1].eval
		n = made(func(f *frame) value.Value {
			x := a(f)
			y := b(f)
			f.place = place
			return two(x, y)
		}, 2, parts...)
		n.of = &operation{operands: parts, make: func(f *frame, values []value.Value) value.Value {
			f.place = place
			return two(values[0], values[1])
		}}
	case o.One != nil:
		one, a := o.One, parts[0].eval
		n = made(func(f *frame) value.Value {
			x := a(f)
			f.place = place
			return one(x)
		}, 3, parts...)
		n.of = &operation{operands: parts, make: func(f *frame, values []value.Value) value.Value {
			f.place = place
			return one(values[0])
		}}
	default:
		apply := o.Apply
		n = made(func(f *frame) value.Value {
			given := make([]value.Value, len(parts))
			for i := range parts {
				given[i] = parts[i].eval(f)
			}
			f.place = place
			return apply(f, given)
		}, 4, parts...)
	}
	n.impure = n.impure || o.Impure
	return n
}

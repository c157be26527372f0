package program

import (
	"slices"

	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// collection compiles sets, functions, tuples and records.
func (c *compiler) collection(e syntax.Expr, v env) node {
	switch e := e.(type) {
	case *syntax.Set:
		return c.items(e.Items, v, value.OfSet)
	case *syntax.Tuple:
		n := c.items(e.Items, v, value.OfTuple)
		if n.of != nil {
			n.of.join = joined(n.of.operands, func(s *value.Store, ids []statespace.ID) (statespace.ID, bool) { return s.Tuple(ids), true })
		}
		return n
	case *syntax.Product:
		return c.items(e.Sets, v, value.Product)
	case *syntax.Filter:
		return c.filter(e, v)
	case *syntax.Image:
		bounds, inner := c.bounds(e.Bounds, v)
		body := c.expr(e.Body, inner)
		loops := c.loops(bounds, e.Bounds, nil)
		return boundNode(func(f *frame) value.Value {
			var items []value.Value
			over(f, loops, func(f *frame) bool {
				items = append(items, body.eval(f))
				return true
			})
			return value.OfSet(items)
		}, bounds, body)
	case *syntax.Function:
		return c.function(e, v)
	case *syntax.Functions:
		domain, rng := c.expr(e.Domain, v), c.expr(e.Range, v)
		at := c.at(e.Place)
		return made(func(f *frame) value.Value {
			d, r := domain.eval(f), rng.eval(f)
			f.place = at
			return value.Functions(d, r)
		}, 2, domain, rng)
	case *syntax.Record:
		fields, exprs := fieldsOf(e.Fields)
		shape := value.NewShape(fields)
		parts := c.exprs(exprs, v)
		n := made(func(f *frame) value.Value {
			items := make([]value.Value, len(parts))
			for i := range parts {
				items[shape.Place(i)] = parts[i].eval(f)
			}
			return shape.Record(items)
		}, 4, parts...)
		n.of = &operation{operands: parts, make: func(_ *frame, values []value.Value) value.Value {
			items := make([]value.Value, len(values))
			for i, v := range values {
				items[shape.Place(i)] = v
			}
			return shape.Record(items)
		}, join: joined(parts, func(s *value.Store, ids []statespace.ID) (statespace.ID, bool) {
			var room [mostOperands]statespace.ID
			for i, id := range ids {
				room[shape.Place(i)] = id
			}
			return s.Record(shape, room[:len(ids)]), true
		})}
		return n
	case *syntax.Records:
		fields, exprs := fieldsOf(e.Fields)
		parts := c.exprs(exprs, v)
		at := c.at(e.Place)
		return made(func(f *frame) value.Value {
			sets := make([]value.Value, len(parts))
			for i := range parts {
				sets[i] = parts[i].eval(f)
			}
			f.place = at
			return value.Records(fields, sets)
		}, 4, parts...)
	case *syntax.Index:
		return c.index(e, v)
	case *syntax.Dot:
		return c.dot(e, v)
	case *syntax.Except:
		return c.except(e, v)
	}
	fail(e.Position(), "this has no value")
	return node{}
}

func fieldsOf(fields []syntax.Field) (names []string, values []syntax.Expr) {
	for i, f := range fields {
		if slices.Contains(names, f.Name.Text) {
			fail(f.Name.At, "the field %s is there twice", f.Name.Text)
		}
		names, values = append(names, fields[i].Name.Text), append(values, f.Value)
	}
	return names, values
}

func (c *compiler) items(exprs []syntax.Expr, v env, of func([]value.Value) value.Value) node {
	parts := c.exprs(exprs, v)
	if len(exprs) == 0 {
		return fixed(of(nil))
	}
	at := c.at(exprs[0].Position())
	n := made(func(f *frame) value.Value {
		items := make([]value.Value, len(parts))
		for i := range parts {
			items[i] = parts[i].eval(f)
		}
		f.place = at
		return of(items)
	}, 4, parts...)
	n.of = &operation{operands: parts, make: func(f *frame, values []value.Value) value.Value {
		f.place = at
		return of(slices.Clone(values))
	}}
	return n
}

func (c *compiler) filter(e *syntax.Filter, v env) node {
	bounds, inner := c.bounds([]syntax.Bound{e.Bound}, v)
	first, rest := c.first(e.Body, inner, slotsOf(bounds))
	narrow(bounds, first)
	body, rests := c.truth(rest, inner, "the condition of a set")
	holds := func(f *frame) bool {
		for i := range first {
			if !first[i].holds(f) {
				return false
			}
		}
		return rests(f)
	}
	at := c.at(e.Place)
	b := bounds[0]
	var known *value.Truths
	if !b.tuple {
		known = excluded(first, b.slots[0])
	}
	put := func(f *frame, m value.Value) {
		if !b.tuple {
			f.locals[b.slots[0]] = m
			return
		}
		f.name(b.slots, m)
	}
	return boundNode(func(f *frame) value.Value {
		set := b.set.eval(f)
		f.place = at
		if value.IsSymbolic(set) && value.Infinite(set) {
			g := f.fork()
			return value.Choice(set, func(m value.Value) bool {
				h := g.fork()
				put(h, m)
				return holds(h)
			})
		}
		return value.Choice(set, func(m value.Value) bool {
			if f.excludes(known, m) {
				return false
			}
			f.tick()
			put(f, m)
			return holds(f)
		})
	}, bounds, body)
}

// eager bounds the domains whose functions are listed at once.
const eager = 1 << 12

// function compiles [x \in S |-> e] and f[x \in S] == e.
func (c *compiler) function(e *syntax.Function, v env) node {
	self := -1
	inner := v
	if e.Recursive != "" && mentionsName(e.Body, e.Recursive) {
		inner, self = inner.local(e.Recursive)
	}
	var sets []node
	for _, b := range e.Bounds {
		sets = append(sets, c.expr(b.Set, v))
	}
	bounds, inner := c.bounds(e.Bounds, inner)
	body := c.expr(e.Body, inner)
	single := len(bounds) == 1 && len(bounds[0].slots) == 1 && !bounds[0].tuple
	put := argumentsInto(bounds, single)
	domain := domainOf(sets, bounds)
	at := c.at(e.Place)
	n := boundNode(func(f *frame) value.Value {
		d := domain(f)
		f.place = at
		if self < 0 && (!value.IsSymbolic(d) || !value.Infinite(d) && value.Size(d) <= eager) {
			members := d.Members()
			items := make([]value.Value, len(members))
			for i, m := range members {
				f.tick()
				put(f, m)
				items[i] = body.eval(f)
			}
			return value.OfFunction(d, items)
		}
		g := f.fork()
		rule := value.OfRule(d, func(arg value.Value) value.Value {
			g.p.poll()
			h := g.fork()
			calls := int(g.calls.Add(1))
			defer g.calls.Add(-1)
			h.deeper(calls * (8 + body.height))
			put(h, arg)
			return body.eval(h)
		})
		if self >= 0 {
			g.locals[self] = rule
		}
		return rule
	}, bounds, body)
	if self >= 0 {
		n.reads, n.cost = n.without(self), n.cost+recursive
	}
	return n
}

// mentionsName tells whether an expression has a name in it.
func mentionsName(e syntax.Expr, name string) bool {
	found := false
	syntax.Walk(e, func(e syntax.Expr) bool {
		id, ok := e.(*syntax.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// argumentsInto returns what binds the names of a function to an argument.
func argumentsInto(bounds []bound, single bool) func(*frame, value.Value) {
	if single {
		slot := bounds[0].slots[0]
		return func(f *frame, m value.Value) { f.locals[slot] = m }
	}
	one := len(bounds) == 1 && bounds[0].tuple
	return func(f *frame, m value.Value) {
		if one {
			f.name(bounds[0].slots, m)
			return
		}
		items := m.Sequence("the argument of a function of several")
		n := 0
		for _, b := range bounds {
			if b.tuple {
				f.name(b.slots, items[n])
				n++
				continue
			}
			for _, s := range b.slots {
				f.locals[s] = items[n]
				n++
			}
		}
	}
}

// domainOf returns what a function is on: a set, or the product of several.
func domainOf(sets []node, bounds []bound) func(*frame) value.Value {
	if len(bounds) == 1 && (bounds[0].tuple || len(bounds[0].slots) == 1) {
		return sets[0].eval
	}
	return func(f *frame) value.Value {
		var sides []value.Value
		for i, b := range bounds {
			s := sets[i].eval(f)
			if b.tuple {
				sides = append(sides, s)
				continue
			}
			for range b.slots {
				sides = append(sides, s)
			}
		}
		return value.Product(sides)
	}
}

func (c *compiler) index(e *syntax.Index, v env) node {
	function, arg := c.expr(e.Function, v), c.indexArgument(e.Args, v)
	at := c.at(e.Place)
	fn, a := function.eval, arg.eval
	return made(func(f *frame) value.Value {
		g, x := fn(f), a(f)
		f.place = at
		r, ok := value.At(g, x)
		if !ok {
			value.Fail("%s is applied to %s, which is not in its domain", value.Describe(g), value.Describe(x))
		}
		return r
	}, 2, function, arg)
}

// indexArgument is f[a], and f[a, b] is f[<<a, b>>].
func (c *compiler) indexArgument(args []syntax.Expr, v env) node {
	if len(args) == 1 {
		return c.expr(args[0], v)
	}
	return c.expr(&syntax.Tuple{At: syntax.At{Place: args[0].Position()}, Items: args}, v)
}

func (c *compiler) dot(e *syntax.Dot, v env) node {
	record, field, at := c.expr(e.Record, v), value.OfString(e.Field), c.at(e.Place)
	eval := record.eval
	return made(func(f *frame) value.Value {
		r := eval(f)
		f.place = at
		x, ok := value.Field(r, field)
		if !ok {
			value.Fail("%s has no field %s", value.Describe(r), e.Field)
		}
		return x
	}, 2, record)
}

// update is one change of an EXCEPT, compiled.
type update struct {
	path  []func(*frame) value.Value
	value func(*frame) value.Value
	node  node
	old   int
	at    int32
}

func (c *compiler) except(e *syntax.Except, v env) node {
	function := c.expr(e.Function, v)
	parts := []node{function}
	updates := make([]update, len(e.Updates))
	var slots []int
	for i, u := range e.Updates {
		updates[i].at = c.at(u.At)
		for _, s := range u.Path {
			step := fixed(value.OfString(s.Field))
			if s.Field == "" {
				step = c.indexArgument(s.Args, v)
			}
			updates[i].path = append(updates[i].path, step.eval)
			parts = append(parts, step)
		}
		inner := v
		inner.old = v.routine.slot()
		slots = append(slots, inner.old)
		n := c.expr(u.Value, inner)
		parts = append(parts, n)
		updates[i].value, updates[i].node, updates[i].old = n.eval, n, inner.old
	}
	n := made(func(f *frame) value.Value {
		r := function.eval(f)
		for i := range updates {
			r = updates[i].change(f, r, 0)
		}
		return r
	}, 6, parts...)
	n.reads = n.without(slots...)
	n.of = &operation{operands: []node{n}, join: func(i identifier) identify { return i.except(function, updates) }}
	return n
}

// except finds the id of [f EXCEPT ...] from that of f.
func (i identifier) except(function node, updates []update) identify {
	known := identifier{i.c, (*value.Store).Known}
	of, values := known.of(function), make([]identify, len(updates))
	for at := range updates {
		values[at] = known.of(updates[at].node)
	}
	return func(f *frame) (statespace.ID, bool) {
		id, ok := of(f)
		for at := range updates {
			if !ok {
				return 0, false
			}
			id, ok = updates[at].identify(f, id, 0, values[at])
		}
		return id, ok
	}
}

// identify is change for ids.
func (u *update) identify(f *frame, of statespace.ID, i int, is identify) (statespace.ID, bool) {
	store := f.p.store
	g := store.Value(of)
	if i == len(u.path) {
		f.locals[u.old] = g
		return is(f)
	}
	arg := u.path[i](f)
	f.place = u.at
	at, ok := value.Place(g, arg)
	if !ok {
		return of, g.IsFunction()
	}
	old, ok := store.Known(g.Items()[at])
	if !ok {
		return 0, false
	}
	if is, ok := u.identify(f, old, i+1, is); ok {
		return store.With(of, at, is), true
	}
	return 0, false
}

func (u *update) change(f *frame, g value.Value, i int) value.Value {
	if i == len(u.path) {
		f.locals[u.old] = g
		return u.value(f)
	}
	arg := u.path[i](f)
	f.place = u.at
	old, ok := value.At(g, arg)
	if !ok {
		return g
	}
	v := u.change(f, old, i+1)
	f.place = u.at
	return value.With(g, arg, v)
}

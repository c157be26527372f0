package program

import (
	"slices"
	"strconv"

	"github.com/seatrial/seatrial/spec/config"
	"github.com/seatrial/seatrial/spec/library"
	"github.com/seatrial/seatrial/spec/resolver"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// compiler makes closures of expressions.
type compiler struct {
	program *Program
	modules *resolver.Modules
	config  *config.Config
	// root are the names of the specification's own module.
	root *scope
	// overridden are the modules for which the configuration's own definitions have been put in place.
	overridden map[string]bool
	// replaced are the definitions that the configuration replaces, by where they stand: what else instances of
	// their modules define mentions what they are replaced by.
	replaced    map[syntax.Position]*binding
	natives     map[*library.Operator]*binding
	assumptions []*binding
	inlined     int
	// costs are those of the expressions whose results frames keep in tables.
	costs []int
	// most is how many locals any routine has.
	most  int
	depth int
	// nodes counts the expressions that have been compiled, unrolled those of quantifiers that are written out.
	nodes, unrolled int
	// large are the quantifiers that are too large for it.
	large map[*syntax.Quantifier]bool
	// counting is true where steps are compiled, of which it counts in how many ways they are possible.
	counting bool
	// acting are the reads of the action that is being compiled, nil if none is; within counts the expressions around
	// what is compiled.
	acting *reads
	within int
}

// env is where an expression stands.
type env struct {
	scope *scope
	// primed is true within a ': variables are those of the next state.
	primed bool
	// init is true where initial states are being found: variables have no value before they are given one.
	init    bool
	routine *routine
	// old is the slot of @, -1 outside of EXCEPT.
	old int
}

// routine is what has slots for locals: the whole of what is run at top level, or an operator that is called.
type routine struct {
	count int
	c     *compiler
}

func (c *compiler) routine() *routine { return &routine{c: c} }

func (r *routine) slot() int {
	r.count++
	r.c.most = max(r.c.most, r.count)
	return r.count - 1
}

func (e env) bind(name string, b *binding) env {
	e.scope = e.scope.with(name, b)
	return e
}

// local binds a name to a new slot.
func (e env) local(name string) (env, int) {
	slot := e.routine.slot()
	return e.bind(name, &binding{kind: local, name: name, slot: slot}), slot
}

// expr compiles an expression that has a value.
func (c *compiler) expr(e syntax.Expr, v env) node {
	if c.depth++; c.depth > 5000 {
		fail(e.Position(), "definitions and expressions are nested too deeply here")
	}
	c.within++
	defer func() { c.depth, c.within = c.depth-1, c.within-1 }()
	c.nodes++
	n := once(c.compile(e, v))
	if c.within == 1 {
		c.noted(n.reads)
	}
	return n
}

func (c *compiler) exprs(all []syntax.Expr, v env) []node {
	nodes := make([]node, len(all))
	for i, e := range all {
		nodes[i] = c.expr(e, v)
	}
	return nodes
}

func (c *compiler) compile(e syntax.Expr, v env) node {
	switch e := e.(type) {
	case *syntax.Number:
		n, err := strconv.ParseInt(e.Text, 10, 64)
		if err != nil {
			fail(e.Place, "%s is too large for a number of 64 bits", e.Text)
		}
		return fixed(value.OfInt(n))
	case *syntax.String:
		return fixed(value.OfString(e.Text))
	case *syntax.Boolean:
		return fixed(value.OfBool(e.Value))
	case *syntax.Parentheses:
		return c.compile(e.Body, v)
	case *syntax.Ident:
		return c.name(e.Name, nil, e.Place, v)
	case *syntax.Apply:
		return c.apply(e, v)
	case *syntax.Qualified:
		return c.qualified(e, v)
	case *syntax.Old:
		if v.old < 0 {
			fail(e.Place, "@ stands outside of EXCEPT")
		}
		return localNode(v.old)
	case *syntax.Junction:
		return c.junction(e, v)
	case *syntax.Quantifier:
		return c.quantifier(e, v)
	case *syntax.Choose:
		return c.choose(e, v)
	case *syntax.If:
		return c.conditional(e, v)
	case *syntax.Case:
		return c.cases(e, v)
	case *syntax.Let:
		inner, slots := c.let(e, v)
		body := c.expr(e.Body, inner)
		return clearing(slots, body)
	case *syntax.Box:
		return c.box(e, v)
	case *syntax.Lambda:
		fail(e.Place, "LAMBDA stands where a value is expected")
	case *syntax.Fairness:
		fail(e.Place, "a temporal formula stands where a value is expected")
	}
	return c.collection(e, v)
}

func localNode(slot int) node {
	n := node{eval: func(f *frame) value.Value { return f.locals[slot] }}
	n.locals = []int{slot}
	return n
}

// clearing forgets, before n is evaluated, what the definitions of its LET were.
func clearing(slots []int, n node) node {
	if len(slots) == 0 {
		return n
	}
	eval := n.eval
	cleared := n
	cleared.fixed = value.Value{}
	cleared.reads = n.without(slots...)
	if n.of != nil {
		of := *n.of
		of.clear = slices.Concat(slots, of.clear)
		cleared.of = &of
	}
	cleared.eval = func(f *frame) value.Value {
		for _, s := range slots {
			f.locals[s] = value.Value{}
		}
		return eval(f)
	}
	return cleared
}

// let binds the definitions of a LET. The slots are where values are kept that are found once.
func (c *compiler) let(e *syntax.Let, v env) (env, []int) {
	inner := v
	inner.scope = &scope{outer: v.scope, names: map[string]*binding{}}
	c.units(nil, inner.scope, e.Units, inner)
	var slots []int
	for _, u := range e.Units {
		d, ok := u.(*syntax.Definition)
		if !ok || len(d.Params) > 0 || v.init {
			continue
		}
		b := inner.scope.names[d.Name]
		if b.recursive || c.primes(d.Body, inner.scope) {
			continue
		}
		slots = append(slots, c.keep(b, v.routine))
	}
	return inner, slots
}

// keep makes a binding find its value once, in a slot, which is returned.
func (c *compiler) keep(b *binding, r *routine) int {
	b.kind, b.slot = lazy, r.slot()
	return b.slot
}

// lazyNode is a name whose value is found where it is first asked for.
func (c *compiler) lazyNode(b *binding, v env) node {
	inner := b.env
	inner.primed, inner.routine, inner.init = inner.primed || v.primed, v.routine, v.init
	if v.primed != b.env.primed {
		return c.expr(b.body, inner)
	}
	if b.lazy.eval == nil || b.lazyIn != v.routine {
		n := c.expr(b.body, inner)
		slot := b.slot
		b.lazy, b.lazyIn = n, v.routine
		if n.fixed.IsNone() && n.cost > 0 && !n.constant() {
			eval := n.eval
			b.lazy.eval = func(f *frame) value.Value {
				if v := f.locals[slot]; !v.IsNone() {
					return v
				}
				v := eval(f)
				f.locals[slot] = v
				return v
			}
			// It costs something where it stands first.
			first := b.lazy
			first.of, b.lazy.cost, b.lazy.of = nil, 1, nil
			return first
		}
	}
	return b.lazy
}

func (c *compiler) junction(e *syntax.Junction, v env) node {
	parts := c.exprs(e.Items, v)
	for i := range parts {
		if len(parts[i].now) <= 1 && len(parts[i].locals) == 0 {
			parts[i] = c.memo(parts[i])
		}
	}
	evals := make([]func(*frame) value.Value, len(parts))
	for i, p := range parts {
		evals[i] = p.eval
	}
	at := c.at(e.Place)
	where := "a part of a conjunction"
	if e.Or {
		where = "a part of a disjunction"
	}
	end := value.OfBool(e.Or)
	return made(func(f *frame) value.Value {
		for _, eval := range evals {
			if r := eval(f); r == end {
				return end
			} else if r.Kind() != value.Bool {
				f.place = at
				r.Bool(where)
			}
		}
		return value.OfBool(!e.Or)
	}, 1, parts...)
}

// truth compiles a condition.
func (c *compiler) truth(e syntax.Expr, v env, where string) (node, func(*frame) bool) {
	n := c.expr(e, v)
	at := c.at(e.Position())
	eval := n.eval
	return n, func(f *frame) bool {
		r := eval(f)
		if r == value.True {
			return true
		}
		if r != value.False {
			f.place = at
			r.Bool(where)
		}
		return false
	}
}

func (c *compiler) conditional(e *syntax.If, v env) node {
	test, holds := c.truth(e.Test, v, "the condition of IF")
	if t, ok := c.valueOf(test); ok && t.Kind() == value.Bool {
		if t == value.True {
			return c.expr(e.Then, v)
		}
		return c.expr(e.Else, v)
	}
	then, other := c.expr(e.Then, v), c.expr(e.Else, v)
	return made(func(f *frame) value.Value {
		if holds(f) {
			return then.eval(f)
		}
		return other.eval(f)
	}, 1, test, then, other)
}

func (c *compiler) cases(e *syntax.Case, v env) node {
	var parts []node
	tests, values := make([]func(*frame) bool, len(e.Arms)), make([]node, len(e.Arms))
	for i, arm := range e.Arms {
		var test node
		test, tests[i] = c.truth(arm.Test, v, "a condition of CASE")
		values[i] = c.expr(arm.Value, v)
		parts = append(parts, test, values[i])
	}
	var other node
	if e.Other != nil {
		other = c.expr(e.Other, v)
		parts = append(parts, other)
	}
	at := c.at(e.Place)
	return made(func(f *frame) value.Value {
		for i, holds := range tests {
			if holds(f) {
				return values[i].eval(f)
			}
		}
		if other.eval == nil {
			f.place = at
			value.Fail("no condition of this CASE is true, and there is no OTHER")
		}
		return other.eval(f)
	}, 1, parts...)
}

// box is [A]_v or <<A>>_v of a step.
func (c *compiler) box(e *syntax.Box, v env) node {
	action, holds := c.truth(e.Action, v, "an action")
	stays := c.stays(e.Subscript, v)
	if e.Angle {
		return made(func(f *frame) value.Value { return value.OfBool(stays.eval(f) == value.False && holds(f)) }, 2, action, stays)
	}
	return made(func(f *frame) value.Value { return value.OfBool(stays.eval(f) == value.True || holds(f)) }, 2, action, stays)
}

// bound is names that range over a set, compiled.
type bound struct {
	set   node
	slots []int
	tuple bool
	// size is how many members the set has, 1 if that is not known: only what going through them costs depends on it.
	size int
}

// without is an expression that has no value if it is asked for.
func (c *compiler) without(at syntax.Position, problem string) node {
	place := c.at(at)
	return node{cost: 1, eval: func(f *frame) value.Value {
		f.place = place
		value.Fail("%s", problem)
		return value.Value{}
	}}
}

// bounds compiles bounds, and returns where their names are bound.
func (c *compiler) bounds(all []syntax.Bound, v env) ([]bound, env) {
	inner := v
	compiled := make([]bound, len(all))
	for i, b := range all {
		if b.Set == nil {
			fail(b.Names[0].At, "%s ranges over no set: only bounded quantifiers can be evaluated", b.Names[0].Text)
		}
		compiled[i] = bound{set: c.expr(b.Set, v), tuple: b.Tuple, size: 1}
		if set := compiled[i].set; set.cost < much {
			if is, ok := c.valueOf(set); ok {
				compiled[i].size = max(1, value.KnownSize(is))
			}
		}
		for _, n := range b.Names {
			var slot int
			inner, slot = inner.local(n.Text)
			compiled[i].slots = append(compiled[i].slots, slot)
		}
	}
	return compiled, inner
}

// boundNode is a node of a body under bounds.
func boundNode(eval func(*frame) value.Value, bounds []bound, body node) node {
	n := made(eval, 4, body)
	for _, b := range bounds {
		n.reads = n.without(b.slots...)
	}
	rows := 1
	for _, b := range bounds {
		n.add(b.set.reads)
		n.cost += b.set.cost
		for range b.slots {
			rows = min(rows*b.size, mostRows)
		}
	}
	n.cost += 8 + (rows-1)*body.cost
	n.height += 4
	return n
}

// loop calls do with all values of the names from a place in the flattened list of them on, until it
// returns false.
type loop struct {
	set   func(*frame) value.Value
	at    int32
	slots []int
	tuple bool
	// first is what values have to satisfy: the others are passed over.
	first []asks
	// excluded is what is known of that.
	excluded *value.Truths
}

// name puts the items of a sequence where the names of a tuple of names are.
func (f *frame) name(slots []int, v value.Value) {
	items := v.Sequence("what a tuple of names ranges over")
	if len(items) != len(slots) {
		value.Fail("%s has not the %d parts that are named", value.Describe(v), len(slots))
	}
	for i, s := range slots {
		f.locals[s] = items[i]
	}
}

func (c *compiler) loops(bounds []bound, all []syntax.Bound, first []asks) []loop {
	var loops []loop
	for i, b := range bounds {
		at := c.at(all[i].Names[0].At)
		if b.tuple {
			loops = append(loops, loop{set: b.set.eval, at: at, slots: b.slots, tuple: true})
			continue
		}
		for _, s := range b.slots {
			loops = append(loops, loop{set: b.set.eval, at: at, slots: []int{s}})
		}
	}
	last := &loops[len(loops)-1]
	if last.first = first; !last.tuple {
		last.excluded = excluded(first, last.slots[0])
	}
	return loops
}

// bind gives the names a member of the set, and returns false if it is passed over.
func (l *loop) bind(f *frame, v value.Value) bool {
	f.tick()
	if l.tuple {
		f.place = l.at
		f.name(l.slots, v)
	} else {
		f.locals[l.slots[0]] = v
	}
	for i := range l.first {
		if !l.first[i].holds(f) {
			return false
		}
	}
	return true
}

// over calls do with all values of the names of some loops, until it returns false; it returns false if it did. What
// do needs is in the frame, so that nothing has to be allocated.
func over(f *frame, loops []loop, do func(*frame) bool) bool {
	if len(loops) == 0 {
		return do(f)
	}
	l, rest := &loops[0], loops[1:]
	set := l.set(f)
	f.place = l.at
	if members, ok := value.Listed(set); ok {
		for _, v := range members {
			if !f.excludes(l.excluded, v) && l.bind(f, v) && !over(f, rest, do) {
				return false
			}
		}
		return true
	}
	return overUnlisted(f, set, l, rest, do)
}

// overUnlisted is over for a set whose members come one by one.
func overUnlisted(f *frame, set value.Value, l *loop, rest []loop, do func(*frame) bool) bool {
	on := true
	value.Each(set, func(v value.Value) bool {
		on = !l.bind(f, v) || over(f, rest, do)
		return on
	})
	return on
}

func (c *compiler) quantifier(e *syntax.Quantifier, v env) node {
	if e.Temporal {
		fail(e.Place, "\\AA and \\EE are not supported")
	}
	for _, b := range e.Bounds {
		if b.Set == nil {
			return c.without(e.Place, "a quantifier without a set cannot be evaluated")
		}
	}
	if n, ok := c.unrolledQuantifier(e, v); ok {
		return n
	}
	bounds, inner := c.bounds(e.Bounds, v)
	first, rest := c.firstOf(e, inner, bounds)
	narrow(bounds, first)
	body, holds := c.truth(rest, inner, "what is quantified")
	loops := c.loops(bounds, e.Bounds, first)
	exists := e.Exists
	goOn := func(f *frame) bool { return holds(f) != exists }
	return boundNode(func(f *frame) value.Value {
		return value.OfBool(over(f, loops, goOn) != exists)
	}, bounds, body)
}

func (c *compiler) choose(e *syntax.Choose, v env) node {
	if e.Bound.Set == nil {
		return c.without(e.Place, "CHOOSE without a set has no value that could be found: the configuration can give the definition it is in one")
	}
	bounds, inner := c.bounds([]syntax.Bound{e.Bound}, v)
	body, holds := c.truth(e.Body, inner, "the condition of CHOOSE")
	loops := c.loops(bounds, []syntax.Bound{e.Bound}, nil)
	slots := bounds[0].slots
	tuple := bounds[0].tuple
	at := c.at(e.Place)
	fitsNot := func(f *frame) bool { return !holds(f) }
	return boundNode(func(f *frame) value.Value {
		if none := over(f, loops, fitsNot); none {
			f.place = at
			value.Fail("CHOOSE finds nothing: no member of the set satisfies the condition")
		}
		if !tuple {
			return f.locals[slots[0]]
		}
		items := make([]value.Value, len(slots))
		for i, s := range slots {
			items[i] = f.locals[s]
		}
		return value.OfTuple(items)
	}, bounds, body)
}

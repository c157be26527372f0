package program

import (
	"strings"

	"github.com/seatrial/seatrial/spec/library"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// step is an action that has been compiled, with what follows it: it finds all values of the variables with
// which it is true, and for each goes on. What it changes in the frame it takes back.
type step func(*frame)

// assigns tells whether an expression can give variables values, and is not just a condition.
func (c *compiler) assigns(e syntax.Expr, v env) bool {
	if !v.init {
		return c.primes(e, v.scope)
	}
	return c.mentions(e, v.scope, map[*binding]bool{})
}

// mentions tells whether an expression mentions a variable.
func (c *compiler) mentions(e syntax.Expr, s *scope, seen map[*binding]bool) bool {
	found := false
	c.visit(e, s, func(e syntax.Expr, s *scope) bool {
		if b := c.mentioned(e, s); !found && b != nil && !seen[b] {
			seen[b] = true
			found = b.kind == variable || b.body != nil && c.mentions(b.body, b.env.scope, seen)
		}
		return !found
	})
	return found
}

// action compiles e as an action with what follows.
func (c *compiler) action(e syntax.Expr, v env, next step) step {
	if c.depth++; c.depth > 5000 {
		fail(e.Position(), "definitions and expressions are nested too deeply here")
	}
	defer func() { c.depth-- }()
	if !c.assigns(e, v) {
		return c.guard(e, v, next)
	}
	switch e := e.(type) {
	case *syntax.Parentheses:
		return c.action(e.Body, v, next)
	case *syntax.Junction:
		if !e.Or {
			for i := len(e.Items) - 1; i >= 0; i-- {
				next = c.action(e.Items[i], v, next)
			}
			return next
		}
		var ways []step
		for _, item := range e.Items {
			ways = append(ways, c.action(item, v, next))
		}
		return func(f *frame) {
			for _, way := range ways {
				if way(f); f.stopped {
					return
				}
			}
		}
	case *syntax.Quantifier:
		if e.Exists {
			return c.some(e, v, next)
		}
		return c.every(e, v, next)
	case *syntax.If:
		return c.either(e, v, next)
	case *syntax.Case:
		return c.caseAction(e, v, next)
	case *syntax.Let:
		inner, slots := c.let(e, v)
		return forgetting(slots, c.action(e.Body, inner, next))
	case *syntax.Box:
		return c.boxAction(e, v, next)
	case *syntax.Apply, *syntax.Ident, *syntax.Qualified:
		return c.useAction(e, v, next)
	}
	return c.guard(e, v, next)
}

// forgetting clears slots of lazily found values, and restores them when it is left.
func forgetting(slots []int, s step) step {
	if len(slots) == 0 {
		return s
	}
	return func(f *frame) {
		for _, slot := range slots {
			f.locals[slot] = value.Value{}
		}
		s(f)
	}
}

// guard is a condition.
func (c *compiler) guard(e syntax.Expr, v env, next step) step {
	if c.counting && c.inSeveralWays(e, v.scope) {
		return c.countedGuard(e, v, next)
	}
	n := c.expr(e, v)
	if !v.init {
		n = c.memo(n)
	}
	if known, ok := c.valueOf(n); ok {
		if known == value.True {
			return next
		}
		if known == value.False {
			return func(*frame) {}
		}
	}
	eval, at := n.eval, c.at(e.Position())
	return func(f *frame) {
		r := f.guarded(eval)
		if r == value.True {
			next(f)
		} else if r != value.False {
			f.place = at
			r.Bool("a part of an action")
		}
	}
}

// target returns the variable that an expression names, if it is one that is to be given a value.
func (c *compiler) target(e syntax.Expr, v env) (slot int, ok bool) {
	primed := v.primed
	for {
		switch t := e.(type) {
		case *syntax.Parentheses:
			e = t.Body
			continue
		case *syntax.Apply:
			if t.Infix && t.Name == "'" && !primed && !v.init {
				e, primed = t.Args[0], true
				continue
			}
		case *syntax.Ident:
			b := v.scope.find(t.Name)
			if b == nil {
				return 0, false
			}
			switch b.kind {
			case variable:
				return b.slot, primed || v.init
			case argument, definition:
				if b.body != nil && len(b.params) == 0 && b.arity == 0 {
					inner := b.env
					inner.init, inner.routine = v.init, v.routine
					primed = primed || inner.primed
					e, v = b.body, inner
					continue
				}
			}
		case *syntax.Qualified:
			b := c.resolve(t, v)
			if b.kind == variable {
				return b.slot, primed || v.init
			}
		}
		return 0, false
	}
}

// useAction is a symbol, or a definition that is written out.
func (c *compiler) useAction(e syntax.Expr, v env, next step) step {
	var b *binding
	var args []syntax.Expr
	switch e := e.(type) {
	case *syntax.Ident:
		b = v.scope.find(e.Name)
	case *syntax.Qualified:
		b = c.resolve(e, v)
		args = e.Args
	case *syntax.Apply:
		if e.Infix && builtin(e.Name) {
			return c.symbolAction(e, v, next)
		}
		b, args = v.scope.find(e.Name), e.Args
	}
	if b == nil {
		fail(e.Position(), "%s is not declared or defined", nameOf(e))
	}
	switch b.kind {
	case definition:
		inner, slots, ok := c.open(b, args, e.Position(), v)
		if !ok {
			return c.recursed(b, e, v, c.guard(e, v, next))
		}
		return forgetting(slots, c.action(b.body, inner, next))
	case argument, lazy:
		inner := b.env
		inner.primed, inner.routine, inner.init = inner.primed || v.primed, v.routine, v.init
		if b.arity == 0 && len(args) == 0 {
			return c.action(b.body, inner, next)
		}
		return c.handedAction(b.body, inner, args, v, next, e)
	}
	return c.guard(e, v, next)
}

// recursed is a definition that calls itself, in an action: it may be a condition on what has been given values. Where
// it would give them it is named as not supported.
func (c *compiler) recursed(b *binding, e syntax.Expr, v env, condition step) step {
	if v.init || !b.recursive {
		return condition
	}
	at, slots := c.at(e.Position()), c.expr(e, v).then
	return func(f *frame) {
		for _, slot := range slots {
			if !f.given(slot) {
				f.place = at
				panic(&library.Refusal{Problem: b.name + " calls itself and says what " + c.program.Variables[slot] + "' is: an action that does is not supported"})
			}
		}
		condition(f)
	}
}

// handedAction is an action that came as an operator.
func (c *compiler) handedAction(op syntax.Expr, opEnv env, args []syntax.Expr, v env, next step, e syntax.Expr) step {
	switch op := op.(type) {
	case *syntax.Ident:
		if b := opEnv.scope.find(op.Name); b != nil && b.kind == definition {
			if inner, slots, ok := c.open(b, args, e.Position(), v); ok {
				return forgetting(slots, c.action(b.body, inner, next))
			}
		}
	case *syntax.Lambda:
		b := &binding{kind: definition, name: "LAMBDA", at: op.Place, params: op.Params, body: op.Body, env: opEnv}
		if inner, slots, ok := c.open(b, args, e.Position(), v); ok {
			return forgetting(slots, c.action(b.body, inner, next))
		}
	}
	return c.guard(e, v, next)
}

// open binds the parameters of a definition that is to be written out.
func (c *compiler) open(b *binding, args []syntax.Expr, at syntax.Position, v env) (env, []int, bool) {
	if len(args) != len(b.params) {
		fail(at, "%s takes %d arguments, not %d", b.name, len(b.params), len(args))
	}
	if b.recursive || b.body == nil {
		return v, nil, false
	}
	if c.inlined++; c.inlined > largest {
		fail(at, "the actions of this specification are too large when %s is written out here", b.name)
	}
	inner := b.env
	inner.primed, inner.routine, inner.init = inner.primed || v.primed, v.routine, v.init
	inner, slots := c.arguments(b, args, inner, v)
	return inner, slots, true
}

func nameOf(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Ident:
		return e.Name
	case *syntax.Apply:
		return e.Name
	case *syntax.Qualified:
		return e.Prefix[len(e.Prefix)-1].Name + "!" + e.Name
	}
	return "this"
}

func (c *compiler) symbolAction(e *syntax.Apply, v env, next step) step {
	switch e.Name {
	case "=":
		for i := range e.Args {
			if slot, ok := c.target(e.Args[i], v); ok {
				return c.assign(e, slot, e.Args[1-i], v, next)
			}
		}
		for i := range e.Args {
			if b := c.abstract(e.Args[i], v); b != nil {
				return c.assume(b, e.Args[1-i], v, c.guard(e, v, next), next)
			}
		}
	case "\\in":
		if slot, ok := c.target(e.Args[0], v); ok {
			return c.assignFrom(e, slot, v, next)
		}
	case "UNCHANGED":
		return c.keepAll(e.Args[0], v, next)
	case "=>":
		if !c.assigns(e.Args[0], v) {
			then := c.action(e.Args[1], v, next)
			_, holds := c.truth(e.Args[0], v, "the left of =>")
			return func(f *frame) {
				if holds(f) {
					then(f)
				} else {
					next(f)
				}
			}
		}
	case "\\cdot":
		return c.composed(e, v, next)
	}
	return c.guard(e, v, next)
}

// assign is x' = e: it gives a value, or compares if there is one.
func (c *compiler) assign(e *syntax.Apply, slot int, rhs syntax.Expr, v env, next step) step {
	var n node
	c.aside(func() { n = c.expr(rhs, v) })
	at := c.at(e.Place)
	member := c.adds(n, slot, v)
	if member == nil {
		c.note(n.reads)
	}
	if v.init {
		eval := n.eval
		return func(f *frame) {
			r := eval(f)
			if old := f.now[slot]; !old.IsNone() {
				f.place = at
				if value.Equal(old, r) {
					next(f)
				}
				return
			}
			f.now[slot] = r
			next(f)
			f.now[slot] = value.Value{}
		}
	}
	if same, ok := c.target(rhs, primedEnv(v)); ok && same == slot && len(n.now) == 1 && !n.next {
		return keep(slot, at, next)
	}
	if id := c.memoID(n); id != nil {
		return func(f *frame) {
			var is statespace.ID
			known := false
			if f.learning && member != nil && !f.given(slot) {
				is, known = f.learnAdded(slot, member)
			}
			if !known {
				is = id(f)
			}
			if f.given(slot) {
				f.unsteady()
				f.place = at
				if value.Equal(f.nextValue(slot), f.p.store.Value(is)) {
					next(f)
				}
				return
			}
			f.kept[slot] = is + 1
			next(f)
			f.kept[slot], f.next[slot], f.added[slot] = 0, value.Value{}, 0
		}
	}
	eval := n.eval
	return func(f *frame) {
		if member != nil {
			f.unsteady()
		}
		r := eval(f)
		if f.given(slot) {
			f.unsteady()
			f.place = at
			if value.Equal(f.nextValue(slot), r) {
				next(f)
			}
			return
		}
		f.next[slot] = r
		next(f)
		f.next[slot] = value.Value{}
	}
}

func primedEnv(v env) env {
	v.primed = true
	return v
}

// keep is x' = x.
func keep(slot int, at int32, next step) step {
	return func(f *frame) {
		if f.kept[slot] != 0 {
			f.unsteady()
			if f.kept[slot] == f.ids[slot]+1 {
				next(f)
			}
			return
		}
		if f.given(slot) {
			f.unsteady()
			f.place = at
			if value.Equal(f.next[slot], f.value(slot)) {
				next(f)
			}
			return
		}
		f.kept[slot], f.added[slot] = f.ids[slot]+1, unchanged
		next(f)
		f.kept[slot], f.next[slot], f.added[slot] = 0, value.Value{}, 0
	}
}

// assignFrom is x' \in S.
func (c *compiler) assignFrom(e *syntax.Apply, slot int, v env, next step) step {
	n := c.expr(e.Args[1], v)
	if !v.init {
		n = c.memo(n)
	}
	eval, at := n.eval, c.at(e.Place)
	if v.init {
		return func(f *frame) {
			set := eval(f)
			f.place = at
			if old := f.now[slot]; !old.IsNone() {
				if value.Contains(set, old) {
					next(f)
				}
				return
			}
			value.Each(set, func(m value.Value) bool {
				f.tick()
				f.now[slot] = m
				next(f)
				return !f.stopped
			})
			f.now[slot] = value.Value{}
		}
	}
	return func(f *frame) {
		set := eval(f)
		f.place = at
		if f.given(slot) {
			f.unsteady()
			if value.Contains(set, f.nextValue(slot)) {
				next(f)
			}
			return
		}
		value.Each(set, func(m value.Value) bool {
			f.tick()
			f.next[slot] = m
			next(f)
			return !f.stopped
		})
		f.next[slot] = value.Value{}
	}
}

// keepAll is UNCHANGED e.
func (c *compiler) keepAll(e syntax.Expr, v env, next step) step {
	switch e := e.(type) {
	case *syntax.Parentheses:
		return c.keepAll(e.Body, v, next)
	case *syntax.Tuple:
		for i := len(e.Items) - 1; i >= 0; i-- {
			next = c.keepAll(e.Items[i], v, next)
		}
		return next
	case *syntax.Ident, *syntax.Qualified:
		var b *binding
		if id, ok := e.(*syntax.Ident); ok {
			b = v.scope.find(id.Name)
		} else {
			b = c.resolve(e.(*syntax.Qualified), v)
		}
		if b == nil {
			break
		}
		switch {
		case b.kind == variable:
			return keep(b.slot, c.at(e.Position()), next)
		case b.body != nil && len(b.params) == 0 && b.arity == 0 && !b.recursive:
			inner := b.env
			inner.routine = v.routine
			stays := c.keepAll(b.body, inner, next)
			if c.isAbstract(b) {
				return c.assume(b, e, v, stays, next)
			}
			return stays
		}
	}
	stays := c.stays(e, v)
	c.note(stays.reads)
	eval := stays.eval
	return func(f *frame) {
		if eval(f) == value.True {
			next(f)
		}
	}
}

// some is \E: every value of the names is a way.
func (c *compiler) some(e *syntax.Quantifier, v env, next step) step {
	if s := c.unrolledSome(e, v, next); s != nil {
		return s
	}
	var bounds []bound
	var inner env
	var first []asks
	var rest syntax.Expr
	c.aside(func() {
		bounds, inner = c.bounds(e.Bounds, v)
		if !v.init {
			for i := range bounds {
				bounds[i].set = c.memo(bounds[i].set)
			}
		}
		first, rest = c.first(e.Body, inner, slotsOf(bounds))
	})
	narrow(bounds, first)
	for _, b := range bounds {
		c.note(b.set.reads)
	}
	body := c.action(rest, inner, next)
	loops := c.loops(bounds, e.Bounds, first)
	do := func(f *frame) bool {
		body(f)
		return !f.stopped
	}
	return func(f *frame) { over(f, loops, do) }
}

// every is \A: one value of the names after the other has to be true.
func (c *compiler) every(e *syntax.Quantifier, v env, next step) step {
	if s := c.unrolledEvery(e, v, next); s != nil {
		return s
	}
	bounds, inner := c.bounds(e.Bounds, v)
	loops, names := c.loops(bounds, e.Bounds, nil), slotsOf(bounds)
	// rows are the values of the names that are still to come, as a sequence of sequences in a slot.
	rows := v.routine.slot()
	var advance step
	body := c.action(e.Body, inner, func(f *frame) { advance(f) })
	advance = func(f *frame) {
		left := f.locals[rows].Sequence("")
		if len(left) == 0 {
			next(f)
			return
		}
		saved := make([]value.Value, len(names))
		for i, s := range names {
			saved[i] = f.locals[s]
			f.locals[s] = left[0].Sequence("")[i]
		}
		f.locals[rows] = value.OfTuple(left[1:])
		body(f)
		f.locals[rows] = value.OfTuple(left)
		for i, s := range names {
			f.locals[s] = saved[i]
		}
	}
	return func(f *frame) {
		var all []value.Value
		over(f, loops, func(f *frame) bool {
			row := make([]value.Value, len(names))
			for i, s := range names {
				row[i] = f.locals[s]
			}
			all = append(all, value.OfTuple(row))
			return true
		})
		f.locals[rows] = value.OfTuple(all)
		advance(f)
	}
}

func (c *compiler) either(e *syntax.If, v env, next step) step {
	test, holds := c.truth(e.Test, v, "the condition of IF")
	if known, ok := c.valueOf(test); ok && known.Kind() == value.Bool {
		if known == value.True {
			return c.action(e.Then, v, next)
		}
		return c.action(e.Else, v, next)
	}
	then, other := c.action(e.Then, v, next), c.action(e.Else, v, next)
	return func(f *frame) {
		if holds(f) {
			then(f)
		} else {
			other(f)
		}
	}
}

func (c *compiler) caseAction(e *syntax.Case, v env, next step) step {
	tests, ways := make([]func(*frame) bool, len(e.Arms)), make([]step, len(e.Arms))
	for i, arm := range e.Arms {
		_, tests[i] = c.truth(arm.Test, v, "a condition of CASE")
		ways[i] = c.action(arm.Value, v, next)
	}
	at := c.at(e.Place)
	other := func(f *frame) {
		f.place = at
		value.Fail("no condition of this CASE is true, and there is no OTHER")
	}
	if e.Other != nil {
		other = c.action(e.Other, v, next)
	}
	return func(f *frame) {
		for i, holds := range tests {
			if holds(f) {
				ways[i](f)
				return
			}
		}
		other(f)
	}
}

// boxAction is [A]_v: A, or v stays; and <<A>>_v: A, and v changes.
func (c *compiler) boxAction(e *syntax.Box, v env, next step) step {
	if !e.Angle {
		action, stay := c.action(e.Action, v, next), c.keepAll(e.Subscript, v, next)
		return func(f *frame) {
			if action(f); !f.stopped {
				stay(f)
			}
		}
	}
	stays := c.stays(e.Subscript, v)
	c.note(stays.reads)
	changes := func(f *frame) value.Value { return value.OfBool(stays.eval(f) == value.False) }
	return c.action(e.Action, v, func(f *frame) {
		if f.guarded(changes) == value.True {
			next(f)
		}
	})
}

// label is how an action is called in traces: its name and the values it was taken with.
func label(name string, args []string) string {
	if len(args) == 0 {
		return name
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

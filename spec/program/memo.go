package program

import (
	"sync/atomic"

	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// Expressions read a few variables, and variables have few values compared with the number of states: what was found
// for the same values is kept. With one variable and nothing else it is kept for ever, in a table by the
// variable's id. With more it is kept in a table in which newer results replace older ones, for as long as that is
// seen to help. The next value of a variable is kept by its id, so that the value itself is not made again: by what it
// reads, or, if its parts read less each, by the ids of the parts' values. Whether a result was kept changes no
// verdict.

const (
	// worth is the cost from which on an expression is kept.
	worth = 5
	// keyVariables and keyLocals bound what a kept result depends on.
	keyVariables, keyLocals = 4, 3
)

// memo makes a node keep its results.
func (c *compiler) memo(n node) node { return c.memoIn(n, new(byOne)) }

// memoIn is memo where results by one variable are kept together with others'.
func (c *compiler) memoIn(n node, one *byOne) node {
	if !n.keepable() || n.cost < worth || n.variables() == 0 {
		return n
	}
	switch {
	case n.variables() > 1 || len(n.locals) > 0:
		n.eval = c.memoSeveral(n)
	case n.next:
		n.eval = one.then(n.eval, n.then[0])
	default:
		n.eval = one.now(n.eval, n.now[0])
	}
	n.cost = 3
	return n
}

// keepable tells whether results can be kept by what the node reads.
func (n *node) keepable() bool {
	return !n.impure && len(n.open) == 0 && n.variables() <= keyVariables && len(n.locals) <= keyLocals
}

// identify finds the id of a value. It is false if the value has none that could be found without listing it.
type identify func(*frame) (statespace.ID, bool)

// identifier makes what finds ids of the values of expressions.
type identifier struct {
	c *compiler
	// intern returns the id of a value that was found.
	intern func(*value.Store, value.Value) (statespace.ID, bool)
}

// memoID is memo for the next value of a variable: what is kept is its id, so that the value itself is not
// looked at. It returns nil if the results of n are not worth keeping.
func (c *compiler) memoID(n node) func(*frame) statespace.ID {
	if n.impure || len(n.open) > 0 || len(n.locals) > 0 && n.variables() == 0 || !n.constant() && n.cost < 2 {
		return nil
	}
	id := identifier{c, func(s *value.Store, v value.Value) (statespace.ID, bool) { return s.ID(v), true }}.of(n)
	return func(f *frame) statespace.ID {
		is, _ := id(f)
		return is
	}
}

// of returns the best way to find the id of the value of n.
func (i identifier) of(n node) identify {
	switch {
	case n.constant():
		return i.once(n.eval)
	case n.plain && n.next:
		slot, eval := n.then[0], i.evaluated(n.eval)
		return func(f *frame) (statespace.ID, bool) {
			if is := f.kept[slot]; is != 0 {
				return is - 1, true
			}
			return eval(f)
		}
	case n.plain:
		slot := n.now[0]
		return func(f *frame) (statespace.ID, bool) { return f.ids[slot], true }
	case n.impure || len(n.open) > 0 || n.cost < 2:
		return i.evaluated(n.eval)
	case len(n.now) == 1 && !n.next && len(n.locals) == 0:
		return byVariable(i.found(n), n.now[0])
	case n.of != nil && n.of.apart(n):
		if n.of.join == nil {
			return i.byParts(n)
		}
	case n.keepable() && n.cost >= worth:
		return i.c.byReading(i.found(n), n)
	}
	return i.found(n)
}

// found finds the id anew each time.
func (i identifier) found(n node) identify {
	if n.of == nil || n.of.join == nil {
		return i.evaluated(n.eval)
	}
	o, join, eval := n.of, n.of.join(i), i.evaluated(n.eval)
	return func(f *frame) (statespace.ID, bool) {
		o.forget(f)
		if id, ok := join(f); ok {
			return id, true
		}
		return eval(f)
	}
}

func (i identifier) evaluated(eval func(*frame) value.Value) identify {
	return func(f *frame) (statespace.ID, bool) { return i.intern(f.p.store, eval(f)) }
}

func (i identifier) once(eval func(*frame) value.Value) identify {
	var found atomic.Uint32
	return func(f *frame) (statespace.ID, bool) {
		if known := found.Load(); known != 0 {
			return statespace.ID(known - 1), true
		}
		is, ok := i.intern(f.p.store, eval(f))
		if ok {
			found.Store(uint32(is) + 1)
		}
		return is, ok
	}
}

// byVariable keeps ids by the value of a variable.
func byVariable(find identify, slot int) identify {
	var table value.Numbers
	return func(f *frame) (statespace.ID, bool) {
		at := uint32(f.ids[slot])
		if known := table.Get(at); known != 0 {
			return statespace.ID(known - 1), true
		}
		is, ok := find(f)
		if ok {
			table.Put(at, uint32(is)+1)
		}
		return is, ok
	}
}

// byOne keeps results by one variable. Booleans, which most are, take no room of their own.
type byOne struct {
	truths value.Truths
	table  value.Table[value.Value]
}

func (k *byOne) now(eval func(*frame) value.Value, slot int) func(*frame) value.Value {
	return func(f *frame) value.Value {
		if !f.known {
			return eval(f)
		}
		return k.find(f, eval, uint32(f.ids[slot]))
	}
}

// then is now for the next value of the variable.
func (k *byOne) then(eval func(*frame) value.Value, slot int) func(*frame) value.Value {
	return func(f *frame) value.Value {
		if f.kept[slot] == 0 || f.lenient {
			return eval(f)
		}
		return k.find(f, eval, uint32(f.kept[slot]-1))
	}
}

func (k *byOne) find(f *frame, eval func(*frame) value.Value, id uint32) value.Value {
	switch k.truths.Get(id) {
	case value.IsFalse:
		return value.False
	case value.IsTrue:
		return value.True
	case value.IsOther:
		if v, ok := k.table.Get(id); ok {
			return v
		}
	}
	v := eval(f)
	switch v {
	case value.False:
		k.truths.Put(id, value.IsFalse)
	case value.True:
		k.truths.Put(id, value.IsTrue)
	default:
		k.table.Put(id, v)
		k.truths.Put(id, value.IsOther)
	}
	return v
}

// operation is how the value of a node is made of the values of others.
type operation struct {
	operands []node
	// make makes the value of those of the operands, and of nothing else.
	make func(f *frame, values []value.Value) value.Value
	// join makes what finds the id without making the value first; nil if there is no such way.
	join func(identifier) identify
	// clear are the slots of definitions around it, which are forgotten first.
	clear []int
	// inserts is true for what adds the second operand to the set that the first one is.
	inserts bool
}

// apart tells whether results are better kept by the values of the operands than by what n reads: each of them reads
// less.
func (o *operation) apart(n node) bool {
	varying := 0
	for _, part := range o.operands {
		if part.variables()+len(part.locals) >= n.variables()+len(n.locals) {
			return false
		}
		if !part.constant() {
			varying++
		}
	}
	return n.variables() > 0 && varying <= len(key{}) && len(o.operands) <= mostOperands
}

// mostOperands bounds those of an operation whose results are kept by them.
const mostOperands = 8

// joined returns an operation whose id follows from those of the operands.
func joined(operands []node, join func(*value.Store, []statespace.ID) (statespace.ID, bool)) func(identifier) identify {
	if len(operands) > mostOperands {
		return nil
	}
	return func(i identifier) identify {
		all := i.all(operands)
		return func(f *frame) (statespace.ID, bool) {
			var ids [mostOperands]statespace.ID
			if !identifyAll(f, all, &ids) {
				return 0, false
			}
			return join(f.p.store, ids[:len(all)])
		}
	}
}

// all are what finds the ids of operands.
func (i identifier) all(operands []node) []identify {
	all := make([]identify, len(operands))
	for at, part := range operands {
		all[at] = identifier{i.c, (*value.Store).Known}.of(part)
	}
	return all
}

func identifyAll(f *frame, all []identify, ids *[mostOperands]statespace.ID) bool {
	for at, one := range all {
		id, ok := one(f)
		if !ok {
			return false
		}
		ids[at] = id
	}
	return true
}

// forget clears the slots.
func (o *operation) forget(f *frame) {
	for _, slot := range o.clear {
		f.locals[slot] = value.Value{}
	}
}

// byParts keeps ids by those of the operands.
func (i identifier) byParts(n node) identify {
	o := n.of
	var varying []int
	for at, part := range o.operands {
		if !part.constant() {
			varying = append(varying, at)
		}
	}
	operands, table, eval := i.all(o.operands), i.c.table(n.cost), i.evaluated(n.eval)
	return func(f *frame) (statespace.ID, bool) {
		var ids [mostOperands]statespace.ID
		t := f.table(table)
		if t == nil {
			return eval(f)
		}
		o.forget(f)
		if !identifyAll(f, operands, &ids) {
			return eval(f)
		}
		var k key
		for at, operand := range varying {
			k[at] = ids[operand] + 1
		}
		if e, found := t.find(&k); found {
			return statespace.ID(t.entries[e].id - 1), true
		}
		var values [mostOperands]value.Value
		for at := range operands {
			values[at] = f.p.store.Value(ids[at])
		}
		is, ok := i.intern(f.p.store, o.make(f, values[:len(operands)]))
		if ok {
			t.put(f.p, &k, uint32(is)+1)
		}
		return is, ok
	}
}

// reading is what results of an expression are kept by: what it reads.
type reading struct {
	now, then, locals []int
	table             int
}

func (c *compiler) reading(n node) reading {
	return reading{n.now, n.then, n.locals, c.table(n.cost)}
}

// find returns the table of the frame with the key for what the frame has now, nil if nothing is to be looked up.
func (r *reading) find(f *frame, k *key) *table {
	t := f.table(r.table)
	if t == nil {
		return nil
	}
	for i, s := range r.now {
		k[i] = f.ids[s] + 1
	}
	for i, s := range r.then {
		if f.kept[s] == 0 || f.lenient {
			return nil
		}
		k[len(r.now)+i] = f.kept[s]
	}
	for i, s := range r.locals {
		if v := f.locals[s]; !v.IsNone() {
			id, ok := f.p.store.Known(v)
			if !ok {
				return nil
			}
			k[keyVariables+i] = id + 1
		}
	}
	return t
}

// memoSeveral keeps results by what is read.
func (c *compiler) memoSeveral(n node) func(*frame) value.Value {
	r, eval := c.reading(n), n.eval
	anything := func(f *frame) value.Value {
		var k key
		t := r.find(f, &k)
		if t == nil {
			return eval(f)
		}
		if e, found := t.find(&k); found {
			return t.values[e]
		}
		v := eval(f)
		t.putValue(f.p, &k, v)
		return v
	}
	if r.narrow() {
		return truthsInRows(eval, anything, r)
	}
	return anything
}

// byReading keeps ids by what is read.
func (c *compiler) byReading(find identify, n node) identify {
	r := c.reading(n)
	if r.narrow() {
		return idsInRows(find, r)
	}
	return func(f *frame) (statespace.ID, bool) {
		var k key
		t := r.find(f, &k)
		if t == nil {
			return find(f)
		}
		if e, found := t.find(&k); found {
			return statespace.ID(t.entries[e].id - 1), true
		}
		is, ok := find(f)
		if ok {
			t.put(f.p, &k, uint32(is)+1)
		}
		return is, ok
	}
}

package program

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// Expressions read a few variables, and variables have few values compared with the number of states: what was found
// for the same values is kept. With one variable and nothing else it is kept for ever, in a table by the
// variable's id. With more it is kept in a small table in which newer results replace older ones, for as long as that is
// seen to help. Whether a result was kept changes no verdict.

const (
	// worth is the cost from which on an expression is kept.
	worth = 5
	// keyVariables and keyLocals bound what a kept result depends on.
	keyVariables, keyLocals = 4, 3
)

// memo makes a node keep its results.
func (c *compiler) memo(n node) node {
	if n.next || n.impure || len(n.open) > 0 || n.cost < worth || len(n.now) == 0 ||
		len(n.now) > keyVariables || len(n.locals) > keyLocals {
		return n
	}
	if len(n.now) == 1 && len(n.locals) == 0 {
		n.eval = memoOne(n.eval, n.now[0])
	} else {
		n.eval = (&kept{eval: n.eval, now: n.now, locals: n.locals}).get
	}
	n.cost = 3
	return n
}

// memoID is memo for the next value of a variable: what is kept is its id, so that the value itself is not
// looked at. It returns nil if the results of n are not worth keeping.
func (c *compiler) memoID(n node) func(*frame) statespace.ID {
	if n.next || n.impure || len(n.open) > 0 || n.cost < 2 && len(n.now) > 0 || len(n.now) > keyVariables || len(n.locals) > keyLocals {
		return nil
	}
	eval := n.eval
	id := func(f *frame) statespace.ID { return f.p.store.ID(eval(f)) }
	switch {
	case len(n.now) == 0 && len(n.locals) == 0:
		var found atomic.Uint32
		return func(f *frame) statespace.ID {
			if known := found.Load(); known != 0 {
				return statespace.ID(known - 1)
			}
			is := id(f)
			found.Store(uint32(is) + 1)
			return is
		}
	case len(n.now) == 0:
		return nil
	case len(n.now) == 1 && len(n.locals) == 0:
		var table value.Numbers
		slot := n.now[0]
		return func(f *frame) statespace.ID {
			at := uint32(f.ids[slot])
			if known := table.Get(at); known != 0 {
				return statespace.ID(known - 1)
			}
			is := id(f)
			table.Put(at, uint32(is)+1)
			return is
		}
	}
	k := &kept{now: n.now, locals: n.locals, id: id}
	return k.getID
}

// memoOne keeps results by one variable. Booleans, which most are, take no room of their own.
func memoOne(eval func(*frame) value.Value, slot int) func(*frame) value.Value {
	var truths value.Numbers
	var table value.Table[value.Value]
	const isFalse, isTrue, other = 1, 2, 3
	return func(f *frame) value.Value {
		if !f.known {
			return eval(f)
		}
		id := uint32(f.ids[slot])
		switch truths.Get(id) {
		case isFalse:
			return value.False
		case isTrue:
			return value.True
		case other:
			if v, ok := table.Get(id); ok {
				return v
			}
		}
		v := eval(f)
		switch v {
		case value.False:
			truths.Put(id, isFalse)
		case value.True:
			truths.Put(id, isTrue)
		default:
			table.Put(id, v)
			truths.Put(id, other)
		}
		return v
	}
}

// kept is a table of results by several ids and values.
type kept struct {
	eval        func(*frame) value.Value
	id          func(*frame) statespace.ID
	now, locals []int
	entries     atomic.Pointer[[]atomic.Pointer[result]]
	tries, hits atomic.Uint32
	misses      atomic.Uint32
	off         atomic.Bool
}

type result struct {
	ids    [keyVariables]statespace.ID
	locals [keyLocals]value.Value
	value  value.Value
	id     statespace.ID
}

const (
	firstSize, largestSize = 1 << 10, 1 << 18
	// After so many tries it is decided whether it helps.
	trial = 1 << 13
)

func (k *kept) get(f *frame) value.Value {
	if !f.known || k.off.Load() {
		return k.eval(f)
	}
	return k.find(f).value
}

func (k *kept) getID(f *frame) statespace.ID {
	if k.off.Load() {
		return k.id(f)
	}
	return k.find(f).id
}

// find returns the result for what the frame has now.
func (k *kept) find(f *frame) *result {
	var r result
	h := uint64(0x9e3779b97f4a7c15)
	for i, s := range k.now {
		r.ids[i] = f.ids[s]
		h = mix(h ^ uint64(f.ids[s]))
	}
	for i, s := range k.locals {
		r.locals[i] = f.locals[s]
		words := *(*[2]uint64)(unsafe.Pointer(&r.locals[i]))
		h = mix(h ^ words[0] ^ bits.RotateLeft64(words[1], 32))
	}
	entries := k.entries.Load()
	if entries == nil {
		fresh := make([]atomic.Pointer[result], firstSize)
		k.entries.CompareAndSwap(nil, &fresh)
		entries = k.entries.Load()
	}
	at := &(*entries)[h>>32&uint64(len(*entries)-1)]
	tries := k.tries.Load()
	if tries < trial {
		k.tries.Add(1)
	}
	if e := at.Load(); e != nil && e.ids == r.ids && e.locals == r.locals {
		if tries < trial {
			k.hits.Add(1)
		}
		return e
	}
	if tries == trial-1 && k.hits.Load() < trial/3 {
		k.off.Store(true)
	}
	fresh := &result{ids: r.ids, locals: r.locals}
	if k.id != nil {
		fresh.id = k.id(f)
	} else {
		fresh.value = k.eval(f)
	}
	at.Store(fresh)
	if n := k.misses.Add(1); int(n) > 2*len(*entries) && len(*entries) < largestSize {
		grown := make([]atomic.Pointer[result], 4*len(*entries))
		if k.entries.CompareAndSwap(entries, &grown) {
			k.misses.Store(0)
		}
	}
	return fresh
}

func mix(h uint64) uint64 {
	high, low := bits.Mul64(h, 0xa0761d6478bd642f)
	return high ^ low
}

package program

import (
	"slices"

	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// What is bound often has to satisfy something first that is about nothing else: \E m \in msgs : m.type = "ack" /\ ….
// Sets are new in nearly every state, their members are not: whether a member satisfies that is kept by its id.

// asks tells whether something is true of what is bound.
type asks struct {
	holds func(*frame) bool
	// known is what is known already of values of the slot, by their ids; nil if nothing is kept.
	known *value.Truths
	slot  int
}

// excluded returns what is known of the values of a slot, if that is asked first: those of which it is false need not
// be looked at.
func excluded(first []asks, slot int) *value.Truths {
	if len(first) > 0 && first[0].slot == slot {
		return first[0].known
	}
	return nil
}

// excludes tells whether a value is known not to satisfy what is asked first.
func (f *frame) excludes(known *value.Truths, v value.Value) bool {
	if known == nil {
		return false
	}
	id, ok := f.p.store.Kept(v)
	return ok && known.Get(id) == value.IsFalse
}

// first splits the conditions off with which a conjunction begins and which are about one of the slots and nothing
// else. What is left of it is rest; it may be all of it, conditions included.
func (c *compiler) first(e syntax.Expr, v env, slots []int) (first []asks, rest syntax.Expr) {
	parts, whole := []syntax.Expr{e}, e
	for len(parts) == 1 {
		switch t := parts[0].(type) {
		case *syntax.Parentheses:
			parts = []syntax.Expr{t.Body}
			continue
		case *syntax.Junction:
			if !t.Or {
				parts, whole = t.Items, t
			}
		case *syntax.Ident, *syntax.Apply:
			if b, args := c.reference(t, v); b != nil && b.kind == definition && b.writtenOut(args) && len(args) == len(b.params) {
				if inner, cleared, ok := c.open(b, args, t.Position(), v); ok && len(cleared) == 0 {
					first, _ = c.first(b.body, inner, slots)
					return first, e
				}
			}
		}
		break
	}
	var group []func(*frame) bool
	slot, cost, used := -1, 0, 0
	end := func() {
		if slot >= 0 && cost >= worth {
			first = append(first, c.kept(group, slot))
			return
		}
		for _, holds := range group {
			first = append(first, asks{holds: holds, slot: slot})
		}
	}
	for _, part := range parts {
		n, holds, ok := c.about(part, v, slots)
		if !ok {
			break
		}
		if n.locals[0] != slot {
			end()
			group, slot, cost = nil, n.locals[0], 0
		}
		group, cost, used = append(group, holds), cost+n.cost, used+1
	}
	end()
	j, ok := whole.(*syntax.Junction)
	if !ok || used == 0 {
		return first, e
	}
	if used == len(parts) {
		return first, &syntax.Boolean{At: j.At, Value: true}
	}
	return first, &syntax.Junction{At: j.At, Items: parts[used:]}
}

// firstOf is first for a quantifier. Of \A x \in S : P => Q it is P that is asked first: where it is false nothing more
// is.
func (c *compiler) firstOf(e *syntax.Quantifier, v env, bounds []bound) (first []asks, rest syntax.Expr) {
	slots := slotsOf(bounds)
	if e.Exists {
		return c.first(e.Body, v, slots)
	}
	body := e.Body
	for p, ok := body.(*syntax.Parentheses); ok; p, ok = body.(*syntax.Parentheses) {
		body = p.Body
	}
	if a, ok := body.(*syntax.Apply); ok && a.Infix && a.Name == "=>" {
		first, left := c.first(a.Args[0], v, slots)
		return first, &syntax.Apply{At: a.At, Name: "=>", Infix: true, Args: []syntax.Expr{left, a.Args[1]}}
	}
	return nil, e.Body
}

func slotsOf(bounds []bound) (all []int) {
	for _, b := range bounds {
		all = append(all, b.slots...)
	}
	return all
}

// about compiles a condition, if it is about one of the slots and nothing else.
func (c *compiler) about(e syntax.Expr, v env, slots []int) (n node, holds func(*frame) bool, ok bool) {
	if v.init || c.primes(e, v.scope) || c.inSeveralWays(e, v.scope) {
		return n, nil, false
	}
	if r := c.readsOf(e, v); r.impure || len(r.now) > 0 || len(r.locals) != 1 || !slices.Contains(slots, r.locals[0]) {
		return n, nil, false
	}
	n, holds = c.truth(e, v, "a part of a conjunction")
	return n, holds, !n.next && !n.impure && len(n.open) == 0 && len(n.now) == 0 && len(n.locals) == 1 && slices.Contains(slots, n.locals[0])
}

// kept is whether all of some conditions are true of a slot's value, kept by the id of that.
func (c *compiler) kept(all []func(*frame) bool, slot int) asks {
	holds := func(f *frame) bool {
		for _, one := range all {
			if !one(f) {
				return false
			}
		}
		return true
	}
	known := new(value.Truths)
	return asks{known: known, slot: slot, holds: func(f *frame) bool {
		id, ok := f.p.store.Known(f.locals[slot])
		if !ok {
			return holds(f)
		}
		switch known.Get(uint32(id)) {
		case value.IsFalse:
			return false
		case value.IsTrue:
			return true
		}
		is := holds(f)
		known.Put(uint32(id), value.TruthOf(is))
		return is
	}}
}

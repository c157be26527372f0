package program

import (
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// A quantifier over a small set that never changes is written out: what it says of each member is compiled with that as
// a constant. More of it is constant then, and what is left reads fewer names, so that results are found by less.

const (
	// mostRows bounds the members that are written out, mostNodes how many expressions become of one quantifier, and
	// mostUnrolled of all.
	mostRows, mostNodes, mostUnrolled = 16, 1 << 10, 1 << 14
)

// rowsOf returns where the body of bounds stands with each choice of members, false if there are too many, or they are
// not known.
func (c *compiler) rowsOf(bounds []syntax.Bound, v env) ([]env, bool) {
	if v.init {
		return nil, false
	}
	rows := []env{v}
	for _, b := range bounds {
		if b.Set == nil || b.Tuple {
			return nil, false
		}
		var set value.Value
		var ok bool
		c.aside(func() { set, ok = c.valueOf(c.expr(b.Set, v)) })
		if !ok || !set.IsSet() || value.Infinite(set) || value.Size(set) > mostRows {
			return nil, false
		}
		for _, n := range b.Names {
			var grown []env
			for _, row := range rows {
				for _, m := range set.Members() {
					grown = append(grown, row.bind(n.Text, &binding{kind: given, name: n.Text, at: n.At, value: m}))
				}
			}
			if rows = grown; len(rows) > mostRows {
				return nil, false
			}
		}
	}
	return rows, true
}

// unroll compiles the body of a quantifier for each row, from the last to the first. It is false, and nothing is to be
// kept of what was compiled, if that becomes too much; it is not tried again then.
func (c *compiler) unroll(e *syntax.Quantifier, v env, compile func(row env)) bool {
	rows, ok := c.rowsOf(e.Bounds, v)
	if !ok || c.large[e] {
		return false
	}
	before := c.nodes
	for i := len(rows) - 1; i >= 0; i-- {
		compile(rows[i])
		if is := (c.nodes - before) / (len(rows) - i) * len(rows); is > mostNodes || c.unrolled+is > mostUnrolled {
			c.large[e] = true
			return false
		}
	}
	c.unrolled += c.nodes - before
	return true
}

// unrolledQuantifier is quantifier for one that is written out.
func (c *compiler) unrolledQuantifier(e *syntax.Quantifier, v env) (node, bool) {
	var parts []node
	if !c.unroll(e, v, func(row env) { parts = append(parts, c.expr(e.Body, row)) }) {
		return node{}, false
	}
	at, exists := c.at(e.Body.Position()), e.Exists
	end := value.OfBool(exists)
	evals := c.apart(parts)
	return made(func(f *frame) value.Value {
		for i := len(evals) - 1; i >= 0; i-- {
			f.tick()
			if r := evals[i](f); r == end {
				return end
			} else if r.Kind() != value.Bool {
				f.place = at
				r.Bool("what is quantified")
			}
		}
		return value.OfBool(!exists)
	}, 1, parts...), true
}

// apart has results of parts kept by themselves that read one variable where the whole reads more.
func (c *compiler) apart(parts []node) []func(*frame) value.Value {
	whole := made(nil, 0, parts...)
	evals := make([]func(*frame) value.Value, len(parts))
	for i, p := range parts {
		if whole.variables() > 1 && p.variables() == 1 && len(p.locals) == 0 {
			p = c.memo(p)
		}
		evals[i] = p.eval
	}
	return evals
}

// unrolledWays is ways of \E.
func (c *compiler) unrolledWays(e *syntax.Quantifier, v env) (node, bool) {
	var parts []node
	if !c.unroll(e, v, func(row env) { parts = append(parts, c.ways(e.Body, row)) }) {
		return node{}, false
	}
	evals := c.apart(parts)
	return made(func(f *frame) value.Value {
		var n int64
		for i := len(evals) - 1; i >= 0; i-- {
			f.tick()
			n += evals[i](f).Int("")
		}
		return value.OfInt(n)
	}, 1, parts...), true
}

// unrolledSome is some.
func (c *compiler) unrolledSome(e *syntax.Quantifier, v env, next step) step {
	var ways []step
	if !c.unroll(e, v, func(row env) { ways = append(ways, c.action(e.Body, row, next)) }) {
		return nil
	}
	return func(f *frame) {
		for i := len(ways) - 1; i >= 0 && !f.stopped; i-- {
			f.tick()
			ways[i](f)
		}
	}
}

// unrolledEvery is every.
func (c *compiler) unrolledEvery(e *syntax.Quantifier, v env, next step) step {
	if !c.unroll(e, v, func(row env) { next = c.action(e.Body, row, next) }) {
		return nil
	}
	return next
}

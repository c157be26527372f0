package program

import (
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// composed compiles A \cdot B as an action: a step of A, then one of B, as one (Lamport, Specifying Systems, 16.2.3).
// What A makes of the variables is the state from which B starts.
func (c *compiler) composed(e *syntax.Apply, v env, next step) step {
	if v.primed || v.init {
		fail(e.Place, "\\cdot is supported where it is an action only")
	}
	at := c.at(e.Place)
	second := c.action(e.Args[1], v, func(g *frame) { g.between.arrive(g, next) })
	first := c.action(e.Args[0], v, func(f *frame) { f.halfway(at, second) })
	return func(f *frame) {
		f.unsteady()
		given, kept := f.next, f.kept
		f.next, f.kept = make([]value.Value, len(given)), make([]statespace.ID, len(kept))
		outer := f.between
		f.between = &halves{from: f, next: given, kept: kept, outer: outer}
		first(f)
		f.next, f.kept, f.between = given, kept, outer
	}
}

// halves is where a composed step is: from is the frame that it starts in, and next and kept are what variables have
// been given already around it.
type halves struct {
	from  *frame
	next  []value.Value
	kept  []statespace.ID
	outer *halves
}

// halfway goes on with the second step, from the state that the first one has led to.
func (f *frame) halfway(at int32, second step) {
	g := f.ahead(at, "the first of two steps that \\cdot joins")
	g.between = f.between
	defer func() {
		if r := recover(); r != nil {
			f.place = g.place
			panic(r)
		}
	}()
	second(g)
	f.stopped = f.stopped || g.stopped
}

// ahead returns a frame of the state that has been given so far. Who leaves a variable without a value is said in
// words.
func (f *frame) ahead(at int32, who string) *frame {
	for i := range f.next {
		if !f.given(i) {
			f.place = at
			value.Fail("%s leaves %s' without a value", who, f.p.Variables[i])
		}
	}
	g := f.p.newFrame()
	g.begin()
	g.tables, g.rows, g.locals, g.level, g.known, g.action, g.lenient = f.tables, f.rows, f.locals, f.level, true, f.action, f.lenient
	for i := range g.ids {
		if g.ids[i] = f.kept[i] - 1; f.kept[i] == 0 {
			g.ids[i] = f.p.store.ID(f.next[i])
		}
	}
	return g
}

// arrive goes on in the frame that the composed step started in, with what the second step has led to.
func (h *halves) arrive(g *frame, next step) {
	f := h.from
	given, kept, ways := f.next, f.kept, f.ways
	f.next, f.kept, f.between = make([]value.Value, len(given)), make([]statespace.ID, len(kept)), h.outer
	copy(f.next, h.next)
	copy(f.kept, h.kept)
	agree := true
	for i := range f.next {
		switch {
		case !g.given(i): // the action that this is a part of may say what it becomes
		case !f.given(i):
			f.next[i], f.kept[i] = g.next[i], g.kept[i]
		default:
			agree = agree && value.Equal(f.nextValue(i), g.nextValue(i))
		}
	}
	if agree {
		f.ways *= g.ways
		next(f)
		g.stopped = f.stopped
	}
	f.next, f.kept, f.ways, f.between = given, kept, ways, h
}

package statespace

// fixpointViolated decides a tail by a second algorithm, good for larger
// models: the Emerson–Lei fixpoint for Streett conditions, on steps instead of
// states. The steps are those that the tail allows, and staying in each state.
func (o *oracle) fixpointViolated(t *tableTail) bool {
	f := newFixpoint(o, t)
	for changed := true; changed; {
		changed = false
		for _, p := range f.conditions {
			reaches := f.backward(p.again)
			for i := range f.steps {
				stays := p.unless[i] && f.goesOn(i)
				if f.in[i] && !reaches[i] && !stays {
					f.in[i], changed = false, true
				}
			}
		}
	}
	reachable := f.reachable(t)
	for i, in := range f.in {
		if in && reachable[f.steps[i].from] {
			return true
		}
	}
	return false
}

type fixStep struct {
	from, to uint16
	stay     bool
	class    uint16
	label    uint32
}

// condition asks: from every step, one of again is reached, unless this step is
// one of unless and goes on inside.
type condition struct{ again, unless []bool }

type fixpoint struct {
	o          *oracle
	steps      []fixStep
	in         []bool
	conditions []condition
}

func newFixpoint(o *oracle, t *tableTail) *fixpoint {
	f := &fixpoint{o: o}
	within := func(s uint16) bool {
		return o.known>>s&1 != 0 && (t.within == none || o.marked(s, t.within) != t.withinNot)
	}
	enabled := make([]uint64, len(o.m.edges))
	for s, edges := range o.m.edges {
		if !within(uint16(s)) {
			continue
		}
		f.steps = append(f.steps, fixStep{from: uint16(s), to: uint16(s), stay: true})
		for _, e := range edges {
			if int(e.to) != s {
				enabled[s] |= 1 << e.action.Class
			}
			if within(e.to) && t.allows(e) {
				f.steps = append(f.steps, fixStep{uint16(s), e.to, false, e.action.Class, e.action.Label})
			}
		}
	}
	f.in = make([]bool, len(f.steps))
	for i := range f.in {
		f.in[i] = true
	}
	add := func(again, unless func(fixStep) bool) {
		c := condition{make([]bool, len(f.steps)), make([]bool, len(f.steps))}
		for i, s := range f.steps {
			c.again[i], c.unless[i] = again(s), unless(s)
		}
		f.conditions = append(f.conditions, c)
	}
	no := func(fixStep) bool { return false }
	add(func(fixStep) bool { return true }, no)
	if t.visit != none {
		add(func(s fixStep) bool { return o.marked(s.from, t.visit) != t.visitNot }, no)
	}
	if t.take != none {
		add(func(s fixStep) bool { return !s.stay && s.label>>t.take&1 != 0 }, no)
	}
	for c, class := range o.m.classes {
		taken := func(s fixStep) bool { return !s.stay && int(s.class) == c && s.from != s.to }
		disabled := func(s fixStep) bool { return enabled[s.from]>>c&1 == 0 }
		switch class.Fairness {
		case Weak:
			add(func(s fixStep) bool { return taken(s) || disabled(s) }, no)
		case Strong:
			add(taken, disabled)
		}
	}
	return f
}

// goesOn reports whether a step inside follows.
func (f *fixpoint) goesOn(i int) bool {
	for j, s := range f.steps {
		if f.in[j] && s.from == f.steps[i].to {
			return true
		}
	}
	return false
}

// backward returns the steps inside from which, by one or more further steps
// inside, one of the targets inside is reached.
func (f *fixpoint) backward(target []bool) []bool {
	reaches := make([]bool, len(f.steps))
	// good marks states from which a target step, or a step that reaches one,
	// can be taken.
	good := make([]bool, len(f.o.m.edges))
	for changed := true; changed; {
		changed = false
		for i, s := range f.steps {
			if f.in[i] && (target[i] || good[s.to]) && !good[s.from] {
				good[s.from], changed = true, true
			}
		}
	}
	for i, s := range f.steps {
		reaches[i] = f.in[i] && good[s.to]
	}
	return reaches
}

// reachable returns the states in which the tail may begin.
func (f *fixpoint) reachable(t *tableTail) []bool {
	from := make([]bool, len(f.o.m.edges))
	for i, s := range f.o.order {
		from[s] = i < f.o.expanded && (t.trigger == none || f.o.marked(s, t.trigger))
	}
	if t.trigger == none {
		return from
	}
	inside := make([]bool, len(from))
	for _, s := range f.steps {
		inside[s.from] = true
	}
	for s := range from {
		from[s] = from[s] && inside[s]
	}
	for changed := true; changed; {
		changed = false
		for _, s := range f.steps {
			if from[s.from] && !from[s.to] {
				from[s.to], changed = true, true
			}
		}
	}
	return from
}

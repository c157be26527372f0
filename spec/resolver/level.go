package resolver

import "github.com/seatrial/seatrial/spec/syntax"

// Level is what an expression is about.
type Level uint8

const (
	// Rigid is of constants only.
	Rigid Level = iota
	// State is of the values of variables in a state.
	State
	// Step is of those before and after a step.
	Step
	// Temporal is of a whole behaviour.
	Temporal
)

// String is how a level is said of an expression.
func (l Level) String() string {
	return [...]string{"constant", "about a state", "about a step", "temporal"}[l]
}

// reach is what the level of an expression is, and what it depends on: it is never below least, and it is now with what
// its names stand for where it is written. An instance replaces them.
type reach struct {
	least, now Level
	of         *union
}

// union is the symbols that an expression mentions, as they are joined: nothing is copied as long as nobody asks.
type union struct {
	symbol      *symbol
	left, right *union
}

// of returns the reach of a name that is declared or bound.
func of(s *symbol) reach {
	r := reach{of: &union{symbol: s}}
	if s.kind == variable {
		r.now = State
	}
	return r
}

func (r reach) and(others ...reach) reach {
	for _, o := range others {
		r.least, r.now = max(r.least, o.least), max(r.now, o.now)
		if r.of == nil {
			r.of = o.of
		} else if o.of != nil {
			r.of = &union{left: r.of, right: o.of}
		}
	}
	return r
}

// atLeast raises the level.
func (r reach) atLeast(l Level) reach {
	r.least, r.now = max(r.least, l), max(r.now, l)
	return r
}

// only is a level that does not depend on anything, as that of what is primed.
func only(l Level) reach { return reach{least: l, now: l} }

// symbols returns what r mentions, each once, in the order of the text.
func (r reach) symbols() []*symbol {
	var all []*symbol
	seen := map[*symbol]bool{}
	for todo := []*union{r.of}; len(todo) > 0; {
		u := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case u == nil:
		case u.symbol == nil:
			todo = append(todo, u.right, u.left)
		case !seen[u.symbol]:
			seen[u.symbol] = true
			all = append(all, u.symbol)
		}
	}
	return all
}

// replaced is r where others stand for some symbols.
func (r reach) replaced(with map[*symbol]reach) reach {
	if len(with) == 0 {
		return r
	}
	into := reach{least: r.least, now: r.least}
	for _, s := range r.symbols() {
		if o, ok := with[s]; ok {
			into = into.and(o)
		} else {
			into = into.and(of(s))
		}
	}
	return into
}

// atMost fails if r is above a level, and notes it for what may be replaced later: the parameters and constants of r.
func (r reach) atMost(most Level, at syntax.Position, what string) {
	if r.now > most {
		fail(at, "%s is %s, and may be at most %s", what, r.now, most)
	}
	if most >= Step {
		return
	}
	for _, s := range r.symbols() {
		s.most = min(s.most, most)
	}
}

package pluscal

import (
	"maps"
	"slices"

	"github.com/seatrial/seatrial/spec/syntax"
)

// scope is what names mean at a place of a body, as far as its step has gone.
type scope struct {
	translation *translation
	body        *body
	variables   map[string]*variable
	// self is the process whose step it is, nil without processes.
	self syntax.Expr
	// bound are the names that a with binds.
	bound *names
	// changed are the variables, by their final names, that have their next values.
	changed map[string]bool
}

// scopeOf returns the scope at the beginning of the steps of a body.
func (t *translation) scopeOf(b *body) *scope {
	s := &scope{translation: t, body: b, variables: map[string]*variable{}, changed: map[string]bool{}}
	for _, other := range t.algorithm.processes {
		if !other.set {
			for _, v := range other.variables() {
				if v.final == v.name {
					s.variables[v.name] = v // nothing keeps others from what is not a function
				}
			}
		}
	}
	for _, v := range slices.Concat(t.algorithm.variables, b.variables()) {
		s.variables[v.name] = v
	}
	switch {
	case t.algorithm.sequential():
	case b.procedure || b.set:
		s.self = &syntax.Ident{At: syntax.At{Place: b.at}, Name: "self"}
	default:
		s.self = t.scopeless(b.id)
	}
	return s
}

// scopeless copies an expression that knows no variables of a body.
func (t *translation) scopeless(e syntax.Expr) syntax.Expr {
	return rewriter{func(syntax.Expr, *names) syntax.Expr { return nil }}.expr(e, nil)
}

// branch returns a scope that goes on from here alone.
func (s *scope) branch() *scope {
	c := *s
	c.changed = maps.Clone(s.changed)
	return &c
}

// of returns the value that a variable has by now.
func (s *scope) of(at syntax.Position, v *variable) syntax.Expr {
	return s.current(at, v.final, v.indexed)
}

// current returns the value of what is called name in the translation.
func (s *scope) current(at syntax.Position, name string, indexed bool) syntax.Expr {
	place := syntax.At{Place: at}
	var e syntax.Expr = &syntax.Ident{At: place, Name: name}
	if s.changed[name] {
		e = primed(e)
	}
	if indexed && s.self != nil {
		e = &syntax.Index{At: place, Function: e, Args: []syntax.Expr{s.self}}
	}
	return e
}

func primed(e syntax.Expr) syntax.Expr {
	return &syntax.Apply{At: syntax.At{Place: e.Position()}, Name: "'", Args: []syntax.Expr{e}, Infix: true}
}

// expr returns what an expression of the algorithm is here.
func (s *scope) expr(e syntax.Expr) syntax.Expr {
	return rewriter{s.name}.expr(e, s.bound)
}

func (s *scope) exprs(all []syntax.Expr) []syntax.Expr {
	return rewriter{s.name}.exprs(all, s.bound)
}

// name replaces a name by the value that it stands for.
func (s *scope) name(e syntax.Expr, bound *names) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Apply:
		// What is primed already is not primed again.
		if inner, ok := e.Args[0].(*syntax.Ident); ok && e.Infix && e.Name == "'" && !bound.has(inner.Name) && s.variables[inner.Name] != nil {
			before := s.branch()
			v := s.variables[inner.Name]
			before.changed[v.final] = true
			return before.of(e.Place, v)
		}
	case *syntax.Ident:
		if bound.has(e.Name) {
			return nil
		}
		if v := s.variables[e.Name]; v != nil {
			return s.of(e.Place, v)
		}
		if e.Name == "self" && s.self != nil {
			return s.self
		}
	}
	return nil
}

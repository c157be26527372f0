package program

import (
	"strconv"

	"github.com/seatrial/seatrial/spec/syntax"
)

// visit calls f for e and its parts, with the names that are seen there, until f returns false for one: then
// its parts are passed over.
func (c *compiler) visit(e syntax.Expr, s *scope, f func(syntax.Expr, *scope) bool) {
	if !f(e, s) {
		return
	}
	if let, ok := e.(*syntax.Let); ok {
		inner := &scope{outer: s, names: map[string]*binding{}}
		c.units(nil, inner, let.Units, env{scope: inner, old: -1})
		s = inner
	}
	for _, part := range syntax.Parts(e) {
		c.visit(part, s, f)
	}
}

// mentioned returns what a name stands for, nil if e is no name or stands for something that is bound within.
func (c *compiler) mentioned(e syntax.Expr, s *scope) *binding {
	switch e := e.(type) {
	case *syntax.Ident:
		return s.find(e.Name)
	case *syntax.Apply:
		return s.find(e.Name)
	case *syntax.Qualified:
		b := c.resolve(e, env{scope: s, old: -1, routine: c.routine()})
		return b
	}
	return nil
}

// primes tells whether an expression is about the next state.
func (c *compiler) primes(e syntax.Expr, s *scope) bool {
	found := false
	c.visit(e, s, func(e syntax.Expr, s *scope) bool {
		if found {
			return false
		}
		if a, ok := e.(*syntax.Apply); ok && a.Infix && a.Name == "ENABLED" {
			return false
		}
		if a, ok := e.(*syntax.Apply); ok && a.Infix && (a.Name == "'" || a.Name == "UNCHANGED") {
			found = true
		} else if _, ok := e.(*syntax.Box); ok {
			found = true
		} else {
			found = c.bindingPrimes(c.mentioned(e, s))
		}
		return !found
	})
	return found
}

func (c *compiler) bindingPrimes(b *binding) bool {
	if b == nil || b.body == nil || b.kind != definition && b.kind != argument && b.kind != lazy {
		return false
	}
	switch b.primes {
	case 1, 2:
		return false
	case 3:
		return true
	}
	b.primes = 1
	found := c.primes(b.body, b.env.scope)
	b.primes = 2
	if found {
		b.primes = 3
	}
	return found
}

// resolve finds what a qualified name stands for.
func (c *compiler) resolve(e *syntax.Qualified, v env) *binding {
	s := v.scope
	for i, call := range e.Prefix {
		b := s.find(call.Name)
		if i > 0 {
			b = s.names[call.Name]
		}
		if b == nil {
			fail(call.At, "%s is not declared or defined", call.Name)
		}
		if b.kind != instance {
			if i == len(e.Prefix)-1 && b.kind == definition {
				return c.partOf(e, b)
			}
			fail(call.At, "%s is no instance of a module", call.Name)
		}
		s = c.nestedScope(b, call.Args, v, call.At)
	}
	b := s.names[e.Name]
	if b == nil {
		fail(e.Place, "%s is not defined in the module that %s is an instance of", e.Name, e.Prefix[len(e.Prefix)-1].Name)
	}
	if b.written != nil {
		b = b.written
	}
	return b
}

// partOf returns the body of a definition, one of its conjuncts, or what has a label in it, as something with a name.
func (c *compiler) partOf(e *syntax.Qualified, b *binding) *binding {
	part := &binding{kind: definition, name: b.name + "!" + e.Name, at: b.at, body: b.body, env: b.env}
	if e.Name == ":" {
		return part
	}
	if label := labelled(b.body, e.Name); label != nil && len(b.params) == 0 {
		part.body, part.params = label.Body, label.Params
		return part
	}
	n, err := strconv.Atoi(e.Name)
	body := b.body
	for p, ok := body.(*syntax.Parentheses); ok; p, ok = body.(*syntax.Parentheses) {
		body = p.Body
	}
	j, ok := body.(*syntax.Junction)
	if err != nil || !ok || n < 1 || n > len(j.Items) {
		fail(e.Place, "the part %s of %s is not supported: labels are found where the definition takes no arguments, outside of LET, and numbers are those of the items of a list", e.Name, b.name)
	}
	part.body = j.Items[n-1]
	return part
}

// labelled returns what has a label in an expression. In what LET is about there may be names that nobody outside
// knows.
func labelled(e syntax.Expr, label string) (found *syntax.Parentheses) {
	syntax.Walk(e, func(part syntax.Expr) bool {
		if p, ok := part.(*syntax.Parentheses); ok && p.Label == label && found == nil {
			found = p
		}
		_, let := part.(*syntax.Let)
		return found == nil && !let
	})
	return found
}

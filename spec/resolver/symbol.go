package resolver

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/spec/syntax"
)

type kind uint8

const (
	constant kind = iota + 1
	variable
	// parameter is one of a definition, of LAMBDA, or of an instance.
	parameter
	// bound is by a quantifier, CHOOSE, or what makes sets and functions.
	bound
	definition
	instance
)

// symbol is what a name stands for.
type symbol struct {
	kind kind
	name string
	at   syntax.Position
	// library is the module of the library that it is of, if it is.
	library string
	local   bool
	// announced is true between RECURSIVE and the definition, recursive within it.
	announced, recursive bool
	// arity is that of a declared operator or parameter, and of what is announced; that of a definition or an instance
	// is len(params).
	arity  int
	params []*symbol
	// free is what a definition is about beside its arguments, and counts which of these it depends on.
	free   reach
	counts []bool
	// parts is true for a part of a definition, whose name is no operator of its own.
	parts bool
	// most is the highest level of what may stand for a parameter or a constant.
	most Level
	made *made // of an instance
}

func (s *symbol) declared() bool { return s.kind == constant || s.kind == variable }

// takes is how many arguments it takes.
func (s *symbol) takes() int {
	if s.kind == definition && !s.announced && !s.recursive || s.kind == instance {
		return len(s.params)
	}
	return s.arity
}

// standard are the modules of the library whose operators are the same everywhere. Those of the community become more
// with each release: a specification may define itself what a later one has.
var standard = map[string]bool{"Naturals": true, "Integers": true, "Reals": true, "Sequences": true, "FiniteSets": true, "Bags": true, "TLC": true}

// names are what is seen in a place: what is its own, or one symbol, and what is seen around it.
type names struct {
	outer *names
	only  *symbol
	own   map[string]*symbol
	order []*symbol
	inner map[string]*module
}

func newNames(outer *names) *names {
	return &names{outer: outer, own: map[string]*symbol{}, inner: map[string]*module{}}
}

func (n *names) with(s *symbol) *names { return &names{outer: n, only: s} }

// add enters a symbol, unless there is one of that name.
func (n *names) add(s *symbol) {
	if n.own[s.name] == nil {
		n.own[s.name] = s
		n.order = append(n.order, s)
	}
}

// put enters a symbol, which takes the place of one of the library.
func (n *names) put(s *symbol) {
	if old := n.own[s.name]; old != nil {
		n.own[s.name], n.order[slices.Index(n.order, old)] = s, s
		return
	}
	n.add(s)
}

func (n *names) find(name string) *symbol {
	for ; n != nil; n = n.outer {
		if n.only != nil {
			if n.only.name == name {
				return n.only
			}
		} else if s := n.own[name]; s != nil {
			return s
		}
	}
	return nil
}

// fresh returns a symbol for a name that nothing else has where it is seen.
func (c *checker) fresh(n *names, name string, at syntax.Position) *symbol {
	if old := n.find(name); old != nil {
		switch {
		case old.library == "":
			fail(at, "%s stands for something else here: it is %s at %s", name, old.how(), old.at)
		case standard[old.library]:
			fail(at, "%s stands for something else here: it is an operator of the module %s", name, old.library)
		}
	}
	return &symbol{name: name, at: at}
}

// how says how a symbol came about.
func (s *symbol) how() string {
	switch s.kind {
	case constant, variable:
		return "declared"
	case parameter, bound:
		return "bound"
	}
	return "defined"
}

// arguments is a number of them in words.
func arguments(n int) string {
	switch n {
	case 0:
		return "no argument"
	case 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// Package resolver checks what a specification's text has to fulfil whatever is checked of it: each name stands for one
// thing and is defined before it is used, operators get the arguments that they take, and levels fit: what is about a
// step is not primed, an assumption is about constants. It goes through all modules that a specification extends or
// makes instances of, whether what they define is used or not.
//
// Names and levels are those of Lamport, Specifying Systems, chapter 17: the level of a definition is what it is
// whatever its arguments are, and which of them it depends on.
package resolver

import (
	"errors"

	"github.com/seatrial/seatrial/spec/library"
	"github.com/seatrial/seatrial/spec/syntax"
)

// Finder returns the module of a name, nil if there is none.
type Finder func(name string) (*syntax.Module, error)

// Modules finds modules, each once.
type Modules struct {
	find   Finder
	loaded map[string]*syntax.Module
}

// NewModules returns the modules that are found by find, and those of the library.
func NewModules(find Finder) *Modules {
	return &Modules{find: find, loaded: map[string]*syntax.Module{}}
}

// Get returns the text of a module, nil if it is one of the library. It panics with a *syntax.Error at a place if there
// is none.
func (m *Modules) Get(name string, at syntax.Position) *syntax.Module {
	if tree, ok := m.loaded[name]; ok {
		return tree
	}
	tree, err := m.find(name)
	if err != nil {
		if e := new(syntax.Error); errors.As(err, &e) {
			panic(e)
		}
		fail(at, "%v", err)
	}
	if tree == nil {
		if _, ok := library.Find(name); !ok {
			fail(at, "there is no module %s: neither beside the specification, nor in the folders of modules, nor among the standard ones", name)
		}
	}
	m.loaded[name] = tree
	return tree
}

// Check goes through a specification's modules, and returns the names of its own. An error is the first one in the
// text, a *syntax.Error.
func Check(root *syntax.Module, modules *Modules) (n *Names, err error) {
	defer syntax.Catch(&err)
	modules.loaded[root.Name] = root
	c := &checker{modules: modules, opened: map[*syntax.Module]*module{}, natives: map[string]*module{}}
	return &Names{c.open(root, nil).names}, nil
}

// Names are those of a specification.
type Names struct{ names *names }

// Level returns the level of what has a name and takes no arguments, if there is such a thing.
func (n *Names) Level(name string) (Level, bool) {
	s := n.names.find(name)
	if s == nil || s.kind == instance || s.takes() > 0 {
		return 0, false
	}
	return s.applied(nil).now, true
}

// Takes returns how many arguments what has a name takes, if there is such a thing.
func (n *Names) Takes(name string) (int, bool) {
	s := n.names.find(name)
	if s == nil || s.kind == instance {
		return 0, false
	}
	return s.takes(), true
}

// checker is one check of a specification.
type checker struct {
	modules *Modules
	opened  map[*syntax.Module]*module
	natives map[string]*module
}

// module is what a module has become once it was gone through.
type module struct {
	name string
	// names are those that its units define, and those that it got by EXTENDS and INSTANCE.
	names *names
	// declared are the constants and variables of it and of what it extends.
	declared []*symbol
	// opening is true as long as it is being gone through.
	opening bool
	// level is the highest level of what it declares and defines.
	level Level
}

func fail(at syntax.Position, format string, args ...any) {
	panic(syntax.Errorf(at, format, args...))
}

// open goes through a module, which stands within outer.
func (c *checker) open(tree *syntax.Module, outer *names) *module {
	if m := c.opened[tree]; m != nil {
		return m
	}
	m := &module{name: tree.Name, names: newNames(outer), opening: true}
	c.opened[tree] = m
	for _, e := range tree.Extends {
		from := c.module(e, m.names)
		if from.opening {
			fail(e.At, "module %s extends itself, directly or through another module", from.name)
		}
		for _, s := range from.names.order {
			if !s.local && m.names.own[s.name] == nil {
				m.names.add(s)
				if s.declared() {
					m.declared = append(m.declared, s)
				}
			}
		}
		for name, inner := range from.names.inner {
			m.names.inner[name] = inner
		}
		m.level = max(m.level, from.level)
	}
	c.units(m, m.names, tree.Units)
	m.opening = false
	return m
}

// module returns what a module is whose name is used where n is seen.
func (c *checker) module(name syntax.Name, n *names) *module {
	for s := n; s != nil; s = s.outer {
		if m := s.inner[name.Text]; m != nil {
			return m
		}
	}
	if tree := c.modules.Get(name.Text, name.At); tree != nil {
		return c.open(tree, nil)
	}
	return c.native(name.Text)
}

// native returns a module of the library.
func (c *checker) native(name string) *module {
	if m := c.natives[name]; m != nil {
		return m
	}
	m := &module{name: name, names: newNames(nil)}
	c.natives[name] = m
	l, _ := library.Find(name)
	for _, e := range l.Extends {
		for _, s := range c.native(e).names.order {
			m.names.add(s)
		}
	}
	for i := range l.Operators {
		o := &l.Operators[i]
		s := &symbol{kind: definition, name: o.Name, library: name}
		var all reach
		for j := range o.Arity {
			p := &symbol{kind: parameter, most: Step, arity: o.Takes[j]}
			s.params, all = append(s.params, p), all.and(of(p))
		}
		s.is(all)
		m.names.add(s)
	}
	return m
}

// units goes through the units of a module, or of a LET if m is nil, and enters them into n.
func (c *checker) units(m *module, n *names, units []syntax.Unit) {
	for _, u := range units {
		switch u := u.(type) {
		case *syntax.Constants:
			for _, p := range u.Names {
				c.declare(m, n, p, constant)
			}
		case *syntax.Variables:
			for _, name := range u.Names {
				c.declare(m, n, syntax.Parameter{Name: name}, variable)
			}
		case *syntax.Recursive:
			for _, p := range u.Names {
				s := c.fresh(n, p.Text, p.At)
				s.kind, s.arity, s.announced = definition, p.Arity, true
				n.put(s)
			}
		case *syntax.Definition:
			m.has(c.define(n, u))
		case *syntax.Instance:
			c.instantiate(n, u)
		case *syntax.Inner:
			n.inner[u.Module.Name] = c.open(u.Module, n)
		case *syntax.Theorem:
			m.has(c.named(n, u.Name, u.At, u.Body, Temporal, ""))
		case *syntax.Assumption:
			c.named(n, u.Name, u.At, u.Body, Rigid, "an assumption")
		}
	}
	for _, s := range n.order {
		if s.announced {
			fail(s.at, "%s is announced by RECURSIVE, and not defined", s.name)
		}
	}
}

// has notes what a module defines.
func (m *module) has(s *symbol) {
	if m != nil && s != nil {
		m.level = max(m.level, s.free.now)
	}
}

// declare enters a constant or a variable. The same one may be declared by several modules.
func (c *checker) declare(m *module, n *names, p syntax.Parameter, kind kind) {
	if old := n.own[p.Text]; old != nil && old.kind == kind && old.arity == p.Arity {
		return
	}
	s := c.fresh(n, p.Text, p.At)
	s.kind, s.arity, s.most = kind, p.Arity, Temporal
	n.put(s)
	if m != nil {
		m.declared = append(m.declared, s)
		m.level = max(m.level, of(s).now)
	}
}

// named enters a theorem or an assumption, which need not have a name.
func (c *checker) named(n *names, name string, at syntax.Position, body syntax.Expr, most Level, what string) *symbol {
	if body == nil {
		return nil
	}
	r := c.expr(body, n)
	if most < Temporal {
		r.atMost(most, body.Position(), what)
	}
	s := &symbol{kind: definition, name: name, at: at}
	if name != "" {
		s = c.fresh(n, name, at)
		s.kind = definition
		n.put(s)
	}
	s.is(r)
	return s
}

// define enters a definition.
func (c *checker) define(n *names, d *syntax.Definition) *symbol {
	s := n.own[d.Name]
	if s == nil || !s.announced {
		s = c.fresh(n, d.Name, d.At)
	} else if s.announced = false; s.arity != len(d.Params) {
		fail(d.At, "%s is announced by RECURSIVE with %s, and has %d here", d.Name, arguments(s.arity), len(d.Params))
	} else {
		s.recursive = true
	}
	s.kind, s.at, s.local = definition, d.At, d.Local
	inner, params := c.parameters(n, d.Params)
	s.params = params
	s.is(c.expr(d.Body, inner))
	s.recursive = false
	n.put(s)
	return s
}

// parameters binds the parameters of a definition.
func (c *checker) parameters(n *names, all []syntax.Parameter) (*names, []*symbol) {
	var params []*symbol
	for _, p := range all {
		s := c.fresh(n, p.Text, p.At)
		s.kind, s.arity, s.most = parameter, p.Arity, Temporal
		params, n = append(params, s), n.with(s)
	}
	return n, params
}

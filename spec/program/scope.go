package program

import (
	"github.com/seatrial/seatrial/spec/library"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// binding is what a name stands for.
type binding struct {
	kind bindingKind
	name string
	at   syntax.Position
	// slot is the number of a variable, or the place of a local value.
	slot  int
	value value.Value
	// arity is that of a constant that is an operator.
	arity int
	// params and body are those of a definition or LAMBDA, and home the names that its body sees. For an
	// argument body is its expression, and home with env where it was written.
	params    []syntax.Parameter
	body      syntax.Expr
	env       env
	recursive bool
	native    *library.Operator
	instance  *syntax.Instance
	// isVariable is true for a variable of an instance: a constant without a value, or what stands for it.
	isVariable bool
	// hidden is true for what is LOCAL.
	hidden bool
	calls  map[bool]*called
	// impure is true for a definition that was found to be no operator of values only: see pure.
	impure bool
	// lazy is, for a definition of a LET, how its value is found once.
	lazy   node
	lazyIn *routine

	primes uint8 // 0 unknown, 1 being looked at, 2 no, 3 yes
	// cached is the definition compiled, for the state and for the next one, and one its results by one variable, which
	// are the same.
	cached map[bool]node
	one    *byOne
	nested *scope
	// written is, in an instance, what a definition says that the configuration replaces: I!Op is that.
	written *binding
}

type bindingKind uint8

const (
	variable bindingKind = iota + 1
	constant
	definition
	native
	instance
	local
	lazy
	argument
	given // a constant, with its value
)

// scope is names, and what is seen around them.
type scope struct {
	outer *scope
	name  string // with one binding
	only  *binding
	names map[string]*binding
	inner map[string]*syntax.Module
	// module is the name of the module, for what is said of it.
	module string
}

func (s *scope) find(name string) *binding {
	for ; s != nil; s = s.outer {
		if s.only != nil {
			if s.name == name {
				return s.only
			}
		} else if b := s.names[name]; b != nil {
			return b
		}
	}
	return nil
}

func (s *scope) with(name string, b *binding) *scope {
	return &scope{outer: s, name: name, only: b}
}

func (s *scope) innerModule(name string) *syntax.Module {
	for ; s != nil; s = s.outer {
		if m := s.inner[name]; m != nil {
			return m
		}
	}
	return nil
}

// world is what the modules of one specification, or of one instance within it, have in common: what their
// variables and constants are.
type world struct {
	c      *compiler
	scopes map[string]*scope
	// declare returns what a declared variable or constant stands for.
	declare func(p syntax.Parameter, isVariable bool) *binding
	// root is true for the specification itself: its assumptions are checked.
	root bool
	// routine is set if the constants may be bound names of where an instance is made: its definitions then depend on
	// them.
	routine *routine
}

func fail(at syntax.Position, format string, args ...any) {
	panic(syntax.Errorf(at, format, args...))
}

// open returns the names of a module, with those of what it extends.
func (w *world) open(m *syntax.Module, outer *scope) *scope {
	if s := w.scopes[m.Name]; s != nil {
		return s
	}
	s := &scope{outer: outer, names: map[string]*binding{}, inner: map[string]*syntax.Module{}, module: m.Name}
	w.scopes[m.Name] = s
	for _, e := range m.Extends {
		w.extend(s, e)
	}
	w.c.units(w, s, m.Units, env{scope: s, old: -1, routine: w.routine})
	w.c.libraryOverrides(s, m.Name)
	for _, g := range w.c.config.Constants {
		if g.Module == m.Name {
			w.c.overridden[g.Module] = true
			w.c.overrideIn(s, g)
		}
	}
	return s
}

// extend adds the names of a module to s.
func (w *world) extend(s *scope, e syntax.Name) {
	m := w.c.module(e.Text, s, e.At)
	if m == nil {
		w.libraryNames(s, e.Text)
		return
	}
	from := w.open(m, s.outer)
	for name, b := range from.names {
		if b.exported() && s.names[name] == nil {
			s.names[name] = b
		}
	}
	for name, inner := range from.inner {
		s.inner[name] = inner
	}
}

func (b *binding) exported() bool { return !b.hidden }

func (w *world) libraryNames(s *scope, module string) {
	m, _ := library.Find(module)
	for _, e := range m.Extends {
		w.libraryNames(s, e)
	}
	for i := range m.Operators {
		o := &m.Operators[i]
		if s.names[o.Name] == nil {
			s.names[o.Name] = w.c.nativeBinding(o)
		}
	}
}

// libraryOverrides lets operators of the library stand for the definitions of a module that has them in TLA+: those can
// be slow, or have no value that could be found. A module that has not all of them, with their arguments, is another
// one of that name, and keeps its own.
func (c *compiler) libraryOverrides(s *scope, module string) {
	if r := library.Instead(module); s.names[r.Known] != nil {
		for i := range r.Operators {
			o := &r.Operators[i]
			if b := s.names[o.Name]; b != nil && b.kind == definition && len(b.params) == o.Arity {
				*b = *c.nativeBinding(o)
			}
		}
	}
	m, ok := library.Find(module)
	if !ok {
		return
	}
	for i := range m.Operators {
		o := &m.Operators[i]
		if b := s.names[o.Name]; b == nil || b.kind != definition || len(b.params) != o.Arity {
			return
		}
	}
	for i := range m.Operators {
		*s.names[m.Operators[i].Name] = *c.nativeBinding(&m.Operators[i])
	}
}

func (c *compiler) nativeBinding(o *library.Operator) *binding {
	if b := c.natives[o]; b != nil {
		return b
	}
	b := &binding{kind: native, name: o.Name, native: o, arity: o.Arity}
	c.natives[o] = b
	return b
}

// module returns the text of a module, nil if it is one of the library.
func (c *compiler) module(name string, s *scope, at syntax.Position) *syntax.Module {
	if m := s.innerModule(name); m != nil {
		return m
	}
	return c.modules.Get(name, at)
}

// units enters the units of a module, or of a LET, into s.
func (c *compiler) units(w *world, s *scope, units []syntax.Unit, e env) {
	for _, u := range units {
		switch u := u.(type) {
		case *syntax.Constants:
			for _, p := range u.Names {
				if s.names[p.Text] == nil {
					s.names[p.Text] = w.declare(p, false)
				}
			}
		case *syntax.Variables:
			for _, n := range u.Names {
				if s.names[n.Text] == nil {
					s.names[n.Text] = w.declare(syntax.Parameter{Name: n}, true)
				}
			}
		case *syntax.Recursive:
			for _, p := range u.Names {
				s.names[p.Text] = &binding{kind: definition, name: p.Text, at: p.At, recursive: true}
			}
		case *syntax.Definition:
			c.define(s, u, e)
		case *syntax.Instance:
			c.instantiate(s, u, e)
		case *syntax.Inner:
			s.inner[u.Module.Name] = u.Module
		case *syntax.Theorem:
			if u.Name != "" && u.Body != nil {
				s.names[u.Name] = &binding{kind: definition, name: u.Name, at: u.At, body: u.Body, env: e}
			}
		case *syntax.Assumption:
			b := &binding{kind: definition, name: u.Name, at: u.At, body: u.Body, env: e}
			if u.Name != "" {
				s.names[u.Name] = b
			}
			if w != nil && w.root {
				c.assumptions = append(c.assumptions, b)
			}
		}
	}
}

func (c *compiler) define(s *scope, u *syntax.Definition, e env) {
	b := s.names[u.Name]
	if b == nil || !b.recursive || b.body != nil {
		b = &binding{kind: definition, name: u.Name}
		s.names[u.Name] = b
	}
	b.at, b.params, b.body, b.env = u.At, u.Params, u.Body, e
	b.hidden = u.Local
	if by := c.replaced[u.At]; by != nil { // in an instance: its own definitions mention what replaces this one
		copied := *by
		copied.written, copied.hidden = b, u.Local
		s.names[u.Name] = &copied
	}
}

// instantiate enters a named instance, or the names of one without a name.
func (c *compiler) instantiate(s *scope, u *syntax.Instance, e env) {
	if u.Name != "" {
		b := &binding{kind: instance, name: u.Name, at: u.At, instance: u, params: u.Params, env: e}
		b.hidden = u.Local
		s.names[u.Name] = b
		return
	}
	for name, b := range c.instanceScope(u, e).names {
		if b.exported() && (b.kind == definition || b.kind == native || b.kind == instance) {
			if s.names[name] != nil {
				continue
			}
			if u.Local {
				copied := *b
				copied.hidden = true
				b = &copied
			}
			s.names[name] = b
		}
	}
}

// instanceScope returns the names of a module whose constants and variables are replaced as an instance says. e
// is where the replacements are read.
func (c *compiler) instanceScope(u *syntax.Instance, e env) *scope {
	m := c.module(u.Module.Text, e.scope, u.Module.At)
	if m == nil {
		s := &scope{names: map[string]*binding{}, module: u.Module.Text}
		(&world{c: c}).libraryNames(s, u.Module.Text)
		return s
	}
	replaced := map[string]syntax.Expr{}
	for _, sub := range u.With {
		replaced[sub.Name.Text] = sub.Value
	}
	w := &world{c: c, scopes: map[string]*scope{}, routine: e.routine}
	w.declare = func(p syntax.Parameter, isVariable bool) *binding {
		if with, ok := replaced[p.Text]; ok {
			return &binding{kind: argument, name: p.Text, at: p.At, body: with, env: e, arity: p.Arity, isVariable: isVariable}
		}
		if b := e.scope.find(p.Text); b != nil && isVariable && b.kind == definition {
			own := &syntax.Ident{At: syntax.At{Place: p.At}, Name: p.Text}
			return &binding{kind: argument, name: p.Text, at: p.At, body: own, env: e, isVariable: true}
		} else if b != nil {
			return b
		}
		return &binding{
			kind: constant, name: p.Text, at: p.At, arity: p.Arity,
			isVariable: isVariable,
		}
	}
	outer := e.scope
	if e.scope.innerModule(u.Module.Text) == nil {
		outer = nil
	}
	return w.open(m, outer)
}

// nestedScope returns the names of a named instance, for arguments if it takes any.
func (c *compiler) nestedScope(b *binding, args []syntax.Expr, e env, at syntax.Position) *scope {
	if len(args) != len(b.params) {
		fail(at, "%s takes %d arguments, not %d", b.name, len(b.params), len(args))
	}
	if len(args) == 0 {
		if b.nested == nil {
			b.nested = c.instanceScope(b.instance, b.env)
		}
		return b.nested
	}
	inner := b.env
	for i, p := range b.params {
		inner.scope = inner.scope.with(p.Text, &binding{kind: argument, name: p.Text, at: p.At, body: args[i], env: e, arity: p.Arity})
	}
	inner.routine = e.routine
	return c.instanceScope(b.instance, inner)
}

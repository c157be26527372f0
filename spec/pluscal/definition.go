package pluscal

import (
	"slices"

	"github.com/seatrial/seatrial/spec/syntax"
)

// defaultValue is the constant that variables have for which nothing is said.
const defaultValue = "defaultInitValue"

// translation is an algorithm on its way to definitions.
type translation struct {
	algorithm *algorithm
	// variables are all, in the order of the tuple vars.
	variables []string
	// withoutPC says that every process repeats one step for ever: pc would tell nothing.
	withoutPC bool
	units     []syntax.Unit
}

// Translate adds the translation of a module's algorithm to its units. A module without an
// algorithm stays as it is, and so does one that has a translation: see Stale. The error
// is a *syntax.Error.
func Translate(m *syntax.Module) error {
	if m.Algorithm == nil || m.Algorithm.Translated {
		return nil
	}
	units, err := Units(m)
	if err != nil {
		return err
	}
	m.Units = slices.Insert(m.Units, place(m), units...)
	return nil
}

// Units returns the translation of a module's algorithm. The error is a *syntax.Error.
func Units(m *syntax.Module) (units []syntax.Unit, err error) {
	defer syntax.Catch(&err)
	if m.Algorithm == nil {
		return nil, syntax.Errorf(m.At, "module %s has no PlusCal algorithm", m.Name)
	}
	a, err := parse(m)
	if err != nil {
		return nil, err
	}
	if err := a.addLabels(); err != nil {
		return nil, err
	}
	a.rename()
	t := &translation{algorithm: a}
	t.declare(declares(m, defaultValue))
	t.initial()
	t.steps()
	t.next()
	return t.units, nil
}

// declares tells whether a module declares a constant itself, outside of a translation.
func declares(m *syntax.Module, name string) bool {
	from, until := marks(m)
	for _, u := range m.Units {
		c, ok := u.(*syntax.Constants)
		if !ok {
			continue
		}
		for _, n := range c.Names {
			if n.Text == name && (n.At.Line < from || n.At.Line > until) {
				return true
			}
		}
	}
	return false
}

func (t *translation) add(u syntax.Unit) { t.units = append(t.units, u) }

func (t *translation) define(p syntax.Position, name string, params []syntax.Parameter, body syntax.Expr) {
	t.add(&syntax.Definition{At: p, Name: name, Params: params, Body: body})
}

// declare declares the variables; the define block stands before those that it does not know.
func (t *translation) declare(declared bool) {
	a := t.algorithm
	where := a.at
	t.withoutPC = len(a.procedures) == 0 && !slices.ContainsFunc(a.processes, func(b *body) bool { return !b.single() })
	var all []syntax.Name
	add := func(v *variable) { all = append(all, syntax.Name{At: v.at, Text: v.final}) }
	if !t.withoutPC {
		all = append(all, syntax.Name{At: where, Text: "pc"})
	}
	bare := false
	for _, v := range a.variables {
		bare = bare || v.init == nil
		add(v)
	}
	if len(a.procedures) > 0 {
		all = append(all, syntax.Name{At: where, Text: "stack"})
	}
	before := len(all)
	for _, b := range a.bodies() {
		for _, v := range b.variables() {
			bare = bare || v.init == nil
			v.indexed = !a.sequential() && (b.procedure || b.set)
			add(v)
		}
	}
	for _, n := range all {
		t.variables = append(t.variables, n.Text)
	}
	if bare && !declared {
		t.add(&syntax.Constants{Names: []syntax.Parameter{{Name: syntax.Name{At: where, Text: defaultValue}}}})
	}
	if len(a.define) == 0 {
		before = len(all)
	}
	if before > 0 {
		t.add(&syntax.Variables{Names: all[:before]})
	}
	t.units = append(t.units, a.define...)
	if before < len(all) {
		t.add(&syntax.Variables{Names: all[before:]})
	}
	t.define(where, "vars", nil, tuple(where, t.variables))
	if !a.sequential() {
		t.define(where, "ProcSet", nil, t.processSet())
	}
}

// single tells whether a process is a loop for ever that is one step.
func (b *body) single() bool {
	return b.endless() && !leaves(b.code[0])
}

// processSet is the union of all processes.
func (t *translation) processSet() syntax.Expr {
	var union syntax.Expr
	for _, b := range t.algorithm.processes {
		set := t.scopeless(b.id)
		if !b.set {
			set = &syntax.Set{At: at(b.at), Items: []syntax.Expr{set}}
		}
		if union == nil {
			union = set
		} else {
			union = binary(b.at, "\\cup", union, set)
		}
	}
	return union
}

// forEach is [self \in set |-> e].
func forEach(p syntax.Position, set, e syntax.Expr) syntax.Expr {
	return &syntax.Function{At: at(p), Bounds: selfIn(p, set), Body: e}
}

func selfIn(p syntax.Position, set syntax.Expr) []syntax.Bound {
	return []syntax.Bound{{Names: []syntax.Name{{At: p, Text: "self"}}, Set: set}}
}

// initial defines Init.
func (t *translation) initial() {
	a := t.algorithm
	var items []syntax.Expr
	everybody := &body{at: a.at, set: true}
	for _, v := range a.variables {
		items = append(items, t.starts(t.scopeOf(everybody), v, nil))
	}
	for _, b := range a.bodies() {
		var set syntax.Expr
		switch {
		case a.sequential() || !b.procedure && !b.set:
		case b.procedure:
			set = ident(b.at, "ProcSet")
		default:
			set = t.scopeless(b.id)
		}
		for _, v := range b.variables() {
			items = append(items, t.starts(t.scopeOf(b), v, set))
		}
	}
	everywhere := func(e syntax.Expr) syntax.Expr {
		if a.sequential() {
			return e
		}
		return forEach(a.at, ident(a.at, "ProcSet"), e)
	}
	if len(a.procedures) > 0 {
		items = append(items, binary(a.at, "=", ident(a.at, "stack"), everywhere(&syntax.Tuple{At: at(a.at)})))
	}
	if !t.withoutPC {
		items = append(items, binary(a.at, "=", ident(a.at, "pc"), everywhere(t.start())))
	}
	t.define(a.at, "Init", nil, junction(a.at, false, items))
}

// starts says what a variable is at the start, for each process of a set if there is one.
func (t *translation) starts(s *scope, v *variable, set syntax.Expr) syntax.Expr {
	value := s.initial(v.at, v)
	switch {
	case set != nil && v.among:
		return binary(v.at, "\\in", ident(v.at, v.final), &syntax.Functions{At: at(v.at), Domain: set, Range: value})
	case set != nil:
		return binary(v.at, "=", ident(v.at, v.final), forEach(v.at, set, value))
	case v.among:
		return binary(v.at, "\\in", ident(v.at, v.final), value)
	}
	return binary(v.at, "=", ident(v.at, v.final), value)
}

// start is where a process begins.
func (t *translation) start() syntax.Expr {
	all := t.algorithm.processes
	if len(all) == 1 {
		return str(all[0].at, all[0].first())
	}
	c := &syntax.Case{At: at(t.algorithm.at)}
	for _, b := range all {
		op := "="
		if b.set {
			op = "\\in"
		}
		test := binary(b.at, op, ident(b.at, "self"), t.scopeless(b.id))
		c.Arms = append(c.Arms, syntax.Arm{Test: test, Value: str(b.at, b.first())})
	}
	return c
}

// self are the parameters of what a body defines, and the arguments for it.
func (t *translation) self(b *body) ([]syntax.Parameter, []syntax.Expr) {
	if t.algorithm.sequential() || !b.procedure && !b.set {
		return nil, nil
	}
	return []syntax.Parameter{{Name: syntax.Name{At: b.at, Text: "self"}}}, []syntax.Expr{ident(b.at, "self")}
}

// steps defines the actions, and for each process and procedure what it may do.
func (t *translation) steps() {
	for _, b := range t.algorithm.bodies() {
		params, self := t.self(b)
		var parts []syntax.Expr
		after := "Done"
		if b.procedure {
			after = "Error"
		}
		steps{t, b, func(s *statement, action syntax.Expr) {
			name := b.labels[s.label]
			if t.withoutPC {
				parts = append(parts, action)
				return
			}
			t.define(s.labelAt, name, params, action)
			parts = append(parts, apply(s.labelAt, name, self...))
		}}.labelled(b.code, after)
		if b.name == "" {
			b.steps = parts
			continue
		}
		t.define(b.at, b.final, params, junction(b.at, true, parts))
		b.steps = []syntax.Expr{apply(b.at, b.final, self...)}
	}
}

// next defines Next, and what goes with it: termination and Spec.
func (t *translation) next() {
	a := t.algorithm
	where := a.at
	var parts, procedures []syntax.Expr
	for _, b := range a.procedures {
		procedures = append(procedures, b.steps...)
	}
	if a.sequential() {
		parts = append(procedures, a.processes[0].steps...)
	} else {
		for _, b := range a.processes {
			if !b.set {
				parts = append(parts, b.steps...)
			}
		}
		if len(procedures) > 0 {
			parts = append(parts, exists(where, ident(where, "ProcSet"), junction(where, true, procedures)))
		}
		for _, b := range a.processes {
			if b.set {
				parts = append(parts, exists(b.at, t.scopeless(b.id), b.steps[0]))
			}
		}
	}
	ends := !slices.ContainsFunc(a.processes, (*body).endless)
	if ends && !a.options.stop {
		still := &syntax.Apply{At: at(where), Name: "UNCHANGED", Args: []syntax.Expr{ident(where, "vars")}, Infix: true}
		t.define(where, "Terminating", nil, junction(where, false, []syntax.Expr{t.done(), still}))
		parts = append(parts, ident(where, "Terminating"))
	}
	t.define(where, "Next", nil, junction(where, true, parts))
	t.define(where, "Spec", nil, t.spec())
	if ends {
		t.define(where, "Termination", nil, &syntax.Apply{At: at(where), Name: "<>", Args: []syntax.Expr{t.done()}, Infix: true})
	}
}

// exists says that some process of a set takes a step.
func exists(p syntax.Position, set, step syntax.Expr) syntax.Expr {
	return &syntax.Quantifier{At: at(p), Exists: true, Bounds: selfIn(p, set), Body: step}
}

// endless tells whether a process is while TRUE and never leaves it.
func (b *body) endless() bool {
	l, ok := b.code[0].do.(loop)
	if !ok || !endless(l) || len(b.code) > 1 {
		return false
	}
	leaves := false
	each(l.code, func(s *statement) {
		if j, ok := s.do.(jump); ok {
			leaves = leaves || j.label == "Done"
		}
	})
	return !leaves
}

// done says that every process has terminated.
func (t *translation) done() syntax.Expr {
	where := t.algorithm.at
	pc := ident(where, "pc")
	if t.algorithm.sequential() {
		return binary(where, "=", pc, str(where, "Done"))
	}
	index := &syntax.Index{At: at(where), Function: pc, Args: []syntax.Expr{ident(where, "self")}}
	return &syntax.Quantifier{At: at(where), Bounds: selfIn(where, ident(where, "ProcSet")), Body: binary(where, "=", index, str(where, "Done"))}
}

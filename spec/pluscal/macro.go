package pluscal

import "github.com/seatrial/seatrial/spec/syntax"

// most bounds how many statements macros may become: those that call others twice double.
const most = 100_000

// expand replaces macro calls by the statements of the macros.
func (a *algorithm) expand(code []*statement) []*statement {
	var all []*statement
	for _, s := range code {
		c, ok := s.do.(macroCall)
		if !ok {
			s.do = s.within(a.expand)
			all = append(all, s)
			continue
		}
		m := a.macros[c.name.Text]
		switch {
		case m == nil:
			fail(c.name.At, "there is no macro %s before this; procedures are called with call", c.name.Text)
		case len(m.parameters) != len(c.arguments):
			fail(c.name.At, "macro %s has %d parameters, here are %d arguments", c.name.Text, len(m.parameters), len(c.arguments))
		}
		with := substitution{values: map[string]syntax.Expr{}, caller: s.at}
		for i, p := range m.parameters {
			with.values[p.Text] = c.arguments[i]
		}
		expanded := with.statements(m.code, nil)
		each(expanded, func(*statement) { a.expanded++ })
		if a.expanded > most {
			fail(c.name.At, "macros become more than %d statements here", most)
		}
		if s.label != "" {
			expanded[0].label, expanded[0].labelAt, expanded[0].modifier = s.label, s.labelAt, s.modifier
		}
		all = append(all, expanded...)
	}
	return all
}

// within returns what a statement does with the lists in it replaced.
func (s *statement) within(replace func([]*statement) []*statement) any {
	switch do := s.do.(type) {
	case branching:
		do.then, do.or = replace(do.then), replace(do.or)
		return do
	case choice:
		branches := make([][]*statement, len(do.branches))
		for i, branch := range do.branches {
			branches[i] = replace(branch)
		}
		return choice{branches}
	case loop:
		do.code = replace(do.code)
		return do
	case with:
		do.code = replace(do.code)
		return do
	}
	return s.do
}

// substitution puts the arguments of a macro in the place of its parameters.
type substitution struct {
	values map[string]syntax.Expr
	caller syntax.Position
}

func (w substitution) expr(e syntax.Expr, bound *names) syntax.Expr {
	return rewriter{func(e syntax.Expr, bound *names) syntax.Expr {
		if name, ok := e.(*syntax.Ident); ok && !bound.has(name.Name) {
			return w.values[name.Name]
		}
		return nil
	}}.expr(e, bound)
}

func (w substitution) exprs(all []syntax.Expr, bound *names) []syntax.Expr {
	var copied []syntax.Expr
	for _, e := range all {
		copied = append(copied, w.expr(e, bound))
	}
	return copied
}

func (w substitution) statements(code []*statement, bound *names) []*statement {
	var all []*statement
	for _, s := range code {
		c := *s
		c.caller = w.caller
		c.do = w.do(s, bound)
		all = append(all, &c)
	}
	return all
}

// do returns what a statement of a macro does for the arguments.
func (w substitution) do(s *statement, bound *names) any {
	switch do := s.do.(type) {
	case await:
		return await{w.expr(do.condition, bound)}
	case assertion:
		return assertion{w.expr(do.condition, bound)}
	case printing:
		return printing{w.expr(do.value, bound)}
	case call:
		return call{do.procedure, w.exprs(do.arguments, bound)}
	case assignment:
		var a assignment
		for _, t := range do.targets {
			a.targets = append(a.targets, w.target(t, bound))
		}
		return a
	case branching:
		do.condition = w.expr(do.condition, bound)
		do.then, do.or = w.statements(do.then, bound), w.statements(do.or, bound)
		return do
	case with:
		do.value = w.expr(do.value, bound)
		do.code = w.statements(do.code, bound.with(do.name.Text))
		return do
	}
	return s.within(func(code []*statement) []*statement { return w.statements(code, bound) })
}

// target replaces what is assigned to: an argument may be a variable with a path of its own.
func (w substitution) target(t target, bound *names) target {
	c := target{name: t.name, value: w.expr(t.value, bound)}
	for _, step := range t.path {
		c.path = append(c.path, syntax.Step{Field: step.Field, Args: w.exprs(step.Args, bound)})
	}
	value, ok := w.values[t.name.Text]
	if !ok || bound.has(t.name.Text) {
		return c
	}
	for {
		switch v := value.(type) {
		case *syntax.Ident:
			c.name = syntax.Name{At: v.Place, Text: v.Name}
			return c
		case *syntax.Index:
			c.path = append([]syntax.Step{{Args: v.Args}}, c.path...)
			value = v.Function
		case *syntax.Dot:
			c.path = append([]syntax.Step{{Field: v.Field}}, c.path...)
			value = v.Record
		default:
			fail(w.caller, "the macro assigns to its parameter %s: the argument has to be a variable", t.name.Text)
		}
	}
}

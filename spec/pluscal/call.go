package pluscal

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/spec/syntax"
)

// assigned is a conjunct that gives a variable its next value.
type assigned struct {
	name  string
	value syntax.Expr
}

// sorted makes conjuncts of what is assigned at once, by name.
func (s *scope) sorted(all []assigned) []syntax.Expr {
	slices.SortFunc(all, func(a, b assigned) int { return strings.Compare(a.name, b.name) })
	var items []syntax.Expr
	for _, a := range all {
		items = append(items, a.value)
		s.changed[a.name] = true
	}
	return items
}

func (s *scope) procedure(do call) *body {
	for _, p := range s.translation.algorithm.procedures {
		if p.name != do.procedure.Text {
			continue
		}
		if len(p.parameters) != len(do.arguments) {
			fail(do.procedure.At, "procedure %s has %d parameters, here are %d arguments", p.name, len(p.parameters), len(do.arguments))
		}
		return p
	}
	fail(do.procedure.At, "there is no procedure %s", do.procedure.Text)
	return nil
}

// first returns the label that a body begins with.
func (b *body) first() string { return b.labels[b.code[0].label] }

// record is what a call puts on the stack: where to go afterwards, and what the
// procedure's variables were.
func (s *scope) record(p syntax.Position, called *body, back syntax.Expr) syntax.Expr {
	field := func(name string, value syntax.Expr) syntax.Field {
		return syntax.Field{Name: syntax.Name{At: p, Text: name}, Value: value}
	}
	r := &syntax.Record{At: at(p), Fields: []syntax.Field{field("procedure", str(p, called.final)), field("pc", back)}}
	for _, v := range slices.Concat(called.locals, called.parameters) {
		r.Fields = append(r.Fields, field(v.final, s.of(p, v)))
	}
	return &syntax.Tuple{At: at(p), Items: []syntax.Expr{r}}
}

// top is what is on top of the stack, rest what is below.
func (s *scope) top(p syntax.Position, field string) syntax.Expr {
	return &syntax.Dot{At: at(p), Record: apply(p, "Head", s.current(p, "stack", true)), Field: field}
}

func (s *scope) rest(p syntax.Position) syntax.Expr {
	return apply(p, "Tail", s.current(p, "stack", true))
}

// passed are the parameters of a procedure with their arguments.
func (s *scope) passed(st *statement, called *body, do call) []assigned {
	var all []assigned
	for i, v := range called.parameters {
		all = append(all, assigned{v.final, s.assign(st.at, v.final, s.expr(do.arguments[i]))})
	}
	return all
}

// enter begins a procedure: its variables have their first values, pc its first label.
func (s *scope) enter(st *statement, called *body) []syntax.Expr {
	inside := s.translation.scopeOf(called)
	inside.self, inside.changed = s.self, s.changed
	var items []syntax.Expr
	for _, v := range called.locals {
		value := inside.initial(st.at, v)
		items = append(items, s.assign(st.at, v.final, value))
		s.changed[v.final] = true
	}
	return append(items, s.goes(st.at, str(st.at, called.first()))...)
}

// initial is the first value of a variable.
func (s *scope) initial(p syntax.Position, v *variable) syntax.Expr {
	if v.init == nil {
		return ident(p, defaultValue)
	}
	return s.expr(v.init)
}

func (s *scope) call(st *statement, do call, back syntax.Expr) []syntax.Expr {
	called := s.procedure(do)
	stack := binary(st.at, "\\o", s.record(st.at, called, back), s.current(st.at, "stack", true))
	all := append(s.passed(st, called, do), assigned{"stack", s.assign(st.at, "stack", stack)})
	return append(s.sorted(all), s.enter(st, called)...)
}

// tail translates a call and what says where to go after it. A return there means that the
// procedure is left for the one that is called: what is on the stack is replaced.
func (s *scope) tail(st *statement, do call, then *statement) []syntax.Expr {
	if to, ok := then.do.(jump); ok {
		label, ok := s.body.labels[to.label]
		if !ok {
			fail(then.at, "there is no label %s in this part of the algorithm to go to", to.label)
		}
		return s.call(st, do, str(then.at, label))
	}
	if !s.body.procedure {
		fail(then.at, "return stands in procedures only")
	}
	called := s.procedure(do)
	all := s.passed(st, called, do)
	if called != s.body {
		stack := binary(st.at, "\\o", s.record(st.at, called, s.top(st.at, "pc")), s.rest(st.at))
		all = append(all, assigned{"stack", s.assign(st.at, "stack", stack)})
		for _, v := range s.body.locals {
			all = append(all, assigned{v.final, s.assign(st.at, v.final, s.top(st.at, v.final))})
		}
	}
	return append(s.sorted(all), s.enter(st, called)...)
}

// leave translates return.
func (s *scope) leave(st *statement) []syntax.Expr {
	if !s.body.procedure {
		fail(st.at, "return stands in procedures only")
	}
	items := s.goes(st.at, s.top(st.at, "pc"))
	for _, v := range slices.Concat(s.body.locals, s.body.parameters) {
		items = append(items, s.assign(st.at, v.final, s.top(st.at, v.final)))
	}
	items = append(items, s.assign(st.at, "stack", s.rest(st.at)))
	for _, v := range s.body.variables() {
		s.changed[v.final] = true
	}
	s.changed["stack"] = true
	return items
}

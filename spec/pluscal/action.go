package pluscal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/spec/syntax"
)

func at(p syntax.Position) syntax.At { return syntax.At{Place: p} }

func ident(p syntax.Position, name string) syntax.Expr { return &syntax.Ident{At: at(p), Name: name} }

func str(p syntax.Position, text string) syntax.Expr { return &syntax.String{At: at(p), Text: text} }

func truth(p syntax.Position, value bool) syntax.Expr {
	return &syntax.Boolean{At: at(p), Value: value}
}

func binary(p syntax.Position, name string, left, right syntax.Expr) syntax.Expr {
	return &syntax.Apply{At: at(p), Name: name, Args: []syntax.Expr{left, right}, Infix: true}
}

func apply(p syntax.Position, name string, args ...syntax.Expr) syntax.Expr {
	if len(args) == 0 {
		return ident(p, name)
	}
	return &syntax.Apply{At: at(p), Name: name, Args: args}
}

func junction(p syntax.Position, or bool, items []syntax.Expr) syntax.Expr {
	switch len(items) {
	case 0:
		return truth(p, !or)
	case 1:
		return items[0]
	}
	return &syntax.Junction{At: at(p), Or: or, Items: items}
}

func tuple(p syntax.Position, all []string) syntax.Expr {
	t := &syntax.Tuple{At: at(p)}
	for _, name := range all {
		t.Items = append(t.Items, ident(p, name))
	}
	return t
}

// unchanged says that variables keep their values: nothing if there are none.
func unchanged(p syntax.Position, all []string) []syntax.Expr {
	var what syntax.Expr
	switch {
	case len(all) == 0:
		return nil
	case len(all) == 1 && len(all[0]) <= 5:
		return []syntax.Expr{binary(p, "=", primed(ident(p, all[0])), ident(p, all[0]))}
	case len(all) == 1:
		what = ident(p, all[0])
	default:
		what = tuple(p, all)
	}
	return []syntax.Expr{&syntax.Apply{At: at(p), Name: "UNCHANGED", Args: []syntax.Expr{what}, Infix: true}}
}

// missing returns the variables that are in all and not in some, in their order.
func (t *translation) missing(all, some map[string]bool) []string {
	var names []string
	for _, name := range t.variables {
		if all[name] && !some[name] {
			names = append(names, name)
		}
	}
	return names
}

// steps are the labels of a body on their way to definitions.
type steps struct {
	translation *translation
	body        *body
	define      func(label *statement, action syntax.Expr)
}

// labelled defines an action for each label of some statements. After is the label behind them.
func (l steps) labelled(code []*statement, after string) {
	for i, s := range code {
		if s.label == "" {
			continue
		}
		l.define(s, l.translation.action(l.body, code[i:], after))
		l.within(code, i, after)
		if do, ok := s.do.(loop); !ok || !endless(do) {
			l.begin(code[i+1:], after)
		}
	}
}

// begin goes into the statements that are before the first label.
func (l steps) begin(code []*statement, after string) {
	for i := 0; i < len(code) && code[i].label == ""; i++ {
		l.within(code, i, after)
	}
}

// within defines what a statement has labels for in it. Of an if the labels of both branches are
// before those that are deeper: the order is that of the usual translator.
func (l steps) within(code []*statement, i int, after string) {
	s := code[i]
	behind := l.translation.behind(code, i, after)
	switch do := s.do.(type) {
	case loop:
		l.labelled(do.code, s.label)
		l.begin(do.code, s.label)
	case branching:
		l.labelled(do.then, behind)
		l.labelled(do.or, behind)
		l.begin(do.then, behind)
		l.begin(do.or, behind)
	case choice:
		for _, branch := range do.branches {
			l.begin(branch, behind)
			l.labelled(branch, behind)
		}
	}
}

// behind returns the label that is reached behind a statement.
func (t *translation) behind(code []*statement, i int, after string) string {
	if i+1 < len(code) {
		return code[i+1].label
	}
	return after
}

// action is the step from the label of the first of some statements to the next label.
func (t *translation) action(b *body, code []*statement, after string) syntax.Expr {
	s := t.scopeOf(b)
	place := code[0].labelAt
	var items []syntax.Expr
	if !t.withoutPC {
		items = append(items, binary(place, "=", s.current(place, "pc", true), str(place, b.labels[code[0].label])))
	}
	items = append(items, s.sequence(code, after, true)...)
	all := map[string]bool{}
	for _, name := range t.variables {
		all[name] = name != "pc"
	}
	items = append(items, unchanged(place, t.missing(all, s.changed))...)
	return junction(place, false, items)
}

// sequence translates statements up to the next label, and closes the step there if
// that is asked for: pc has its next value then.
func (s *scope) sequence(code []*statement, after string, closed bool) []syntax.Expr {
	var items []syntax.Expr
	for i, st := range code {
		if i > 0 && st.label != "" {
			return append(items, s.to(st.labelAt, st.label)...)
		}
		behind := s.translation.behind(code, i, after)
		switch do := st.do.(type) {
		case loop:
			return append(items, s.loop(st, do, code[i+1:], after)...)
		case jump:
			return append(items, s.jump(st, do.label)...)
		case returning:
			return append(items, s.leave(st)...)
		case call:
			if tail(code, i+1) {
				return append(items, s.tail(st, do, code[i+1])...)
			}
			return append(items, s.call(st, do, str(st.at, s.body.labels[behind]))...)
		case branching, choice, with:
			leaving := leaves(st)
			items = append(items, s.compound(st, behind, leaving)...)
			if leaving {
				return items
			}
		default:
			items = append(items, s.simple(st)...)
		}
	}
	if closed && len(code) > 0 {
		return append(items, s.to(code[len(code)-1].at, after)...)
	}
	if closed {
		return append(items, s.to(s.body.at, after)...)
	}
	return items
}

// to says where the process goes.
func (s *scope) to(p syntax.Position, label string) []syntax.Expr {
	return s.goes(p, str(p, s.body.labels[label]))
}

func (s *scope) goes(p syntax.Position, where syntax.Expr) []syntax.Expr {
	if s.translation.withoutPC {
		return nil
	}
	return []syntax.Expr{s.assign(p, "pc", where)}
}

func (s *scope) jump(st *statement, label string) []syntax.Expr {
	if _, ok := s.body.labels[label]; !ok {
		fail(st.at, "there is no label %s in this part of the algorithm to go to", label)
	}
	return s.to(st.at, label)
}

// update is a new value for a variable, or for what is at a path in it.
type update struct {
	path  []syntax.Step
	value syntax.Expr
}

// assign says that a variable that each process has, by its name in the translation, has new values.
func (s *scope) assign(p syntax.Position, name string, value syntax.Expr) syntax.Expr {
	return s.assignAll(p, name, true, []update{{value: value}})
}

func (s *scope) assignAll(p syntax.Position, name string, indexed bool, updates []update) syntax.Expr {
	value := updates[0].value
	if indexed && s.self != nil || len(updates[0].path) > 0 {
		x := &syntax.Except{At: at(p), Function: ident(p, name)}
		for _, u := range updates {
			path := u.path
			if indexed && s.self != nil {
				path = append([]syntax.Step{{Args: []syntax.Expr{s.self}}}, path...)
			}
			x.Updates = append(x.Updates, syntax.Update{At: p, Path: path, Value: u.value})
		}
		value = x
	}
	return binary(p, "=", primed(ident(p, name)), value)
}

// loop translates while: what is in it, or what is behind it.
func (s *scope) loop(st *statement, do loop, behind []*statement, after string) []syntax.Expr {
	if endless(do) {
		return s.begin(do.code, st.label)
	}
	test := s.expr(do.condition)
	in, out := s.branch(), s.branch()
	then := in.begin(do.code, st.label)
	or := out.begin(behind, after)
	return []syntax.Expr{s.either(st, test, [][]syntax.Expr{then, or}, []*scope{in, out})}
}

// begin translates what is in a while, or behind it: it may begin with a label, or be nothing.
func (s *scope) begin(code []*statement, after string) []syntax.Expr {
	if len(code) > 0 && code[0].label != "" {
		return s.to(code[0].labelAt, code[0].label)
	}
	return s.sequence(code, after, true)
}

// endless tells whether a loop is while TRUE.
func endless(l loop) bool {
	b, ok := l.condition.(*syntax.Boolean)
	return ok && b.Value
}

// part translates the statements of a branch, which may begin with a label.
func (s *scope) part(p syntax.Position, code []*statement, behind string, closed bool) []syntax.Expr {
	if len(code) > 0 && code[0].label != "" {
		return s.to(code[0].labelAt, code[0].label)
	}
	items := s.sequence(code, behind, closed)
	if len(items) == 0 {
		items = []syntax.Expr{truth(p, true)}
	}
	return items
}

// compound translates what has statements in it. Closed says that they go to a label.
func (s *scope) compound(st *statement, behind string, closed bool) []syntax.Expr {
	switch do := st.do.(type) {
	case branching:
		test := s.expr(do.condition)
		then, or := s.branch(), s.branch()
		return []syntax.Expr{s.either(st, test, [][]syntax.Expr{
			then.part(st.at, do.then, behind, closed), or.part(st.at, do.or, behind, closed),
		}, []*scope{then, or})}
	case choice:
		var items [][]syntax.Expr
		var scopes []*scope
		for _, branch := range do.branches {
			alone := s.branch()
			items = append(items, alone.part(st.at, branch, behind, closed))
			scopes = append(scopes, alone)
		}
		return []syntax.Expr{s.either(st, nil, items, scopes)}
	case with:
		value := s.expr(do.value)
		inner := *s
		inner.bound = s.bound.with(do.name.Text)
		body := junction(st.at, false, inner.part(st.at, do.code, behind, closed))
		s.changed = inner.changed
		if do.among {
			return []syntax.Expr{&syntax.Quantifier{
				At: at(st.at), Exists: true, Body: body,
				Bounds: []syntax.Bound{{Names: []syntax.Name{do.name}, Set: value}},
			}}
		}
		d := &syntax.Definition{At: do.name.At, Name: do.name.Text, Body: value}
		return []syntax.Expr{&syntax.Let{At: at(st.at), Units: []syntax.Unit{d}, Body: body}}
	}
	return nil
}

// either joins branches: each keeps what others change. Without a test any may be taken.
func (s *scope) either(st *statement, test syntax.Expr, items [][]syntax.Expr, scopes []*scope) syntax.Expr {
	all := map[string]bool{}
	for _, branch := range scopes {
		for name := range branch.changed {
			all[name] = true
		}
	}
	var parts []syntax.Expr
	for i, branch := range scopes {
		keep := unchanged(st.at, s.translation.missing(all, branch.changed))
		parts = append(parts, junction(st.at, false, append(items[i], keep...)))
	}
	s.changed = all
	if test != nil {
		return &syntax.If{At: at(st.at), Test: test, Then: parts[0], Else: parts[1]}
	}
	return junction(st.at, true, parts)
}

// simple translates what goes on behind itself.
func (s *scope) simple(st *statement) []syntax.Expr {
	switch do := st.do.(type) {
	case skip:
		return []syntax.Expr{truth(st.at, true)}
	case await:
		return []syntax.Expr{s.expr(do.condition)}
	case printing:
		return []syntax.Expr{apply(st.at, "PrintT", s.expr(do.value))}
	case assertion:
		text := fmt.Sprintf("Failure of assertion at line %d, column %d.", st.at.Line, st.at.Column)
		return []syntax.Expr{apply(st.at, "Assert", s.expr(do.condition), str(st.at, text))}
	case assignment:
		return s.assignments(st, do)
	}
	return nil
}

// assignments translates what is assigned at once: by variable, in the order of their names.
func (s *scope) assignments(st *statement, do assignment) []syntax.Expr {
	updates := map[*variable][]update{}
	var order []*variable
	for _, t := range do.targets {
		v := s.variables[t.name.Text]
		if v == nil || s.bound.has(t.name.Text) {
			fail(t.name.At, "%s is no variable of the algorithm that could be assigned to", t.name.Text)
		}
		if s.changed[v.final] {
			fail(t.name.At, "%s is assigned to a second time in one step", t.name.Text)
		}
		u := update{value: s.expr(t.value)}
		for _, step := range t.path {
			u.path = append(u.path, syntax.Step{Field: step.Field, Args: s.exprs(step.Args)})
		}
		if len(updates[v]) == 0 {
			order = append(order, v)
		} else if len(u.path) == 0 || len(updates[v][0].path) == 0 {
			fail(t.name.At, "%s is assigned to twice at once", t.name.Text)
		}
		updates[v] = append(updates[v], u)
	}
	slices.SortFunc(order, func(a, b *variable) int { return strings.Compare(a.final, b.final) })
	var items []syntax.Expr
	for _, v := range order {
		items = append(items, s.assignAll(st.at, v.final, v.indexed, updates[v]))
	}
	for _, v := range order {
		s.changed[v.final] = true
	}
	return items
}

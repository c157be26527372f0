package pluscal

import (
	"math"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/spec/syntax"
)

// marks returns the lines between which a translation stands, which are those of the marks. Without
// marks no line is between them.
func marks(m *syntax.Module) (from, until int) {
	if m.Algorithm == nil {
		return math.MaxInt, 0
	}
	from, until = math.MaxInt, math.MaxInt
	for i, line := range strings.Split(m.Algorithm.At.Source.Text, "\n") {
		switch trimmed := strings.TrimSpace(line); {
		case from == math.MaxInt && strings.HasPrefix(trimmed, "\\*") && strings.Contains(trimmed, "BEGIN TRANSLATION"):
			from = i + 1
		case from < math.MaxInt && strings.HasPrefix(trimmed, "\\*") && strings.Contains(trimmed, "END TRANSLATION"):
			return from, i + 1
		}
	}
	return from, until
}

// place returns the number of units before a translation: it stands between its marks, or
// where the algorithm stands if there are none.
func place(m *syntax.Module) int {
	from, _ := marks(m)
	if from == math.MaxInt {
		return m.Algorithm.Unit
	}
	for i, u := range m.Units {
		if line := lineOf(u); line > from {
			return i
		}
	}
	return len(m.Units)
}

// lineOf returns the line that a unit begins in, or one of its names.
func lineOf(u syntax.Unit) int {
	switch u := u.(type) {
	case *syntax.Constants:
		return u.Names[0].At.Line
	case *syntax.Variables:
		return u.Names[0].At.Line
	case *syntax.Recursive:
		return u.Names[0].At.Line
	case *syntax.Assumption:
		return u.At.Line
	case *syntax.Theorem:
		return u.At.Line
	case *syntax.Definition:
		return u.At.Line
	case *syntax.Instance:
		return u.At.Line
	case *syntax.Inner:
		return u.Module.At.Line
	}
	return 0
}

// Stale compares the translation that stands in a module with its algorithm. It returns the names of
// what differs, nothing if the translation is one of the algorithm as it is. Translations
// may differ in what means the same: the order of variables, how UNCHANGED is written,
// lists within lists, and what failed assertions say. Without a translation nothing is stale.
func Stale(m *syntax.Module) ([]string, error) {
	if m.Algorithm == nil || !m.Algorithm.Translated {
		return nil, nil
	}
	units, err := Units(m)
	if err != nil {
		return nil, err
	}
	from, until := marks(m)
	var there []syntax.Unit
	for _, u := range m.Units {
		if line := lineOf(u); line > from && line < until {
			there = append(there, u)
		}
	}
	ours, order := plain(units)
	theirs, more := plain(there)
	var differ []string
	for _, name := range append(order, more...) {
		if ours[name] != theirs[name] && !slices.Contains(differ, name) {
			differ = append(differ, name)
		}
	}
	return differ, nil
}

// plain returns the text of each definition in a form that is the same for what means the
// same, and the names in order.
func plain(units []syntax.Unit) (map[string]string, []string) {
	all := map[string]string{}
	var order []string
	add := func(name, text string) {
		all[name] = text
		order = append(order, name)
	}
	var variables, constants []string
	step := terminating(units)
	for _, u := range units {
		switch u := u.(type) {
		case *syntax.Variables:
			for _, n := range u.Names {
				variables = append(variables, n.Text)
			}
		case *syntax.Constants:
			for _, n := range u.Names {
				constants = append(constants, n.Text)
			}
		case *syntax.Definition:
			if u.Name == "Terminating" {
				continue
			}
			d := *u
			d.Body = normal(rewriter{step}.expr(d.Body, nil), u.Name == "vars")
			add(u.Name, syntax.PrintUnit(&d))
		default:
			text := syntax.PrintUnit(u)
			add(text, text)
		}
	}
	slices.Sort(variables)
	slices.Sort(constants)
	add("VARIABLES", strings.Join(variables, " "))
	add("CONSTANTS", strings.Join(constants, " "))
	return all, order
}

// terminating puts the step of an end where it is named: not every translator gives it a
// definition.
func terminating(units []syntax.Unit) func(syntax.Expr, *names) syntax.Expr {
	var step syntax.Expr
	for _, u := range units {
		if d, ok := u.(*syntax.Definition); ok && d.Name == "Terminating" {
			step = d.Body
		}
	}
	return func(e syntax.Expr, _ *names) syntax.Expr {
		if name, ok := e.(*syntax.Ident); ok && name.Name == "Terminating" {
			return step
		}
		return nil
	}
}

// normal returns an expression in the form that all have which mean the same to a step.
func normal(e syntax.Expr, unordered bool) syntax.Expr {
	var r rewriter
	r.replace = func(e syntax.Expr, bound *names) syntax.Expr {
		switch e := e.(type) {
		case *syntax.Parentheses:
			return r.expr(e.Body, bound)
		case *syntax.Junction:
			return flat(r, e, bound)
		case *syntax.Tuple:
			if unordered {
				return ordered(e)
			}
		case *syntax.Apply:
			return r.apply(e, bound)
		}
		return nil
	}
	return r.expr(e, nil)
}

// flat joins lists within lists of the same kind.
func flat(r rewriter, e *syntax.Junction, bound *names) syntax.Expr {
	j := &syntax.Junction{At: e.At, Or: e.Or}
	for _, item := range e.Items {
		item = r.expr(item, bound)
		if inner, ok := item.(*syntax.Junction); ok && inner.Or == e.Or {
			j.Items = append(j.Items, inner.Items...)
			continue
		}
		j.Items = append(j.Items, item)
	}
	return j
}

// apply brings what says that variables are unchanged to one form, and takes positions out
// of assertions.
func (r rewriter) apply(e *syntax.Apply, bound *names) syntax.Expr {
	switch {
	case e.Name == "UNCHANGED":
		if t, ok := e.Args[0].(*syntax.Tuple); ok {
			return &syntax.Apply{At: e.At, Name: e.Name, Args: []syntax.Expr{ordered(t)}, Infix: true}
		}
		return &syntax.Apply{At: e.At, Name: e.Name, Args: []syntax.Expr{&syntax.Tuple{At: e.At, Items: e.Args}}, Infix: true}
	case e.Name == "=" && e.Infix:
		left, ok := e.Args[0].(*syntax.Apply)
		if ok && left.Name == "'" && syntax.Print(left.Args[0]) == syntax.Print(e.Args[1]) {
			return &syntax.Apply{At: e.At, Name: "UNCHANGED", Args: []syntax.Expr{&syntax.Tuple{At: e.At, Items: left.Args}}, Infix: true}
		}
	case e.Name == "Assert" && len(e.Args) == 2:
		return apply(e.Place, e.Name, r.expr(e.Args[0], bound))
	}
	return nil
}

// ordered sorts a tuple of names.
func ordered(t *syntax.Tuple) syntax.Expr {
	items := slices.Clone(t.Items)
	slices.SortFunc(items, func(a, b syntax.Expr) int { return strings.Compare(syntax.Print(a), syntax.Print(b)) })
	return &syntax.Tuple{At: t.At, Items: items}
}

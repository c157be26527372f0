package field

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// A program with many variables often has them in a table: {"APP_SIZE", func(c *Config, text string) error { … c.Size =
// … }}, {"APP_SIZE", &c.Size}, or case "APP_SIZE": c.Size = …. The name is nowhere in what asks the environment, which
// goes through the table.

// variableName matches what variables of the environment are called by those who give them names, and restOfName what
// they may be called behind what all of a program begin with.
var (
	variableName = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)
	restOfName   = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)
)

// beginnings are what a package puts before names that it has in variables when it asks the environment for them; none
// if it asks for no such.
func (a *analysis) beginnings(of *packages.Package) []string {
	if all, known := a.before[of]; known {
		return all
	}
	var out []string
	note := func(text string) {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for _, f := range a.files {
		if f.pkg != of || f.test {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			for i, arg := range call.Args {
				with, asks := a.asksFor(f.info, call, i)
				if _, constant := constantText(f.info, arg); asks && !constant {
					_, own := affixed(f.info, arg)
					note(with.before + own.before)
				}
			}
			return true
		})
	}
	a.before[of] = out
	return out
}

// variableOf is the variable that a text names in a table; empty for none.
func (v *visitor) variableOf(e ast.Expr) string {
	text, is := constantText(v.info, e)
	if !is || !restOfName.MatchString(text) {
		return ""
	}
	if all := v.beginnings(v.pkg); len(all) == 1 && (all[0] != "" || variableName.MatchString(text)) {
		return all[0] + text
	}
	return ""
}

// bindTabled joins the variable that an entry of a table names with the one field that the entry fills.
func (v *visitor) bindTabled(n ast.Node) {
	if v.file.test {
		return
	}
	switch n := n.(type) {
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			v.entry(e)
		}
	case *ast.SwitchStmt:
		by, is := ast.Unparen(n.Tag).(*ast.Ident)
		if !is {
			return
		}
		for _, s := range n.Body.List {
			clause := s.(*ast.CaseClause)
			for _, e := range clause.List {
				if name := v.variableOf(e); name != "" && v.usesText(clause, by) {
					fillsOnly(v, name, clause.Body)
				}
			}
		}
	}
}

// usesText tells whether a case of a switch on a name uses another text that comes with the name, as what a variable
// says.
func (v *visitor) usesText(clause *ast.CaseClause, name *ast.Ident) (is bool) {
	ast.Inspect(clause, func(n ast.Node) bool {
		if id, named := n.(*ast.Ident); named {
			x, variable := v.info.Uses[id].(*types.Var)
			is = is || variable && x != v.info.Uses[name] && !x.IsField() && isBasic(x.Type(), types.String) && x.Parent() != x.Pkg().Scope() &&
				!(clause.Pos() <= x.Pos() && x.Pos() < clause.End())
		}
		return !is
	})
	return is
}

// entry is one of a table, with its name as a key or in a literal of its own.
func (v *visitor) entry(e ast.Expr) {
	var names []string
	var within []ast.Expr
	say := func(e ast.Expr) {
		if name := v.variableOf(e); name != "" {
			names = append(names, name)
		} else {
			within = append(within, e)
		}
	}
	if kv, is := e.(*ast.KeyValueExpr); is {
		say(kv.Key)
		e = kv.Value
	}
	if lit, is := ast.Unparen(e).(*ast.CompositeLit); is {
		for _, e := range lit.Elts {
			if kv, is := e.(*ast.KeyValueExpr); is {
				e = kv.Value
			}
			say(e)
		}
	} else {
		say(e)
	}
	if len(names) == 1 {
		fillsOnly(v, names[0], within)
	}
}

// fillsOnly joins a variable with the only leaf that is filled in some nodes.
func fillsOnly[N ast.Node](v *visitor, name string, in []N) {
	var into []*node
	fills := func(e ast.Expr) {
		if leaf := v.leafOn(e); leaf != nil && !slices.Contains(into, leaf) {
			into = append(into, leaf)
		}
	}
	look := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				fills(to)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				fills(n.X)
			}
		}
		return true
	}
	for _, n := range in {
		ast.Inspect(n, look)
	}
	if len(into) != 1 {
		return
	}
	if v.alias(parameter.New(parameter.Env, name), into[0].id()); !v.askedByName()[name] {
		v.tabled[name] = append(v.tabled[name], into[0].id())
	}
}

// askedByName are the variables that the module asks for by a name that is written where it asks: what a table says of
// one is not all that is done with it.
func (a *analysis) askedByName() map[string]bool {
	if a.byName == nil {
		a.byName = map[string]bool{}
		for _, f := range a.files {
			if f.test {
				continue
			}
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				if call, is := n.(*ast.CallExpr); is {
					for i := range call.Args {
						if name, is := a.askedFor(f.info, call, i); is {
							a.byName[name] = true
						}
					}
				}
				return true
			})
		}
	}
	return a.byName
}

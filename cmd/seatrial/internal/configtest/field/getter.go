package field

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// A program that variables of the environment configure often has its defaults in a function of their own, and lays what they say above these: c := Default(); c.Wait = seconds("APP_WAIT", c.Wait).
// Many a test begins with Default(), and never sees the variable. What the program makes of one only its own code knows: so the expression that it fills a field with becomes a function of the
// recorder's, which is called where the program makes such a struct with its defaults.

// getter is how a program makes what a leaf is of variables of the environment, as source that is put behind that of a file.
type getter struct {
	leaf parameter.ID
	// typ is that of the field, in the words of the file, and body what the function does with old, which is what the field is without the variables.
	typ, body string
}

// old is what the field that is asked for is without the variables.
const old = recorder + "Old"

// source is the declaration that hands the function to the recorder.
func (g getter) source() string {
	return fmt.Sprintf("var _ = %s.Getter(%q, func(%s %s) any { %s })", recorder, g.leaf, old, g.typ, g.body)
}

// findGetters looks for the getters of all leaves that variables feed; where there are several of one, the first is taken.
func (a *analysis) findGetters() {
	a.got = map[parameter.ID]bool{}
	for _, f := range a.files {
		if f.test || f.generated {
			continue
		}
		v := &visitor{analysis: a, file: f, skipped: map[ast.Expr]bool{}}
		get := func(leaf *node, value ast.Expr, call bool) {
			if leaf == nil || !a.told(leaf) || a.got[leaf.id()] {
				return
			}
			if g, is := v.getter(leaf, value, call); is {
				f.getters = append(f.getters, g)
				a.got[leaf.id()] = true
			}
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) && n.Tok == token.ASSIGN {
						get(v.leafAt(to), n.Rhs[i], false)
					}
				}
			case *ast.CompositeLit:
				if len(v.byType[v.typeKey(v.info.TypeOf(n))]) == 1 {
					for _, e := range n.Elts {
						leaf, value := v.element(n, e)
						get(leaf, value, false)
					}
				}
			case *ast.CallExpr:
				leaf, _ := v.filledBy(n)
				get(leaf, n, true)
			}
			return true
		})
	}
}

// variedLater has a variable of the package filled when all that the package says of variables is known.
func (v *visitor) variedLater(of *node, pointer bool) {
	if len(v.stack) < 4 {
		return
	}
	decl, is := v.stack[1].(*ast.GenDecl)
	spec, one := v.stack[2].(*ast.ValueSpec)
	if !is || !one || decl.Tok != token.VAR || len(spec.Names) != 1 || spec.Names[0].Name == "_" {
		return
	}
	name := "&" + spec.Names[0].Name
	if steps := len(v.stack) - 4; pointer && steps == 1 {
		name = spec.Names[0].Name
	} else if pointer || steps > 0 {
		return
	}
	v.file.later = append(v.file.later, fmt.Sprintf("func init() { %s.Varied(%s, %d) }", recorder, name, of.number))
}

// told tells whether a variable says what a leaf is.
func (a *analysis) told(leaf *node) bool {
	for pair := range a.aliases {
		if pair[0].Kind() == parameter.Env && pair[1] == leaf.id() || pair[1].Kind() == parameter.Env && pair[0] == leaf.id() {
			return true
		}
	}
	return false
}

// leafAt is the leaf that an expression is; nil if it is none, or a part of one.
func (v *visitor) leafAt(e ast.Expr) *node {
	if all := v.nodes(e); len(all) == 1 && all[0].leaf {
		return all[0]
	}
	return nil
}

// getter makes a function of what a leaf is given in a program, or with call of a call that fills it; false if that takes more of the function around it than what can be had anywhere.
func (v *visitor) getter(leaf *node, value ast.Expr, call bool) (getter, bool) {
	m := moving{visitor: v, leaf: leaf, zero: map[string]string{}}
	text, is := m.text(value)
	typ, named := m.typeText(leaf.field.Type())
	if !is || !named || !m.asks {
		return getter{}, false
	}
	g := getter{leaf: leaf.id(), typ: typ}
	for _, name := range m.zeros {
		g.body += fmt.Sprintf("var %s %s; ", name, m.zero[name])
	}
	switch {
	case !call:
		g.body += "return " + text
	case v.info.Types[value].IsVoid():
		g.body += text + "; return " + old
	default:
		g.body += fmt.Sprintf("%s.Done(%s); return %s", recorder, text, old)
	}
	return g, true
}

// deepestMove bounds how many variables are followed to what they are made of.
const deepestMove = 8

// moving is a piece of a function on its way to another one.
type moving struct {
	*visitor
	leaf *node
	// within are the pieces that are moved: what is declared in them comes with them. made are variables that are followed.
	within []ast.Node
	made   int
	// zero are the types of variables that are declared without a value, and zeros their names in order.
	zero  map[string]string
	zeros []string
	// asks: it asks the environment for something.
	asks bool
}

// text is the source of a piece as it is in another function; false if it cannot be there.
func (m *moving) text(n ast.Node) (string, bool) {
	m.within = append(m.within, n)
	defer func() { m.within = m.within[:len(m.within)-1] }()
	var b strings.Builder
	can, last := true, m.offset(n.Pos())
	ast.Inspect(n, func(below ast.Node) bool {
		if !can || below == nil {
			return false
		}
		var text string
		if text, can = m.instead(below); can && text == "" {
			return true
		}
		b.Write(m.file.text[last:m.offset(below.Pos())])
		b.WriteString(text)
		last = m.offset(below.End())
		return false
	})
	b.Write(m.file.text[last:m.offset(n.End())])
	return b.String(), can
}

// instead is what stands there for a node; empty if what is beneath it is to be looked at. False if there is nothing.
func (m *moving) instead(n ast.Node) (string, bool) {
	switch x := n.(type) {
	case *ast.CallExpr:
		m.asks = m.asks || len(m.variables(m.info, x)) > 0
	case *ast.SelectorExpr:
		if all := m.nodes(x); len(all) > 0 && all[0].leaf {
			return old, len(all) == 1 && all[0] == m.leaf // another parameter has no value there
		}
		if by := asksEnvironment(m.info.Uses[x.Sel]); by != "" {
			return recorder + "." + by, true
		}
		of, can := m.text(x.X) // what is selected is no name by itself
		return of + string(m.file.text[m.offset(x.X.End()):m.offset(x.End())]), can
	case *ast.Ident:
		return m.variable(x)
	}
	return "", true
}

// asksEnvironment is the function of the recorder that stands for one of the environment; empty for none.
func asksEnvironment(o types.Object) string {
	f, is := o.(*types.Func)
	if !is {
		return ""
	}
	return map[string]string{"os.Getenv": "Variable", "os.LookupEnv": "LookUpVariable"}[f.FullName()]
}

// standIn is the function of the recorder that is given where the program asks a variable in the place of the environment.
func standIn(o *types.Var) string {
	if o.Type().Underlying().(*types.Signature).Results().Len() == 2 {
		return "LookUpVariable"
	}
	return "Variable"
}

// variable is what stands for a name: of a variable of the function what that is made of, and nothing of what is known everywhere.
func (m *moving) variable(name *ast.Ident) (string, bool) {
	o := m.info.Uses[name]
	if o == nil || o.Pkg() == nil || o.Parent() == o.Pkg().Scope() || m.comesWith(o) {
		return "", true
	}
	x, is := o.(*types.Var)
	switch {
	case !is:
		_, local := o.(*types.Const)
		_, typ := o.(*types.TypeName)
		return "", !local && !typ
	case x.IsField():
		return "", true
	case inPlaceOfEnvironment(x):
		m.asks = true
		return recorder + "." + standIn(x), true
	}
	if made := m.madeOf(x); made != nil && m.made < deepestMove {
		m.made++
		text, can := m.text(made)
		if _, several := m.info.TypeOf(made).(*types.Tuple); several {
			return recorder + ".First(" + text + ")", can
		}
		return "(" + text + ")", can
	}
	text, can := m.typeText(x.Type())
	if !can || !m.begun(x) || m.zero[x.Name()] != "" && m.zero[x.Name()] != text || len(m.byType[m.typeKey(x.Type())]) > 0 {
		return "", false
	}
	if m.zero[x.Name()] == "" {
		m.zero[x.Name()] = text
		m.zeros = append(m.zeros, x.Name())
	}
	return x.Name(), true
}

// comesWith tells whether something is declared in what is moved.
func (m *moving) comesWith(o types.Object) bool {
	return slices.ContainsFunc(m.within, func(n ast.Node) bool { return n.Pos() <= o.Pos() && o.Pos() < n.End() })
}

// begun tells whether a variable has no value where it is declared, or is one that a function is given.
func (m *moving) begun(o *types.Var) (is bool) {
	ast.Inspect(m.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			is = is || slices.ContainsFunc(n.Names, func(name *ast.Ident) bool { return m.info.Defs[name] == o })
		case *ast.ValueSpec:
			is = is || len(n.Values) == 0 && slices.ContainsFunc(n.Names, func(name *ast.Ident) bool { return m.info.Defs[name] == o })
		}
		return !is
	})
	return is
}

// typeText is a type in the words of the file; false if it has none.
func (m *moving) typeText(t types.Type) (string, bool) {
	can := true
	text := types.TypeString(t, func(p *types.Package) string {
		if p == m.pkg.Types {
			return ""
		}
		for _, spec := range m.syntax.Imports {
			if imported := m.info.PkgNameOf(spec); imported != nil && imported.Imported() == p && imported.Name() != "_" && imported.Name() != "." {
				return imported.Name()
			}
		}
		can = false
		return p.Name()
	})
	return text, can
}

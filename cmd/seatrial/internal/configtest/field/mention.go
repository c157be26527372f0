package field

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// mentions are the packages of which the program mentions each field otherwise than to give it a value: in others
// nobody reads it, whatever is configured. One that hands all of a struct on to where its fields are not seen to be
// read, as to another module, mentions all of them. It is nil if there is a package that cannot be looked at.
func (a *analysis) mentions() map[parameter.ID][]string {
	if a.unfollowed {
		return nil
	}
	found := map[parameter.ID]map[string]bool{}
	for _, f := range a.files {
		if f.test || f.generated {
			continue
		}
		m := &mentioning{visitor: &visitor{analysis: a, file: f, skipped: map[ast.Expr]bool{}}, found: found}
		ast.Inspect(f.syntax, m.visit)
	}
	out := map[parameter.ID][]string{}
	for id, in := range found {
		out[id] = slices.Sorted(maps.Keys(in))
	}
	return out
}

// mentioning looks through one file.
type mentioning struct {
	*visitor
	found map[parameter.ID]map[string]bool
}

func (m *mentioning) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Recv == nil || !silent.MatchString(n.Name.Name)
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			if n.Tok == token.ASSIGN {
				m.skip(e)
			}
		}
	case *ast.IfStmt:
		for _, e := range m.defaulted(n) {
			m.skip(e)
		}
	case *ast.SelectorExpr:
		if s := m.info.Selections[n]; s != nil && s.Kind() == types.FieldVal && !m.skipped[n] {
			m.add(n, true)
		}
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			if !m.info.Types[n.X].IsNil() && !m.info.Types[n.Y].IsNil() {
				m.add(n.X, false)
				m.add(n.Y, false)
			}
		}
	case *ast.CallExpr:
		m.handed(n)
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if kv, is := e.(*ast.KeyValueExpr); is {
				e = kv.Value
			}
			if t := m.elementType(n); t != nil && types.IsInterface(t) {
				m.add(e, false)
			}
		}
	}
	return true
}

// add notes that an expression is mentioned: a field, or all fields of a struct.
func (m *mentioning) add(e ast.Expr, leaf bool) {
	for _, n := range m.nodes(e) {
		if n.leaf != leaf {
			continue
		}
		for _, l := range n.leaves() {
			if m.found[l.id()] == nil {
				m.found[l.id()] = map[string]bool{}
			}
			m.found[l.id()][m.pkg.PkgPath] = true
		}
	}
}

// handed notes structs that are handed on as what they are not: to a function that takes any value, and to another
// type. A decoder gives them values.
func (m *mentioning) handed(call *ast.CallExpr) {
	to := m.info.TypeOf(call.Fun)
	if to == nil {
		return
	}
	decoded := m.decodedBy(m.info, call)
	s, is := to.Underlying().(*types.Signature)
	if !is && !m.info.Types[call.Fun].IsType() {
		return
	}
	for i, arg := range call.Args {
		if decoded[i] != nil {
			continue
		}
		if is {
			to = parameterType(s, i)
		}
		if key := m.typeKey(to); key == "" || key != m.typeKey(m.info.TypeOf(arg)) {
			m.add(arg, false)
		}
	}
}

// parameterType is that of the parameter that an argument is for.
func parameterType(s *types.Signature, i int) types.Type {
	if last := s.Params().Len() - 1; s.Variadic() && i >= last {
		if of, is := s.Params().At(last).Type().(*types.Slice); is {
			return of.Elem()
		}
	}
	if i < s.Params().Len() {
		return s.Params().At(i).Type()
	}
	return nil
}

// elementType is that of what a literal of a collection has; nil of others.
func (m *mentioning) elementType(n *ast.CompositeLit) types.Type {
	t := m.info.TypeOf(n)
	if t == nil {
		return nil
	}
	switch t := t.Underlying().(type) {
	case *types.Map:
		return t.Elem()
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	}
	return nil
}

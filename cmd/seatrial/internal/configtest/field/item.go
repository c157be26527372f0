package field

import (
	"go/ast"
	"go/types"
)

// An item of a list or a map in a configuration is a part of that, and often of the type of something else in it:
// routes, and the one by default. What is read of an item is nothing of the other.

// item tells whether an expression is an item of a collection in a configuration, or a part of one.
func (v *visitor) item(e ast.Expr) bool {
	if len(v.elements) == 0 {
		return false
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		s := v.info.Selections[x]
		return s != nil && s.Kind() == types.FieldVal && v.item(x.X)
	case *ast.StarExpr:
		return v.item(x.X)
	case *ast.UnaryExpr:
		return v.item(x.X)
	case *ast.IndexExpr:
		return v.item(x.X) || v.collection(x.X)
	case *ast.Ident:
		o := v.info.Uses[x]
		if o == nil {
			return false
		}
		if from := v.definition(o); from != nil {
			return from != e && v.item(from)
		}
		of := v.ranged[o]
		return of != nil && (v.item(of) || v.collection(of))
	}
	return false
}

// collection tells whether an expression is a leaf, as a list or a map in a configuration is.
func (v *visitor) collection(e ast.Expr) bool {
	if id, is := ast.Unparen(e).(*ast.Ident); is {
		from := v.definition(v.info.Uses[id])
		return from != nil && v.collection(from)
	}
	_, selects := ast.Unparen(e).(*ast.SelectorExpr)
	all := v.nodes(e)
	return selects && len(all) > 0 && all[0].leaf
}

// maybeItem tells whether nothing says of an expression that it is no item.
func (v *visitor) maybeItem(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return v.maybeItem(x.X)
	case *ast.StarExpr:
		return v.maybeItem(x.X)
	case *ast.UnaryExpr:
		return v.maybeItem(x.X)
	case *ast.Ident:
		if from := v.copyOf(v.info.Uses[x]); from != nil {
			return v.maybeItem(from)
		}
	}
	return v.elements[v.typeKey(v.info.TypeOf(e))]
}

// constantOrName tells whether nothing is called to know what an expression is.
func constantOrName(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.BasicLit, *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return constantOrName(x.X)
	}
	return false
}

// only is the text of the key, or of the place, at which a map or a list is asked here, if only that is read of it, and
// can be asked for twice, and what says so; empty otherwise.
func (v *visitor) only(e ast.Expr) (at, by string) {
	of, is := v.above(0).(*ast.IndexExpr)
	if !is || of.X != e || !v.info.Types[e].Addressable() || !constantOrName(of.Index) {
		return "", ""
	}
	text := string(v.text[v.offset(of.Index.Pos()):v.offset(of.Index.End())])
	switch t := v.info.TypeOf(e).Underlying().(type) {
	case *types.Map:
		if _, plain := t.Key().Underlying().(*types.Basic); plain {
			return text, "RAt"
		}
	case *types.Slice:
		return "int(" + text + ")", "ROf"
	}
	return "", ""
}

// counted tells whether it is only asked how much a list or a map has.
func (v *visitor) counted(e ast.Expr) bool {
	call, is := v.above(0).(*ast.CallExpr)
	if !is || len(call.Args) != 1 || call.Args[0] != e {
		return false
	}
	by, is := ast.Unparen(call.Fun).(*ast.Ident)
	if !is {
		return false
	}
	builtin, is := v.info.Uses[by].(*types.Builtin)
	return is && builtin.Name() == "len" && itemOf(pointedAt(v.info.TypeOf(e))) != nil
}

package field

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// same wraps the words, numbers and times that a test writes by hand into the fields of a configuration, of an item of
// one, or of what the program makes of one: what is just as deployed may be a copy of that, and the new version may say
// it otherwise.
func (v *visitor) same(n *ast.CompositeLit) {
	if !v.test {
		return
	}
	v.eachField(n, func(field *types.Var, value ast.Expr) { v.byHand(value, v.fieldsOf(n, field)...) })
}

// sameArguments does so with the arguments of a function of the module into which what is configured is put.
func (v *visitor) sameArguments(n *ast.CallExpr) {
	if !v.test {
		return
	}
	v.eachArgument(n, func(param types.Object, value ast.Expr) {
		if id := v.feeds.names[v.where(param)]; id != "" {
			v.byHand(value, id)
		}
	})
}

// sameAssigned does so with what is assigned to a field.
func (v *visitor) sameAssigned(n *ast.AssignStmt) {
	if !v.test || n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
		return
	}
	for i, to := range n.Lhs {
		e, is := ast.Unparen(to).(*ast.SelectorExpr)
		if !is {
			continue
		}
		field, is := v.info.Uses[e.Sel].(*types.Var)
		if !is || !field.IsField() {
			continue
		}
		v.byHand(n.Rhs[i], v.withPlaces(leafIDs(v.nodes(e)), field)...)
	}
}

// textOfType wraps the text of which a test lets a type of a parameter make its value: x.UnmarshalText([]byte("10MB")),
// or config.ParseSize("10MB").
func (v *visitor) textOfType(n *ast.CallExpr) {
	if !v.test || len(n.Args) != 1 || n.Ellipsis.IsValid() {
		return
	}
	f, is := typeutil.Callee(v.info, n).(*types.Func)
	if !is || !v.own(f.Pkg()) {
		return
	}
	var of types.Type
	switch s := f.Signature(); {
	case s.Recv() != nil && slices.Contains([]string{"UnmarshalText", "Set", "Decode"}, f.Name()):
		of = s.Recv().Type()
	case s.Recv() == nil && s.TypeParams() == nil && s.Results().Len() > 0 && !v.feeding(n):
		of = s.Results().At(0).Type()
	}
	if of == nil || !v.texts()[typeText(of)] {
		return
	}
	id := strconv.Quote(string(parameter.TextOf(typeText(of))))
	switch t := v.info.TypeOf(n.Args[0]).Underlying().(type) {
	case *types.Basic:
		if as, is := v.spelled(n.Args[0]); is && t.Info()&types.IsString != 0 {
			v.wrap(n.Args[0], recorder+".Same"+as+"(", ", "+id+")")
		}
	case *types.Slice:
		if b, is := t.Elem().Underlying().(*types.Basic); is && b.Kind() == types.Uint8 {
			v.wrap(n.Args[0], recorder+".Bytes(", ", "+id+")")
		}
	}
}

// typeText is what a type is called with its package, as of a fact; of a pointer it is that to which it points.
func typeText(t types.Type) string { return pointedAt(t).String() }

// texts are the types of parameters that are the module's own.
func (a *analysis) texts() map[string]bool {
	if a.textTypes == nil {
		a.textTypes = map[string]bool{}
		for _, r := range a.roots {
			for _, n := range r.node.leaves() {
				if of := named(n.typ); of != nil && a.own(of.Obj().Pkg()) {
					a.textTypes[typeText(n.typ)] = true
				}
			}
		}
	}
	return a.textTypes
}

// feeding tells whether the argument of a call is a feed, so that it is known by that.
func (v *visitor) feeding(n *ast.CallExpr) (is bool) {
	v.eachArgument(n, func(param types.Object, _ ast.Expr) { is = is || v.feeds.names[v.where(param)] != "" })
	return is
}

// byHand wraps a constant that says something.
func (v *visitor) byHand(value ast.Expr, ids ...parameter.ID) {
	if lit, literal := ast.Unparen(value).(*ast.CompositeLit); literal && len(lit.Elts) == 1 {
		if s, is := v.info.TypeOf(lit).Underlying().(*types.Struct); is && s.NumFields() == 1 {
			only := lit.Elts[0]
			if pair, is := only.(*ast.KeyValueExpr); is {
				only = pair.Value
			}
			v.byHand(only, ids...)
			return
		}
	}
	by, of, is := told(v.info.Types[value].Value), "", true
	if lit, literal := ast.Unparen(value).(*ast.CompositeLit); literal && v.listing(lit) {
		by = "List"
	} else if literal && v.ordered(lit) {
		by = "Order"
	} else if by != "" {
		of, is = v.spelled(value)
	}
	if by == "" || !is || len(ids) == 0 {
		return
	}
	var quoted []string
	for _, id := range ids {
		quoted = append(quoted, strconv.Quote(string(id)))
	}
	v.wrap(value, recorder+"."+by+of+"(", ", "+strings.Join(quoted, ", ")+")")
}

// listing tells whether a literal is a list of words or numbers.
func (v *visitor) listing(n *ast.CompositeLit) bool {
	t, is := v.info.TypeOf(n).Underlying().(*types.Slice)
	if !is || n.Type == nil || len(n.Elts) == 0 { // within another literal it need not say its type
		return false
	}
	b, is := t.Elem().Underlying().(*types.Basic)
	return is && b.Kind() != types.Uint8 && !slices.ContainsFunc(n.Elts, func(e ast.Expr) bool { return v.info.Types[e].Value == nil })
}

// ordered tells whether a literal is a list of several structs.
func (v *visitor) ordered(n *ast.CompositeLit) bool {
	t, is := v.info.TypeOf(n).Underlying().(*types.Slice)
	return is && n.Type != nil && len(n.Elts) > 1 && structOf(t.Elem()) != nil && !slices.ContainsFunc(n.Elts, func(e ast.Expr) bool {
		_, keyed := e.(*ast.KeyValueExpr)
		return keyed
	})
}

// told is the function of the recorder that is told of a constant; empty if that says nothing.
func told(says constant.Value) string {
	switch {
	case says == nil:
		return ""
	case says.Kind() == constant.String && constant.StringVal(says) != "":
		return "Same"
	case (says.Kind() == constant.Int || says.Kind() == constant.Float) && constant.Sign(says) != 0:
		return "Amount"
	}
	return ""
}

// fieldsOf are the parameters, the fields of items and the feeds that a field of a literal is.
func (v *visitor) fieldsOf(n *ast.CompositeLit, field *types.Var) (ids []parameter.ID) {
	return v.withPlaces(v.leavesOf(n, field), field)
}

// withPlaces adds the field of an item and the feed that a field is.
func (v *visitor) withPlaces(ids []parameter.ID, field *types.Var) []parameter.ID {
	for _, id := range []parameter.ID{v.itemFields[v.whereField(field)], v.feeds.names[v.where(field)]} {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// spelled is how the type of a constant is told to a generic function, [T], or nothing where it tells that itself;
// false if it cannot be written here.
func (v *visitor) spelled(e ast.Expr) (string, bool) {
	if !v.typeless(e) {
		return "", true
	}
	var name string
	var object types.Object
	switch t := types.Unalias(v.info.TypeOf(e)).(type) {
	case *types.Basic:
		name, object = t.Name(), types.Universe.Lookup(t.Name())
	case *types.Named:
		name, object = t.Obj().Name(), t.Obj()
		if t.TypeArgs().Len() > 0 {
			return "", false
		}
	}
	if object == nil {
		return "", false
	}
	if object.Pkg() == nil || object.Pkg() == v.pkg.Types {
		return "[" + name + "]", v.means(e, name) == object
	}
	for _, i := range v.syntax.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil || path != object.Pkg().Path() {
			continue
		}
		by := object.Pkg().Name()
		if i.Name != nil {
			by = i.Name.Name
		}
		of, is := v.means(e, by).(*types.PkgName)
		return "[" + by + "." + name + "]", is && of.Imported() == object.Pkg() && object.Exported()
	}
	return "", false
}

// means is what a name means where an expression is; nil if it means nothing there.
func (v *visitor) means(at ast.Expr, name string) types.Object {
	scope := v.pkg.Types.Scope().Innermost(at.Pos())
	if scope == nil {
		return nil
	}
	_, found := scope.LookupParent(name, at.Pos())
	return found
}

// typeless tells whether a constant has its type from where it stands.
func (v *visitor) typeless(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.UnaryExpr:
		return v.typeless(x.X)
	case *ast.BinaryExpr:
		return v.typeless(x.X) && (x.Op == token.SHL || x.Op == token.SHR || v.typeless(x.Y))
	case *ast.CallExpr: // of what is built in, as min
		id, is := ast.Unparen(x.Fun).(*ast.Ident)
		if !is {
			return false
		}
		_, is = v.info.Uses[id].(*types.Builtin)
		return is && !slices.ContainsFunc(x.Args, func(arg ast.Expr) bool { return !v.typeless(arg) })
	case *ast.Ident:
		return typelessConst(v.info.Uses[x])
	case *ast.SelectorExpr:
		return typelessConst(v.info.Uses[x.Sel])
	}
	return false
}

func typelessConst(o types.Object) bool {
	c, is := o.(*types.Const)
	if !is {
		return false
	}
	t, is := c.Type().(*types.Basic)
	return is && t.Info()&types.IsUntyped != 0
}

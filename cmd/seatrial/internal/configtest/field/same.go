package field

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// same wraps the words that a test writes into the fields of a configuration, or of an item of one, by hand: one that is just what is deployed is a copy of that,
// and the new version may say it otherwise. Numbers and times are left alone: a test has its own, which may be equal by chance.
func (v *visitor) same(n *ast.CompositeLit) {
	if !v.test || structOf(v.info.TypeOf(n)) == nil {
		return
	}
	for _, e := range n.Elts {
		kv, is := e.(*ast.KeyValueExpr)
		if !is {
			continue
		}
		says := v.info.Types[kv.Value]
		if says.Value == nil || says.Value.Kind() != constant.String || constant.StringVal(says.Value) == "" {
			continue
		}
		ids := v.fieldsOf(n, kv)
		if of, is := v.spelled(kv.Value); is && len(ids) > 0 {
			v.wrap(kv.Value, fmt.Sprintf("%s.Same%s(", recorder, of), ", "+strings.Join(ids, ", ")+")")
		}
	}
}

// fieldsOf are the parameters, or the fields of items, that an element of a literal is for, in quotes.
func (v *visitor) fieldsOf(n *ast.CompositeLit, kv *ast.KeyValueExpr) []string {
	name, is := kv.Key.(*ast.Ident)
	if !is {
		return nil
	}
	var ids []parameter.ID
	for _, of := range v.byType[v.typeKey(v.info.TypeOf(n))] {
		if c := of.child(name.Name); c != nil && c.leaf {
			ids = append(ids, c.id())
		}
	}
	if o := v.info.Uses[name]; o != nil {
		if id := v.itemFields[v.whereField(o)]; id != "" {
			ids = append(ids, id)
		}
	}
	var out []string
	for _, id := range ids {
		if text := strconv.Quote(string(id)); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// spelled is how the type of a constant is told to a generic function, [T], or nothing where it tells that itself; false if it cannot be written here.
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
	case *ast.BinaryExpr:
		return v.typeless(x.X) && v.typeless(x.Y)
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

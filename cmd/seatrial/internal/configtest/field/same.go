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
		if name, is := v.spelled(says.Type); is && len(ids) > 0 {
			v.wrap(kv.Value, fmt.Sprintf("%s.Same[%s](", recorder, name), ", "+strings.Join(ids, ", ")+")")
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

// spelled is how the file can write a type; false if it cannot.
func (v *visitor) spelled(t types.Type) (string, bool) {
	can := true
	name := types.TypeString(types.Default(t), func(p *types.Package) string {
		if p.Path() == v.pkg.Types.Path() {
			return ""
		}
		for _, i := range v.syntax.Imports {
			of, err := strconv.Unquote(i.Path.Value)
			if err != nil || of != p.Path() {
				continue
			}
			if i.Name == nil {
				return p.Name()
			}
			if i.Name.Name != "_" && i.Name.Name != "." {
				return i.Name.Name
			}
		}
		can = false
		return p.Name()
	})
	_, typeParameter := t.(*types.TypeParam)
	return name, can && !typeParameter
}

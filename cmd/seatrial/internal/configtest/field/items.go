package field

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// A collection of structs is one parameter, as it is given whole. What of its items is read is told by the field of their type: which item that is of, only the value says.

// deepestItem bounds how many structs are in each other in an item.
const deepestItem = 8

// itemize finds the fields of the items that a leaf has. Of types that read themselves nobody knows what a key is for.
func (a *analysis) itemize(leaf *node) {
	i := itemizing{a, leaf}
	i.collection(leaf.typ, nil, nil)
}

// decodedItems notes a collection that a file is decoded into as such. Its items are those of no parameter that has a name.
func (a *analysis) decodedItems(f *file, call *ast.CallExpr, i int, d *decoder) {
	p, is := f.info.TypeOf(call.Args[i]).Underlying().(*types.Pointer)
	if is && itemOf(p.Elem()) != nil && (!d.picky || d.opened(a, f, call, call.Args[i])) {
		a.documentsOfItems = append(a.documentsOfItems, &node{root: &root{decoder: d}, typ: p.Elem()})
	}
}

type itemizing struct {
	*analysis
	leaf *node
}

// collection goes on with what a collection has; false if it is none of structs. path are the keys that lead to it, and above the structs that it is in.
func (i itemizing) collection(t types.Type, path, above []string) bool {
	collects := false
	for t != nil {
		if n := named(t); n != nil && i.custom(n) {
			return false
		}
		t = pointedAt(t)
		of := itemOf(t)
		if of == nil {
			break
		}
		t, path, collects = of, append(slices.Clone(path), parameter.Any), true
	}
	return collects && i.ownStruct(t) && i.fields(t, path, above)
}

// itemOf is what a collection has; nil of what is none.
func itemOf(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	}
	return nil
}

func (i itemizing) ownStruct(t types.Type) bool {
	n := named(t)
	return structOf(t) != nil && (n == nil || i.own(n.Obj().Pkg()) && !i.custom(n))
}

// fields notes those of a struct; false if it has none that a file has.
func (i itemizing) fields(t types.Type, path, above []string) bool {
	key, s, some := i.typeKey(t), structOf(t), false
	if key != "" && slices.Contains(above, key) || len(above) >= deepestItem {
		return false
	}
	above = append(slices.Clone(above), key)
	for n := range s.NumFields() {
		f := s.Field(n)
		name, inline, is := i.fileName(i.leaf.root, f, s.Tag(n))
		if !is || !f.Exported() && !f.Embedded() {
			continue
		}
		below := append(slices.Clone(path), name)
		switch kind := i.sort(f.Type(), inline); {
		case kind == neither:
		case kind == contains && inline:
			some = i.fields(f.Type(), path, above) || some
		case kind == contains:
			some = i.fields(f.Type(), below, above) || some
		case inline && !f.Embedded(): // what no other field has
			some = i.note(t, f, append(slices.Clone(path), parameter.Any))
		default:
			some = i.collection(f.Type(), below, above) || i.note(t, f, below)
		}
	}
	return some
}

// note notes a field of items.
func (i itemizing) note(of types.Type, f *types.Var, path []string) bool {
	where := i.where(f)
	id, known := i.itemFields[where]
	switch n, key := named(of), i.typeKey(of); {
	case key == "" || strings.Contains(key, " "): // it has no name, or is a function's
		if !known {
			id = parameter.ID(parameter.OfItem + string(i.leaf.id()) + "." + strings.Join(path, "."))
		}
	default:
		if !known {
			id = parameter.ID(parameter.OfItem + key + "." + f.Name())
		}
		i.itemTypes[key], i.itemNames[key+"."+f.Name()] = true, id
		if n.Obj().Pkg().Name() == "main" {
			i.itemNames["main."+n.Obj().Name()+"."+f.Name()] = id
		}
	}
	i.itemFields[where] = id
	i.items = append(i.items, parameter.Item{Of: i.leaf.id(), Path: path, ID: id})
	return true
}

// itemField is the field of an item that an expression selects; empty if it is none, or is known to be of something else in a configuration.
func (v *visitor) itemField(e ast.Expr) parameter.ID {
	x, is := ast.Unparen(e).(*ast.SelectorExpr)
	if !is || len(v.itemFields) == 0 {
		return ""
	}
	s := v.info.Selections[x]
	if s == nil || s.Kind() != types.FieldVal {
		return ""
	}
	id := v.itemFields[v.where(s.Obj())]
	if id != "" && len(v.nodes(x)) == 1 && !v.maybeItem(x) {
		return ""
	}
	return id
}

// passItems notes what is handed on of an item to another one, or only looked at to give it a default.
func (v *visitor) passItems(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, e := range n.Rhs {
			if !v.test && len(n.Lhs) == len(n.Rhs) && n.Tok == token.ASSIGN && v.itemField(n.Lhs[i]) != "" {
				v.passed[v.converted(e)] = true
			}
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND && !v.handedOn(n) {
			v.passed[ast.Unparen(n.X)] = true // for who writes to it
		}
	case *ast.CompositeLit:
		if v.test || !v.itemTypes[v.typeKey(v.info.TypeOf(n))] {
			return
		}
		for _, e := range n.Elts {
			if kv, is := e.(*ast.KeyValueExpr); is {
				v.passed[v.converted(kv.Value)] = true
			}
		}
	case *ast.IfStmt:
		if !v.test {
			for _, e := range v.defaultedOf(n, func(e ast.Expr) bool { return v.itemField(e) != "" }) {
				v.passed[e] = true
			}
		}
	}
}

// readItem wraps a field of an item.
func (v *visitor) readItem(e *ast.SelectorExpr) {
	id := v.itemField(e)
	if id == "" || v.skipped[e] || v.passed[e] {
		return
	}
	v.reads(e, v.at(e)+", "+strconv.Quote(string(id)), "Item", "ItemV")
}

// wholeItems: who compares items, or hands them to somebody who takes anything, as to an encoder, reads all of them. To log them is no use of them.
func (v *visitor) wholeItems(n ast.Node) {
	if len(v.itemTypes) == 0 {
		return
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			v.whole(n.X)
			v.whole(n.Y)
		}
	case *ast.CallExpr:
		v.wholeArguments(n)
	}
}

func (v *visitor) wholeArguments(call *ast.CallExpr) {
	f, is := typeutil.Callee(v.info, call).(*types.Func)
	if !is || logs.MatchString(f.Name()) || f.FullName() == patch {
		return
	}
	if d, _ := decodes(v.info, call); d != nil {
		return
	}
	if of, is := ast.Unparen(call.Fun).(*ast.SelectorExpr); is && silent.MatchString(f.Name()) && f.Signature().Recv() != nil && !strings.HasPrefix(f.Name(), "DeepCopy") {
		v.whole(of.X) // what is in such functions is not looked at
	}
	params := f.Origin().Signature().Params()
	equal := f.Pkg() != nil && (f.Pkg().Path() == "slices" || f.Pkg().Path() == "maps") && (f.Name() == "Equal" || f.Name() == "Contains" || f.Name() == "Index")
	for i, arg := range call.Args {
		if params.Len() == 0 || call.Ellipsis.IsValid() && i == len(call.Args)-1 {
			return
		}
		t := params.At(min(i, params.Len()-1)).Type()
		if s, is := t.(*types.Slice); is && f.Signature().Variadic() && i >= params.Len()-1 {
			t = s.Elem()
		}
		_, generic := types.Unalias(t).(*types.TypeParam)
		if _, any := t.Underlying().(*types.Interface); any && (!generic || equal) {
			v.whole(arg)
		}
	}
}

// whole wraps an expression that is items, or a collection of such.
func (v *visitor) whole(e ast.Expr) {
	t := v.info.TypeOf(e)
	if _, of := ast.Unparen(e).(*ast.UnaryExpr); of || t == nil || v.skipped[e] || written(e) || v.info.Types[e].IsNil() {
		return
	}
	for of := itemOf(pointedAt(t)); of != nil; of = itemOf(pointedAt(t)) {
		t = of
	}
	if v.itemTypes[v.typeKey(t)] {
		v.wrap(e, recorder+".Items(", ", "+v.at(e)+")")
	}
}

// writeItems writes the table of the fields of items, by the names of their types.
func (a *analysis) writeItems(b *strings.Builder) {
	b.WriteString("\nvar items = map[string]string{\n")
	for _, name := range slices.Sorted(maps.Keys(a.itemNames)) {
		fmt.Fprintf(b, "\t%q: %q,\n", name, a.itemNames[name])
	}
	b.WriteString("}\n")
}

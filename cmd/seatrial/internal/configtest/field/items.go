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

// A collection of structs is one parameter, as it is given whole. What of its items is read is told by the field of
// their type: which item that is of, only the value says.

// deepestItem bounds how many structs are in each other in an item.
const deepestItem = 8

// itemize finds the fields of the items that a leaf has.
func (a *analysis) itemize(leaf *node) {
	itemizing{analysis: a, leaf: leaf}.collection(leaf.typ, nil, nil)
	a.untyped = a.untyped || mapOfValues(pointedAt(leaf.typ))
	if keyed(leaf.typ) {
		a.untyped = true
		a.items = append(a.items, parameter.Item{Of: leaf.id(), Keyed: true})
	}
}

// decodedItems notes a collection that a file, or a key of viper or koanf, is decoded into as such. Its items are those
// of no parameter that has a name, unless the key is one.
func (a *analysis) decodedItems(f *file, call *ast.CallExpr, i int, d *decoder) {
	p, is := f.info.TypeOf(call.Args[i]).Underlying().(*types.Pointer)
	if is && itemOf(p.Elem()) != nil && (!d.picky || d.opened(a, f, call, call.Args[i])) {
		a.documentsOfItems = append(a.documentsOfItems, &node{root: &root{id: keyOf(f.info, call, i), decoder: d}, typ: p.Elem()})
	}
}

// keyOf is the key of a library of which a call decodes the part; empty if it is none, or not known.
func keyOf(info *types.Info, call *ast.CallExpr, i int) parameter.ID {
	d, _ := decodes(info, call)
	if d == nil || d.kind == "" || i == 0 {
		return ""
	}
	name, is := constantText(info, call.Args[i-1])
	if !is || name == "" {
		return ""
	}
	if d.kind == "viper" {
		name = strings.ToLower(name)
	}
	return parameter.New(parameter.Kind(d.kind), name)
}

type itemizing struct {
	*analysis
	leaf *node
	// hidden: what is looked at is in a type that reads itself. Which key is for which field is not known.
	hidden bool
}

// collection goes on with what a collection has; false if it is none of structs. path are the keys that lead to it, and
// above the structs that it is in.
func (i itemizing) collection(t types.Type, path, above []string) bool {
	collects := false
	for t != nil {
		i.hidden = i.hidden || i.reads(t)
		t = pointedAt(t)
		of := itemOf(t)
		if of == nil {
			break
		}
		if t, collects = of, true; !i.hidden {
			path = append(slices.Clone(path), parameter.Any)
		}
	}
	return collects && i.opens(t) && i.fields(t, path, above)
}

// reads tells whether a type reads itself.
func (i itemizing) reads(t types.Type) bool {
	n := named(t)
	return n != nil && i.custom(n)
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

// opens tells whether a type is a struct of which the module can read single fields, wherever it is declared. What the
// standard library has is a value to whoever has it.
func (i itemizing) opens(t types.Type) bool {
	s, n := structOf(t), named(t)
	if s == nil || n == nil || i.own(n.Obj().Pkg()) {
		return s != nil
	}
	first, _, _ := strings.Cut(n.Obj().Pkg().Path(), "/")
	for f := range s.Fields() {
		if f.Exported() {
			return strings.Contains(first, ".")
		}
	}
	return false
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
		switch {
		case i.hidden && (f.Exported() || i.own(f.Pkg())):
			some = i.field(t, f, false, path, above) || some
		case !is || i.hidden || !f.Exported() && !f.Embedded():
		case inline && !f.Embedded() && !i.opens(f.Type()): // what no other field has
			some = i.note(t, f, append(slices.Clone(path), parameter.Any))
		case inline:
			some = i.field(t, f, true, path, above) || some
		default:
			some = i.field(t, f, false, append(slices.Clone(path), name), above) || some
		}
	}
	return some
}

// field notes a field of a struct, or those in it. Of a value that reads itself it may be the whole that is read, and
// one of its fields.
func (i itemizing) field(of types.Type, f *types.Var, inline bool, path, above []string) bool {
	t := f.Type()
	switch {
	case i.sort(t, inline) == neither:
		return false
	case !i.opens(t):
		return i.collection(t, path, above) || i.note(of, f, path)
	case i.reads(t):
		within := i
		within.hidden = true
		some := within.fields(t, path, above)
		return !inline && i.note(of, f, path) || some
	}
	return i.fields(t, path, above)
}

// note notes a field of items.
func (i itemizing) note(of types.Type, f *types.Var, path []string) bool {
	where := i.whereField(f)
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
	i.items = append(i.items, parameter.Item{Of: i.leaf.id(), Path: path, ID: id, Hidden: i.hidden, Keyed: keyed(f.Type())})
	i.untyped = i.untyped || keyed(f.Type())
	return true
}

// whereField is where a field is declared. Of what is in a library only the line is known.
func (a *analysis) whereField(f types.Object) string { return a.where(f) + " " + f.Name() }

// itemField is the field of an item that an expression selects; empty if it is none, or is known to be of something
// else in a configuration.
func (v *visitor) itemField(e ast.Expr) parameter.ID {
	x, is := ast.Unparen(e).(*ast.SelectorExpr)
	if !is || len(v.itemFields) == 0 {
		return ""
	}
	s := v.info.Selections[x]
	if s == nil || s.Kind() != types.FieldVal {
		return ""
	}
	id := v.itemFields[v.whereField(s.Obj())]
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
	if id == "" || v.skipped[e] || v.passed[e] || v.logged(e) {
		return
	}
	v.copiesOn(e)
	v.reads(e, v.at(e)+", "+strconv.Quote(string(id)), "Item", "ItemV")
}

// wholeItems: who compares items, or hands them to somebody who takes anything, as to an encoder, reads all of them. To
// log them is no use of them.
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
	if of, is := ast.Unparen(call.Fun).(*ast.SelectorExpr); is && silent.MatchString(f.Name()) && v.readsReceiver(f, of.X) {
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

// readsReceiver tells whether a function is a method that makes something of what it is called for. One that is for
// what is at a place needs that place.
func (v *visitor) readsReceiver(f *types.Func, of ast.Expr) bool {
	receiver := f.Signature().Recv()
	if receiver == nil || strings.HasPrefix(f.Name(), "DeepCopy") || strings.HasPrefix(f.Name(), "Unmarshal") {
		return false
	}
	_, needs := receiver.Type().Underlying().(*types.Pointer)
	_, has := v.info.TypeOf(of).Underlying().(*types.Pointer)
	return has || !needs
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

package field

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// makes is for functions that give configurations with their defaults.
var makes = regexp.MustCompile(`^(?i:default|new.*config|new.*options|new.*settings|load|setdefaults|parse.*config|read.*config)`)

// fill is for functions that put defaults into what they are given.
var fill = regexp.MustCompile(`^(?i:(set|apply|fill|with|add)?_?defaults?(_.*)?$|setdefaults)`)

// findRoots finds the types of configuration, by what is done with them outside of tests.
func (a *analysis) findRoots() {
	found := map[string]*root{}
	of := func(t types.Type) *root {
		n := named(t)
		key := a.typeKey(t)
		if key == "" || structOf(n) == nil || !a.own(n.Obj().Pkg()) {
			return nil
		}
		if found[key] == nil {
			found[key] = &root{typ: n, pkg: n.Obj().Pkg().Path(), flags: map[string]bool{}}
		}
		return found[key]
	}
	for _, f := range a.files {
		if f.test {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if readsItself(n) {
					return false
				}
				a.namedRoots(f, n, of)
			case *ast.CallExpr:
				a.decodedRoots(f, n, of)
				if b := a.binding(f.info, n); b != nil && b.target != nil {
					a.flagged(f, b.target, of)
				}
			case *ast.TypeAssertExpr:
				if n.Type != nil {
					a.assertedRoots(f.info.TypeOf(n.Type), of)
				}
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) && a.pointerToFlag(f.info, n.Rhs[i]) != nil {
						a.flagged(f, to, of)
					}
				}
			case *ast.CompositeLit:
				if b := a.flagLiteral(f.info, n); b != nil && b.target != nil {
					a.flagged(f, b.target, of)
				}
				for _, e := range n.Elts {
					kv, is := e.(*ast.KeyValueExpr)
					if !is || a.pointerToFlag(f.info, kv.Value) == nil {
						continue
					}
					if name, is := kv.Key.(*ast.Ident); is {
						if r := of(f.info.TypeOf(n)); r != nil {
							r.flags[name.Name] = true
						}
					}
				}
			}
			return true
		})
	}
	for _, f := range a.files {
		a.genericRoots(f, of)
	}
	for _, f := range a.files {
		a.toldEnvironments(f, of)
	}
	var all []*root
	for key, r := range found {
		if r.decoder != nil || r.named || len(r.flags) > 0 {
			all = append(all, r)
		} else {
			delete(found, key)
		}
	}
	slices.SortFunc(all, func(x, y *root) int { return cmp.Compare(a.typeKey(x.typ), a.typeKey(y.typ)) })
	a.plantAll(a.tops(all))
}

// readsItself tells whether a function is the method of a type by which that reads itself: what it decodes into is a
// part of something else.
func readsItself(fn *ast.FuncDecl) bool {
	return fn.Name.Name == "UnmarshalYAML" || fn.Name.Name == "UnmarshalJSON"
}

// flagged notes that a flag is bound to a field.
func (a *analysis) flagged(f *file, target ast.Expr, of func(types.Type) *root) {
	if t, way := a.base(f.info, target); len(way) > 0 {
		if r := of(t); r != nil {
			r.flags[strings.Join(way, ".")] = true
		}
	}
}

// decodedRoots are what a call decodes into.
func (a *analysis) decodedRoots(f *file, call *ast.CallExpr, of func(types.Type) *root) {
	decoded := a.decodedBy(f.info, call)
	for _, i := range slices.Sorted(maps.Keys(decoded)) {
		d, t := decoded[i], f.info.TypeOf(bare(f.info, call.Args[i]))
		a.decodedItems(f, call, i, d)
		if _, is := t.Underlying().(*types.Pointer); !is || structOf(t) == nil || named(t) == nil || !d.takes(named(t)) && !d.opened(a, f, call, call.Args[i]) {
			continue
		}
		if r := of(t); r != nil && d.saysMore(r.decoder) {
			r.decoder = d
		}
		if r := of(t); r != nil && r.decoder == d {
			direct, _ := decodes(f.info, call)
			r.hooked = r.hooked || direct != nil && d.hooked(call, i)
			if direct != nil && d.kind != "" && r.tag == "" {
				r.tag = tagOption(f.info, call)
			}
		}
	}
}

// assertedRoots are what a codec of Kubernetes has made of a file: it is seen by what the object is then taken for.
func (a *analysis) assertedRoots(t types.Type, of func(types.Type) *root) {
	n := named(t)
	if n == nil || structOf(n) == nil || !a.own(n.Obj().Pkg()) || !codec.takes(n) {
		return
	}
	if r := of(n); r != nil && r.decoder == nil {
		r.decoder = codec
	}
}

// namedRoots are types that a function gives which is called like one that gives configurations, or asks for variables
// of the environment to make one.
func (a *analysis) namedRoots(f *file, fn *ast.FuncDecl, of func(types.Type) *root) {
	object := f.info.Defs[fn.Name].(*types.Func)
	known := a.functions[key(object)]
	if !makes.MatchString(fn.Name.Name) && (known == nil || len(known.asks) == 0) {
		return
	}
	s := object.Signature()
	all := []*types.Tuple{s.Results()}
	if fill.MatchString(fn.Name.Name) {
		all = append(all, s.Params())
	}
	for _, tuple := range all {
		for v := range tuple.Variables() {
			if n := named(v.Type()); n != nil && configuration.MatchString(n.Obj().Name()) && structOf(n) != nil {
				if r := of(n); r != nil {
					r.named = true
				}
			}
		}
	}
}

// base is the type of the struct from which a selector begins, and the way from there.
func (a *analysis) base(info *types.Info, e ast.Expr) (types.Type, []string) {
	var way []string
	for {
		e = ast.Unparen(e)
		switch x := e.(type) {
		case *ast.UnaryExpr:
			e = x.X
			continue
		case *ast.StarExpr:
			e = x.X
			continue
		case *ast.SelectorExpr:
			if s := info.Selections[x]; s != nil && s.Kind() == types.FieldVal {
				way = append(fieldsOn(s), way...)
				e = x.X
				continue
			}
		}
		return info.TypeOf(e), way
	}
}

// fieldsOn are the names of the fields that a selector goes through, embedded ones with them.
func fieldsOn(s *types.Selection) []string {
	var out []string
	t := s.Recv()
	for _, i := range s.Index() {
		f := structOf(t).Field(i)
		out, t = append(out, f.Name()), f.Type()
	}
	return out
}

// tops leaves out types that are parts of others; a type that is decoded by itself is part of one that is decoded, too.
func (a *analysis) tops(all []*root) []*root {
	decoded := map[string]bool{}
	for _, r := range all {
		decoded[a.typeKey(r.typ)] = r.decoder != nil
	}
	beneath := map[string]bool{}
	for _, r := range all {
		seen := map[string]bool{}
		a.below(r.typ, seen, func(key string) bool { return r.decoder == nil && decoded[key] })
		for key := range seen {
			if key != a.typeKey(r.typ) {
				beneath[key] = true
			}
		}
	}
	left := slices.DeleteFunc(slices.Clone(all), func(r *root) bool { return beneath[a.typeKey(r.typ)] })
	for _, r := range all {
		if beneath[a.typeKey(r.typ)] && len(r.flags) > 0 {
			for _, around := range left {
				a.flagsBelow(around, around.typ, nil, r, map[string]bool{})
			}
		}
	}
	return left
}

// flagsBelow hands the flags of a type that is a part of a root on to that, wherever it is in it.
func (a *analysis) flagsBelow(to *root, t types.Type, way []string, of *root, seen map[string]bool) {
	s := structOf(t)
	if s == nil {
		return
	}
	for f := range s.Fields() {
		key := a.typeKey(f.Type())
		at := append(slices.Clone(way), f.Name())
		switch {
		case key != "" && key == a.typeKey(of.typ):
			for flag := range of.flags {
				to.flags[strings.Join(append(slices.Clone(at), flag), ".")] = true
			}
		case a.sort(f.Type(), false) == contains && (key == "" || !seen[key]):
			if key != "" {
				seen[key] = true
			}
			a.flagsBelow(to, f.Type(), at, of, seen)
		}
	}
}

// below notes the types of the structs in a type.
func (a *analysis) below(t types.Type, seen map[string]bool, cut func(string) bool) {
	s := structOf(t)
	if s == nil {
		return
	}
	for f := range s.Fields() {
		key := a.typeKey(f.Type())
		if a.sort(f.Type(), false) != contains || key != "" && (seen[key] || cut(key)) {
			continue
		}
		if key != "" {
			seen[key] = true
		}
		a.below(f.Type(), seen, cut)
	}
}

// plantAll gives roots their names and trees.
func (a *analysis) plantAll(roots []*root) {
	short := map[string]int{}
	name := func(r *root, pkg string) string {
		if r.typ.Obj().Pkg().Name() == "main" && !strings.Contains(pkg, "/") {
			return r.typ.Obj().Name()
		}
		return pkg + "." + r.typ.Obj().Name()
	}
	for _, r := range roots {
		short[name(r, r.typ.Obj().Pkg().Name())]++
	}
	decoded := map[string]bool{}
	for _, r := range roots {
		decoded[a.typeKey(r.typ)] = r.decoder != nil
		text := name(r, r.typ.Obj().Pkg().Name())
		if short[text] > 1 {
			text = name(r, "./"+strings.TrimPrefix(strings.TrimPrefix(r.pkg, a.module.Path), "/"))
		}
		r.id = parameter.New(parameter.Field, text)
	}
	for _, r := range roots {
		cut := map[string]bool{}
		if r.decoder == nil {
			cut = decoded
		}
		a.plant(r, cut)
		if len(r.node.leaves()) > 0 {
			a.roots = append(a.roots, r)
		}
	}
	for _, leaf := range a.documentsOfItems {
		a.itemize(leaf)
	}
}

// typeID is what a type is known by: that of a root, or what it would be if it were one.
func (a *analysis) typeID(n *node) parameter.ID {
	if n.field == nil {
		return n.root.id
	}
	t := named(n.typ)
	if t == nil {
		return n.id()
	}
	if t.Obj().Pkg().Name() == "main" {
		return parameter.New(parameter.Field, t.Obj().Name())
	}
	return parameter.New(parameter.Field, t.Obj().Pkg().Name()+"."+t.Obj().Name())
}

package field

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// parsers are the methods by which a type reads itself of a text.
var parsers = []string{"UnmarshalText", "UnmarshalYAML", "UnmarshalJSON", "UnmarshalTOML", "UnmarshalFlag", "EnvDecode", "Decode", "Set"}

// parsed are the words that a type compares a text with when it reads itself: those of a switch, and the keys of a map
// of the package. Which of them it takes it says itself.
func (a *analysis) parsed(t types.Type) []string {
	n, is := types.Unalias(t).(*types.Named)
	if !is || n.Obj().Pkg() == nil || !a.own(n.Obj().Pkg()) {
		return nil
	}
	out := map[string]bool{}
	methods := types.NewMethodSet(types.NewPointer(n))
	for _, name := range parsers {
		if m := methods.Lookup(n.Obj().Pkg(), name); m != nil {
			if f, is := m.Obj().(*types.Func); is {
				a.wordsOf(a.functions[key(f)], out, 1)
			}
		}
	}
	delete(out, "")
	return slices.Sorted(maps.Keys(out))
}

// wordsOf adds the words that a function compares with, and those of functions of the module that it calls, deep steps
// further.
func (a *analysis) wordsOf(fn *function, to map[string]bool, deep int) {
	if fn == nil {
		return
	}
	info := fn.file.info
	add := func(e ast.Expr) {
		if word, is := constantText(info, e); is {
			to[word] = true
		}
	}
	ast.Inspect(fn.node.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CaseClause:
			for _, e := range n.List {
				add(e)
			}
		case *ast.IndexExpr:
			a.keysOf(info, n.X, to)
		case *ast.CallExpr:
			if called := a.called(info, n); called != nil && deep > 0 {
				a.wordsOf(called, to, deep-1)
			}
		}
		return true
	})
}

// keysOf adds the keys of a map that a variable of a package begins with.
func (a *analysis) keysOf(info *types.Info, e ast.Expr, to map[string]bool) {
	id, is := ast.Unparen(e).(*ast.Ident)
	if !is {
		return
	}
	o, is := info.Uses[id].(*types.Var)
	if !is || o.Pkg() == nil || o.Parent() != o.Pkg().Scope() {
		return
	}
	for _, f := range a.files {
		for _, d := range f.syntax.Decls {
			decl, is := d.(*ast.GenDecl)
			if !is {
				continue
			}
			for _, s := range decl.Specs {
				spec, is := s.(*ast.ValueSpec)
				if !is || len(spec.Names) != 1 || len(spec.Values) != 1 || f.info.Defs[spec.Names[0]] == nil || a.where(f.info.Defs[spec.Names[0]]) != a.where(o) {
					continue
				}
				if lit, is := spec.Values[0].(*ast.CompositeLit); is {
					for _, e := range lit.Elts {
						if pair, is := e.(*ast.KeyValueExpr); is {
							if word, is := constantText(f.info, pair.Key); is {
								to[word] = true
							}
						}
					}
				}
			}
		}
	}
}

package field

import (
	"go/ast"
	"go/types"
	"strings"
)

// A generic function, or a method of a generic type, decodes into a type that who names it says: Load[Config](path),
// New[Config]().Load(), or Load[Config] that is handed on.

// typeParams are the type parameters of a function, or of the type that it is a method of.
func (fn *function) typeParams() *types.TypeParamList {
	if of := fn.object.Signature().RecvTypeParams(); of.Len() > 0 {
		return of
	}
	return fn.object.Signature().TypeParams()
}

// typeParam is which type parameter a type, or what it points to, is; -1 if it is none.
func (fn *function) typeParam(t types.Type) int {
	p, is := pointed(t).(*types.TypeParam)
	if !is {
		return -1
	}
	all := fn.typeParams()
	for i := range all.Len() {
		if all.At(i) == p {
			return i
		}
	}
	return -1
}

// decodesType notes that a value of a type parameter is decoded; false if it is none, or that is known.
func (fn *function) decodesType(t types.Type, d *decoder) bool {
	i := fn.typeParam(t)
	if i < 0 || !d.saysMore(fn.types[i]) {
		return false
	}
	fn.types[i] = d
	return true
}

// pointed is what a type points to, through all pointers; itself if it is no pointer.
func pointed(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return types.Unalias(pointedAt(t))
}

// bare is an expression without conversions to interfaces: &t of any(&t).
func bare(info *types.Info, e ast.Expr) ast.Expr {
	for {
		e = ast.Unparen(e)
		call, is := e.(*ast.CallExpr)
		if !is || len(call.Args) != 1 || !info.Types[call.Fun].IsType() || !types.IsInterface(info.TypeOf(call)) {
			return e
		}
		e = call.Args[0]
	}
}

// typeArguments are those with which a name stands for a generic function, or for a method of a generic type, and that;
// none of others.
func typeArguments(info *types.Info, name *ast.Ident) (*types.TypeList, *types.Func) {
	f, is := info.Uses[name].(*types.Func)
	if !is {
		return nil, nil
	}
	if instance, generic := info.Instances[name]; generic {
		return instance.TypeArgs, f
	}
	if of := f.Signature().Recv(); of != nil {
		if n := named(of.Type()); n != nil && n.TypeArgs().Len() > 0 {
			return n.TypeArgs(), f
		}
	}
	return nil, nil
}

// calledBy is the name by which a call names a function; nil if it has none.
func calledBy(call *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch x := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	}
	return nil
}

// instances are the types of which a generic function of the module, or of a library, decodes a value, as a name of it
// says them.
func (a *analysis) instances(info *types.Info, name *ast.Ident) map[types.Type]*decoder {
	args, f := typeArguments(info, name)
	if f == nil {
		return nil
	}
	out := map[types.Type]*decoder{}
	if known := a.functions[key(f)]; known != nil {
		for i, d := range known.types {
			if i < args.Len() {
				out[pointed(args.At(i))] = d
			}
		}
		return out
	}
	if d := generics(f); d != nil && args.Len() > 0 {
		out[pointed(args.At(0))] = d
	}
	return out
}

// genericRoots are the types of which a generic function decodes a value. What one of the program makes may be said by
// its tests only.
func (a *analysis) genericRoots(f *file, of func(types.Type) *root) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if fn, is := n.(*ast.FuncDecl); is && readsItself(fn) {
			return false
		}
		name, is := n.(*ast.Ident)
		if !is {
			return true
		}
		generic, _ := f.info.Uses[name].(*types.Func)
		if generic == nil {
			return true
		}
		fn := a.functions[key(generic)]
		if f.test && (fn == nil || fn.file.test) {
			return true
		}
		for t, d := range a.instances(f.info, name) {
			n := named(t)
			if n == nil || structOf(n) == nil || strings.HasSuffix(a.fset.Position(n.Obj().Pos()).Filename, "_test.go") {
				continue
			}
			if !d.takes(n) && (f.test || fn == nil || !d.ofFile(a, fn)) {
				continue
			}
			if r := of(n); r != nil && d.saysMore(r.decoder) {
				r.decoder = d
			}
		}
		return true
	})
}

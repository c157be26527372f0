package field

import (
	"go/ast"
	"go/types"
	"maps"
	"os"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// summary is what functions of the module do with what they are given.
type summary struct {
	functions map[string]*function
	plain     map[string]bool // types that read themselves as others do, but for defaults
}

// function is one of the module.
type function struct {
	file   *file
	node   *ast.FuncDecl
	object *types.Func
	params []types.Object
	// variables are parameters that are the names of variables that it asks for; asks are names that it asks for by
	// itself.
	variables map[int]affix
	asks      map[string]bool
	// keys are parameters that are the keys that it asks a store for.
	keys map[int]stored
	// decoded are parameters that it decodes into, with the library.
	decoded map[int]*decoder
	// types are its type parameters, or those of its receiver, of which it decodes a value that it makes itself, with
	// the library.
	types map[int]*decoder
	// part is what it decodes of the keys below one of its parameters; nil if that is nothing.
	part *part
	// requests are what it decodes variables of the environment into, where whoever calls it says the type, or how
	// these are called.
	requests []requested
	// flag is the parameter that is the name of the flag that it gives; -1 if it gives none.
	flag int
}

// key is what a function is known by in all variants of its package.
func key(f *types.Func) string { return f.Origin().FullName() }

// summarize looks at all functions until nothing more is known.
func (a *analysis) summarize() {
	a.functions, a.plain = map[string]*function{}, map[string]bool{}
	for _, f := range a.files {
		for _, d := range f.syntax.Decls {
			decl, is := d.(*ast.FuncDecl)
			if !is || decl.Body == nil {
				continue
			}
			object := f.info.Defs[decl.Name].(*types.Func)
			fn := &function{file: f, node: decl, object: object, flag: -1, variables: map[int]affix{}, keys: map[int]stored{}, asks: map[string]bool{}, decoded: map[int]*decoder{}, types: map[int]*decoder{}}
			for p := range object.Signature().Params().Variables() {
				fn.params = append(fn.params, p)
			}
			a.functions[key(object)] = fn
			a.plainly(f, decl, object)
		}
	}
	names := slices.Sorted(maps.Keys(a.functions))
	for again := true; again; {
		again = false
		for _, name := range names {
			if a.look(a.functions[name]) {
				again = true
			}
		}
	}
}

// plainly notes a type whose method decodes into a type that is the same without methods.
func (a *analysis) plainly(f *file, decl *ast.FuncDecl, object *types.Func) {
	if n := decl.Name.Name; decl.Recv == nil || n != "UnmarshalYAML" && n != "UnmarshalJSON" {
		return
	}
	receiver := object.Signature().Recv().Type()
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if spec, is := n.(*ast.TypeSpec); is && a.typeKey(f.info.TypeOf(spec.Type)) == a.typeKey(receiver) {
			a.plain[a.typeKey(receiver)] = true
		}
		return true
	})
}

// look finds more of a function; false if there is nothing new.
func (a *analysis) look(fn *function) (more bool) {
	info := fn.file.info
	ast.Inspect(fn.node.Body, func(n ast.Node) bool {
		if name, is := n.(*ast.Ident); is {
			for t, d := range a.instances(info, name) {
				more = fn.decodesType(t, d) || more
			}
		}
		call, is := n.(*ast.CallExpr)
		if !is {
			return true
		}
		for i := range call.Args {
			with, asks := a.asksFor(info, call, i)
			if !asks {
				continue
			}
			inside, own := affixed(info, call.Args[i])
			if name, is := a.askedFor(info, call, i); is {
				more = more || !fn.asks[name]
				fn.asks[name] = true
			} else if p := fn.param(info, inside); p >= 0 {
				_, known := fn.variables[p]
				more = more || !known
				if !known {
					fn.variables[p] = affix{with.before + own.before, own.behind + with.behind}
				}
			}
		}
		fn.flagOf(info, call)
		more = a.hands(fn, call) || more
		more = a.requestsIn(fn, call) || more
		if called := a.called(info, call); called != nil {
			for name := range called.asks {
				more = more || !fn.asks[name]
				fn.asks[name] = true
			}
		}
		for i, d := range a.decodedBy(info, call) {
			into := bare(info, call.Args[i])
			if p := fn.param(info, into); p >= 0 && d.saysMore(fn.decoded[p]) {
				fn.decoded[p], more = d, true
			}
			more = fn.decodesType(info.TypeOf(into), d) || more
		}
		more = a.partOfKeys(fn, call) || more
		return true
	})
	return more
}

// param is which parameter an expression is; -1 if it is none.
func (fn *function) param(info *types.Info, e ast.Expr) int {
	id, is := ast.Unparen(e).(*ast.Ident)
	if !is {
		return -1
	}
	return slices.Index(fn.params, info.Uses[id])
}

// enclosing is the function that a node is in; nil if it is in none.
func (a *analysis) enclosing(f *file, n ast.Node) *function {
	for _, decl := range f.syntax.Decls {
		if fn, is := decl.(*ast.FuncDecl); is && fn.Pos() <= n.Pos() && n.Pos() < fn.End() {
			return a.functions[key(f.info.Defs[fn.Name].(*types.Func))]
		}
	}
	return nil
}

// called is the function of the module that is called; nil if it is another one.
func (a *analysis) called(info *types.Info, call *ast.CallExpr) *function {
	f, is := typeutil.Callee(info, call).(*types.Func)
	if !is {
		return nil
	}
	return a.functions[key(f)]
}

// expands tells whether a call puts variables into a text.
func expands(info *types.Info, call *ast.CallExpr) bool {
	f, is := typeutil.Callee(info, call).(*types.Func)
	return is && f.FullName() == "os.ExpandEnv"
}

// decodedBy are the arguments that a call decodes into.
func (a *analysis) decodedBy(info *types.Info, call *ast.CallExpr) map[int]*decoder {
	if d, i := decodes(info, call); d != nil {
		return map[int]*decoder{i: d}
	}
	if called := a.called(info, call); called != nil {
		out := map[int]*decoder{}
		for i, d := range called.decoded {
			if i < len(call.Args) {
				out[i] = d
			}
		}
		return out
	}
	return nil
}

// variables are the names of variables that a value comes from, in order.
func (a *analysis) variables(info *types.Info, e ast.Expr) []string {
	out := map[string]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		if _, is := n.(*ast.FuncLit); is {
			return false
		}
		call, is := n.(*ast.CallExpr)
		if !is {
			return true
		}
		for i, arg := range call.Args {
			text, is := constantText(info, arg)
			asked, asks := a.askedFor(info, call, i)
			switch {
			case !is:
			case asks:
				out[asked] = true
			case expands(info, call):
				os.Expand(text, func(name string) string { out[name] = true; return "" })
			}
		}
		if called := a.called(info, call); called != nil {
			for name := range called.asks {
				out[name] = true
			}
		}
		return true
	})
	return slices.Sorted(maps.Keys(out))
}

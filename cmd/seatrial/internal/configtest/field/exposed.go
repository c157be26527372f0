package field

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/types/typeutil"
)

// exposures looks in a file for fields that something else than a selector may read: by whom structs are compared, put
// into words, encoded, or had for keys. Tests do that, too.
func (c *carriage) exposures(f *file) {
	results := []*types.Tuple{nil} // of the functions around
	var stack []ast.Node
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil {
			if signatureOf(f.info, stack[len(stack)-1]) != nil {
				results = results[:len(results)-1]
			}
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		if s := signatureOf(f.info, n); s != nil {
			results = append(results, s.Results())
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil && silent.MatchString(n.Name.Name) {
				c.exposeIn(f, n)
			}
		case *ast.UnaryExpr:
			if of, is := ast.Unparen(n.X).(*ast.SelectorExpr); is && n.Op == token.AND {
				c.expose(f, of)
			}
		case *ast.BinaryExpr:
			if _, is := underlying(f.info.TypeOf(n.X)).(*types.Struct); is && (n.Op == token.EQL || n.Op == token.NEQ) {
				c.whole(f.info.TypeOf(n.X), true)
			}
		case *ast.IndexExpr:
			if of, is := underlying(f.info.TypeOf(n.X)).(*types.Map); is {
				c.whole(of.Key(), true)
			}
		case *ast.CallExpr:
			c.reflected(f, n)
		case *ast.ReturnStmt:
			if to := results[len(results)-1]; to != nil && to.Len() == len(n.Results) {
				for i, e := range n.Results {
					c.anything(f, to.At(i).Type(), e, f.test)
				}
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) && n.Tok == token.ASSIGN {
					c.anything(f, f.info.TypeOf(to), n.Rhs[i], f.test)
				}
			}
		case *ast.CompositeLit:
			c.inAnything(f, n)
		}
		return true
	})
}

// signatureOf is that of a function in the source.
func signatureOf(info *types.Info, n ast.Node) *types.Signature {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if of, is := info.Defs[n.Name].(*types.Func); is {
			return of.Signature()
		}
	case *ast.FuncLit:
		return info.TypeOf(n).(*types.Signature)
	}
	return nil
}

func underlying(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// exposeIn is for functions in which reads are not looked at.
func (c *carriage) exposeIn(f *file, fn *ast.FuncDecl) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if of, is := n.(*ast.SelectorExpr); is {
			c.expose(f, of)
		}
		return true
	})
}

func (c *carriage) expose(f *file, n *ast.SelectorExpr) {
	if s := f.info.Selections[n]; s != nil && s.Kind() == types.FieldVal {
		c.exposed[c.where(s.Obj())] = true
	}
}

var (
	// containers are packages that hold what they are given, and give it back as it is.
	containers = regexp.MustCompile(`^(sync|sync/atomic|container/\w+|context)$`)
	// lookers are those that see what is not exported, too.
	lookers = regexp.MustCompile(`^(fmt|reflect)$`)
)

// reflected notes structs that are given to somebody who takes anything, as encoders and templates do, or, outside of
// the module, any type; and those that are made another type of.
func (c *carriage) reflected(f *file, call *ast.CallExpr) {
	if f.info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		if _, is := underlying(f.info.TypeOf(call)).(*types.Struct); is {
			c.whole(f.info.TypeOf(call), true)
			c.whole(f.info.TypeOf(call.Args[0]), true)
		}
		c.anything(f, f.info.TypeOf(call), call.Args[0], f.test)
		return
	}
	signature, is := f.info.TypeOf(call.Fun).(*types.Signature)
	by, _ := typeutil.Callee(f.info, call).(*types.Func)
	if !is || logger(f.info, call) != nil || by != nil && logs.MatchString(by.Name()) || by != nil && by.Pkg() != nil && containers.MatchString(by.Pkg().Path()) {
		return
	}
	all := f.test || by != nil && by.Pkg() != nil && lookers.MatchString(by.Pkg().Path())
	for i, arg := range call.Args {
		if signature.Params().Len() == 0 {
			return
		}
		n := min(i, signature.Params().Len()-1)
		to := signature.Params().At(n).Type()
		if list, is := to.(*types.Slice); is && signature.Variadic() && !call.Ellipsis.IsValid() && n == signature.Params().Len()-1 {
			to = list.Elem()
		}
		if by != nil && !c.own(by.Pkg()) && generic(by.Origin().Signature().Params().At(n).Type()) {
			c.whole(to, true)
		}
		c.anything(f, to, arg, all)
	}
}

// generic tells whether a type depends on parameters.
func generic(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Slice:
		return generic(t.Elem())
	case *types.Pointer:
		return generic(t.Elem())
	case *types.Map:
		return generic(t.Key()) || generic(t.Elem())
	}
	return false
}

// inAnything notes structs in a literal of what may be anything.
func (c *carriage) inAnything(f *file, n *ast.CompositeLit) {
	var to types.Type
	switch t := underlying(f.info.TypeOf(n)).(type) {
	case *types.Map:
		to = t.Elem()
	case *types.Slice:
		to = t.Elem()
	case *types.Array:
		to = t.Elem()
	case *types.Struct:
		for i, e := range n.Elts {
			if kv, is := e.(*ast.KeyValueExpr); is {
				c.anything(f, f.info.TypeOf(kv.Key), kv.Value, f.test)
			} else if i < t.NumFields() {
				c.anything(f, t.Field(i).Type(), e, f.test)
			}
		}
		return
	}
	for _, e := range n.Elts {
		if kv, is := e.(*ast.KeyValueExpr); is {
			e = kv.Value
		}
		c.anything(f, to, e, f.test)
	}
}

// anything notes a struct that is put where anything may be; all of it, or what it exports.
func (c *carriage) anything(f *file, to types.Type, e ast.Expr, all bool) {
	if of, is := underlying(to).(*types.Interface); is && of.Empty() {
		c.whole(f.info.TypeOf(e), all)
	}
}

// whole notes the fields of all structs in a type.
func (c *carriage) whole(t types.Type, all bool) { c.wholeOf(t, all, map[types.Type]bool{}) }

func (c *carriage) wholeOf(t types.Type, all bool, seen map[types.Type]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	switch of := t.Underlying().(type) {
	case *types.Pointer:
		c.wholeOf(of.Elem(), all, seen)
	case *types.Slice:
		c.wholeOf(of.Elem(), all, seen)
	case *types.Array:
		c.wholeOf(of.Elem(), all, seen)
	case *types.Map:
		c.wholeOf(of.Key(), all, seen)
		c.wholeOf(of.Elem(), all, seen)
	case *types.Struct:
		for field := range of.Fields() {
			if c.own(field.Pkg()) && (all || field.Exported() || field.Embedded()) {
				c.exposed[c.where(field)] = true
				c.wholeOf(field.Type(), all, seen)
			}
		}
	}
}

package field

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// function looks for values that a function of the program makes and gives.
func (v *visitor) function(fn *ast.FuncDecl) {
	if v.test {
		return
	}
	v.checks(fn)
	s := v.info.Defs[fn.Name].(*types.Func).Signature()
	if fill.MatchString(fn.Name.Name) {
		v.fills(fn, s)
	}
	for i := range s.Results().Len() {
		of := documented(v.byType[v.typeKey(s.Results().At(i).Type())])
		if of == nil || !v.makesOne(fn, of) {
			continue
		}
		v.varied(fn, of)
		by := v.gives(of, v.onlyDefaults(fn, s, of))
		if by == "" {
			continue
		}
		if at := v.filled(fn, of); at != nil {
			v.problem(v.file, at, "what fills this is not known: values of files are not given to it")
			continue
		}
		v.returns(fn, s, i, of, by)
	}
}

// documented is the only struct of a type, or that of several into which a whole document is decoded, alone or beside
// other keys, where the others have what flags say; nil if there is no such. One that is a part of a document may be
// another thing than what the flags say.
func documented(of []*node) (out *node) {
	if len(of) == 1 {
		return of[0]
	}
	for _, n := range of {
		switch {
		case n.root.decoder == nil:
		case out != nil, len(n.key) > 0:
			return nil
		default:
			out = n
		}
	}
	return out
}

// onlyDefaults tells whether a function makes a struct with nothing but defaults, field by field: it is given nothing,
// and hands it to nobody who may parse arguments, which are above defaults. What a literal says has them already.
func (v *visitor) onlyDefaults(fn *ast.FuncDecl, s *types.Signature, of *node) bool {
	key, only := v.typeKey(of.typ), s.Recv() == nil && s.Params().Len() == 0
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			only = only && (len(n.Elts) == 0 || v.typeKey(v.info.TypeOf(n)) != key)
		case *ast.CallExpr:
			ast.Inspect(n, func(n ast.Node) bool {
				name, named := n.(*ast.Ident)
				only = only && (!named || v.info.Uses[name] == nil || v.typeKey(v.info.Uses[name].Type()) != key)
				return only
			})
		}
		return only
	})
	return only
}

// makesOne tells whether a function makes a struct, and decodes nothing into it.
func (v *visitor) makesOne(fn *ast.FuncDecl, of *node) bool {
	key, made, decoded := v.typeKey(of.typ), false, false
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			made = made || v.typeKey(v.info.TypeOf(n)) == key
		case *ast.ValueSpec:
			made = made || n.Type != nil && v.typeKey(v.info.TypeOf(n.Type)) == key
		case *ast.CallExpr:
			if id, is := n.Fun.(*ast.Ident); is && id.Name == "new" && len(n.Args) == 1 {
				made = made || v.typeKey(v.info.TypeOf(n.Args[0])) == key
			}
			for i := range v.decodedBy(v.info, n) {
				decoded = decoded || v.typeKey(v.info.TypeOf(n.Args[i])) == key
			}
		}
		return true
	})
	if fn.Type.Results != nil {
		for _, r := range fn.Type.Results.List {
			made = made || len(r.Names) > 0 && v.typeKey(v.info.TypeOf(r.Type)) == key
		}
	}
	return made && !decoded
}

// returns wraps the result i of a function.
func (v *visitor) returns(fn *ast.FuncDecl, s *types.Signature, i int, of *node, by string) {
	call := recorder + "." + by + "V("
	if _, is := s.Results().At(i).Type().Underlying().(*types.Pointer); is {
		call = recorder + "." + by + "("
	}
	end := fmt.Sprintf(", %d%s)", of.number, v.but(fn, of))
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if _, is := n.(*ast.FuncLit); is {
			return false
		}
		r, is := n.(*ast.ReturnStmt)
		switch {
		case !is:
		case len(r.Results) == s.Results().Len():
			switch e := ast.Unparen(r.Results[i]).(type) {
			case *ast.Ident:
				if e.Name != "nil" {
					v.wrap(r.Results[i], call, end)
				}
			case *ast.StarExpr, *ast.UnaryExpr, *ast.SelectorExpr:
				if u, is := e.(*ast.UnaryExpr); is {
					if lit, is := u.X.(*ast.CompositeLit); is && len(lit.Elts) > 0 {
						return true
					}
				}
				v.wrap(r.Results[i], call, end)
			}
		case len(r.Results) == 0:
			var names []string
			for k := range s.Results().Len() {
				name := s.Results().At(k).Name()
				if name == "" || name == "_" {
					return true
				}
				if k == i {
					name = call + name + end
				}
				names = append(names, name)
			}
			v.inside(r.End(), " "+strings.Join(names, ", "))
		}
		return true
	})
}

// fills is for functions that put defaults into what they are given.
func (v *visitor) fills(fn *ast.FuncDecl, s *types.Signature) {
	vars := []*types.Var{}
	if s.Recv() != nil {
		vars = append(vars, s.Recv())
	}
	for p := range s.Params().Variables() {
		vars = append(vars, p)
	}
	for _, p := range vars {
		of := documented(v.byType[v.typeKey(p.Type())])
		_, pointer := p.Type().Underlying().(*types.Pointer)
		if pointer && of != nil && of.injected() && p.Name() != "" && p.Name() != "_" {
			v.inside(fn.Body.Lbrace+1, fmt.Sprintf(" defer %s.Inject(%s, %d%s);", recorder, p.Name(), of.number, v.but(fn, of)))
		}
	}
}

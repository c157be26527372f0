package field

import (
	"go/ast"
	"go/token"
	"go/types"
)

// literal is the one that an expression is, or its address; nil if that is not known.
func (a *analysis) literal(f *file, e ast.Expr) (*file, *ast.CompositeLit) {
	f, e = a.writtenAs(f, e)
	if u, is := e.(*ast.UnaryExpr); is && u.Op == token.AND {
		f, e = a.writtenAs(f, u.X)
	}
	lit, _ := e.(*ast.CompositeLit)
	return f, lit
}

// writtenAs is the expression that a variable is defined by, or that a function of the module gives which does nothing
// else, with the file that it is in; the same if that is neither.
func (a *analysis) writtenAs(f *file, e ast.Expr) (*file, ast.Expr) {
	for range 8 { // one may be defined by itself
		e = ast.Unparen(e)
		in, from := f, ast.Expr(nil)
		switch x := e.(type) {
		case *ast.Ident:
			if in, from = a.declaredAs(f, x); from == nil {
				in, from = f, (&visitor{analysis: a, file: f}).definition(f.info.Uses[x])
			}
		case *ast.CallExpr:
			if called := a.called(f.info, x); called != nil && len(called.node.Body.List) == 1 && len(called.params) == 0 {
				if r, is := called.node.Body.List[0].(*ast.ReturnStmt); is && len(r.Results) == 1 {
					in, from = called.file, r.Results[0]
				}
			}
		}
		if from == nil {
			break
		}
		f, e = in, from
	}
	return f, e
}

// declaredAs is the value of a variable of a package; nil for others.
func (a *analysis) declaredAs(f *file, name *ast.Ident) (in *file, value ast.Expr) {
	o, is := f.info.Uses[name].(*types.Var)
	if !is || o.Pkg() == nil || o.Parent() != o.Pkg().Scope() {
		return nil, nil
	}
	for _, of := range a.files {
		for _, d := range of.syntax.Decls {
			decl, is := d.(*ast.GenDecl)
			if !is {
				continue
			}
			for _, s := range decl.Specs {
				spec, is := s.(*ast.ValueSpec)
				if !is || len(spec.Names) != len(spec.Values) {
					continue
				}
				for i, known := range spec.Names {
					if a.fset.Position(known.Pos()).String() == a.where(o) {
						return of, spec.Values[i]
					}
				}
			}
		}
	}
	return nil, nil
}

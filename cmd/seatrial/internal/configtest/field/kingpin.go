package field

import (
	"go/ast"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/types/typeutil"
)

// kingpins are the import paths of a library whose flags are made by chains of calls: app.Flag("size",
// "…").Default("3").IntVar(&size).
var kingpins = regexp.MustCompile(`^(github\.com|gopkg\.in)/alecthomas/kingpin(\.v\d+|/v\d+)?$`)

// isKingpins tells whether a function, or a type, is of the library.
func isKingpins(o types.Object) bool {
	return o != nil && o.Pkg() != nil && kingpins.MatchString(o.Pkg().Path())
}

// chained is the flag that the last call of a chain makes; nil if it makes none.
func (a *analysis) chained(info *types.Info, call *ast.CallExpr) *bound {
	f, is := typeutil.Callee(info, call).(*types.Func)
	if !is || !isKingpins(f) || f.Signature().Recv() == nil {
		return nil
	}
	b := &bound{}
	s := f.Signature()
	switch {
	case len(call.Args) > 0 && (s.Params().At(0).Name() == "target" || f.Name() == "SetValue" || f.Name() == "SetText"):
		b.target = call.Args[0]
	case s.Results().Len() == 1:
		r := s.Results().At(0).Type()
		_, b.isPointer = r.Underlying().(*types.Pointer)
		if n := named(r); !b.isPointer || n != nil && isKingpins(n.Obj()) {
			return nil // a link of the chain
		}
	default:
		return nil
	}
	return a.links(info, call, b)
}

// links goes back to where the chain begins: at the name of the flag.
func (a *analysis) links(info *types.Info, call *ast.CallExpr, b *bound) *bound {
	for {
		of, is := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !is {
			return nil
		}
		if call, is = ast.Unparen(of.X).(*ast.CallExpr); !is {
			return nil
		}
		f, is := typeutil.Callee(info, call).(*types.Func)
		called := a.called(info, call)
		switch {
		case called != nil && called.flag >= 0:
			b.name = call.Args[called.flag]
			return b
		case !is || !isKingpins(f) || len(call.Args) == 0 && f.Name() == "Flag":
			return nil
		case f.Name() == "Flag":
			b.name = call.Args[0]
			return b
		case f.Name() == "Default" && len(call.Args) == 1:
			b.value = call.Args[0]
		case f.Name() == "Short" && len(call.Args) == 1:
			b.short = call.Args[0]
		case f.Name() == "Envar" || f.Name() == "OverrideDefaultFromEnvar":
			b.variables = append(b.variables, call.Args[0])
		}
	}
}

// flagOf notes of a function that gives a flag which of its parameters is the name.
func (fn *function) flagOf(info *types.Info, call *ast.CallExpr) {
	f, is := typeutil.Callee(info, call).(*types.Func)
	r := fn.object.Signature().Results()
	if !is || !isKingpins(f) || f.Name() != "Flag" || len(call.Args) == 0 || r.Len() != 1 {
		return
	}
	if n := named(r.At(0).Type()); n != nil && isKingpins(n.Obj()) {
		fn.flag = fn.param(info, call.Args[0])
	}
}

package field

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// readFlag: a flag that a set has given, by its name (Lookup) or another way, is read where its value is asked what it
// says. Who goes through all flags is after none of them.
func (v *visitor) readFlag(e *ast.SelectorExpr) {
	if e.Sel.Name != "Value" || !isFlag(v.info.TypeOf(e.X)) || !v.asks() || v.visitsAll() || v.logged(e) {
		return
	}
	v.wrap(e.X, recorder+".Flag(", ", "+v.at(e)+")")
}

// isFlag tells whether a type is a flag, of package flag or of pflag.
func isFlag(t types.Type) bool {
	n := named(t)
	return n != nil && n.Obj().Name() == "Flag" && ofFlags(n.Obj().Pkg())
}

// ofFlags tells whether a package is flag or pflag.
func ofFlags(p *types.Package) bool {
	return p != nil && (p.Path() == "flag" || strings.HasSuffix(p.Path(), "github.com/spf13/pflag"))
}

// asks tells whether the value of a flag that is visited is asked what it says: x.String(), x.(flag.Getter).Get().
func (v *visitor) asks() bool {
	for i := 0; ; i++ {
		switch around := v.above(i).(type) {
		case *ast.ParenExpr, *ast.TypeAssertExpr:
		case *ast.SelectorExpr:
			return !slices.Contains([]string{"Set", "Type", "IsBoolFlag", "Append", "Replace"}, around.Sel.Name)
		default:
			return false
		}
	}
}

// visitsAll tells whether the node that is visited is in a function that is handed to one which calls it with each
// flag.
func (v *visitor) visitsAll() bool {
	for i := range len(v.stack) - 1 {
		call, is := v.above(i).(*ast.CallExpr)
		if !is {
			continue
		}
		if f, is := v.info.Uses[calledBy(call)].(*types.Func); is && strings.HasPrefix(f.Name(), "Visit") && ofFlags(f.Pkg()) {
			return true
		}
	}
	return false
}

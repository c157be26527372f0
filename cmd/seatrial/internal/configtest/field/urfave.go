package field

import (
	"go/ast"
	"go/types"
	"regexp"
	"strings"
)

// urfaves are the import paths of a library whose flags are literals: &cli.IntFlag{Name: "size", Value: 3, Destination:
// &size, EnvVars: []string{"SIZE"}}.
var urfaves = regexp.MustCompile(`^(github\.com/urfave|gopkg\.in/urfave)/cli(\.v\d+|/v\d+)?$`)

// flagLiteral is the flag that a literal is; nil if it is none.
func (a *analysis) flagLiteral(info *types.Info, lit *ast.CompositeLit) *bound {
	n := named(info.TypeOf(lit))
	if n == nil || n.Obj().Pkg() == nil || !urfaves.MatchString(n.Obj().Pkg().Path()) || !strings.HasSuffix(n.Obj().Name(), "Flag") && n.Obj().Name() != "FlagBase" {
		return nil
	}
	b := &bound{}
	for _, e := range lit.Elts {
		kv, is := e.(*ast.KeyValueExpr)
		if !is {
			return nil
		}
		name, is := kv.Key.(*ast.Ident)
		if !is {
			return nil
		}
		switch name.Name {
		case "Name":
			b.name = kv.Value
		case "Value":
			b.value = kv.Value
		case "Destination":
			b.target = kv.Value
		case "EnvVar":
			b.variables = append(b.variables, kv.Value)
		case "EnvVars":
			if list, is := ast.Unparen(kv.Value).(*ast.CompositeLit); is {
				b.variables = append(b.variables, list.Elts...)
			}
		case "Sources":
			if call, is := ast.Unparen(kv.Value).(*ast.CallExpr); is && strings.HasSuffix(types.ExprString(call.Fun), "EnvVars") {
				b.variables = append(b.variables, call.Args...)
			}
		case "Aliases":
			if list, is := ast.Unparen(kv.Value).(*ast.CompositeLit); is {
				b.aliases = append(b.aliases, list.Elts...)
			}
		}
	}
	if b.name == nil {
		return nil
	}
	return b
}

// literalType is of which type the value of a flag is that is a literal.
func literalType(info *types.Info, lit *ast.CompositeLit) types.Type {
	s := structOf(info.TypeOf(lit))
	if s == nil {
		return nil
	}
	for f := range s.Fields() {
		if f.Name() == "Value" {
			return f.Type()
		}
	}
	return nil
}

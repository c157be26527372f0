package field

import (
	"go/ast"
	"go/types"
	"strings"
)

// hooked tells whether a call that decodes says itself how some values are read, by options or functions behind what it
// decodes into: what is given without these may be refused though the program takes it. Options that only say which tag
// has the names are none.
func (d *decoder) hooked(call *ast.CallExpr, into int) bool {
	if d.kind == "" {
		return false
	}
	for _, arg := range call.Args[into+1:] {
		lit, is := ast.Unparen(arg).(*ast.CompositeLit)
		if !is {
			return true
		}
		for _, e := range lit.Elts {
			if kv, is := e.(*ast.KeyValueExpr); !is || !isNamed(kv.Key, "Tag", "FlatPaths") {
				return true
			}
		}
	}
	return false
}

// tagOption is the tag by which fields are named, where an option of a call that decodes says so: Options{Tag: "yaml"},
// or a function that sets TagName; empty for that of the library.
func tagOption(info *types.Info, call *ast.CallExpr) (tag string) {
	for _, arg := range call.Args {
		ast.Inspect(arg, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if text, is := constantText(info, n.Value); is && isNamed(n.Key, "Tag", "TagName") {
					tag = text
				}
			case *ast.AssignStmt:
				to, is := n.Lhs[0].(*ast.SelectorExpr)
				if is && len(n.Lhs) == 1 && to.Sel.Name == "TagName" {
					tag, _ = constantText(info, n.Rhs[0])
				}
			}
			return true
		})
	}
	return tag
}

func isNamed(e ast.Expr, names ...string) bool {
	id, is := e.(*ast.Ident)
	for _, name := range names {
		if is && id.Name == name {
			return true
		}
	}
	return false
}

// applied is the text of a function of the recorder that decodes as the program does into the type of a root, with a
// library that is imported by some name.
func (r *root) applied(library string) string {
	apply := r.decoder.apply
	if r.tag != "" {
		apply = strings.NewReplacer(
			`k.Unmarshal("", into)`, `k.UnmarshalWithConf("", into, NAME.UnmarshalConf{Tag: "`+r.tag+`"})`,
			`v.Unmarshal(into)`, `v.Unmarshal(into, tagged[NAME.DecoderConfigOption]("`+r.tag+`"))`,
		).Replace(apply)
	}
	return strings.ReplaceAll(apply, "NAME", library)
}

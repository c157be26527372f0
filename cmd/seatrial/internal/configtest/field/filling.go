package field

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// ofText are methods by which a value makes itself of a text.
var ofText = []string{"UnmarshalText", "Set", "UnmarshalFlag"}

// bindFilled is for x.F.UnmarshalText([]byte(os.Getenv(…))) and, of a function of the program that asks for a variable, for intVar(&x.F, "APP_SIZE").
func (v *visitor) bindFilled(n *ast.CallExpr) {
	if v.file.test {
		return
	}
	if by, is := ast.Unparen(n.Fun).(*ast.SelectorExpr); is && slices.Contains(ofText, by.Sel.Name) && len(n.Args) == 1 {
		if all := v.nodes(by.X); len(all) == 1 && all[0].leaf {
			v.fromVariables(all[0].id(), n.Args[0])
		}
		return
	}
	var into []*node
	var names []string
	for i, arg := range n.Args {
		if u, is := ast.Unparen(arg).(*ast.UnaryExpr); is && u.Op == token.AND {
			if all := v.nodes(u.X); len(all) == 1 && all[0].leaf {
				into = append(into, all[0])
			}
		}
		if name, is := v.askedFor(v.info, n, i); is {
			names = append(names, name)
		}
	}
	if len(into) == 1 && len(names) == 1 && v.called(v.info, n) != nil {
		v.alias(parameter.New(parameter.Env, names[0]), into[0].id())
	}
}

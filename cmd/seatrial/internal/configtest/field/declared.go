package field

import (
	"go/ast"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// declared are the flags that the program has and the variables of the environment that it asks for, those with constant
// names, in order.
func (a *analysis) declared() []parameter.ID {
	var out []parameter.ID
	for _, f := range a.files {
		if f.test {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			if b := binding(f.info, call); b != nil {
				if id, is := b.id(f.info); is {
					out = append(out, id)
				}
			}
			for i, arg := range call.Args {
				if name, is := constantText(f.info, arg); is && a.asksFor(f.info, call, i) {
					out = append(out, parameter.New(parameter.Env, name))
				}
			}
			return true
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

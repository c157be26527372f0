package field

import (
	"go/ast"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// binds notes what a flag is bound to: a field, wherever that is done, or what is written in one place.
func (v *visitor) binds(id parameter.ID, b *bound) {
	if v.file.test {
		return
	}
	to := v.place(v.analysis, b.name)
	if b.target != nil {
		if n := v.leafOn(b.target); n != nil {
			to = string(n.id())
		}
	}
	if v.bound[id] == nil {
		v.bound[id] = map[string]bool{}
	}
	v.bound[id][to] = true
}

// several are the flags that are bound to more than one thing, in order: commands of the module have one of that name each.
func (a *analysis) several() []parameter.ID {
	var out []parameter.ID
	for id, to := range a.bound {
		if len(to) > 1 {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

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
			if b := a.binding(f.info, call); b != nil {
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

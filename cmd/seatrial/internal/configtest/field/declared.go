package field

import (
	"go/ast"
	"go/constant"
	"go/types"
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

// several are the flags that are bound to more than one thing, in order: commands of the module have one of that name
// each.
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

// declared are the flags that the program has and the variables of the environment that it asks for, those with
// constant names, in order.
func (a *analysis) declared() []parameter.ID {
	var out []parameter.ID
	for _, f := range a.files {
		if f.test {
			continue
		}
		out = append(out, features(f)...)
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if lit, is := n.(*ast.CompositeLit); is {
				if b := a.flagLiteral(f.info, lit); b != nil {
					if id, is := b.id(f.info); is {
						out = append(out, id)
					}
				}
				return true
			}
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			if b := a.binding(f.info, call); b != nil {
				if id, is := b.id(f.info); is {
					out = append(out, id)
				}
			}
			for i := range call.Args {
				if name, is := a.askedFor(f.info, call, i); is {
					out = append(out, parameter.New(parameter.Env, name))
				}
			}
			return true
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ofTests are the flags that only tests have, as for golden files, in order: they configure no program. declared are
// those of the program.
func (a *analysis) ofTests(declared []parameter.ID) []parameter.ID {
	var out []parameter.ID
	for _, f := range a.files {
		if !f.test {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if call, is := n.(*ast.CallExpr); is {
				if b := a.binding(f.info, call); b != nil {
					if id, is := b.id(f.info); is && !slices.Contains(declared, id) {
						out = append(out, id)
					}
				}
			}
			return true
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// gates is the package of feature gates.
const gates = "k8s.io/component-base/featuregate"

// features are the feature gates that a file has constants for.
func features(f *file) []parameter.ID {
	var out []parameter.ID
	for _, o := range f.info.Defs {
		c, is := o.(*types.Const)
		if !is || c.Val().Kind() != constant.String {
			continue
		}
		if n := named(c.Type()); n != nil && n.Obj().Name() == "Feature" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == gates {
			out = append(out, parameter.New(parameter.Feature, constant.StringVal(c.Val())))
		}
	}
	return out
}

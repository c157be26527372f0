package field

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// What a program makes of its configuration is told one value at a time: outbox.New(outbox.Options{Size: c.Outbox.Size}), retry.New(c.Retries). Tests of such a thing seldom load a
// configuration. They write what is deployed into its options, or into its arguments, by hand. Where a program, or a test, puts one parameter, and nothing else of the configuration, into a field or an argument, that is one
// of its feeds: how it is converted does not matter.

// feeding is where parameters are put.
type feeding struct {
	of map[parameter.ID][]parameter.ID
	// names are those places, by where they are declared.
	names map[string]parameter.ID
}

// feed looks for the feeds of all parameters.
func (a *analysis) feed() {
	a.feeds = &feeding{of: map[parameter.ID][]parameter.ID{}, names: map[string]parameter.ID{}}
	for _, f := range a.files {
		if f.generated {
			continue
		}
		v := &visitor{analysis: a, file: f, skipped: map[ast.Expr]bool{}}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				v.eachField(n, func(field *types.Var, value ast.Expr) { v.feedsTo(field, value) })
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if s, is := ast.Unparen(to).(*ast.SelectorExpr); is && len(n.Lhs) == len(n.Rhs) && !v.isLeaf(s) {
						if of := v.info.Selections[s]; of != nil && of.Kind() == types.FieldVal && v.own(of.Obj().Pkg()) {
							v.feedsTo(of.Obj(), n.Rhs[i])
						}
					}
				}
			case *ast.CallExpr:
				v.eachArgument(n, func(param types.Object, value ast.Expr) { v.feedsTo(param, value) })
			}
			return true
		})
	}
}

// eachField goes through what a literal of a struct of the module says of its fields.
func (v *visitor) eachField(n *ast.CompositeLit, do func(*types.Var, ast.Expr)) {
	if structOf(v.info.TypeOf(n)) == nil {
		return
	}
	for _, e := range n.Elts {
		kv, is := e.(*ast.KeyValueExpr)
		if !is {
			return
		}
		name, is := kv.Key.(*ast.Ident)
		if !is {
			return
		}
		if field, is := v.info.Uses[name].(*types.Var); is && v.own(field.Pkg()) {
			do(field, kv.Value)
		}
	}
}

// eachArgument goes through the arguments of a call of a function of the module.
func (v *visitor) eachArgument(n *ast.CallExpr, do func(types.Object, ast.Expr)) {
	fn := v.called(v.info, n)
	if fn == nil || fn.file.test || fn.object.Signature().TypeParams() != nil {
		return
	}
	for i, arg := range n.Args {
		if i < len(fn.params) && fn.params[i] != nil && !(fn.object.Signature().Variadic() && i >= len(fn.params)-1) {
			do(fn.params[i], arg)
		}
	}
}

// feedsTo notes that what an expression makes of one parameter is put somewhere; what says something of several is left out.
func (v *visitor) feedsTo(place types.Object, value ast.Expr) {
	if t, is := v.info.TypeOf(value).Underlying().(*types.Basic); !is || t.Info()&(types.IsNumeric|types.IsString) == 0 {
		return
	}
	from := v.configuredIn(value)
	if len(from) == 0 {
		return
	}
	at := v.fset.Position(place.Pos())
	id := parameter.New(parameter.Field, fmt.Sprintf("%s.%s:%d:%d", place.Pkg().Path(), place.Name(), at.Line, at.Column))
	v.feeds.names[v.where(place)] = id
	for _, of := range from {
		if !slices.Contains(v.feeds.of[of], id) {
			v.feeds.of[of] = append(v.feeds.of[of], id)
		}
	}
}

// configuredIn are the names of the only parameter of which an expression makes something; none if there are several. A variable is what it is made of, if it is given nothing else.
func (v *visitor) configuredIn(value ast.Expr) (out []parameter.ID) {
	several := false
	add := func(ids ...parameter.ID) {
		several = several || len(out) > 0 && !slices.Equal(out, ids)
		out = ids
	}
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.CompositeLit:
			several = true
			return false
		case *ast.SelectorExpr:
			if all := v.nodes(n); len(all) > 0 && all[0].leaf {
				var ids []parameter.ID
				for _, leaf := range all {
					ids = append(ids, leaf.id())
				}
				add(ids...)
				return false
			}
			if id := v.itemField(n); id != "" {
				add(id)
				return false
			}
		case *ast.Ident:
			if o, is := v.info.Uses[n].(*types.Var); is && len(v.holders[v.where(o)]) > 0 {
				add(v.holders[v.where(o)]...)
			} else if from := v.madeOf(o); is && from != nil {
				if ids := v.configuredIn(from); len(ids) > 0 {
					add(ids...)
				}
			}
		case *ast.CallExpr:
			if id, is := v.askedBy(n); is {
				add(id)
				return false
			}
		}
		return true
	})
	if several {
		return nil
	}
	return out
}

// madeOf is the expression that a variable of a function has its value of, alone or with an error behind it; nil if there are others, or that is not known.
func (v *visitor) madeOf(o *types.Var) ast.Expr {
	if v.madeOnce == nil {
		v.madeOnce = map[types.Object]ast.Expr{}
		again := map[types.Object]bool{}
		ast.Inspect(v.syntax, func(n ast.Node) bool {
			assign, is := n.(*ast.AssignStmt)
			if !is {
				return true
			}
			for i, to := range assign.Lhs {
				id, named := to.(*ast.Ident)
				if !named || id.Name == "_" {
					continue
				}
				defined := v.info.Defs[id]
				switch {
				case defined == nil:
					again[v.info.Uses[id]] = true
				case len(assign.Lhs) == len(assign.Rhs):
					v.madeOnce[defined] = assign.Rhs[i]
				case i == 0:
					v.madeOnce[defined] = assign.Rhs[0]
				}
			}
			return true
		})
		for o := range again {
			delete(v.madeOnce, o)
		}
	}
	return v.madeOnce[o]
}

// askedBy is the parameter that a call asks a library, or the environment, for.
func (v *visitor) askedBy(n *ast.CallExpr) (parameter.ID, bool) {
	f, is := typeutil.Callee(v.info, n).(*types.Func)
	if !is || f.Pkg() == nil {
		return "", false
	}
	if id, is := asked(v.info, f, n); is {
		return id, true
	}
	for i := range n.Args {
		if name, is := v.askedFor(v.info, n, i); is {
			return parameter.New(parameter.Env, name), true
		}
	}
	return "", false
}

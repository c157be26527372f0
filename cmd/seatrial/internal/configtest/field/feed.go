package field

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// What a program makes of its configuration is told one value at a time: outbox.New(outbox.Options{Size: c.Outbox.Size}), retry.New(c.Retries). Tests of such a thing seldom load a
// configuration. They write what is deployed into its options, or into its arguments, by hand. Where a program, or a test, puts one parameter, and nothing else of the configuration, into a field or an argument, that is one
// of its feeds: how it is converted does not matter.

// feeding is where parameters are put, and from there.
type feeding struct {
	of map[parameter.ID][]parameter.ID
	// places are the names of fields and arguments, by where these are declared, and params those that are arguments.
	places map[string]parameter.ID
	params map[string]bool
	// names are those of places that are a feed of some parameter.
	names map[string]parameter.ID
}

// feed looks for the feeds of all parameters.
func (a *analysis) feed() {
	a.feeds = &feeding{of: map[parameter.ID][]parameter.ID{}, places: map[string]parameter.ID{}, params: map[string]bool{}, names: map[string]parameter.ID{}}
	for _, fn := range a.functions {
		for _, p := range fn.params {
			if p != nil && !fn.file.test {
				a.feeds.params[a.where(p)] = true
			}
		}
	}
	for _, f := range a.files {
		if f.generated {
			continue
		}
		v := &visitor{analysis: a, file: f, skipped: map[ast.Expr]bool{}}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				v.eachField(n, func(field *types.Var, value ast.Expr) { v.feedsTo(field, v.leavesOf(n, field), value) })
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if s, is := ast.Unparen(to).(*ast.SelectorExpr); is && len(n.Lhs) == len(n.Rhs) {
						if of := v.info.Selections[s]; of != nil && of.Kind() == types.FieldVal && v.own(of.Obj().Pkg()) {
							v.feedsTo(of.Obj(), leafIDs(v.nodes(s)), n.Rhs[i])
						}
					}
				}
			case *ast.CallExpr:
				v.eachArgument(n, func(param types.Object, value ast.Expr) { v.feedsTo(param, nil, value) })
			}
			return true
		})
	}
	a.feeds.goOn()
}

// goOn has parameters be in all that is made of where they are put, and leaves out what is made of none.
func (f *feeding) goOn() {
	of, is := map[parameter.ID][]parameter.ID{}, map[parameter.ID]bool{}
	for _, id := range f.places {
		is[id] = true
	}
	fed := map[parameter.ID]bool{}
	for id, to := range f.of {
		if is[id] {
			continue
		}
		to = slices.Clone(to)
		for i := 0; i < len(to); i++ {
			fed[to[i]] = true
			for _, next := range f.of[to[i]] {
				if !slices.Contains(to, next) {
					to = append(to, next)
				}
			}
		}
		slices.Sort(to)
		of[id] = to
	}
	for at, id := range f.places {
		if fed[id] {
			f.names[at] = id
		}
	}
	f.of = of
}

// placeOf is the name of a field or of an argument.
func (v *visitor) placeOf(o types.Object) parameter.ID {
	at := v.fset.Position(o.Pos())
	id := parameter.New(parameter.Field, fmt.Sprintf("%s.%s:%d:%d", o.Pkg().Path(), o.Name(), at.Line, at.Column))
	v.feeds.places[v.where(o)] = id
	return id
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

// leafIDs are the parameters that nodes are.
func leafIDs(all []*node) (ids []parameter.ID) {
	for _, n := range all {
		if n.leaf && !slices.Contains(ids, n.id()) {
			ids = append(ids, n.id())
		}
	}
	return ids
}

// leavesOf are the parameters that a field of a literal is.
func (v *visitor) leavesOf(n *ast.CompositeLit, field *types.Var) []parameter.ID {
	var all []*node
	for _, of := range v.byType[v.typeKey(v.info.TypeOf(n))] {
		if c := of.child(field.Name()); c != nil {
			all = append(all, c)
		}
	}
	return leafIDs(all)
}

// feedsTo notes that what an expression makes of one parameter is put into a field or an argument, which may be some parameters itself; what says something of several is left out.
func (v *visitor) feedsTo(place types.Object, leaves []parameter.ID, value ast.Expr) {
	if t, is := v.info.TypeOf(value).Underlying().(*types.Basic); !is || t.Info()&(types.IsNumeric|types.IsString) == 0 {
		return
	}
	from := v.configuredIn(value)
	if len(from) == 0 {
		return
	}
	if len(leaves) == 0 {
		leaves = []parameter.ID{v.placeOf(place)}
	}
	for _, of := range from {
		for _, id := range leaves {
			if of != id && !slices.Contains(v.feeds.of[of], id) {
				v.feeds.of[of] = append(v.feeds.of[of], id)
			}
		}
	}
}

// configuredIn are the names of the only parameter of which an expression makes something; none if there are several. A variable is what it is made of, if it is given nothing else.
func (v *visitor) configuredIn(value ast.Expr) (out []parameter.ID) {
	several := false
	var texts []string
	var places []parameter.ID
	stores := map[ast.Node]bool{} // what they are asked of is not looked into
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
				add(leafIDs(all)...)
				return false
			}
			if id := v.itemField(n); id != "" {
				add(id)
				return false
			}
			if s := v.info.Selections[n]; s != nil && s.Kind() == types.FieldVal && v.own(s.Obj().Pkg()) {
				places = append(places, v.placeOf(s.Obj()))
				return false
			}
		case *ast.Ident:
			if stores[n] {
				return false
			}
			if o, is := v.info.Uses[n].(*types.Var); is && len(v.holders[v.where(o)]) > 0 {
				add(v.holders[v.where(o)]...)
			} else if from := v.madeOf(o); is && from != nil {
				if ids := v.configuredIn(from); len(ids) > 0 {
					add(ids...)
				}
			} else if is && v.feeds.params[v.where(o)] {
				places = append(places, v.placeOf(o))
			}
		case *ast.CallExpr:
			text := v.askedInText(n)
			if id, is := v.askedBy(n); is && text != "" { // the variable is one of the ways to say it
				add(id, Asked(text))
				return false
			} else if is {
				add(id)
				return false
			}
			if text != "" {
				texts = append(texts, text)
				if by, is := ast.Unparen(n.Fun).(*ast.SelectorExpr); is {
					stores[ast.Unparen(by.X)] = true
				}
			}
		}
		return true
	})
	switch {
	case several:
		return nil
	case len(out) == 0 && len(places) == 1:
		return places
	case len(out) == 0 && len(places) == 0 && len(texts) == 1:
		return []parameter.ID{Asked(texts[0])}
	}
	return out
}

// Asked is what is known of by its text alone: a function of the program is asked for it, as a store of settings that the program has of its own.
func Asked(text string) parameter.ID { return parameter.ID("asked " + strings.ToLower(text)) }

// askedInText is the text that a call of a function of the module begins with; empty if it has none.
func (v *visitor) askedInText(n *ast.CallExpr) string {
	if len(n.Args) == 0 || v.called(v.info, n) == nil {
		return ""
	}
	text, _ := constantText(v.info, n.Args[0])
	return text
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

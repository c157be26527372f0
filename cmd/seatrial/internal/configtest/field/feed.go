package field

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// A program tells its parts what is configured one value at a time: outbox.New(outbox.Options{Size: c.Outbox.Size}),
// retry.New(c.Retries). Tests of such a part seldom load a configuration: they write what is deployed into its options,
// or into its arguments, by hand. A field or an argument into which one parameter is put, and no other one, is a feed
// of it.

// feed looks for the feeds of all parameters.
func (a *analysis) feed() {
	a.feeds = &feeding{of: map[parameter.ID][]parameter.Feed{}, places: map[string]parameter.ID{}, arguments: map[string]bool{}, also: map[parameter.ID]parameter.ID{}}
	for _, fn := range a.functions {
		for _, p := range fn.params {
			if p != nil && !fn.file.test {
				a.feeds.arguments[a.where(p)] = true
			}
		}
	}
	for _, f := range a.files {
		if f.generated {
			continue
		}
		v := &visitor{analysis: a, file: f, skipped: map[ast.Expr]bool{}, madeFrom: map[types.Object]origin{}}
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
	a.fed = a.feeds.close()
}

// placeOf is the name of a field or of an argument, which is known as a place from there on.
func (v *visitor) placeOf(o types.Object) parameter.ID {
	id := v.placeName(o)
	v.feeds.places[v.where(o)] = id
	return id
}

func (v *visitor) placeName(o types.Object) parameter.ID {
	at := v.fset.Position(o.Pos())
	return parameter.New(parameter.Field, fmt.Sprintf("%s.%s:%s:%d:%d", o.Pkg().Path(), o.Name(), filepath.Base(at.Filename), at.Line, at.Column))
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

// eachArgument goes through the arguments of a call of a function of the module, but for those of which there may be
// many.
func (v *visitor) eachArgument(n *ast.CallExpr, do func(types.Object, ast.Expr)) {
	fn := v.called(v.info, n)
	if fn == nil || fn.file.test {
		return
	}
	if s, is := ast.Unparen(n.Fun).(*ast.SelectorExpr); is && v.info.Selections[s] != nil && v.info.Selections[s].Kind() == types.MethodExpr {
		return // its first argument is the receiver
	}
	generic := fn.object.Signature().TypeParams() != nil
	for i, arg := range n.Args {
		if i < len(fn.params) && fn.params[i] != nil && !(generic && inferred(fn.params[i].Type())) && !(fn.object.Signature().Variadic() && i >= len(fn.params)-1) {
			do(fn.params[i], arg)
		}
	}
}

// inferred tells whether a type of a generic function may be inferred from what it is called with.
func inferred(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return false
	case *types.Named:
		return t.TypeArgs().Len() > 0
	}
	return true
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

// feedsTo notes that what an expression makes of one parameter is put into a field or an argument, which may be a
// parameter itself.
func (v *visitor) feedsTo(place types.Object, leaves []parameter.ID, value ast.Expr) {
	if !plain(v.info.TypeOf(value)) || len(leaves) > 0 && v.test {
		return
	}
	if v.into = leaves; len(leaves) == 0 {
		v.into = []parameter.ID{v.placeName(place)}
	}
	from := v.origin(value)
	if v.into = nil; len(from.ids) == 0 || from.several {
		return
	}
	if v.feeds.same(from.ids...); len(leaves) == 0 {
		leaves = []parameter.ID{v.placeOf(place)}
	} else if !from.place {
		v.feeds.same(append(slices.Clone(leaves), from.ids...)...)
	}
	for _, of := range from.ids {
		for _, id := range leaves {
			v.feeds.put(of, parameter.Feed{ID: id, Scale: from.scale})
		}
	}
}

// plain tells whether a type is of numbers or texts, or of lists of these.
func plain(t types.Type) bool {
	if list, is := t.Underlying().(*types.Slice); is {
		t = list.Elem()
	}
	basic, is := t.Underlying().(*types.Basic)
	return is && basic.Info()&(types.IsNumeric|types.IsString) != 0
}

// origin is what an expression is made of.
type origin struct {
	// ids are the names of one parameter, or with place that of a place.
	ids   []parameter.ID
	place bool
	// scale is how much it is of its unit for each one of the parameter's.
	scale float64
	// several: it is made of several parameters.
	several bool
}

// joint is what something is made of that is made of some. A parameter is more than a place: what is done with it may
// be configured, too.
func joint(all ...origin) (out origin) {
	for _, o := range all {
		switch {
		case o.several:
			return o
		case len(o.ids) == 0:
		case len(out.ids) == 0 || out.place && !o.place:
			out = o
		case out.place == o.place && !slices.Equal(out.ids, o.ids):
			return origin{several: true}
		}
	}
	return out
}

// within tells whether all of some parameters are among others.
func within(some, all []parameter.ID) bool {
	return len(some) > 0 && !slices.ContainsFunc(some, func(id parameter.ID) bool { return !slices.Contains(all, id) })
}

// times is an origin in another unit.
func (o origin) times(by float64) origin {
	if o.scale *= by; by == 0 || math.IsInf(o.scale, 0) {
		return origin{}
	}
	return o
}

// origin finds what an expression is made of.
func (v *visitor) origin(e ast.Expr) origin {
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit, *ast.FuncLit:
		return origin{several: true}
	case *ast.StarExpr:
		return v.origin(x.X)
	case *ast.UnaryExpr:
		return v.origin(x.X)
	case *ast.IndexExpr:
		return joint(v.origin(x.X), v.origin(x.Index))
	case *ast.BinaryExpr:
		return v.originOfBoth(x)
	case *ast.CallExpr:
		return v.originOfCall(x)
	case *ast.SelectorExpr:
		if ids := leafIDs(v.nodes(x)); len(ids) > 0 {
			return origin{ids: ids, scale: 1}
		}
		if of := v.originOfOnly(x); len(of.ids) > 0 {
			return of
		}
		if id := v.itemField(x); id != "" {
			return origin{ids: []parameter.ID{id}, scale: 1}
		}
		if s := v.info.Selections[x]; s != nil && s.Kind() == types.FieldVal && v.own(s.Obj().Pkg()) {
			return origin{ids: []parameter.ID{v.placeOf(s.Obj())}, place: true, scale: 1}
		}
		return v.originOfVariable(x.Sel)
	case *ast.Ident:
		return v.originOfVariable(x)
	}
	return origin{}
}

// originOfOnly is the origin of a struct of which the only field is selected, as the time in a type that reads itself:
// Duration{time.Duration}.
func (v *visitor) originOfOnly(x *ast.SelectorExpr) origin {
	s, of := v.info.Selections[x], structOf(v.info.TypeOf(x.X))
	if s == nil || s.Kind() != types.FieldVal || of == nil || of.NumFields() != 1 || s.Obj() != of.Field(0) {
		return origin{}
	}
	if found := v.origin(x.X); !found.place && !found.several {
		return found
	}
	return origin{}
}

// originOfBoth finds what an operation is made of: with a constant, it is in another unit.
func (v *visitor) originOfBoth(x *ast.BinaryExpr) origin {
	by := func(e ast.Expr) (float64, bool) {
		if says := v.info.Types[e].Value; says != nil && (says.Kind() == constant.Int || says.Kind() == constant.Float) {
			n, _ := constant.Float64Val(says)
			return n, true
		}
		return 0, false
	}
	n, is := by(x.Y)
	switch {
	case is && x.Op == token.MUL:
		return v.origin(x.X).times(n)
	case is && x.Op == token.QUO && n != 0:
		return v.origin(x.X).times(1 / n)
	case is && x.Op == token.SHL:
		return v.origin(x.X).times(math.Pow(2, n))
	case is && x.Op == token.SHR:
		return v.origin(x.X).times(math.Pow(2, -n))
	}
	if n, is := by(x.X); is && x.Op == token.MUL {
		return v.origin(x.Y).times(n)
	}
	return joint(v.origin(x.X), v.origin(x.Y))
}

// inUnits are the methods of times that count them.
var inUnits = map[string]float64{"Nanoseconds": 1, "Microseconds": 1e-3, "Milliseconds": 1e-6, "Seconds": 1e-9, "Minutes": 1 / 60e9, "Hours": 1 / 3600e9}

// originOfCall finds what the result of a call is made of: what it asks a library, the environment or a store of the
// program's own for, or what it is given.
func (v *visitor) originOfCall(x *ast.CallExpr) origin {
	if v.info.Types[x.Fun].IsType() && len(x.Args) == 1 {
		return v.origin(x.Args[0])
	}
	text, asked := v.askedInText(x), []parameter.ID(nil)
	if text != "" {
		asked = append(asked, parameter.Asked(text))
	}
	if id, is := v.askedBy(x); is { // the variable is one of the ways to say it
		return origin{ids: append([]parameter.ID{id}, asked...), scale: 1}
	}
	var all []origin
	by, method := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if _, variable := receiver(by).(*ast.Ident); method && !(variable && text != "") { // what it is asked of says nothing of it
		of := v.origin(by.X)
		if scale := inUnits[by.Sel.Name]; scale != 0 && len(x.Args) == 0 {
			of = of.times(scale)
		}
		all = append(all, of)
	}
	for _, arg := range x.Args {
		// What is put there is also what is there without: port = number("port", port).
		if of := v.origin(arg); text == "" || !within(of.ids, v.into) {
			all = append(all, of)
		}
	}
	out := joint(all...)
	if len(out.ids) == 0 && !out.several && len(asked) > 0 {
		return origin{ids: asked, scale: 1}
	}
	return out
}

// receiver is what a method is selected of; nil for none.
func receiver(s *ast.SelectorExpr) ast.Expr {
	if s == nil {
		return nil
	}
	return ast.Unparen(s.X)
}

// originOfVariable finds what a variable is made of, if it is given nothing else.
func (v *visitor) originOfVariable(n *ast.Ident) origin {
	o, is := v.info.Uses[n].(*types.Var)
	if !is || o.IsField() {
		return origin{}
	}
	if ids := v.holders[v.where(o)]; len(ids) > 0 {
		return origin{ids: ids, scale: 1}
	}
	if v.feeds.arguments[v.where(o)] {
		return origin{ids: []parameter.ID{v.placeOf(o)}, place: true, scale: 1}
	}
	if known, is := v.madeFrom[o]; is {
		return known
	}
	v.madeFrom[o] = origin{} // while it is looked at
	into := v.into
	v.into = nil
	if from := v.madeOf(o); from != nil {
		v.madeFrom[o] = v.origin(from)
	}
	v.into = into
	return v.madeFrom[o]
}

// madeOf is the expression that a variable of a function has its value of, alone or with an error behind it; nil if
// there are others, or that is not known.
func (v *visitor) madeOf(o *types.Var) ast.Expr {
	if v.madeOnce != nil {
		return v.madeOnce[o]
	}
	v.madeOnce = map[types.Object]ast.Expr{}
	again := map[types.Object]bool{}
	other := func(e ast.Expr) {
		if id, is := ast.Unparen(e).(*ast.Ident); is {
			again[v.info.Uses[id]] = true
		}
	}
	ast.Inspect(v.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			other(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				other(n.X)
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				id, named := to.(*ast.Ident)
				if !named || id.Name == "_" {
					continue
				}
				switch defined := v.info.Defs[id]; {
				case defined == nil:
					other(to)
				case len(n.Lhs) == len(n.Rhs):
					v.madeOnce[defined] = n.Rhs[i]
				case i == 0:
					v.madeOnce[defined] = n.Rhs[0]
				}
			}
		}
		return true
	})
	for o := range again {
		delete(v.madeOnce, o)
	}
	return v.madeOnce[o]
}

// askedBy is the parameter that a call asks a library, or the environment, for.
func (v *visitor) askedBy(n *ast.CallExpr) (parameter.ID, bool) {
	f, is := typeutil.Callee(v.info, n).(*types.Func)
	if !is || f.Pkg() == nil {
		return "", false
	}
	if id, is := asked(v.info, f, n, givers); is {
		return id, true
	}
	for i := range n.Args {
		if name, is := v.askedFor(v.info, n, i); is {
			return parameter.New(parameter.Env, name), true
		}
	}
	return "", false
}

// askedInText is the text that a call of a function of the module begins with; empty if it has none.
func (v *visitor) askedInText(n *ast.CallExpr) string {
	if len(n.Args) == 0 || v.called(v.info, n) == nil {
		return ""
	}
	text, _ := constantText(v.info, n.Args[0])
	return text
}

package field

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// bound is a call that makes a flag.
type bound struct {
	name      ast.Expr
	target    ast.Expr   // what is bound to it; nil if the call gives a pointer
	value     ast.Expr   // the default
	variables []ast.Expr // the names of those that stand above the default
	aliases   []ast.Expr // other names
	short     ast.Expr   // its letter; nil for none
	isPointer bool       // the call gives one to the value
}

// binding tells by the names of its parameters whether a call makes a flag: those of flag and pflag are called alike.
func (a *analysis) binding(info *types.Info, call *ast.CallExpr) *bound {
	if b := a.chained(info, call); b != nil {
		return b
	}
	f, is := typeutil.Callee(info, call).(*types.Func)
	if !is || !ofFlags(f.Pkg()) {
		return nil
	}
	b := &bound{}
	usage := false
	for i := range f.Signature().Params().Len() {
		if i >= len(call.Args) {
			break
		}
		p := f.Signature().Params().At(i)
		closure, _ := ast.Unparen(call.Args[i]).(*ast.FuncLit)
		switch {
		case p.Name() == "name":
			b.name = call.Args[i]
		case p.Name() == "usage":
			usage = true
		case p.Name() == "shorthand":
			b.short = call.Args[i]
		case i == 0:
			b.target = call.Args[i]
		case closure != nil:
			b.target = assignedIn(info, closure)
		case p.Name() == "value":
			b.value = call.Args[i]
		}
	}
	if b.name == nil || !usage {
		return nil
	}
	if r := f.Signature().Results(); r.Len() == 1 && b.target == nil {
		_, b.isPointer = r.At(0).Type().Underlying().(*types.Pointer)
	}
	return b
}

// assignedIn is what a function that is given to a flag puts its value into; nil if that is nothing, or several things.
func assignedIn(info *types.Info, fn *ast.FuncLit) ast.Expr {
	all := map[string]ast.Expr{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		assign, is := n.(*ast.AssignStmt)
		if !is || assign.Tok != token.ASSIGN {
			return true
		}
		for _, to := range assign.Lhs {
			switch x := ast.Unparen(to).(type) {
			case *ast.SelectorExpr:
				all[types.ExprString(x)] = x
			case *ast.Ident:
				if o := info.Uses[x]; o != nil && (o.Pos() < fn.Pos() || fn.End() <= o.Pos()) {
					all[x.Name] = x
				}
			}
		}
		return true
	})
	for _, to := range all {
		if len(all) == 1 {
			return to
		}
	}
	return nil
}

// pointerToFlag is the call that an expression is, if it gives a pointer to the value of a flag.
func (a *analysis) pointerToFlag(info *types.Info, e ast.Expr) *bound {
	call, is := ast.Unparen(e).(*ast.CallExpr)
	if !is {
		return nil
	}
	if b := a.binding(info, call); b != nil && b.isPointer {
		return b
	}
	return nil
}

func (b *bound) id(info *types.Info) (parameter.ID, bool) {
	name, is := constantText(info, b.name)
	return parameter.New(parameter.Flag, "--"+name), is
}

func (a *analysis) alias(x, y parameter.ID) {
	if x == y {
		return
	}
	if parameter.Compare(x, y) > 0 {
		x, y = y, x
	}
	a.aliases[[2]parameter.ID{x, y}] = true
}

// bind finds what feeds what: flags and fields, variables and what they are defaults of, keys and fields.
func (a *analysis) bind() {
	for _, r := range a.roots {
		a.tagged(r, r.node, r.naming.prefix)
	}
	for _, f := range a.files {
		v := &visitor{analysis: a, file: f}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			v.bindTabled(n)
			switch n := n.(type) {
			case *ast.CallExpr:
				if b := a.binding(f.info, n); b != nil {
					v.bindFlag(b)
				}
				v.bindKeys(n)
				v.bindFilled(n)
			case *ast.ValueSpec:
				for i, value := range n.Values {
					if len(n.Names) == len(n.Values) {
						v.bindHolder(f.info.Defs[n.Names[i]], value)
					}
				}
			case *ast.AssignStmt:
				v.bindAssigned(n)
			case *ast.RangeStmt:
				v.comesInTurn(n)
			case *ast.CompositeLit:
				if b := a.flagLiteral(f.info, n); b != nil {
					v.bindFlag(b)
				}
				v.bindLiteral(n)
			}
			return true
		})
	}
	a.joinShorts()
	a.joinKeys()
	a.joinStored()
	a.joinConversions()
}

// bindFlag joins a flag with its field or variable, and with what its default comes from.
func (v *visitor) bindFlag(b *bound) {
	id, is := b.id(v.info)
	if !is {
		v.problem(v.file, b.name, "the name of this flag is no constant: its parameter is not known")
		return
	}
	if b.value != nil {
		v.fromVariables(id, b.value)
	}
	for _, variable := range b.variables {
		if name, is := constantText(v.info, variable); is {
			v.alias(parameter.New(parameter.Env, name), id)
		}
	}
	for _, alias := range b.aliases {
		if name, is := constantText(v.info, alias); is {
			v.alias(parameter.New(parameter.Flag, "--"+name), id)
		}
	}
	if b.short != nil {
		v.shortOf(letter(v.info, b.short), id)
	}
	v.binds(id, b)
	if b.target == nil {
		return
	}
	if n := v.leafOn(b.target); n != nil {
		if v.partOf(n, b.target) {
			v.partial[[2]parameter.ID{id, n.id()}] = true
		} else {
			v.alias(n.id(), id)
		}
		return
	}
	if all := v.leavesOn(b.target); len(all) > 1 { // of a struct that several commands have
		for _, n := range all {
			v.partial[[2]parameter.ID{id, n.id()}] = true
		}
		return
	}
	target := ast.Unparen(b.target)
	if u, is := target.(*ast.UnaryExpr); is && u.Op == token.AND {
		target = ast.Unparen(u.X)
	}
	if i, is := target.(*ast.Ident); is {
		if o, is := v.info.Uses[i].(*types.Var); is && !o.IsField() {
			v.hold(o, id)
		}
	}
}

// hold notes that a variable holds a parameter; one that is a parameter of a function holds what it is given.
func (v *visitor) hold(o types.Object, id parameter.ID) {
	if v.holders[v.where(o)] == nil {
		v.holders[v.where(o)] = []parameter.ID{}
	}
	v.holders[v.where(o)] = append(v.holders[v.where(o)], id)
}

// leafOn is the leaf on the way of an expression: x.F of &x.F.G; nil if there is none, or it may be several.
func (v *visitor) leafOn(e ast.Expr) *node {
	for {
		e = ast.Unparen(e)
		if all := v.nodes(e); len(all) == 1 && all[0].leaf {
			return all[0]
		}
		switch x := e.(type) {
		case *ast.UnaryExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.CallExpr: // a conversion: (*value)(&x.F)
			if len(x.Args) != 1 {
				return nil
			}
			e = x.Args[0]
		default:
			return nil
		}
	}
}

// leavesOn are the leaves that a field may be: one in each place of its type.
func (v *visitor) leavesOn(e ast.Expr) []*node {
	e = ast.Unparen(e)
	if u, is := e.(*ast.UnaryExpr); is && u.Op == token.AND {
		e = u.X
	}
	all := v.nodes(e)
	return slices.DeleteFunc(slices.Clone(all), func(n *node) bool { return !n.leaf })
}

// partOf tells whether an expression is one of several fields of a leaf: of a struct of another module.
func (v *visitor) partOf(leaf *node, e ast.Expr) bool {
	s := structOf(leaf.typ)
	for {
		e = ast.Unparen(e)
		if all := v.nodes(e); s == nil || s.NumFields() < 2 || len(all) == 1 && all[0] == leaf {
			return false
		}
		switch x := e.(type) {
		case *ast.UnaryExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.CallExpr:
			e = x.Args[0]
		case *ast.SelectorExpr:
			return true
		default:
			return false
		}
	}
}

// bindHolder is for var x = flag.Int(…) and var x = os.Getenv(…).
func (v *visitor) bindHolder(o types.Object, value ast.Expr) {
	if o == nil {
		return
	}
	if b := v.pointerToFlag(v.info, value); b != nil {
		if id, is := b.id(v.info); is {
			v.hold(o, id)
		}
		return
	}
	if o.Pkg() == nil || o.Parent() != o.Pkg().Scope() || v.file.test {
		return
	}
	if _, is := o.Type().Underlying().(*types.Basic); is {
		for _, name := range v.variables(v.info, value) {
			v.hold(o, parameter.New(parameter.Env, name))
		}
	}
}

// bindAssigned is for x := flag.Int(…), x.F = flag.Int(…), x.F = os.Getenv(…).
func (v *visitor) bindAssigned(n *ast.AssignStmt) {
	v.comes(n)
	if len(n.Lhs) != len(n.Rhs) {
		return
	}
	for i, to := range n.Lhs {
		if b := v.pointerToFlag(v.info, n.Rhs[i]); b != nil {
			id, is := b.id(v.info)
			if leaf := v.leafOn(to); is && leaf != nil {
				v.alias(leaf.id(), id)
			} else if name, named := to.(*ast.Ident); is && named {
				if o := v.info.ObjectOf(name); o != nil {
					v.hold(o, id)
				}
			}
			continue
		}
		if leaf := v.leafOn(to); leaf != nil && !v.test {
			v.fromVariables(leaf.id(), n.Rhs[i])
			v.fromStore(leaf.id(), n.Rhs[i])
			v.copies(leaf, n.Rhs[i])
		}
	}
}

// fromVariables joins a parameter with the variables that its value comes from, by way of others of the function as
// well.
func (v *visitor) fromVariables(to parameter.ID, value ast.Expr) {
	for _, name := range v.variables(v.info, value) {
		v.alias(parameter.New(parameter.Env, name), to)
	}
	for _, origin := range v.origins(value) {
		for _, name := range v.variables(v.info, origin) {
			v.alias(parameter.New(parameter.Env, name), to)
		}
		v.flows[origin] = append(v.flows[origin], to)
	}
}

// origins are the expressions that ask for variables from which a value comes.
func (v *visitor) origins(value ast.Expr) []ast.Expr {
	var out []ast.Expr
	ast.Inspect(value, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			out = append(out, v.from[v.info.Uses[id]]...)
		}
		_, closure := n.(*ast.FuncLit)
		return !closure
	})
	return out
}

// comes notes from which expression a variable of a function has its value.
func (v *visitor) comes(n *ast.AssignStmt) {
	for i, to := range n.Lhs {
		name, is := to.(*ast.Ident)
		from := n.Rhs[min(i, len(n.Rhs)-1)]
		if !is || v.test || len(n.Rhs) == 1 && i > 0 {
			continue
		}
		o := v.info.ObjectOf(name)
		if o == nil || name.Name == "_" {
			continue
		}
		switch o.Type().Underlying().(type) {
		case *types.Basic, *types.Slice:
		default:
			continue // of a struct each field has a source of its own
		}
		if v.from == nil {
			v.from = map[types.Object][]ast.Expr{}
		}
		if len(v.variables(v.info, from)) > 0 {
			v.from[o] = append(v.from[o], from)
		}
		v.from[o] = append(v.from[o], v.origins(from)...)
	}
}

// comesInTurn notes from which expression a variable of a loop has its values: for _, name := range
// strings.Split(os.Getenv("APP_NAMES"), ",").
func (v *visitor) comesInTurn(n *ast.RangeStmt) {
	name, is := n.Value.(*ast.Ident)
	if !is || v.test || v.info.Defs[name] == nil || len(v.variables(v.info, n.X))+len(v.origins(n.X)) == 0 {
		return
	}
	if _, plain := v.info.Defs[name].Type().Underlying().(*types.Basic); !plain {
		return
	}
	if v.from == nil {
		v.from = map[types.Object][]ast.Expr{}
	}
	if len(v.variables(v.info, n.X)) > 0 {
		v.from[v.info.Defs[name]] = append(v.from[v.info.Defs[name]], n.X)
	}
	v.from[v.info.Defs[name]] = append(v.from[v.info.Defs[name]], v.origins(n.X)...)
}

// bindLiteral is for T{F: os.Getenv(…)}.
func (v *visitor) bindLiteral(n *ast.CompositeLit) {
	all := v.byType[v.typeKey(v.info.TypeOf(n))]
	if len(all) != 1 || v.file.test {
		return
	}
	for _, e := range n.Elts {
		leaf, value := v.element(n, e)
		if leaf == nil {
			continue
		}
		v.fromVariables(leaf.id(), value)
		v.fromStore(leaf.id(), value)
		v.copies(leaf, value)
		if b := v.pointerToFlag(v.info, value); b != nil {
			if id, is := b.id(v.info); is {
				v.alias(leaf.id(), id)
			}
		}
	}
}

// copies joins a leaf with the one of another type that its value is taken from: of another version, or of what is
// inside.
func (v *visitor) copies(to *node, value ast.Expr) {
	all := v.nodes(v.converted(value))
	if len(all) == 1 && all[0].leaf && all[0].root != to.root {
		v.alias(all[0].id(), to.id())
	}
}

// section is where the keys begin that a part of viper or koanf has: x.Sub("storage"), by way of a variable as well.
// Empty for a whole.
func (v *visitor) section(e ast.Expr) string {
	e = ast.Unparen(e)
	if id, is := e.(*ast.Ident); is {
		e = v.definition(v.info.Uses[id])
	}
	call, is := e.(*ast.CallExpr)
	if !is || len(call.Args) != 1 {
		return ""
	}
	of, is := call.Fun.(*ast.SelectorExpr)
	f, called := typeutil.Callee(v.info, call).(*types.Func)
	name, constant := constantText(v.info, call.Args[0])
	if !is || !called || !constant || f.Pkg() == nil || f.Name() != "Sub" && f.Name() != "Cut" {
		return ""
	}
	return v.section(of.X) + name + "."
}

// parentType is the struct that a node's field is in.
func (n *node) parentType(a *analysis) types.Type {
	for _, p := range a.parts {
		for _, c := range p.children {
			if c == n {
				return p.typ
			}
		}
	}
	return n.root.typ
}

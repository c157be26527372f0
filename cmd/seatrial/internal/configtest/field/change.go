package field

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// assigned notes what a test sets, and hands on what a program takes from the environment.
func (v *visitor) assigned(n *ast.AssignStmt) {
	for _, from := range n.Rhs {
		v.setByItself(n, from)
	}
	for i, to := range n.Lhs {
		if n.Tok != token.DEFINE {
			v.set(n, to, n.Rhs[min(i, len(n.Rhs)-1)])
		}
		if len(n.Lhs) != len(n.Rhs) {
			continue
		}
		if leaf := v.leafOn(to); leaf != nil && !v.test {
			v.handOn(n.Rhs[i], leaf.id())
		}
		if to := v.flows[n.Rhs[i]]; len(to) > 0 {
			v.handOn(n.Rhs[i], to...)
		}
		name, is := to.(*ast.Ident)
		if made, of := v.made(n.Rhs[i]); is && made && n.Tok == token.DEFINE && name.Name != "_" && v.listed() {
			v.behind(n, fmt.Sprintf("%s.Own(&%s, %s)", recorder, name.Name, numbered(of)))
		}
	}
}

// made tells whether an expression is a literal of a configuration in a test.
func (v *visitor) made(e ast.Expr) (bool, []*node) {
	lit, is := ast.Unparen(e).(*ast.CompositeLit)
	if !is || !v.test || len(lit.Elts) == 0 {
		return false, nil
	}
	of := v.byType[v.typeKey(v.info.TypeOf(lit))]
	return len(of) > 0, of
}

// listed tells whether the node that is visited is a statement of a list, behind which there may be another one.
func (v *visitor) listed() bool {
	switch of := v.above(0).(type) {
	case *ast.BlockStmt:
		return true
	case *ast.CaseClause:
		return true
	case *ast.CommClause:
		return of.Comm != v.stack[len(v.stack)-1]
	}
	return false
}

// set notes behind a statement of a test what it has given a value; from is that, or nil.
func (v *visitor) set(n ast.Stmt, to, from ast.Expr) {
	if !v.test {
		return
	}
	e := ast.Unparen(to)
	for {
		switch x := e.(type) {
		case *ast.IndexExpr:
			e = ast.Unparen(x.X)
			continue
		case *ast.StarExpr:
			e = ast.Unparen(x.X)
			continue
		case *ast.SelectorExpr:
			if v.setAt(n, x, from) {
				return
			}
			e = ast.Unparen(x.X)
			continue
		case *ast.UnaryExpr:
			e = ast.Unparen(x.X)
			continue
		case *ast.Ident:
			if of := v.definition(v.info.Uses[x]); of != nil && v.item(x) {
				e = ast.Unparen(of)
				continue
			}
			v.setHolder(n, x)
		}
		return
	}
}

// setHolder notes that a test gives the variable another value that holds a flag, or what the environment says.
func (v *visitor) setHolder(n ast.Stmt, name *ast.Ident) {
	o, is := v.info.Uses[name].(*types.Var)
	if !is || o.IsField() || len(v.holders[v.where(o)]) == 0 {
		return
	}
	if !v.listed() {
		v.problem(v.file, n, "what is set here is not noted: the statement is a part of another one")
		return
	}
	pointer := "&" + name.Name
	if _, is := o.Type().Underlying().(*types.Pointer); is {
		pointer = name.Name
	}
	var ids []string
	for _, id := range v.holders[v.where(o)] {
		ids = append(ids, strconv.Quote(string(id)))
	}
	v.behind(n, fmt.Sprintf("%s.Set(%s, %s)", recorder, pointer, strings.Join(ids, ", ")))
}

// setAt notes that a field is set; false if it is none of a configuration. A test that keeps a whole one in a field of
// its own, as a suite keeps what the program has loaded, sets nothing.
func (v *visitor) setAt(n ast.Stmt, e *ast.SelectorExpr, from ast.Expr) bool {
	s := v.info.Selections[e]
	if s == nil || s.Kind() != types.FieldVal {
		return false
	}
	all := v.nodes(e)
	if len(all) == 0 {
		return false
	}
	if !all[0].leaf && from != nil && !written(from) && len(v.nodes(e.X)) == 0 {
		return true
	}
	if !v.listed() {
		v.problem(v.file, n, "what is set here is not noted: the statement is a part of another one")
		return true
	}
	pointer := "nil"
	if v.info.Types[e].Addressable() && steady(e) {
		pointer = "&" + string(v.text[v.offset(e.Pos()):v.offset(e.End())])
	}
	if all[0].leaf {
		v.behind(n, fmt.Sprintf("%s.Set(%s, %s)", recorder, pointer, v.parameters(e, all)))
	} else {
		v.behind(n, fmt.Sprintf("%s.Sets(%s, %s)", recorder, pointer, numbered(all)))
	}
	return true
}

// written tells whether a struct is written out.
func written(e ast.Expr) bool {
	e = ast.Unparen(e)
	if u, is := e.(*ast.UnaryExpr); is && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	_, is := e.(*ast.CompositeLit)
	return is
}

// steady tells whether an expression can be written a second time: it calls nothing, and is in one line.
func steady(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return true
	case *ast.ParenExpr:
		return steady(x.X)
	case *ast.StarExpr:
		return steady(x.X)
	case *ast.SelectorExpr:
		return steady(x.X)
	}
	return false
}

// literal notes what a test makes, and puts values into what the program makes.
func (v *visitor) literal(n *ast.CompositeLit) {
	if b := v.flagLiteral(v.info, n); b != nil && b.value != nil {
		if id, is := b.id(v.info); is {
			v.handOn(b.value, id)
		}
		return
	}
	of := v.byType[v.typeKey(v.info.TypeOf(n))]
	if len(of) == 0 || n.Type == nil {
		return
	}
	for _, e := range n.Elts {
		if leaf, value := v.element(n, e); leaf != nil && !v.test && len(of) == 1 {
			v.handOn(value, leaf.id())
		}
	}
	if len(n.Elts) == 0 || v.within() {
		return
	}
	pointer, _ := v.above(0).(*ast.UnaryExpr)
	if pointer != nil && pointer.Op != token.AND {
		pointer = nil
	}
	id, one := strconv.Quote(string(v.typeID(of[0]))), documented(of)
	switch {
	case v.test && pointer != nil:
		v.wrap(pointer, recorder+".Made(", fmt.Sprintf(", %s, %s)", id, numbered(of)))
	case v.test:
		v.wrap(n, recorder+".MadeV(", ", "+id+")")
	case one != nil:
		v.variedLater(one)
		by := v.gives(one, v.defaults(n))
		switch {
		case by == "":
		case pointer != nil:
			v.wrap(pointer, recorder+"."+by+"(", fmt.Sprintf(", %d)", one.number))
		default:
			v.wrap(n, recorder+"."+by+"V(", fmt.Sprintf(", %d)", one.number))
		}
	}
}

// defaults tells whether a literal says of fields to which flags are bound what they are by default: nothing that the
// function was given, or has made before.
func (v *visitor) defaults(n *ast.CompositeLit) bool {
	for _, e := range n.Elts {
		leaf, value := v.element(n, e)
		if leaf == nil || !v.isFed(leaf.id()) {
			continue
		}
		local := false
		ast.Inspect(value, func(n ast.Node) bool {
			name, is := n.(*ast.Ident)
			if !is {
				return true
			}
			x, is := v.info.Uses[name].(*types.Var)
			local = local || is && !x.IsField() && x.Pkg() != nil && x.Parent() != x.Pkg().Scope()
			return true
		})
		if local {
			return false
		}
	}
	return true
}

// gives is the function that puts values into a struct which the program makes; empty if none does. What only flags are
// for is given to their library, and to what has nothing but their defaults: many a test takes these, and parses
// nothing.
func (v *visitor) gives(n *node, defaults bool) string {
	switch {
	case defaults && n.root.decoder == nil && slices.ContainsFunc(n.leaves(), func(l *node) bool { return v.isFed(l.id()) }):
		return "Flagged"
	case n.injected():
		return "Inject"
	}
	return ""
}

// isFed tells whether a flag is bound to a field.
func (a *analysis) isFed(id parameter.ID) bool {
	for pair := range a.aliases {
		if pair[1] == id && pair[0].Kind() == parameter.Flag || pair[0] == id && pair[1].Kind() == parameter.Flag {
			return true
		}
	}
	return false
}

// injected tells whether values come to a struct by its document.
func (n *node) injected() bool {
	d := n.root.decoder
	return d != nil && !d.names || n.root.named
}

// within tells whether a literal is a part of another one of a configuration.
func (v *visitor) within() bool {
	for i := range len(v.stack) - 1 {
		switch n := v.above(i).(type) {
		case *ast.KeyValueExpr, *ast.UnaryExpr, *ast.ParenExpr:
		case *ast.CompositeLit:
			if len(v.byType[v.typeKey(v.info.TypeOf(n))]) > 0 {
				return true
			}
		default:
			return false
		}
	}
	return false
}

// handOn wraps a value of which variables are the source: it is handed on, and not read.
func (v *visitor) handOn(value ast.Expr, to ...parameter.ID) {
	if v.taken[value] || len(v.variables(v.info, value)) == 0 || v.info.Types[value].Value != nil {
		return
	}
	v.taken[value] = true
	var ids []string
	for _, id := range to {
		ids = append(ids, strconv.Quote(string(id)))
	}
	v.wrap(value, fmt.Sprintf("%s.End(%s.Begin(%s), ", recorder, recorder, strings.Join(ids, ", ")), ")")
}

func (v *visitor) handHolder(o types.Object, value ast.Expr) {
	if o == nil {
		return
	}
	for _, id := range v.holders[v.where(o)] {
		if id.Kind() == parameter.Env {
			v.handOn(value, "")
			return
		}
	}
}

// environment wraps the functions of package os that are about variables and files, those of tests, and that by which
// they find the module.
func (v *visitor) environment(e ast.Expr, name *ast.Ident) {
	f, is := v.info.Uses[name].(*types.Func)
	if !is {
		return
	}
	by := `"program"`
	if v.test {
		by = `"test"`
	}
	switch f.FullName() {
	case "os.Getenv":
		v.wrap(e, recorder+".Getenv(", ", "+v.at(e)+v.handedTo(e)+")")
	case "os.LookupEnv":
		v.wrap(e, recorder+".LookupEnv(", ", "+v.at(e)+v.handedTo(e)+")")
	case "os.ExpandEnv":
		v.wrap(e, recorder+".ExpandEnv(", ", "+v.at(e)+v.handedTo(e)+")")
	case "os.ReadFile", "io/ioutil.ReadFile":
		v.opens(e, ".ReadFile(")
	case "os.Open":
		v.opens(e, ".Open(")
	case "os.OpenFile":
		v.wrap(e, recorder+".OpenFile(", ", "+v.at(e)+", "+strconv.FormatBool(v.test)+")")
	case "os.DirFS":
		v.wrap(e, recorder+".DirFS(", ", "+v.at(e)+", "+strconv.FormatBool(v.test)+")")
	case "runtime.Caller":
		v.wrap(e, recorder+".Caller(", ")")
	case "os.Setenv":
		v.wrap(e, recorder+".Setenv(", ", "+by+")")
	case "os.Unsetenv":
		v.wrap(e, recorder+".Unsetenv(", ", "+by+")")
	case "(*testing.common).Setenv", "(*testing.T).Setenv", "(*testing.B).Setenv", "(testing.TB).Setenv":
		v.wrap(e, recorder+".TestSetenv(", ", "+by+")")
	}
}

// opens wraps a function that opens a file.
func (v *visitor) opens(e ast.Expr, by string) {
	if v.test {
		v.wrap(e, recorder+".Opens(", ")")
	} else {
		v.wrap(e, recorder+by, ", "+v.at(e)+")")
	}
}

// patch is the function by which a test asks for values in a struct that it made.
const patch = "github.com/seatrial/seatrial/configtest.Patch"

// call wraps decoders, the defaults of flags, and what asks for values.
func (v *visitor) call(n *ast.CallExpr) {
	if b := v.binding(v.info, n); b != nil {
		if id, is := b.id(v.info); is && b.value != nil {
			v.handOn(b.value, id)
		}
		return
	}
	if f, is := typeutil.Callee(v.info, n).(*types.Func); is && f.FullName() == patch && len(n.Args) == 2 {
		v.wrap(n.Args[1], recorder+".Patch(", ")")
		return
	}
	d, i := decodes(v.info, n)
	if d == nil || n.Ellipsis.IsValid() || d.kind != "" || d.tag == "" || d.names {
		return // keys and variables are recorded where they are read
	}
	into := v.info.TypeOf(n.Args[i])
	_, generic := pointed(into).(*types.TypeParam) // which type it is is known when it runs
	if _, is := into.Underlying().(*types.Interface); !is && !generic && len(v.byType[v.typeKey(into)]) != 1 {
		return
	}
	results := v.info.TypeOf(n.Fun).Underlying().(*types.Signature).Results().Len()
	after := map[int]string{1: "", 2: "2"}
	number, is := after[results]
	if !is {
		return
	}
	switch v.above(0).(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return
	}
	own := ""
	if i > 0 && v.constantSource(n.Args[:i]) {
		own = "Own"
	}
	if f, is := typeutil.Callee(v.info, n).(*types.Func); is && (d.file || f.Name() == "DecodeFile") {
		own = ""
		v.wrap(n.Args[0], recorder+".From(", ")")
	}
	v.wrap(n, fmt.Sprintf("%s.After%s%s(", recorder, own, number), ")")
	v.wrap(n.Args[i], recorder+".Before(", fmt.Sprintf(", %t)", v.test))
}

// constantSource tells whether what is decoded is in the program itself: a constant, or a variable of the package, as
// embedded files are.
func (v *visitor) constantSource(args []ast.Expr) bool {
	if v.test {
		return false
	}
	for _, arg := range args {
		own := false
		ast.Inspect(arg, func(n ast.Node) bool {
			if id, is := n.(*ast.Ident); is {
				o := v.info.Uses[id]
				if x, is := o.(*types.Var); is && x.Pkg() != nil && x.Parent() == x.Pkg().Scope() {
					own = true
				}
				if _, is := o.(*types.Const); is {
					own = true
				}
			}
			return true
		})
		if own {
			return true
		}
	}
	return false
}
